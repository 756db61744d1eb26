import { z } from 'zod'

/**
 * Who somebody is to the tax office. A Chilean RUT is kept as `12345678-5` and its last digit is checked; what does
 * not have that form is a foreign id, kept as it was typed.
 */

const RUT = /^0*([1-9]\d{6,7})-?([\dK])$/

/** The number and its verifier, for what has the form of a RUT, whether or not the verifier is right. */
function partsOf(text: string) {
  const [, number, verifier] =
    RUT.exec(
      text
        .toUpperCase()
        .replace(/[.\s]/g, '')
        .replace(/[‐‑–—]/g, '-'),
    ) ?? []
  return number && verifier ? { number, verifier } : undefined
}

/** Modulo 11 over the digits from the right, weighed 2 to 7 again and again; ten is written K. */
export function verifierOf(number: string | number): string {
  const digits = [...String(number)].reverse()
  const sum = digits.reduce((total, digit, i) => total + Number(digit) * (2 + (i % 6)), 0)
  const rest = 11 - (sum % 11)
  return rest === 11 ? '0' : rest === 10 ? 'K' : String(rest)
}

export function isRut(text: string) {
  const parts = partsOf(text)
  return parts !== undefined && verifierOf(parts.number) === parts.verifier
}

/** As it is kept: `12.345.678-k`, `12345678k` and `12 345 678 - K` are all `12345678-K`. */
export function normalDni(text: string) {
  const parts = partsOf(text)
  return parts ? `${parts.number}-${parts.verifier}` : text.trim()
}

/** As people read it: `12.345.678-5`; a foreign id as it is. */
export function showDni(dni: string) {
  const parts = partsOf(dni)
  return parts ? `${parts.number.replace(/\B(?=(\d{3})+$)/g, '.')}-${parts.verifier}` : dni
}

export const WRONG_VERIFIER =
  'El dígito verificador no corresponde. Si es un documento extranjero, anteponga el país (por ejemplo, PE 45678912).'

const isSound = (dni: string | null) => dni === null || partsOf(dni) === undefined || isRut(dni)

export const OptionalDni = z
  .string()
  .trim()
  .max(40)
  .nullish()
  .transform((text) => (text ? normalDni(text) : null))
  .refine(isSound, WRONG_VERIFIER)

export const Dni = z.string().trim().min(1).max(40).transform(normalDni).refine(isSound, WRONG_VERIFIER)
