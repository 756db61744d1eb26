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

/** A list: its rows, filters and orders. README.md has an example. */
export interface ListSpec {
  /** The columns of a row. */
  select: SQL
  /**
   * The table, and left joins that add at most one row each, for names. PostgreSQL skips such a join in a statement that uses
   * none of its columns, so they cost nothing when rows are counted.
   */
  from: SQL
  /** A shorter `from` for finding and counting the rows of a page: with the joins that filters and sorts need, and no others. */
  pageFrom?: SQL | undefined
  /** All filters and searched words, the condition on the company included. */
  where: SQL
  /** The expression behind each sortable field. */
  sorts: Record<string, SQL>
  /** The usual order, down to the id. Give it an index, so that a page reads few rows; for other sorts PostgreSQL reads all. */
  order: SQL
  /** Decides between equals, so that no row is on two pages. */
  id: SQL
  /**
   * Give this to a list with thousands of rows whose columns are costly to compute: the condition on the company alone, such
   * as `t.company_id = 1`. The ids of the page are then found first, and columns are computed for these rows only, not for
   * those of all earlier pages.
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

/** Limit and offset of a page. The limit is text of the statement, not a parameter: PostgreSQL then plans for so few rows. */
export function slice({ page, per_page }: Pick<ListQuery, 'page' | 'per_page'>): SQL {
  const skipped = (page - 1) * per_page
  return sql`limit ${sql.raw(String(Number(per_page)))} ${skipped > 0 ? sql`offset ${skipped}` : sql``}`
}
