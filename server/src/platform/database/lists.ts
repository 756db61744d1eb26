import { SQL, sql } from 'drizzle-orm'
import { COUNTED } from '#contract/base/wire.ts'
import { all, oneOfIds } from './conditions.ts'
import { type Db, one, rows } from './db.ts'
import { hasPart } from './words.ts'

interface Listed {
  page: number
  per_page: number
  sort?: string | undefined
  count?: 'exact' | 'bounded' | undefined
}

interface List {
  select: SQL
  from: SQL
  where: SQL
  /**
   * What the filters look at, where the rest need not even be joined to count the rows; nor to find those of a page, in
   * the order where the user chose none and by these sorts; by others, what `joins` says is enough. (What is joined, needed
   * or not, keeps an index from being all that is read.)
   */
  bare?: { from: SQL; where: SQL; sorts: readonly string[]; joins?: Record<string, SQL> } | undefined
  /** The same number of rows, where it takes less to count them; or a statement that knows how many. */
  counted?: { from: SQL; where: SQL } | SQL | undefined
  /** The expression behind each sortable field. */
  sorts: Record<string, SQL>
  /** The order where the user chose none. */
  order: SQL
  /** Decides between equals, so that no row is on two pages. */
  id: SQL
  /**
   * How a row is found again. Then the rows of the page are found first, and what is shown is looked up for them alone:
   * joins that neither the order nor a filter needs have to be left joins of one row at most.
   */
  key?: Key
  /** Sorts that are never null and have an index, with the id behind: it is walked, either way. */
  indexed?: readonly string[]
  /**
   * Sorts by the name of what rows name, one thing or another, which an index has before the id: of each, in the order of
   * the names, as many rows as the page may need; of a page far behind all are sorted. Those that name none come last.
   * `things` has their `id` and `name`, which is never null.
   */
  named?: Record<string, readonly Named[]>
  /** Sorts that may be null and have an index: downwards it is walked for those that have something, and then for the rest. */
  nullable?: readonly string[]
  /** Words are searched: few rows or many, they are looked for once, and counted on the way. */
  searched?: boolean
  /** More have them than are looked at before they are sorted: known before. */
  common?: boolean
  /** The same rows as `where`, as an index of words finds them; `where` is what they are met by, one after the other. */
  byWords?: SQL | undefined
  /** Their ids, where several indexes find some of them each: see `unionOf`. */
  idsByWords?: SQL | undefined
  /** No index has its words: they are looked for one row after the other, and no further than it takes. */
  scanned?: boolean
  /** The same, in the order that is asked for, where an index has it: what is found first is the page. */
  walked?: boolean
}

interface Key {
  of: SQL
  id: SQL
  /** Between equals, the later first. */
  down?: boolean
}

interface Named {
  by: SQL
  things: SQL
  /** How a row is of the thing `n`, where `by` does not show the planner how many are. */
  is?: SQL
  /** The rows, where the bare ones do not say it. */
  of?: { from: SQL; where: SQL }
  /** More of them than rows of a page: those whose rows come first are enough, and an index has them by their names. */
  many?: boolean
}

/** One page of a list. */
export async function listPage<T extends object>(db: Db, query: Listed, list: List) {
  const { page, per_page } = query
  const { select, from, key, bare = list, counted: less = bare } = list
  const order = orderOf(query, list)
  const field = query.sort?.replace(/^-/, '')
  const place = placeOf(list, field)
  const isNear = page * per_page <= COUNTED
  // What many rows have is soon met among those of each name.
  const isMet = !list.searched || (list.walked && !list.idsByWords)
  const names = field && isNear && isMet ? list.named?.[field] : undefined
  const falls = query.sort?.startsWith('-') && !list.searched && list.nullable?.includes(field!)
  const found = names
    ? byNames(query, names, key!, names.some(({ of }) => of) ? list : bare)
    : falls
      ? falling(query, list.sorts[field!]!, key!.id, place)
      : sql`select ${key?.id ?? select} from ${place.from} where ${place.where} order by ${order} ${slice(query)}`
  const isLookedUp = key && list.searched && query.count === 'bounded'
  const isFar = page * per_page > LOOKED_AT
  if (isLookedUp && list.walked && !list.idsByWords && !isFar && (!field || list.indexed?.includes(field))) {
    const met = sql`select ${key.id} as id from ${place.from} where ${place.where} order by ${order}`
    const { ids } = one(await rows<{ ids: string[] }>(db, sql`select ${upToMany(met, LOOKED_AT)} as ids`))
    const these = sql`${key.of} and ${key.id} = ${oneOfIds(ids.slice((page - 1) * per_page, page * per_page))}`
    const data = await rows<T>(db, sql`select ${select} from ${from} where ${these} order by ${order}`)
    return { data, ...asFound(ids), page, per_page }
  }
  const rare = isLookedUp && !list.common ? await lookUp(db, key.id, bare, list) : undefined
  if (key && rare) {
    const these = sql`select ${key.id} from ${place.from} where ${key.of} and ${key.id} = ${oneOfIds(rare)}
      order by ${order} ${slice(query)}`
    const data = await rows<T>(
      db,
      sql`select ${select} from ${from} where ${key.of} and ${key.id} = any(array(${these})) order by ${order}`,
    )
    return { data, ...asFound(rare), page, per_page }
  }
  const isCommon = isLookedUp
  if (key && list.searched && !isCommon) {
    const ids = await rows<{ id: number; total: number }>(
      db,
      sql`select ${key.id} as id, count(*) over () as total from ${place.from}
        where ${list.idsByWords ? sql`${key.of} and ${key.id} = any(array(${list.idsByWords}))` : (list.byWords ?? place.where)}
        order by ${order} ${slice(query)}`,
    )
    const [first] = ids
    if (!first) return { data: [], ...(page === 1 ? { total: 0 } : await count(db, query, less)), page, per_page }
    const these = sql`${key.of} and ${key.id} = ${oneOfIds(ids.map(({ id }) => id))}`
    const data = await rows<T>(db, sql`select ${select} from ${from} where ${these} order by ${order}`)
    return { data, total: first.total, page, per_page }
  }
  const data = await rows<T>(
    db,
    key
      ? sql`select ${select} from ${from} where ${key.of} and ${key.id} = any(array(${found})) order by ${order}`
      : found,
  )
  if (isCommon) return { data, total: LOOKED_AT, at_least: true as const, page, per_page }
  const isWhole = data.length < per_page && (page === 1 || data.length > 0)
  const counted = isWhole ? { total: (page - 1) * per_page + data.length } : await count(db, query, less)
  return { data, ...counted, page, per_page }
}

/** Where the rows of a page are found. */
function placeOf({ bare, ...list }: List, field: string | undefined): { from: SQL; where: SQL } {
  if (bare && (!field || bare.sorts.includes(field))) return bare
  const join = bare?.joins?.[field!]
  return bare && join ? { from: sql`${bare.from} ${join}`, where: bare.where } : list
}

/** The keys of a page by names: see `named`. */
function byNames(query: Listed, named: readonly Named[], key: Key, bare: { from: SQL; where: SQL }) {
  const { id, down: isDown } = key
  const between = isDown ? sql`desc` : sql`asc`
  const most = query.page * query.per_page
  const down = query.sort?.startsWith('-') ? sql`desc` : sql`asc`
  const those = (which: SQL, { from, where } = bare) => sql`from ${from} where ${where} and ${which}`
  const rowsOf = (which: SQL, of = bare) =>
    sql`(select ${id} as id ${those(which, of)} order by ${id} ${between} ${slice({ page: 1, per_page: most })})`
  const stretches = named.map(({ by, is: which = sql`${by} = n.id`, things, many, of }) => {
    const first = sql`(select n.id, n.name from ${things} n where (select true ${those(which, of)} limit 1)
        order by n.name ${down} fetch first ${sql.raw(String(most))} rows with ties)`
    return sql`select n.name, k.id from ${many ? first : things} n cross join lateral ${rowsOf(which, of)} k`
  })
  // Only where those that have a name do not fill the page.
  const none = all([...named.map(({ by }) => sql`${by} is null`), sql`(select count(*) from named) < ${most}`])
  return sql`with named as materialized (${sql.join(stretches, sql` union all `)})
    select k.id from (select * from named union all select null, k.id from ${rowsOf(none)} k) k
    order by k.name ${down} nulls last, k.id ${between} ${slice(query)}`
}

/** The keys of a page downwards: see `nullable`. */
function falling(query: Listed, by: SQL, id: SQL, { from, where }: { from: SQL; where: SQL }) {
  const upTo = slice({ page: 1, per_page: query.page * query.per_page })
  const some = sql`select ${by} as by, ${id} as id from ${from} where ${where} and ${by}`
  return sql`select k.id from ((${some} is not null order by ${by} desc, ${id} ${upTo}) union all (${some} is null order by ${id} ${upTo})) k
    order by k.by desc nulls last, k.id ${slice(query)}`
}

/** Names of a company's table, for `named`; and words that are their own names, in this order. */
export const namesOf = (table: SQL, { company_id }: { company_id: number }, name = sql`n.name`) =>
  sql`(select n.id, ${name} as name from ${table} n where n.company_id = ${company_id})`
export const theseNames = (words: readonly string[]) =>
  sql.raw(`(select n.id, n.name from (values ${words.map((word, i) => `('${word}', ${i})`).join()}) n (id, name))`)

/**
 * As far as what has some words is looked at before it is sorted: a word that more have is soon met on the way, and is then
 * looked for in the order that is asked for.
 */
const LOOKED_AT = 2000
/** Where an index of words finds them: to sort some more is less than to walk from A to where all of them stand. */
const GATHERED = 5000
async function lookUp(db: Db, id: SQL, bare: { from: SQL; where: SQL }, { byWords, idsByWords, scanned }: List) {
  const most = byWords || idsByWords ? GATHERED : LOOKED_AT
  const these = idsByWords ?? sql`select ${id} as id from ${bare.from} where ${byWords ?? bare.where}`
  // Apart, so that it is planned as if all were wanted: the index of parts of words, and not one row after the other.
  const found =
    scanned && !byWords
      ? sql`select ${upToMany(these, most)} as ids`
      : sql`with found as materialized (${these}) select ${upToMany(sql`select id from found`, most)} as ids`
  const { ids } = one(await rows<{ ids: string[] }>(db, found))
  return ids.length > most ? undefined : ids
}
/** One more than so many, to know that there are. */
const upToMany = (these: SQL, most: number) => sql`array(${these} ${slice({ page: 1, per_page: most + 1 })})`
const asFound = (ids: unknown[]) =>
  ids.length > LOOKED_AT ? { total: LOOKED_AT, at_least: true as const } : { total: ids.length }

/**
 * Ids that several indexes find, each some of them. Of each no more than are gathered, where it is enough to know that there
 * are more: whatever else narrows the list is to be asked of each.
 */
export const unionOf = ({ count }: Pick<Listed, 'count'>, parts: SQL[]) =>
  sql.join(
    parts.map((part) => sql`(${part} ${count === 'bounded' ? slice({ page: 1, per_page: GATHERED + 1 }) : sql``})`),
    sql` union `,
  )

interface Worded {
  /** What narrows the list besides. */
  asked: SQL
  search: string | undefined
  /** Where the words may be: any of these says that they are there. */
  told: SQL[]
  /** The ids of those, as indexes find them. */
  found: SQL[]
  /** The last rows, as `alias`, with what `told` looks at. */
  last: SQL
  alias: SQL
}

/** Rows that have words in one place or another, for a list: how each is told; and how indexes find them, where that is less. */
export async function searching(db: Db, query: Pick<Listed, 'count'>, words: Worded) {
  const { asked, search, told, found, last, alias } = words
  const has = sql`(${sql.join(told, sql` or `)})`
  const isGathered = hasPart(search) && !(await areCommon(db, last, alias, has))
  return { where: sql`${asked} and ${has}`, idsByWords: isGathered ? unionOf(query, found) : undefined }
}

/** Of these rows, the last ones, so many have some words that they are soon met on the way. */
export async function areCommon(db: Db, last: SQL, alias: SQL, words: SQL) {
  const some = sql`select from (${last} ${slice({ page: 1, per_page: SAMPLED })}) ${alias} where ${words}`
  return one(await rows<{ many: boolean }>(db, sql`select count(*) > ${SAMPLED / 20} as many from (${some}) f`)).many
}
const SAMPLED = 400

function orderOf({ sort }: Listed, { sorts, order, id, key, indexed }: List) {
  const field = sort?.replace(/^-/, '')
  const by = field && sorts[field]
  if (!sort || !by) return sql`${order}, ${id}`
  const isDown = sort.startsWith('-')
  if (key && indexed?.includes(field)) return isDown ? sql`${by} desc, ${key.id} desc` : sql`${by}, ${key.id}`
  return isDown ? sql`${by} desc nulls last, ${id}` : sql`${by} asc nulls last, ${id}`
}

/** How many there are; no further than up to `COUNTED`, for who asks for that. */
async function count(db: Db, query: Listed, what: { from: SQL; where: SQL } | SQL) {
  const counted = () => {
    const { from, where } = what as { from: SQL; where: SQL }
    return query.count === 'bounded'
      ? sql`(select from ${from} where ${where} ${slice({ page: 1, per_page: COUNTED + 1 })}) f`
      : sql`${from} where ${where}`
  }
  const how = what instanceof SQL ? what : sql`select count(*) as total from ${counted()}`
  return upTo(query, one(await rows<{ total: number }>(db, how)).total)
}
const upTo = (query: Listed, total: number): { total: number; at_least?: true } =>
  query.count === 'bounded' && total > COUNTED ? { total: COUNTED, at_least: true } : { total }

/** A page of an order. How many is part of the statement, not a value of it: it is planned once, for a page. */
export function slice({ page, per_page }: Pick<Listed, 'page' | 'per_page'>): SQL {
  const skipped = (page - 1) * per_page
  return sql`limit ${sql.raw(String(Number(per_page)))} ${skipped > 0 ? sql`offset ${skipped}` : sql``}`
}
