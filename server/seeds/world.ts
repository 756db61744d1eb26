import type pg from 'pg'
import type { WorkOrderStatus } from '#contract/work-orders/states.ts'

/** What is being made: each domain's part adds its rows, and leaves here what later parts build on. */
export interface World {
  client: pg.ClientBase
  /** 1 is the demonstration; 100 is a carrier a hundred times as large. */
  factor: number
  now: Date
  company: Company
  users: Person[]
  workshops: Workshop[]
  trucks: Truck[]
  providers: Provider[]
  specialists: OfWorkshop[]
  drivers: OfWorkshop[]
  boxes: OfWorkshop[]
  supplies: Supply[]
  /** Planned before stock is, so that it can be taken from; written after it. */
  orders: PlannedOrder[]
  /** The last number of each kind of document. */
  numbers: Map<string, number>
}
export interface Company {
  id: number
  seed: number
  /** Share of the demonstration's size. */
  size: number
}
export interface Person {
  id: number
  name: string
}
export interface Workshop {
  id: number
  name: string
}
export interface Truck {
  id: number
  workshop_id: number
  mileage: number
  state: string
}
/** A specialist, a driver or a box, all active. */
export interface OfWorkshop {
  id: number
  workshop_id: number
}
/** An active one; without a workshop it serves them all. */
export interface Provider {
  id: number
  workshop_id: number | null
  services: { id: number; code: string; unit_price: number }[]
}

/** An active one. */
export interface Supply {
  id: number
  workshop_id: number
  name: string
  cost: number
}

/** A work order to be. */
export interface PlannedOrder {
  id: number
  number: number
  workshop_id: number
  truck_id: number
  created_at: Date
  status: WorkOrderStatus
  entry: Date
  /** When it was finalized; null: it is on the board. */
  left: Date | null
  /** Place in the list of jobs. */
  job: number
  /** What it asks of the warehouse, at this moment; what it got is filled in by the warehouse. */
  wanted: { supply_id: number; count: number }[]
  at: Date
  used: { supply_id: number; warehouse_id: number; count: string; value: string }[]
}
export const orderCode = (number: number) => `OT-${String(number).padStart(6, '0')}`

export const DAY = 86_400_000
/** How far back the demonstration goes. */
export const HISTORY_DAYS = 548
export const scaled = (world: World, count: number) =>
  Math.max(1, Math.round(count * world.factor * world.company.size))
export const daysAgo = (world: World, days: number) => new Date(world.now.getTime() - days * DAY)

const CHUNK = 20_000

/** Inserts many rows in few statements; columns that a row leaves out get null. */
export async function insertRows(world: World, table: string, rows: object[]) {
  if (rows.length === 0) return
  const columns = [...new Set(rows.slice(0, 100).flatMap((row) => Object.keys(row)))]
    .map((column) => `"${column}"`)
    .join(', ')
  for (let from = 0; from < rows.length; from += CHUNK)
    await world.client.query(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows.slice(from, from + CHUNK))],
    )
}

/** Ids for rows to come, so that parts can refer to each other before anything is written. */
export async function takeIds(world: World, table: string, count: number): Promise<number[]> {
  const { rows } = await world.client.query<{ last: string }>(
    `select setval(pg_get_serial_sequence($1, 'id'), nextval(pg_get_serial_sequence($1, 'id')) + $2 - 1) as last`,
    [table, count],
  )
  const last = Number(rows[0]!.last)
  return Array.from({ length: count }, (_, i) => last - count + 1 + i)
}
