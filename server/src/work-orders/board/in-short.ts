import { type SQL, sql } from 'drizzle-orm'
import { PRIORITY_NAMES } from '#contract/base/priorities.ts'
import {
  type BoardInShort,
  type BoardInShortQuery,
  MOST_URGENT,
  type WorkOrderCard,
} from '#contract/work-orders/orders.ts'
import {
  FINAL_STATUS,
  OPEN_STATUSES,
  WORK_ORDER_STATUS_NAMES,
  type WorkOrderStatus,
} from '#contract/work-orders/states.ts'
import { all, oneOfNames } from '../../platform/database/conditions.ts'
import { type Db, one, rows } from '../../platform/database/db.ts'
import { slice } from '../../platform/database/lists.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { chosen } from '../orders/summary.ts'
import { workOrdersTable } from '../tables.ts'
import { boardOf, firstRecent, RECENT } from './board.ts'
import { cardsOf } from './cards.ts'
import { isStopped } from './stopped.ts'

/** Of the orders that are open: how many such there are, and the first of them. The board's own looks count the same. */
const WRONG = {
  late: { those: sql`due < now()`, counted: sql`*`, first: sql`due` },
  stopped: {
    those: sql`stopped`,
    counted: sql`distinct truck_id`,
    first: sql`workshop_entry_at`,
  },
  waiting: { those: sql`waiting_for_parts`, counted: sql`*`, first: sql`created_at` },
}
type Wrong = keyof typeof WRONG
const WRONGS = Object.keys(WRONG) as Wrong[]
const LEVEL = sql`array_position(${sql.param(PRIORITY_NAMES)}::text[], priority)`

/** What a morning page says of a board, however large that is. */
export async function boardInShort(db: Db, actor: Actor, { filter }: BoardInShortQuery): Promise<BoardInShort> {
  const asked = all(chosen(actor, filter))
  const counts: SQL[] = []
  const firsts: SQL[] = []
  for (const name of WRONGS) {
    const { those, counted, first } = WRONG[name]
    counts.push(sql`count(${counted}) filter (where ${those}) as ${sql.identifier(`${name}_total`)}`)
    firsts.push(
      sql`(select id from open where ${those} order by ${first}, position limit 1) as ${sql.identifier(`${name}_worst`)}`,
    )
  }
  for (const status of WORK_ORDER_STATUS_NAMES) {
    const those = sql`status ${oneOfNames([status])}`
    const isLast = status === FINAL_STATUS
    const total = sql.identifier(`${status}_total`)
    if (isLast) firsts.push(sql`(select count(*) from ${workOrdersTable} o where ${asked} and ${RECENT}) as ${total}`)
    else counts.push(sql`count(*) filter (where ${those}) as ${total}`)
    const first = isLast
      ? firstRecent(asked, MOST_URGENT)
      : sql`select id from open where ${those} order by due, ${LEVEL}, position ${slice({ page: 1, per_page: MOST_URGENT })}`
    firsts.push(sql`array(${first}) as ${sql.identifier(`${status}_first`)}`)
  }
  const said = one(
    await rows<
      Record<`${Wrong | WorkOrderStatus}_total`, number> &
        Record<`${Wrong}_worst`, number | null> &
        Record<`${WorkOrderStatus}_first`, string[]>
    >(
      db,
      sql`with open as materialized (
            select o.id, o.status, o.position, o.priority, o.truck_id, o.workshop_entry_at, o.waiting_for_parts, o.created_at,
              ${isStopped(sql`o`)} as stopped, coalesce(o.deadline_at,
                (o.date_estimed + coalesce(o.hour_estimed, '23:59')::time) at time zone ${actor.time_zone}) as due
            from ${workOrdersTable} o where ${asked} and o.status ${oneOfNames(OPEN_STATUSES)})
          select counted.*, ${sql.join(firsts, sql`, `)} from (select ${sql.join(counts, sql`, `)} from open) counted`,
    ),
  )
  const firstOf = (status: WorkOrderStatus) => said[`${status}_first`].map(Number)
  const worsts = WRONGS.flatMap((name) => said[`${name}_worst`] ?? [])
  const ids = [...new Set([...worsts, ...WORK_ORDER_STATUS_NAMES.flatMap(firstOf)])]
  const cards = new Map<number | null, WorkOrderCard>((await cardsOf(db, actor, ids)).map((card) => [card.id, card]))
  return {
    board: boardOf((status) => ({
      data: firstOf(status).flatMap((id) => cards.get(id) ?? []),
      total: said[`${status}_total`],
    })),
    ...(Object.fromEntries(
      WRONGS.map((name) => [name, { total: said[`${name}_total`], worst: cards.get(said[`${name}_worst`]) ?? null }]),
    ) as Pick<BoardInShort, Wrong>),
  }
}
