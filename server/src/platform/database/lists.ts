import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from './db.ts'

interface Listed {
  page: number
  per_page: number
  sort?: string | undefined
}

/**
 * One page of a list. `sorts` gives the expression behind each sortable field; `order` is the order where the
 * user chose none. The id decides between equals, so that no row is on two pages.
 */
export async function listPage<T extends object>(
  db: Db,
  query: Listed,
  list: { select: SQL; from: SQL; where: SQL; sorts: Record<string, SQL>; order: SQL; id: SQL },
) {
  const { page, per_page, sort } = query
  const by = sort && list.sorts[sort.replace(/^-/, '')]
  const order = by ? (sort.startsWith('-') ? sql`${by} desc nulls last` : sql`${by} asc nulls last`) : list.order
  const data = await rows<T>(
    db,
    sql`select ${list.select} from ${list.from} where ${list.where} order by ${order}, ${list.id} ${slice(query)}`,
  )
  const isWhole = data.length < per_page && (page === 1 || data.length > 0)
  const total = isWhole ? (page - 1) * per_page + data.length : await count(db, list.from, list.where)
  return { data, total, page, per_page }
}

async function count(db: Db, from: SQL, where: SQL) {
  const [counted] = await rows<{ total: number }>(db, sql`select count(*) as total from ${from} where ${where}`)
  return counted?.total ?? 0
}

export const all = (conditions: (SQL | undefined)[]) =>
  sql.join(
    conditions.filter((c) => c !== undefined),
    sql` and `,
  )

/** One of these, or any where none are asked for. */
export const oneOf = (column: SQL, values: readonly (number | string)[] | undefined): SQL | undefined =>
  values && values.length > 0 ? sql`${column} = any(${sql.param(values)})` : undefined

/** A page of an order. How many is part of the statement, not a value of it: it is planned once, for a page. */
export function slice({ page, per_page }: Omit<Listed, 'sort'>): SQL {
  const skipped = (page - 1) * per_page
  return sql`limit ${sql.raw(String(Number(per_page)))} ${skipped > 0 ? sql`offset ${skipped}` : sql``}`
}

/**
 * What an id is compared with. The planner does not see how many there are: it would plan the statement anew for every
 * number of them, as it does for `oneOf`.
 */
export const oneOfIds = (ids: readonly (number | string)[]): SQL =>
  ids.length === 1 ? sql`${ids[0]}` : sql`any((select ${sql.param(ids)}::bigint[])::bigint[])`

/** The same for words that the contract names: they are part of the statement. */
export const oneOfNames = (names: readonly string[]): SQL =>
  sql`in (${sql.raw(names.map((name) => `'${name.replaceAll("'", "''")}'`).join())})`

/** Lower case without accents, like `plain()` in the database. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
export const likeWord = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Every word is in the text somewhere, in any order; accents and case aside. `haystack` is plain text. A word with
 * separators also matches without them (`BBBB-12` finds BBBB12).
 */
export function matches(haystack: SQL, search: string | undefined): SQL | undefined {
  const words = plain(search ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
  if (words.length === 0) return undefined
  return all(
    words.map((word) => {
      const bare = word.replace(/[^\p{L}\p{N}]/gu, '')
      return bare && bare !== word
        ? sql`(${haystack} like ${likeWord(word)} or ${haystack} like ${likeWord(bare)})`
        : sql`${haystack} like ${likeWord(word)}`
    }),
  )
}

/** Moments of a zone (`2026-03-01` or `2026-03-01 14:00:00`) between which a column lies, both ends included. */
export function between(column: SQL, range: string | undefined, zone: string): SQL | undefined {
  if (!range) return undefined
  const [from = '', to = ''] = range.split(',')
  // Days and seconds are half-open intervals: the end is the start of what follows, whatever the clock did that night.
  const step = to.length === 10 ? sql`interval '1 day'` : sql`interval '1 second'`
  return sql`${column} >= (${from}::timestamp at time zone ${zone}) and ${column} < ((${to}::timestamp + ${step}) at time zone ${zone})`
}
