/*
 * Ranges of time as numbers, which are added up and cut a hundred times faster than the database does: from and to, from
 * and to… in order, none touching the next. What ends where it begins is none.
 */

export type Ranges = readonly number[] | Float64Array

const NONE: Ranges = []

/** Puts ranges together, one list after the other, in one that has room for all of them. Most come in order. */
export class Joined {
  readonly #list: Float64Array
  #start = 0
  #end = 0

  constructor(most: number) {
    this.#list = new Float64Array(2 * most)
  }

  add(from: number, to: number) {
    if (from >= to) return
    const list = this.#list
    const end = this.#end
    if (end === this.#start || from > list[end - 1]!) {
      list[end] = from
      list[end + 1] = to
      this.#end = end + 2
    } else if (from >= list[end - 2]!) {
      if (to > list[end - 1]!) list[end - 1] = to
    } else this.#insert(from, to)
  }

  /** One that began before the last of them. */
  #insert(from: number, to: number) {
    const [list, first, last] = [this.#list, this.#start, this.#end]
    let end = last
    while (end > first && list[end - 2]! > to) end -= 2
    let start = end
    while (start > first && list[start - 1]! >= from) {
      from = Math.min(from, list[start - 2]!)
      to = Math.max(to, list[start - 1]!)
      start -= 2
    }
    list.copyWithin(start + 2, end, last)
    list[start] = from
    list[start + 1] = to
    this.#end = last + 2 - (end - start)
  }

  /** Those that were added since the last time. */
  take(): Ranges {
    const found = this.#end === this.#start ? NONE : this.#list.subarray(this.#start, this.#end)
    this.#start = this.#end
    return found
  }
}

/** What is between two moments: the same list, where none is cut. */
export function cut(ranges: Ranges, from: number, to: number): Ranges {
  let [first, end] = [0, ranges.length]
  while (first < end && ranges[first + 1]! <= from) first += 2
  while (end > first && ranges[end - 2]! >= to) end -= 2
  if (first === end || from >= to) return NONE
  const isWhole = ranges[first]! >= from && ranges[end - 1]! <= to
  if (isWhole && ranges instanceof Float64Array) return ranges.subarray(first, end)
  const found = ranges.slice(first, end)
  found[0] = Math.max(found[0]!, from)
  found[found.length - 1] = Math.min(found.at(-1)!, to)
  return found
}

/** Adds one that comes after most of them. */
export function addRange(ranges: number[], from: number, to: number) {
  if (from >= to) return
  let end = ranges.length
  while (end > 0 && ranges[end - 2]! > to) end -= 2
  let start = end
  while (start > 0 && ranges[start - 1]! >= from) {
    from = Math.min(from, ranges[start - 2]!)
    to = Math.max(to, ranges[start - 1]!)
    start -= 2
  }
  if (start === ranges.length) ranges.push(from, to)
  else ranges.splice(start, end - start, from, to)
}

/** What is in both. */
export function common(some: Ranges, others: Ranges): Ranges {
  const found: number[] = []
  for (let i = 0, j = 0; i < some.length && j < others.length; ) {
    const from = Math.max(some[i]!, others[j]!)
    const to = Math.min(some[i + 1]!, others[j + 1]!)
    if (from < to) found.push(from, to)
    if (some[i + 1]! < others[j + 1]!) i += 2
    else j += 2
  }
  return found
}

/** What is in the first alone. */
export function without(some: Ranges, others: Ranges): Ranges {
  if (others.length === 0) return some
  const found: number[] = []
  for (let i = 0, j = 0; i < some.length; i += 2) {
    let from = some[i]!
    const to = some[i + 1]!
    while (j < others.length && others[j + 1]! <= from) j += 2
    for (let k = j; k < others.length && others[k]! < to; k += 2) {
      if (from < others[k]!) found.push(from, others[k]!)
      from = others[k + 1]!
    }
    if (from < to) found.push(from, to)
  }
  return found
}

export const both = (some: Ranges, others: Ranges): Ranges => {
  const found = [...some]
  for (let i = 0; i < others.length; i += 2) addRange(found, others[i]!, others[i + 1]!)
  return found
}

export const touches = (ranges: Ranges, from: number, to: number) => {
  for (let i = 0; i < ranges.length && ranges[i]! < to; i += 2) if (ranges[i + 1]! > from) return true
  return false
}

/** How many of the first touch none of the others. */
export const countApart = (some: Ranges, others: Ranges) => {
  let count = 0
  for (let i = 0, j = 0; i < some.length; i += 2) {
    while (j < others.length && others[j + 1]! <= some[i]!) j += 2
    if (j >= others.length || others[j]! >= some[i + 1]!) count += 1
  }
  return count
}

export const lengthOf = (ranges: Ranges) => {
  let sum = 0
  for (let i = 0; i < ranges.length; i += 2) sum += ranges[i + 1]! - ranges[i]!
  return sum
}
