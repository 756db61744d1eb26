import { DEFAULT_ZONE, dayOf } from '#contract/base/dates.ts'
import { rewriteExpenses, writeExpenses } from '../src/work-orders/orders/expenses.ts'
import type { Member } from './given.ts'
import type { House } from './house.ts'

/** An order as reports see it, with lines on whichever day; written straight into the tables, as years of use would. */
export interface Spent {
  truck_id: number
  workshop_id?: number
  planned?: boolean
  entry?: string
  departure?: string
  supplies?: { supply_id: number; count: number; amount: number; at: string }[]
  services?: { provider_id: number; service_id: number; amount: number; at: string }[]
  /** `share`: what the order has of it, where that is not what the services are. */
  invoices?: { provider_id: number; date: string; share?: number }[]
  /** Typed, at 6000 an hour. */
  labour?: { specialist_id: number; minutes: number; at: string }[]
}

const NOON = '2026-01-01T15:00:00Z'

export async function spend(house: House, who: Member, what: Spent): Promise<number> {
  const { owner } = house
  const { company_id } = who
  const { supplies = [], services = [], invoices = [], labour = [], entry, departure } = what
  const status = departure ? 'FINALIZED' : entry ? 'IN_PROCESS' : 'PENDING'
  const sum = (lines: { amount: number }[]) => lines.reduce((total, { amount }) => total + amount, 0)
  const served = (provider_id: number) => sum(services.filter((line) => line.provider_id === provider_id))
  const beyond = invoices.map(({ provider_id, date, share = served(provider_id) }) => ({
    provider_id,
    date,
    share,
    amount: share - served(provider_id),
  }))
  const {
    rows: [order],
  } = await owner.query<{ id: string }>(
    `insert into work_orders (company_id, workshop_id, number, status, position, truck_id, has_warehouse, planned, place,
       priority, request, workshop_entry_at, workshop_departure_at, finalized_at, created_at)
     select $1, $2, n, $3, n * 65536, $4, false, $5, 'WORKSHOP', 'medium', 'Prueba', $6, $7, $8, $9
     from (select coalesce(max(number), 0) + 1 as n from work_orders where company_id = $1) last returning id`,
    [
      company_id,
      what.workshop_id ?? who.workshop_id,
      status,
      what.truck_id,
      what.planned ?? false,
      entry ?? null,
      departure ?? null,
      departure ?? null,
      supplies[0]?.at ?? services[0]?.at ?? entry ?? NOON,
    ],
  )
  const id = Number(order!.id)
  await owner.query(
    `insert into work_order_costs (company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost, labour_cost, type_maintenance_id, planned, place, priority)
     select company_id, id, workshop_id, truck_id, created_at, $3, $4, $5, type_maintenance_id, planned, place, priority from work_orders
     where company_id = $1 and id = $2`,
    [
      company_id,
      id,
      sum(supplies),
      sum(services) + sum(beyond),
      labour.reduce((all, { minutes }) => all + minutes * 100, 0),
    ],
  )
  await owner.query(
    `insert into counters (company_id, kind, last) select $1, 'work_order', max(number) from work_orders where company_id = $1
     on conflict (company_id, kind) do update set last = excluded.last`,
    [company_id],
  )
  for (const { supply_id, count, amount, at } of supplies)
    await owner.query(
      `insert into work_order_supplies (company_id, work_order_id, supply_id, count, cost, value, amount, created_at)
       values ($1, $2, $3, $4, round($5::numeric / $4, 4), $5, $5, $6)`,
      [company_id, id, supply_id, count, amount, at],
    )
  const dayCounted = (provider_id: number, at: string) =>
    invoices.find((invoice) => invoice.provider_id === provider_id)?.date ?? dayOf(at)
  for (const { provider_id, service_id, amount, at } of services)
    await owner.query(
      `insert into work_order_services (company_id, work_order_id, provider_id, service_id, quantity, unit_price, amount, day, created_at)
       values ($1, $2, $3, $4, 1, $5, $5, $6, $7)`,
      [company_id, id, provider_id, service_id, amount, dayCounted(provider_id, at), at],
    )
  for (const { provider_id, date, share, amount } of beyond) {
    const made = await owner.query<{ id: string }>(
      `insert into invoices (company_id, work_order_id, workshop_id, provider_id, bill_invoice, date, document, payment_type, net, follows_services)
       values ($1, $2, $3, $4, 'bill', $5, $6, 'Credit', $7, $8) returning id`,
      [
        company_id,
        id,
        what.workshop_id ?? who.workshop_id,
        provider_id,
        date,
        `F-${id}-${provider_id}`,
        share,
        amount === 0,
      ],
    )
    const line = [company_id, id, made.rows[0]!.id, provider_id]
    await owner.query(
      `insert into invoice_shares (company_id, work_order_id, invoice_id, provider_id, amount) values ($1, $2, $3, $4, $5)`,
      [...line, share],
    )
    if (amount !== 0)
      await owner.query(
        `insert into service_adjustments (company_id, work_order_id, invoice_id, provider_id, amount, day)
         values ($1, $2, $3, $4, $5, $6)`,
        [...line, amount, date],
      )
  }
  for (const { specialist_id, minutes, at } of labour) {
    await owner.query(
      `insert into hourly_costs (company_id, specialist_id, from_day, amount) values ($1, $2, '2000-01-01', 6000)
       on conflict do nothing`,
      [company_id, specialist_id],
    )
    await owner.query(
      `with work as (
         insert into works (company_id, work_order_id, description, specialist_id, hours, priority, state, created_at)
         values ($1, $2, 'Frenos', $3, $4::numeric / 60, 'medium', 'done', $5) returning id)
       insert into work_times (company_id, work_order_id, work_id, specialist_id, day, minutes, rate, amount)
       select $1, $2, id, $3, $6, $4, 6000, $4::numeric * 100 from work`,
      [company_id, id, specialist_id, minutes, at, dayOf(at)],
    )
  }
  await house.app.database.write(company_id, (db) => writeExpenses(db, { company_id, time_zone: DEFAULT_ZONE }, [id]))
  return id
}

/** Writes the ledger of expenses again, after a test changed lines of orders straight in the tables. */
export const writeLedger = (house: House, company_id: number) =>
  house.app.database.write(company_id, (db) => rewriteExpenses(db, { company_id, time_zone: DEFAULT_ZONE }))
