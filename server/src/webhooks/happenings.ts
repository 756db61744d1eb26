import { sql } from 'drizzle-orm'
import type { WebhookEvent } from '#contract/webhooks/webhooks.ts'
import { alertsTable } from '../alerts/tables.ts'
import { trucksTable } from '../fleet/tables.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import { suppliesTable } from '../supplies/tables.ts'
import { stockTable, warehousesTable } from '../warehouses/tables.ts'
import { CODE } from '../work-orders/access.ts'
import { workOrdersTable } from '../work-orders/tables.ts'
import { tellOthers } from './deliveries.ts'
import { webhooksTable } from './tables.ts'

/* What the other systems are told: ids, and the few words people know the things by. No costs, no people. */

interface Of {
  company_id: number
}

const isHeard = (db: Db, { company_id }: Of, event: WebhookEvent) =>
  row(
    db,
    sql`select id from ${webhooksTable} where company_id = ${company_id} and active and ${event} = any(events) limit 1`,
  )

export async function tellOrders(db: Db, of: Of, event: 'order.moved' | 'order.finalized', ids: number[]) {
  if (!(await isHeard(db, of, event))) return
  const orders = await rows<{ number: number }>(
    db,
    sql`select o.id, ${CODE} as code, o.status, o.workshop_id, o.truck_id, t.code as truck_code,
          t.patent as truck_patent
        from ${workOrdersTable} o left join ${trucksTable} t on t.company_id = o.company_id and t.id = o.truck_id
        where o.company_id = ${of.company_id} and o.id = any(${sql.param(ids)}::bigint[])`,
  )
  await tellOthers(db, of.company_id, event, orders)
}

export async function tellAlerts(db: Db, of: Of, ids: number[]) {
  if (!(await isHeard(db, of, 'alert.due'))) return
  const alerts = await rows(
    db,
    sql`select a.id, a.name, a.status, a.overdue, a.due_on, a.truck_id, a.coupled_id, t.code as truck_code
        from ${alertsTable} a left join ${trucksTable} t on t.company_id = a.company_id and t.id = a.truck_id
        where a.company_id = ${of.company_id} and a.id = any(${sql.param(ids)}::bigint[])`,
  )
  await tellOthers(db, of.company_id, 'alert.due', alerts)
}

export async function tellLowStock(db: Db, of: Of, supplies: number[], warehouse_id: number) {
  if (!(await isHeard(db, of, 'stock.low'))) return
  const levels = await rows(
    db,
    sql`select s.supply_id, i.code, i.name, s.warehouse_id, w.name as warehouse_name, s.on_hand as stock,
          s.on_hand - s.reserved as available, s.minimum
        from ${stockTable} s
        join ${suppliesTable} i on i.company_id = s.company_id and i.id = s.supply_id
        join ${warehousesTable} w on w.company_id = s.company_id and w.id = s.warehouse_id
        where s.company_id = ${of.company_id} and s.warehouse_id = ${warehouse_id}
          and s.supply_id = any(${sql.param(supplies)}::bigint[])`,
  )
  await tellOthers(db, of.company_id, 'stock.low', levels)
}
