import { sql } from 'drizzle-orm'
import { DONE } from '#contract/work-orders/lines.ts'
import type { WorkOrderCard } from '#contract/work-orders/orders.ts'
import { oneOfIds } from '../../platform/database/conditions.ts'
import { batch, type Db, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { inScope } from '../../workshops/scope.ts'
import { specialistsTable } from '../../workshops/tables.ts'
import { ownSpecialist } from '../access.ts'
import { SPECIALIST_NAME } from '../labour/works.ts'
import { NAMES, SUMMARY } from '../orders/summary.ts'
import { clashesOf } from '../planner/clashes.ts'
import { plannedOf } from '../supplies/planned-supplies.ts'
import { workOrdersTable, worksTable } from '../tables.ts'

type Summary = Omit<
  WorkOrderCard,
  'mine' | 'works_total' | 'works_done' | 'specialists' | 'clashes' | 'planned_supplies'
>

/** The works of one order that one specialist does, or that nobody does yet. */
interface Share {
  work_order_id: number
  specialist_id: number | null
  name: string
  total: number
  done: number
}

const sharesOf = (db: Db, { company_id }: Actor, ids: number[]) =>
  rows<Share>(
    db,
    sql`select w.work_order_id, w.specialist_id, ${SPECIALIST_NAME} as name, w.total, w.done
        from (select work_order_id, specialist_id, count(*) as total, count(*) filter (where state = ${DONE}) as done
              from ${worksTable} where company_id = ${company_id} and work_order_id = ${oneOfIds(ids)} group by 1, 2) w
        left join ${specialistsTable} s on s.company_id = ${company_id} and s.id = w.specialist_id
        order by w.specialist_id`,
  )

/** Orders as cards, in no order; only those that the person may see. */
export async function cardsOf(db: Db, actor: Actor, ids: number[]): Promise<WorkOrderCard[]> {
  if (ids.length === 0) return []
  const { orders, self, shares, clashes, planned } = await batch({
    orders: rows<Summary>(
      db,
      sql`select ${SUMMARY} from ${workOrdersTable} o ${NAMES}
          where ${inScope(actor, sql`o`)} and o.id = ${oneOfIds(ids)}`,
    ),
    self: ownSpecialist(db, actor),
    shares: sharesOf(db, actor, ids),
    clashes: clashesOf(db, actor, ids),
    planned: plannedOf(db, actor, ids),
  })
  const sharesById = Map.groupBy(shares, (share) => share.work_order_id)
  const clashesById = Map.groupBy(clashes, (clash) => clash.id)
  const plannedById = Map.groupBy(planned, (line) => line.work_order_id)
  return orders.map((order) => {
    const own = sharesById.get(order.id) ?? []
    const people = [order.responsible_specialist_id, ...own.map(({ specialist_id }) => specialist_id)]
    return {
      ...order,
      mine: self !== null && people.includes(self),
      works_total: sum(own.map(({ total }) => total)),
      works_done: sum(own.map(({ done }) => done)),
      specialists: own.flatMap(({ name }) => name || []),
      clashes: (clashesById.get(order.id) ?? []).map(({ clash }) => clash),
      planned_supplies: (plannedById.get(order.id) ?? []).map(({ name, unit, reserved, missing }) => ({
        name,
        unit,
        reserved,
        missing,
      })),
    }
  })
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
