import { type SQL, sql } from 'drizzle-orm'
import type { BoardQuery } from '#contract/work-orders/orders.ts'
import { coupledTable, trucksTable } from '../../fleet/tables.ts'
import { oneOf, oneOfNames } from '../../platform/database/conditions.ts'
import { COMPANY } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { labourSeen } from '../../workshops/company.ts'
import { inScope } from '../../workshops/scope.ts'
import { boxesTable, specialistsTable, workshopsTable } from '../../workshops/tables.ts'
import { CODE } from '../access.ts'
import { SPECIALIST_NAME } from '../labour/works.ts'
import { maintenanceTypesTable, workOrderCostsTable, worksTable } from '../tables.ts'

/* What every list of orders tells of one: board, history, the order itself. `o` is the order. */

/** Whose truck it is, where it is of another workshop than its order. */
export const TRUCK_WORKSHOP = sql`case when k.workshop_id <> o.workshop_id then (select h.name from ${workshopsTable} h
  where h.company_id = ${COMPANY} and h.id = k.workshop_id) end`

/** What the order's row says itself. */
export const OWN_SUMMARY = sql`o.id, ${CODE} as code, o.workshop_id, o.truck_id, o.coupled_id, o.status, o.position,
  o.planned, o.priority, o.place, o.type_maintenance_id, o.box_id, o.responsible_specialist_id, o.request,
  o.waiting_for_parts, o.date_estimed, o.hour_estimed, o.deadline_at, o.workshop_entry_at, o.workshop_departure_at,
  o.finalized_at, o.created_at, o.updated_at`

export const SUMMARY = sql`${OWN_SUMMARY}, w.name as workshop_name, k.code as truck_code, k.patent,
  ${TRUCK_WORKSHOP} as truck_workshop, u.patent as coupled_patent, y.code as type_of_maintenance,
  y.name as type_maintenance, b.name as box_name, nullif(${SPECIALIST_NAME}, '') as responsible_specialist`

/** What the summary's names come from, joined to `o`. */
export const NAMES = sql`
  join ${workshopsTable} w on w.company_id = o.company_id and w.id = o.workshop_id
  join ${trucksTable} k on k.company_id = o.company_id and k.id = o.truck_id
  left join ${coupledTable} u on u.company_id = o.company_id and u.id = o.coupled_id
  left join ${boxesTable} b on b.company_id = o.company_id and b.id = o.box_id
  left join ${specialistsTable} s on s.company_id = o.company_id and s.id = o.responsible_specialist_id
  left join ${maintenanceTypesTable} y on y.company_id = o.company_id and y.id = o.type_maintenance_id`

/** What orders `c` cost, and with labour for those who see it. */
export const costsOf = (
  actor: Actor,
) => sql`c.supplies_cost, c.services_cost, c.supplies_cost + c.services_cost as total_cost,
  case when ${labourSeen(actor)} then c.labour_cost end as labour,
  case when ${labourSeen(actor)} then c.supplies_cost + c.services_cost + c.labour_cost end as total_with_labour`

/** What it cost, as `c`. */
export const COSTS = sql`join ${workOrderCostsTable} c on c.company_id = o.company_id and c.id = o.id`

/** The filters that board and history share; the text is each one's own. */
export const chosen = (actor: Actor, filter: BoardQuery['filter'], scope = inScope): (SQL | undefined)[] => [
  scope(actor, sql`o`, filter.WorkshopId),
  oneOf(sql`o.truck_id`, filter.Truck),
  oneOf(sql`o.coupled_id`, filter.Coupled),
  filter.Priority?.length ? sql`o.priority ${oneOfNames(filter.Priority)}` : undefined,
  oneOf(sql`o.type_maintenance_id`, filter.Type),
  filter.Status?.length ? sql`o.status ${oneOfNames(filter.Status)}` : undefined,
  filter.Specialist?.length
    ? sql`(o.responsible_specialist_id = any(${sql.param(filter.Specialist)}) or exists (
        select 1 from ${worksTable} x where x.company_id = ${COMPANY} and x.work_order_id = o.id
          and x.specialist_id = any(${sql.param(filter.Specialist)})))`
    : undefined,
]
