import { sql } from 'drizzle-orm'
import { NewWorkOrder } from '#contract/work-orders/orders.ts'
import { FINAL_STATUS } from '#contract/work-orders/states.ts'
import { type Database, type Db, rows } from '../src/platform/database/db.ts'
import type { Actor } from '../src/platform/operations/actor.ts'
import { receiveTransfer } from '../src/warehouses/transfers/receiving.ts'
import { transfer } from '../src/warehouses/transfers/transfers.ts'
import { createWorkOrder } from '../src/work-orders/orders/orders.ts'

/** Between workshops: one on its way to the first, and one from there that arrived with something missing. */
export const sendTransfers = (database: Database, boss: Actor) =>
  database.write(boss.company_id, async (db) => {
    const [first, second, third] = await rows<{ id: number }>(
      db,
      sql`select min(id) as id from warehouses where company_id = ${boss.company_id} group by workshop_id order by 1`,
    )
    if (!first || !second || !third) return
    const coming = await plenty(db, boss, second.id, first.id)
    const gone = (await plenty(db, boss, first.id, third.id)).slice(0, 2)
    if (coming.length === 0 || gone.length === 0) return
    await transfer(db, boss, {
      warehouse_id: second.id,
      to_warehouse_id: first.id,
      document: 'GD-1184',
      reference: 'Camión de reparto',
      note: null,
      supplies: coming.map(({ supply_id }) => ({ supply_id, quantity: 4 })),
    })
    const { exit } = await transfer(db, boss, {
      warehouse_id: first.id,
      to_warehouse_id: third.id,
      document: 'GD-1179',
      reference: null,
      note: 'Para la campaña de filtros',
      supplies: gone.map(({ supply_id }) => ({ supply_id, quantity: 6 })),
    })
    await receiveTransfer(db, boss, exit.id, {
      note: null,
      supplies: gone.map(({ supply_id }, i) => ({
        supply_id,
        received: i === 0 ? 5 : 6,
        reason: i === 0 ? 'Caja rota: una unidad dañada' : null,
        to_supply_id: null,
      })),
    })
  })

/** What a warehouse has most of, is not dear and known where it goes. */
const plenty = (db: Db, { company_id }: Actor, warehouse_id: number, to: number) =>
  rows<{ supply_id: number }>(
    db,
    sql`select s.supply_id from stock s join supplies p on p.company_id = s.company_id and p.id = s.supply_id
        where s.company_id = ${company_id} and s.warehouse_id = ${warehouse_id} and p.state = 'active' and p.cost < 80000
          and s.on_hand - s.reserved - coalesce(s.minimum, 0) > 8
          and exists (select from warehouses w join supplies o on o.company_id = w.company_id and o.workshop_id = w.workshop_id
            where w.company_id = ${company_id} and w.id = ${to} and o.state = 'active' and o.code = p.code)
        order by s.on_hand - s.reserved - coalesce(s.minimum, 0) desc, s.supply_id limit 3`,
  )

/** A truck of the first workshop broke down near the second. */
export const repairElsewhere = (database: Database, boss: Actor) =>
  database.write(boss.company_id, async (db) => {
    const [found] = await rows<{ truck_id: number; workshop_id: number }>(
      db,
      sql`select t.id as truck_id, w.id as workshop_id from workshops w
          join trucks t on t.company_id = w.company_id and t.workshop_id < w.id and t.state = 'active'
          where w.company_id = ${boss.company_id} and not exists (select from work_orders o
            where o.company_id = ${boss.company_id} and o.truck_id = t.id and o.status <> ${FINAL_STATUS})
          order by w.id, t.id limit 1`,
    )
    if (!found) return
    const order = {
      ...found,
      request: 'Fuga de aire en ruta',
      description_of_requeriment: 'Perdió presión camino al norte y llegó a este taller.',
      planned: false,
      priority: 'high',
      type_of_maintenance: 'CORRECTIVE',
      works: [{ description: 'Revisar líneas y válvulas de aire' }],
    }
    await createWorkOrder(db, boss, NewWorkOrder.parse(order))
  })
