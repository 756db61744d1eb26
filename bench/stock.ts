import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Endpoint, type Failure, pathOf } from '#contract/base/wire.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { createApp } from '../server/src/app.ts'
import { startEmbeddedPostgres } from '../server/src/platform/running/embedded-postgres.ts'
import { Given, type Member, times } from '../server/test/given.ts'
import type { Answer, Args, House } from '../server/test/house.ts'
import { brokenInvariants } from '../server/test/invariants.ts'
import { groundOf, runAtOnce, StockClient } from '../server/test/stock-operations.ts'

/**
 * `node scripts/run.mjs bench/stock.ts [operations]`
 *
 * Random operations of 16 clients on two instances over HTTP, then the invariants; and one back-dated document before
 * 22,364 later movements of the same supply, each of an order of its own whose cost follows.
 */

const OPERATIONS = Number(process.argv[2] ?? 10_000)
const LATER = 22_364

const folder = await mkdtemp(join(tmpdir(), 'maestranza-stock-'))
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'))
try {
  const apps = [
    await createApp({ databaseUrl: postgres.url, log: true }),
    await createApp({ databaseUrl: postgres.url, log: true }),
  ]
  const addresses = await Promise.all(apps.map((app) => app.listen('127.0.0.1', 0)))
  const owner = new pg.Pool({ connectionString: postgres.url, max: 4 })
  let turn = 0
  async function send<E extends Endpoint>(who: Member, e: E, { params, body }: Args<E>): Promise<Answer<E>> {
    const response = await fetch(`${addresses[turn++ % 2]}/api${pathOf(e, params)}`, {
      method: e.method,
      headers: {
        authorization: `Bearer ${who.token}`,
        'x-company-id': String(who.company_id),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Answer<E>['body'] & Failure
    return { status: response.status, body: answer, failure: answer, headers: {} }
  }
  const given = new Given({
    owner,
    call: (who: Member, e: Endpoint, args: Args<Endpoint> = {}) => send(who, e, args),
  } as unknown as House)

  const ground = await groundOf(given, { warehouses: 4, supplies: 8 })
  const made: number[] = []
  const clients = times(16, (i) => new StockClient(`client ${i}`, ground, made, send))
  const began = Date.now()
  await runAtOnce(clients, OPERATIONS)
  const seconds = (Date.now() - began) / 1000
  const statuses: Record<number, number> = {}
  for (const client of clients)
    for (const [status, count] of client.statuses) statuses[status] = (statuses[status] ?? 0) + count
  const { rows } = await owner.query('select count(*)::int as movements from movements')
  console.log(`${OPERATIONS} operations in ${seconds.toFixed(1)} s, ${rows[0].movements} movements, answers`, statuses)
  console.log('broken invariants:', await brokenInvariants(owner))

  const supply = await given.supply(ground.who)
  const warehouse = await given.warehouse(ground.who)
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const enter = (date: string | undefined, quantity: number, unit_cost: number) =>
    given.entry(ground.who, {
      warehouse_id: warehouse.id,
      transaction: date ? { date } : {},
      supplies: [{ supply_id: supply.id, quantity, unit_cost }],
    })
  await enter(day(30), 100_000, 1000)
  // An order for each, that took one unit: written as the product would, in one statement each.
  const truck = await given.truck(ground.who)
  const { company_id, workshop_id } = ground.who
  await owner.query(
    `with o as (
       insert into work_orders (company_id, workshop_id, number, status, position, truck_id, has_warehouse, warehouse_id,
         planned, place, priority, created_at)
       select $1, $5, 1000000 + n, 'IN_PROCESS', n * 65536, $6, true, $2, false, 'WORKSHOP', 'medium',
         now() - interval '20 days' + n * interval '70 seconds' from generate_series(1, $4::int) n
       returning company_id, id, workshop_id, truck_id, number - 1000000 as n, created_at, type_maintenance_id, planned, place, priority),
     c as (
       insert into work_order_costs (company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost, type_maintenance_id, planned, place, priority)
       select company_id, id, workshop_id, truck_id, created_at, 1000, 0, type_maintenance_id, planned, place, priority from o),
     l as (
       insert into work_order_supplies (company_id, work_order_id, supply_id, warehouse_id, count, cost, value, amount, created_at)
       select company_id, id, $3, $2, 1, 1000, 1000, 1000, created_at from o)
     insert into movements (company_id, warehouse_id, supply_id, at, quantity, valued, unit_cost, posted_value,
       "typeTrasactionId", origin, origin_id, document, value, balance, balance_value, average_cost)
     select company_id, $2, $3, created_at, -1, false, 1000, -1000, 5, 'work_order', id, 'OT-' || n, -1000, 100000 - n,
       (100000 - n) * 1000, 1000 from o`,
    [company_id, warehouse.id, supply.id, LATER, workshop_id, truck.id],
  )
  await owner.query('analyze work_orders; analyze work_order_costs; analyze work_order_supplies; analyze movements')
  await owner.query(
    `update stock set on_hand = 100000 - $4::int, value = (100000 - $4::int) * 1000,
       last_at = (select max(at) from movements m where m.company_id = $1 and m.warehouse_id = $2 and m.supply_id = $3)
     where company_id = $1 and warehouse_id = $2 and supply_id = $3`,
    [company_id, warehouse.id, supply.id, LATER],
  )
  for (const round of [1, 2, 3]) {
    const start = performance.now()
    const late = await enter(day(25), 10, 5000)
    console.log(
      `back-dated before ${LATER} movements, round ${round}: ${Math.round(performance.now() - start)} ms, ${late.recosted} costs changed`,
    )
  }
  const { data } = (await send(ground.who, warehouses.listStock, { params: { warehouse: warehouse.id } })).body
  console.log('stock after:', data[0]?.stock, data[0]?.average_cost, data[0]?.value)
  console.log('broken invariants:', await brokenInvariants(owner))
  await owner.end()
  for (const app of apps) await app.close()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
