import { FIELD_WORDS } from './field-words.ts'
import type { OrderTyped } from './typed.ts'

/* Two people in one order: what the other one saved comes in, what was typed here stays. */

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const LINES = ['works', 'supplies', 'services'] as const
type Line = { id?: number }

/** Theirs, with what was changed, added or taken out here. */
function mergeLines<T extends Line>(read: T[], typed: T[], theirs: T[]): T[] {
  const mine = new Map(typed.filter(({ id }) => id).map((line) => [line.id, line]))
  const before = new Map(read.map((line) => [line.id, line]))
  const kept = theirs.flatMap((line) => {
    const own = mine.get(line.id)
    if (!own) return before.has(line.id) ? [] : [line]
    return [same(own, before.get(line.id)) ? line : own]
  })
  // Changed here and taken out there: text is never lost, it comes back as a new line.
  const revived = typed
    .filter((line) => line.id && !theirs.some(({ id }) => id === line.id) && !same(line, before.get(line.id)))
    .map(({ id: _, ...line }) => line as unknown as T)
  return [...kept, ...revived, ...typed.filter(({ id }) => !id)]
}

export function mergeOrders(read: OrderTyped, typed: OrderTyped, theirs: OrderTyped): OrderTyped {
  const merged = { ...theirs } as Record<string, unknown>
  for (const field of Object.keys(typed) as (keyof OrderTyped)[])
    if (field !== 'updated_at' && !same(typed[field], read[field])) merged[field] = typed[field]
  for (const field of LINES)
    merged[field] = mergeLines<Line>(read[field] as Line[], typed[field] as Line[], theirs[field] as Line[])
  return merged as unknown as OrderTyped
}

export interface Difference {
  label: string
  /** Changed here too: what was typed here wins unless it is let go. */
  both: boolean
}

/** What somebody else changed since it was read. */
export const differences = (read: OrderTyped, typed: OrderTyped, theirs: OrderTyped): Difference[] =>
  (Object.keys(theirs) as (keyof OrderTyped)[])
    .filter((field) => field !== 'updated_at' && field !== 'confirm_lower' && !same(theirs[field], read[field]))
    .map((field) => ({ label: FIELD_WORDS[field] ?? field, both: !same(typed[field], read[field]) }))
