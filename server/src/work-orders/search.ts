import { type SQL, sql } from 'drizzle-orm'
import { coupledTable, trucksTable } from '../fleet/tables.ts'
import type { Actor } from '../platform/actor.ts'
import { type Db, rows } from '../platform/db.ts'
import { all, matches } from '../platform/lists.ts'

/** The orders of the connection's company, where searches use the index of parts of words: see decision 10. */
const SEARCHED = sql.raw('searched_work_orders o')

/** `OT-123`, `ot 000123`: what people say on the phone. */
const NUMBER = /^ot[-·. ]?0*(\d{1,9})$/i

interface Words {
  from: SQL
  where: SQL
  /** The whole text is this number. */
  number: number | undefined
}

/** Every word is in the order, in the plate or code of its truck, or in the plate of its coupled unit. */
export async function searchWords(db: Db, actor: Actor, search: string | undefined): Promise<Words | undefined> {
  const text = (search ?? '').trim().replace(/\bot\s+(?=\d)/gi, 'ot-')
  const words = text.split(/\s+/).filter(Boolean).slice(0, 8)
  if (words.length === 0) return undefined
  const where: SQL[] = []
  for (const word of words) {
    const [, number] = NUMBER.exec(word) ?? []
    where.push(number === undefined ? await wordIn(db, actor, word) : sql`o.number = ${Number(number)}`)
  }
  const only = words.length === 1 && /^\d{1,9}$/.test(words[0]!) ? Number(words[0]) : undefined
  return { from: SEARCHED, where: all(where), number: only }
}

async function wordIn(db: Db, actor: Actor, word: string): Promise<SQL> {
  const inOrder = matches(sql`o.search`, word)!
  const found = await rows<{ is_truck: boolean; ids: number[] }>(
    db,
    sql`select true as is_truck, array_agg(k.id) as ids from ${trucksTable} k
        where k.company_id = ${actor.company_id} and ${matches(sql`k.search`, word)!} having count(*) > 0
        union all
        select false, array_agg(u.id) from ${coupledTable} u
        where u.company_id = ${actor.company_id} and ${matches(sql`lower(u.patent)`, word)!} having count(*) > 0`,
  )
  const arms = found.map(({ is_truck, ids }) =>
    is_truck
      ? sql`o.truck_id = any(${sql.param(ids)}::bigint[])`
      : sql`o.coupled_id = any(${sql.param(ids)}::bigint[])`,
  )
  return sql`(${sql.join([sql`(${inOrder})`, ...arms], sql` or `)})`
}
