import type { Field } from '#contract/base/fields.ts'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import type { OrderTyped } from './typed.ts'

/* Two people in one order: what the other one saved comes in, what was typed here stays. */

const FIELDS: Record<string, Field> = WORK_ORDER_FIELDS
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const LINES = ['works', 'supplies', 'services'] as const
type Line = { id?: number }

/** A line as a person tells it from others: not what the server adds to it. */
const told = ({ id: _, ...line }: Line) => {
  const { state: _state, cost: _cost, ...typed } = line as Record<string, unknown>
  const words = Object.entries(typed).map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value])
  return JSON.stringify(words.sort())
}

/** Lines added here that are not among those added there: one whose answer was lost is there already. */
function stillNew<T extends Line>(added: T[], there: T[]): T[] {
  const left = there.map(told)
  return added.filter((line) => {
    const at = left.indexOf(told(line))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

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
  const added = typed.filter(({ id }) => !id)
  const addedThere = theirs.filter(({ id }) => !before.has(id))
  return [...kept, ...revived, ...stillNew(added, addedThere)]
}

export function mergeOrders(read: OrderTyped, typed: OrderTyped, theirs: OrderTyped): OrderTyped {
  const merged = { ...theirs } as Record<string, unknown>
  for (const field of Object.keys(typed) as (keyof OrderTyped)[])
    if (field !== 'updated_at' && !same(typed[field], read[field]) && !same(trimmed(typed[field]), theirs[field]))
      merged[field] = typed[field]
  for (const field of LINES)
    merged[field] = mergeLines<Line>(read[field] as Line[], typed[field] as Line[], theirs[field] as Line[])
  return merged as unknown as OrderTyped
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)

/** Everything typed here is there already: it was saved, and the answer was lost on the way. */
export const hasArrived = (read: OrderTyped, typed: OrderTyped, theirs: OrderTyped) =>
  same(mergeOrders(read, typed, theirs), theirs)

export interface Difference {
  label: string
  /** Changed here too: what was typed here wins unless it is let go. */
  both: boolean
}

/** What somebody else changed since it was read. */
export const differences = (read: OrderTyped, typed: OrderTyped, theirs: OrderTyped): Difference[] =>
  (Object.keys(theirs) as (keyof OrderTyped)[])
    .filter((field) => field !== 'updated_at' && field !== 'confirm_lower' && !same(theirs[field], read[field]))
    .map((field) => ({ label: FIELDS[field]?.label ?? field, both: !same(typed[field], read[field]) }))
