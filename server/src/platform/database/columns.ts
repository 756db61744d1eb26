import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, isoInstant, one, rows } from './db.ts'

/*
 * Thousands of rows: a list for each column arrives at a fraction of what as many rows cost, and what only passes through
 * is written as JSON without making anything of it on the way.
 */

type Kind = 'number' | 'text' | 'boolean' | 'instant'
type Kinds<T> = { readonly [K in keyof T]-?: Kind }

export interface Columns<T> {
  count: number
  /** Each as the database writes it. */
  lists: Record<keyof T, string[]>
}

/** What lies between two values of a list, and what stands for none: nobody can write what nobody knows. */
const BETWEEN = '\u001f'
const NONE = `\u001e${randomUUID().slice(0, 8)}`

export async function columnsOf<T extends object>(
  db: Db,
  kinds: Kinds<T>,
  query: SQL,
  between = BETWEEN,
): Promise<Columns<T>> {
  const names = Object.keys(kinds) as (keyof T & string)[]
  const aggregates = names.map(
    (name) =>
      sql`string_agg(coalesce(q.${sql.identifier(name)}::text, ${NONE}), ${between}) as ${sql.identifier(name)}`,
  )
  const found = one(
    await rows<Record<string, string | null>>(
      db,
      sql`select ${sql.join(aggregates, sql`, `)}, count(*)::text as counted from (${query}) q`,
    ),
  )
  const counted = Number(found.counted)
  const lists = Object.fromEntries(names.map((name) => [name, found[name]?.split(between) ?? []])) as Record<
    keyof T,
    string[]
  >
  // Somebody wrote what no keyboard has: then something lies in between that nobody ever wrote.
  if (names.some((name) => lists[name].length !== counted)) return columnsOf(db, kinds, query, BETWEEN + randomUUID())
  return { count: counted, lists }
}

const READ: Record<Kind, (text: string) => unknown> = {
  number: Number,
  text: (text) => text,
  boolean: (text) => text === 'true',
  instant: isoInstant,
}

/** As `rows`. */
export const manyOf = async <T extends object>(db: Db, kinds: Kinds<T>, query: SQL): Promise<T[]> =>
  asRows(kinds, await columnsOf(db, kinds, query))

/** Some of the columns, as rows. */
export function asRows<T extends object>(kinds: Kinds<T>, { count, lists }: Columns<NoInfer<T>>): T[] {
  const made = Array.from({ length: count }, () => ({}) as T)
  for (const name of Object.keys(kinds) as (keyof T)[]) {
    const [list, read] = [lists[name], READ[kinds[name]]]
    for (let i = 0; i < count; i++) made[i]![name] = (list[i] === NONE ? null : read(list[i]!)) as T[typeof name]
  }
  return made
}

const quoted = (text: string) => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))
const PLAIN = /^[ !#-[\]-~\u00a0-\ud7ff]*$/
const WRITE: Record<Kind, (text: string) => string> = {
  number: (text) => text,
  text: quoted,
  boolean: (text) => text,
  instant: (text) => `"${isoInstant(text)}"`,
}

/** Each row as JSON, but for its last bracket: more may follow. */
export function openJson<T extends object>(kinds: Kinds<T>, { count, lists }: Columns<NoInfer<T>>): string[] {
  const columns = (Object.keys(kinds) as (keyof T & string)[]).map((name, i) => ({
    head: `${i === 0 ? '{' : ','}"${name}":`,
    list: lists[name],
    write: WRITE[kinds[name]],
  }))
  // Put together at once: added to piece by piece, a text is as many objects until somebody reads it.
  const parts = new Array<string>(columns.length * 2)
  return Array.from({ length: count }, (_, i) => {
    for (let c = 0; c < columns.length; c++) {
      const { head, list, write } = columns[c]!
      parts[c * 2] = head
      parts[c * 2 + 1] = list[i] === NONE ? 'null' : write(list[i]!)
    }
    return parts.join('')
  })
}

const BYTES = 8
const numbersIn = (bytes: Buffer | null) => {
  const count = (bytes?.length ?? 0) / BYTES
  return Float64Array.from({ length: count }, (_, i) => Number(bytes!.readBigInt64BE(i * BYTES)))
}
/** A column of `lists`: whole numbers, or moments as `microsecondsOf` counts them; none of them null. */
export const list = {
  whole: (value: SQL) => sql`string_agg(int8send(${value}), '')`,
  moment: (value: SQL) => sql`string_agg(timestamptz_send(${value}), '')`,
}

/** Since the year 2000, as the database does. */
export const microsecondsOf = (instant: string) => (Date.parse(instant) - EPOCH) * 1000
export const instantAt = (microseconds: number) => new Date(Math.floor(microseconds / 1000) + EPOCH).toISOString()
const EPOCH = Date.UTC(2000, 0, 1)

/**
 * As `rows`, where there may be tens of thousands: a list for each column, numbers in the bytes that the database has them
 * in. Neither side writes or reads a text for each of them.
 */
export async function lists<C extends Record<string, SQL>>(
  db: Db,
  columns: C,
  from: SQL,
  { ask = rows }: { ask?: typeof rows } = {},
) {
  const names = Object.keys(columns)
  const selected = names.map((name) => sql`${columns[name]} as ${sql.identifier(name)}`)
  const [result] = await ask<Record<string, Buffer | null>>(db, sql`select ${sql.join(selected, sql`, `)} from ${from}`)
  return Object.fromEntries(names.map((name) => [name, numbersIn(result?.[name] ?? null)])) as Record<
    keyof C,
    Float64Array
  >
}
