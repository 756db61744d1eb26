import pg from 'pg'
import { dayOf } from '#contract/base/dates.ts'
import { permissionsOf, ROLES } from '#contract/base/permissions.ts'
import { evaluateCompany } from '../src/alerts/evaluation.ts'
import { fleetDomain } from '../src/fleet/routes.ts'
import { Database } from '../src/platform/database/db.ts'
import type { Actor } from '../src/platform/operations/actor.ts'
import { subscribe } from '../src/platform/operations/happenings.ts'
import { reportsDomain } from '../src/reports/routes.ts'
import { suppliesDomain } from '../src/supplies/routes.ts'
import { PURCHASES_CHANGED } from '../src/warehouses/documents/purchases.ts'
import { recostedEvent } from '../src/warehouses/stock/recosted.ts'
import { fillExpenses } from '../src/work-orders/orders/expenses.ts'
import { recostOrders } from '../src/work-orders/orders/recost.ts'
import { hearPurchases } from '../src/work-orders/payments.ts'
import { ORIGIN } from '../src/work-orders/supplies/used-supplies.ts'
import { closeMonths } from '../src/workshops/months.ts'
import { accessPart } from './access.ts'
import { alertsPart } from './alerts.ts'
import { repairElsewhere, sendTransfers } from './between-workshops.ts'
import { budgetsPart } from './budgets.ts'
import { fleetPart } from './fleet.ts'
import { invoicesPart } from './invoices.ts'
import { labourPart } from './labour.ts'
import { CARRIER, type Cast, PASSWORD, peoplePart, QUARRY } from './people.ts'
import { providersPart } from './providers.ts'
import { addPapers } from './purchase-papers.ts'
import { purchasingPart } from './purchasing.ts'
import { rosterPart } from './roster.ts'
import { suppliesPart } from './supplies.ts'
import { templatesPart } from './templates.ts'
import { warehousesPart } from './warehouses.ts'
import { ordersPlan } from './work-order-plan.ts'
import { planParts, workOrdersPart } from './work-orders.ts'
import { DAY, type World } from './world.ts'

/** What is numbered from here on counts on from what was made up. */
const COUNTED = `
  insert into counters (company_id, kind, last)
  select company_id, 'work_order', max(number) from work_orders where company_id = $1 group by 1
  union all select company_id, 'purchase_order', max(number) from purchase_orders where company_id = $1 group by 1
  union all select company_id, type, max(number) from transactions where company_id = $1 group by 1, 2`

export const DEMO_LOGINS = [...CARRIER.people, ...QUARRY.people].map(
  ({ email, role }) => `${email.padEnd(26)} ${PASSWORD}   (${ROLES[role].label})`,
)

/** Each domain adds its part here, after those it builds on. */
const PARTS = [
  rosterPart,
  fleetPart,
  providersPart,
  suppliesPart,
  ordersPlan,
  warehousesPart,
  purchasingPart,
  workOrdersPart,
  invoicesPart,
  labourPart,
  budgetsPart,
  planParts,
  templatesPart,
  alertsPart,
  accessPart,
]

interface Moment {
  /** 1 is the demonstration; 100 is a carrier a hundred times as large. */
  factor: number
  now: Date
}

/**
 * Loads the demonstration, all or nothing, where there is no company yet. Instances that start together wait for
 * each other; says whether the demonstration is there.
 */
export async function loadDemo(url: string, { factor = 1, now = new Date() } = {}): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin; lock table companies in exclusive mode')
    const { rows } = await client.query('select 1 from companies limit 1')
    const companies: number[] = []
    if (rows.length === 0) {
      companies.push(await writeCompany(client, CARRIER, 1, { factor, now }))
      companies.push(await writeCompany(client, QUARRY, 0.1, { factor, now }))
    }
    await client.query('commit')
    if (companies.length > 0) await runJobs(url, client, companies, CARRIER, now)
    return await isDemo(client)
  } finally {
    await client.end()
  }
}

/** One more company beside those that are there, a share of the demonstration's size; returns its id. */
export async function addCompany(url: string, cast: Cast, { size, now = new Date() }: { size: number; now?: Date }) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    const id = await writeCompany(client, cast, size, { factor: 1, now })
    await client.query('commit')
    await runJobs(url, client, [id], cast, now)
    return id
  } finally {
    await client.end()
  }
}

async function writeCompany(client: pg.Client, cast: Cast, size: number, moment: Moment): Promise<number> {
  const world: World = {
    client,
    ...moment,
    company: { id: 0, seed: cast.seed, size },
    users: [],
    workshops: [],
    trucks: [],
    providers: [],
    specialists: [],
    drivers: [],
    boxes: [],
    supplies: [],
    orders: [],
    numbers: new Map(),
  }
  await peoplePart(world, cast)
  for (const part of PARTS) await part(world)
  const { id } = world.company
  await client.query(COUNTED, [id])
  return id
}

/** Does what the hourly job and the owner of `cast` would have done by now. */
async function runJobs(url: string, client: pg.Client, companies: number[], cast: Cast, now: Date) {
  await client.query('analyze')
  const database = new Database(url, { max: 1 })
  try {
    for (const id of companies) {
      await evaluateCompany(database, id, now)
      await fillExpenses(database, id)
    }
    // Otherwise the reports of a demonstration that has just begun are planned for an empty ledger.
    await client.query('vacuum (analyze) expenses')
    await actAsBoss(database, client, cast, now)
  } finally {
    await database.close()
  }
}

/** What lies more than a year back is closed, workshops send each other parts, and papers come after their goods. */
async function actAsBoss(database: Database, client: pg.Client, cast: Cast, now: Date) {
  for (const { listens } of [fleetDomain, suppliesDomain, reportsDomain])
    for (const [happening, listen] of Object.entries(listens ?? {})) subscribe(database, happening, listen)
  subscribe(database, recostedEvent(ORIGIN), recostOrders)
  subscribe(database, PURCHASES_CHANGED, hearPurchases)
  const { rows } = await client.query<{ user_id: number; user_name: string; company_id: number }>(
    `select u.id::int as user_id, u.name as user_name, m.company_id::int from users u
     join memberships m on m.user_id = u.id where u.email = $1`,
    [cast.people[0]!.email],
  )
  const boss: Actor = {
    ...rows[0]!,
    session_id: 0,
    role: 'super-admin',
    workshop_id: null,
    time_zone: 'America/Santiago',
    may: new Set(permissionsOf('super-admin')),
  }
  const closed_through = dayOf(new Date(now.getTime() - 400 * DAY), boss.time_zone).slice(0, 7)
  await database.write(boss.company_id, (db) => closeMonths(db, boss, { closed_through }))
  await sendTransfers(database, boss)
  await repairElsewhere(database, boss)
  await addPapers(database, boss, now)
}

const isDemo = async (client: pg.Client) =>
  (await client.query('select from users where email = $1', [CARRIER.people[0]?.email])).rows.length > 0

/** Whether the demonstration is in this database. */
export async function holdsDemo(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return isDemo(client).finally(() => client.end())
}
