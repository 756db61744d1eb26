import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dni, isRut, normalDni, OptionalDni, showDni, verifierOf, WRONG_VERIFIER } from './rut.ts'

const number = fc.integer({ min: 1_000_000, max: 99_999_999 })

describe('a RUT', () => {
  it.each([
    ['12.345.678-5', '12345678-5', '12.345.678-5'],
    ['12345678-5', '12345678-5', '12.345.678-5'],
    ['123456785', '12345678-5', '12.345.678-5'],
    [' 12 345 678 – 5 ', '12345678-5', '12.345.678-5'],
    ['012.345.678-5', '12345678-5', '12.345.678-5'],
    ['76.418.203-0', '76418203-0', '76.418.203-0'],
    ['6.000.000-k', '6000000-K', '6.000.000-K'],
  ])('%s is kept as %s and shown as %s', (typed, kept, shown) => {
    expect(Dni.parse(typed)).toBe(kept)
    expect(showDni(kept)).toBe(shown)
  })

  it('is the same however it is typed, and shown as it is read', () => {
    fc.assert(
      fc.property(number, fc.boolean(), fc.boolean(), fc.boolean(), (n, dots, hyphen, small) => {
        const verifier = verifierOf(n)
        const digits = dots ? String(n).replace(/\B(?=(\d{3})+$)/g, '.') : String(n)
        const typed = `${digits}${hyphen ? '-' : ''}${small ? verifier.toLowerCase() : verifier}`
        const kept = Dni.parse(typed)
        expect(kept).toBe(`${n}-${verifier}`)
        expect(normalDni(showDni(kept))).toBe(kept)
        expect(Dni.parse(kept)).toBe(kept)
      }),
    )
  })

  it('has exactly one verifier', () => {
    fc.assert(
      fc.property(number, (n) => {
        const right = [...'0123456789K'].filter((verifier) => isRut(`${n}-${verifier}`))
        expect(right).toEqual([verifierOf(n)])
      }),
    )
  })

  it('with one digit mistyped, or two neighbours swapped, is refused', () => {
    fc.assert(
      fc.property(number, fc.nat(6), fc.integer({ min: 1, max: 9 }), (n, at, by) => {
        const digits = [...String(n)]
        const wrong = [...digits]
        wrong[at] = String((Number(digits[at]) + by) % 10)
        const swapped = [...digits]
        ;[swapped[at], swapped[at + 1]] = [digits[at + 1] ?? '', digits[at] ?? '']
        for (const typed of [wrong, swapped].map((d) => d.join(''))) {
          if (typed === String(n) || typed.startsWith('0')) continue
          expect(Dni.safeParse(`${typed}-${verifierOf(n)}`).error?.issues[0]?.message).toBe(WRONG_VERIFIER)
        }
      }),
    )
  })
})

describe('a foreign id', () => {
  it.each(['20-12345678-9', '20123456789', 'PE 45678912', 'ES-B12345678', '12-3456789', 'DE 811 128 135'])(
    '%s is kept as typed',
    (typed) => {
      expect(Dni.parse(`  ${typed} `)).toBe(typed)
      expect(showDni(typed)).toBe(typed)
      expect(isRut(typed)).toBe(false)
    },
  )

  it('may be missing where it is optional', () => {
    for (const nothing of [undefined, null, '', '  ']) expect(OptionalDni.parse(nothing)).toBe(null)
    expect(Dni.safeParse(' ').success).toBe(false)
  })
})
