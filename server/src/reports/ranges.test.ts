import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addRange, both, common, countApart, cut, Joined, lengthOf, type Ranges, touches, without } from './ranges.ts'

const MOST = 30
const pairs = fc.array(fc.tuple(fc.nat(MOST), fc.nat(MOST)), { maxLength: 8 })
const rangesOf = (of: [number, number][]) => {
  const ranges: number[] = []
  for (const [from, to] of of) addRange(ranges, from, to)
  return ranges
}
const steps = Array.from({ length: MOST }, (_, i) => i)
const within = (of: [number, number][]) => new Set(steps.filter((n) => of.some(([from, to]) => from <= n && n < to)))
const joinedOf = (...lists: [number, number][][]) => {
  const joined = new Joined(lists.flat().length)
  return lists.map((list) => {
    for (const [from, to] of list) joined.add(from, to)
    return joined.take()
  })
}
const stepsOf = (ranges: Ranges) =>
  steps.filter((n) => [...ranges].some((from, i) => i % 2 === 0 && from <= n && n < ranges[i + 1]!))

it('counts as a set of moments does, in order and none touching the next', () => {
  fc.assert(
    fc.property(pairs, pairs, (one, two) => {
      const [a, b] = [rangesOf(one), rangesOf(two)]
      const [s, t] = [within(one), within(two)]
      for (const [ranges, expected] of [
        [a, [...s]],
        [common(a, b), steps.filter((n) => s.has(n) && t.has(n))],
        [without(a, b), steps.filter((n) => s.has(n) && !t.has(n))],
        [both(a, b), steps.filter((n) => s.has(n) || t.has(n))],
        [joinedOf(two, one)[1]!, [...s]],
        [joinedOf(two, one)[0]!, [...t]],
        [joinedOf([...one, ...two])[0]!, steps.filter((n) => s.has(n) || t.has(n))],
        ...two.flatMap(([from, to]) => {
          const left = [...s].filter((n) => from <= n && n < to)
          return [
            [cut(a, from, to), left],
            [cut(joinedOf(one)[0]!, from, to), left],
          ] as const
        }),
      ] as const) {
        expect(stepsOf(ranges)).toEqual(expected)
        expect(lengthOf(ranges)).toBe(expected.length)
        expect([...ranges].every((at, i) => i === 0 || ranges[i - 1]! < at)).toBe(true)
      }
      for (const [from, to] of two.filter(([from, to]) => from < to))
        expect(touches(a, from, to)).toBe(steps.slice(from, to).some((n) => s.has(n)))
      const parted = Array.from({ length: a.length / 2 }, (_, i) => !touches(b, a[i * 2]!, a[i * 2 + 1]!))
      expect(countApart(a, b)).toBe(parted.filter(Boolean).length)
    }),
  )
})
