import { type SQL, sql } from 'drizzle-orm'
import { COUNTED } from '#contract/base/wire.ts'
import { type Db, one, rows } from './db.ts'

interface ListQuery {
  page: number
  per_page: number
  sort?: string | undefined
  /** `bounded` counts no further than `COUNTED`. */
  count?: 'exact' | 'bounded' | undefined
}

export interface ListSpec {
  /** The columns of a row. */
  select: SQL
  /**
   * Its table, with the names beside it joined: left joins of one row at most, which PostgreSQL leaves out of a statement that
   * uses none of their columns.
   */
  from: SQL
  /** The tables that filters and sorts look at, where `from` joins more than names. */
  pageFrom?: SQL | undefined
  /** All filters, searched words included. */
  where: SQL
  /** The expression behind each sortable field. */
  sorts: Record<string, SQL>
  /** The order of a list that nobody sorted, down to the id. An index should have it, because all other sorts read every row. */
  order: SQL
  /** Decides between equals, so that no row is on two pages. */
  id: SQL
  /**
   * For a list of thousands: the page is found by id alone, and its columns are looked up for it, with this condition and
   * the ids, as in `t.company_id = 1`. The columns of the rows before it are then not read.
   */
  owner?: SQL | undefined
}

/** One page of a list, and how many rows there are. */
export async function listPage<T extends object>(db: Db, query: ListQuery, spec: ListSpec) {
  const { page, per_page } = query
  const { select, from, pageFrom = from, where, id, owner } = spec
  const order = orderOf(query, spec)
  const ids = sql`select ${id} from ${pageFrom} where ${where} order by ${order} ${slice(query)}`
  const data = await rows<T>(
    db,
    owner
      ? sql`select ${select} from ${from} where ${owner} and ${id} = any(array(${ids})) order by ${order}`
      : sql`select ${select} from ${from} where ${where} order by ${order} ${slice(query)}`,
  )
  const isLast = data.length < per_page && (page === 1 || data.length > 0)
  const counted = isLast
    ? { total: (page - 1) * per_page + data.length }
    : await count(db, query, { from: pageFrom, where })
  return { data, ...counted, page, per_page }
}

function orderOf({ sort }: ListQuery, { sorts, order, id }: ListSpec) {
  const by = sort && sorts[sort.replace(/^-/, '')]
  if (!by) return order
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  return sql`${by} ${direction} nulls last, ${id} ${direction}`
}

async function count(db: Db, query: ListQuery, { from, where }: { from: SQL; where: SQL }) {
  const isBounded = query.count === 'bounded'
  const limit = isBounded ? slice({ page: 1, per_page: COUNTED + 1 }) : sql``
  const counted = sql`select count(*) as total from (select from ${from} where ${where} ${limit}) f`
  const { total } = one(await rows<{ total: number }>(db, counted))
  return isBounded && total > COUNTED ? { total: COUNTED, at_least: true as const } : { total }
}

/** A page of an order. How many is part of the statement, not a value of it: it is planned once, for a page. */
export function slice({ page, per_page }: Pick<ListQuery, 'page' | 'per_page'>): SQL {
  const skipped = (page - 1) * per_page
  return sql`limit ${sql.raw(String(Number(per_page)))} ${skipped > 0 ? sql`offset ${skipped}` : sql``}`
}
