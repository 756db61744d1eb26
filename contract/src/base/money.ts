/** Amounts and quantities: how they are worked out, and how people in Chile read them. */

import { z } from 'zod'
import { readings } from './readings.ts'

/**
 * With so many decimals at most, and at least. By hand: a browser's first use of `Intl` takes some 35 ms, and four times
 * that on a tablet.
 * One kind of minus everywhere: the sign, which is as wide as a figure, and not the hyphen.
 */
function figures(most: number, least = 0) {
  return (n: number) => {
    if (!Number.isFinite(n)) return String(n)
    // Moving the point of what is written is exact where multiplying is not.
    const moved = Math.abs(n) < 1e-6 ? 0 : Math.round(Number(`${Math.abs(n)}e${most}`))
    const digits = String(moved).padStart(most + 1, '0')
    const [before, after] = [digits.slice(0, digits.length - most), digits.slice(digits.length - most)]
    const decimals = after.slice(0, least) + after.slice(least).replace(/0+$/, '')
    const sign = n < 0 && moved > 0 ? '−' : ''
    return `${sign}${before.replace(/\B(?=(\d{3})+$)/g, '.')}${decimals && `,${decimals}`}`
  }
}
const exact = figures(4)

/** `1234567` → `1.234.567` */
export const showNumber = figures(0)
/** What stands for a figure that is not there, or that the person may not read. */
const NO_FIGURE = '–'
/** `$1.234.567` */
export const showMoney = (pesos: number | null) =>
  pesos === null ? NO_FIGURE : pesos < 0 ? `−$${showNumber(-pesos)}` : `$${showNumber(pesos)}`
const tenth = figures(1)
/** `$1,2 M`, `$340 mil`: where there is little room, and the whole amount is nearby. */
export const showShortMoney = (pesos: number) =>
  pesos >= 999_500 ? `$${tenth(pesos / 1_000_000)} M` : `$${tenth(Math.round(pesos / 1000))} mil`
/** `182.340 km` */
export const showKm = (km: number) => `${showNumber(km)} km`
/** `1.250,5`: quantities have up to four decimals. */
export const showQuantity = exact
/** `$1.190,2857`: what one unit costs has up to four decimals. */
export const showCost = (pesos: number | null) =>
  pesos === null ? NO_FIGURE : `${pesos < 0 ? '−' : ''}$${exact(Math.abs(pesos))}`

const fixedTenth = figures(1, 1)
const hundredth = figures(2)
/** `1.234,5 h` */
export const showHours = (hours: number) => `${fixedTenth(hours)} h`
/** `97,3 %` */
export const showShare = (share: number) => `${fixedTenth(share * 100)} %`
/** `$45,6`: what a kilometre costs. */
export const showPerKm = (pesos: number) => `${pesos < 0 ? '−' : ''}$${hundredth(Math.abs(pesos))}`

/* What a call takes. A number that is out of bounds is not looked at any further: nothing is worked out with it. */

/** The most that one unit may cost, and the most of it there may be: together they fit every amount. */
const MAX_COST = 999_999_999.9999
const MAX_QUANTITY = 999_999.9999
const hasFourDecimals = (n: number) => Number(n.toFixed(4)) === n
const upTo = (what: string, max: number, wrong: string) =>
  z
    .number(wrong)
    .max(max, { error: `${what} es demasiado grande.`, abort: true })
    .refine((n) => n < 0 || hasFourDecimals(n), `${what} admite hasta 4 decimales.`)

/** What one unit costs, in pesos. */
export const UnitCost = upTo('El costo', MAX_COST, 'El costo debe ser un número.').min(0, {
  error: 'El costo no puede ser negativo.',
  abort: true,
})
export const BAD_QUANTITY = 'La cantidad debe ser un número no negativo o mayor a 0'
/** What something costs, on the wire: null where it comes along to those who may not read costs. */
export const SeenCost = z.number().nullable()

export const Quantity = upTo('La cantidad', MAX_QUANTITY, BAD_QUANTITY).gt(0, { error: BAD_QUANTITY, abort: true })
export const QuantityOrZero = upTo('La cantidad', MAX_QUANTITY, 'Debe ser un número.').min(0, {
  error: 'No puede ser negativo.',
  abort: true,
})

/* Working out: on whole numbers, never on floating point. */

export const TAXES = {
  '19': { label: '19%', percent: 19 },
  '21': { label: '21%', percent: 21 },
  exempt: { label: 'Exento', percent: 0 },
} as const
export type TaxType = keyof typeof TAXES
export const TAX_TYPES = Object.keys(TAXES) as [TaxType, ...TaxType[]]
/** By its per cent, factor or label too, alone or inside the option of a list; an exempt factor is 1, or 0. */
function taxFrom(sent: unknown): unknown {
  if (typeof sent === 'object' && sent !== null) {
    const option = sent as Record<string, unknown>
    const named = [option.tax_type, option.value, option.id, option.factor, option.name, option.label]
    return named.map(taxFrom).find((tax) => TAX_TYPES.some((known) => known === tax)) ?? sent
  }
  const text = String(sent).trim().toLowerCase().replace(/ ?%$/, '')
  if (text === '') return sent
  if (TAX_TYPES.some((known) => known === text)) return text
  const factor = Number(text)
  return (
    TAX_TYPES.find((tax) => TAXES[tax].label.toLowerCase() === text || 1 + TAXES[tax].percent / 100 === factor) ??
    (factor === 0 ? 'exempt' : sent)
  )
}
export const TaxType = z.enum(TAX_TYPES).register(readings, { value: taxFrom })

const MAX_PESOS = 99_999_999_999
/** An amount of a paper, in whole pesos. */
export const Pesos = z
  .number('El monto debe ser un número.')
  .min(0, { error: 'El monto no puede ser negativo.', abort: true })
  .max(MAX_PESOS, { error: 'El monto es demasiado grande.', abort: true })
  .int('El monto va en pesos enteros.')

/** The IVA of a net amount, in whole pesos, rounded half up. */
export const taxOf = (net: number, tax_type: TaxType) =>
  Number(divideHalfUp(BigInt(net) * BigInt(TAXES[tax_type].percent), 100n))

/**
 * A total in proportion to weights, to the peso: those that rounding down takes most from get what is left. Where there
 * are no weights, in even parts. No part is more than its weight while the total is not more than all of them.
 */
export function splitPesos(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = (all > 0 ? weights : weights.map(() => 1)).map(BigInt)
  const whole = shares.reduce((sum, share) => sum + share, 0n)
  const parts = shares.map((share, i) => ({
    i,
    part: Number((BigInt(total) * share) / whole),
    rest: (BigInt(total) * share) % whole,
  }))
  const left = total - parts.reduce((sum, { part }) => sum + part, 0)
  for (const one of parts.toSorted((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest < b.rest ? 1 : -1)).slice(0, left))
    one.part += 1
  return parts.map(({ part }) => part)
}

/** Ten-thousandths: quantities and unit costs keep four decimals. */
const SCALE = 10_000
export const toScaled = (n: number) => BigInt(Math.round(n * SCALE))

/** Half up, for what is not negative. */
export const divideHalfUp = (n: bigint, by: bigint) => (2n * n + by) / (2n * by)

export interface Amounts {
  net_cost: number
  tax: number
  total_cost: number
}

/** Net and total are each rounded once, half up, to whole pesos; the tax is their difference. */
export function lineAmounts(line: { quantity: number; unit_cost: number; tax_type: TaxType }): Amounts {
  const cost = toScaled(line.quantity) * toScaled(line.unit_cost)
  const net_cost = Number(divideHalfUp(cost, 100_000_000n))
  const total_cost = Number(divideHalfUp(cost * BigInt(100 + TAXES[line.tax_type].percent), 10_000_000_000n))
  return { net_cost, tax: total_cost - net_cost, total_cost }
}

/** A document's subtotal and total are the sums of its lines', its IVA their difference. */
export function documentAmounts(lines: readonly Amounts[]) {
  const subtotal = lines.reduce((sum, line) => sum + line.net_cost, 0)
  const total = lines.reduce((sum, line) => sum + line.total_cost, 0)
  return { subtotal, tax: total - subtotal, total }
}
