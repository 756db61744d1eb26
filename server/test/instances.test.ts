import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { type App, createApp } from '../src/app.ts'
import { enqueue, Jobs } from '../src/platform/operations/jobs.ts'
import { repairJob } from '../src/work-orders/orders/expenses.ts'
import { Given, times } from './given.ts'
import { databaseUrl } from './global-setup.ts'
import { type House, send } from './house.ts'
import { brokenInvariants } from './invariants.ts'
import { listen, until, within } from './listen.ts'

/** Several instances of the product on one database that none of them has seen before. */

let url: string
let apps: App[]
let given: Given
let owner: pg.Pool

beforeAll(async () => {
  const name = `instances_${randomUUID().replaceAll('-', '')}`
  const server = new pg.Client({ connectionString: inject('serverUrl') })
  await server.connect()
  await server.query(`create database ${name}`)
  await server.end()
  url = databaseUrl(inject('serverUrl'), name)
  apps = await Promise.all(times(3, () => createApp({ databaseUrl: url, checkReplies: true })))
  await Promise.all(apps.map((app) => app.listen('127.0.0.1', 0)))
  owner = new pg.Pool({ connectionString: url, max: 4 })
  given = new Given({ owner, call: (who, e, args) => send(apps[0]!, who, e, args) } as House)
})
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()))
  await owner.end()
})

it('migrate together without a collision', async () => {
  const { rows } = await owner.query(
    'select count(*)::int as applied, count(distinct hash)::int as different from drizzle.__drizzle_migrations',
  )
  expect(rows[0].applied).toBe(rows[0].different)
  expect(rows[0].applied).toBeGreaterThan(1)
})

describe('live events', () => {
  it('cross from one instance to the browsers of another, to those who may hear them', async () => {
    const ana = await given.member()
    const boss = await given.member({ role: 'super-admin', company_id: ana.company_id })
    const bob = await given.member({ company_id: ana.company_id })
    const stranger = await given.member()
    const ears = await Promise.all([ana, boss, bob, stranger].map((who) => listen(apps[1]!, who)))
    const truck = await given.truck(ana)
    await until(() => ears[0]!.heard.length > 0 && ears[1]!.heard.length > 0)
    expect(ears[0]!.heard).toEqual([{ topic: 'fleet', workshop_id: ana.workshop_id, ids: [truck.id] }])
    // The others get an event of their own that came later, and nothing before it.
    const later = [await given.truck(bob), await given.truck(stranger)]
    await until(() => ears[2]!.heard.length > 0 && ears[3]!.heard.length > 0)
    expect([ears[2]!, ears[3]!].map(({ heard }) => heard.map(({ ids }) => ids))).toEqual(later.map(({ id }) => [[id]]))
    for (const ear of ears) ear.close()
  })

  it('say nothing of a change that was refused', async () => {
    const ana = await given.member()
    const ear = await listen(apps[1]!, ana)
    const refused = await send(apps[0]!, ana, fleet.createTruck, { body: given.newTruck(ana, { coupled_id: 999_999 }) })
    expect(refused.status).toBe(422)
    const truck = await given.truck(ana)
    await until(() => ear.heard.length > 0)
    expect(ear.heard.map((e) => e.ids)).toEqual([[truck.id]])
    ear.close()
  })

  it('need a session', async () => {
    const ana = await given.member()
    expect((await listen(apps[0]!, { ...ana, token: 'x' })).status).toBe(401)
  })

  it('end the stream when the line to the database is lost, so that browsers ask again', async () => {
    const ana = await given.member()
    const ear = await listen(apps[2]!, ana)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'maestranza live' and datname = current_database()`,
    )
    await within('the stream ends with its line to the database', ear.ended)
    await until(async () => {
      const again = await listen(apps[2]!, ana)
      const truck = await given.truck(ana)
      const isHeard = () => again.heard.some((e) => e.ids.includes(truck.id))
      await until(isHeard, 500).catch(() => {})
      again.close()
      return isHeard()
    })
  })
})

describe('jobs', () => {
  it('run once however many instances there are, and only when their transaction is committed', async () => {
    const ran: string[] = []
    const job = {
      name: 'count-me',
      run: async (_: unknown, { name }: { name: string }) => {
        ran.push(name)
      },
    }
    const jobs = apps.map((app) => new Jobs(app.database, () => {}))
    await Promise.all(jobs.map((j) => j.start([job])))
    const { database } = apps[0]!
    await Promise.all(times(20, (i) => database.write(null, (db) => enqueue(db, job, { name: `job ${i}` }))))
    await database
      .write(null, async (db) => {
        await enqueue(db, job, { name: 'rolled back' })
        throw new Error('no')
      })
      .catch(() => {})
    // A completed job is not fetched again.
    const states = `select state::text, count(*)::int from jobs.job where name = $1 group by 1`
    const completed = [{ state: 'completed', count: 20 }]
    await expect.poll(async () => (await owner.query(states, [job.name])).rows).toEqual(completed)
    expect([...ran].sort()).toEqual(times(20, (i) => `job ${i}`).sort())
    await Promise.all(jobs.map((j) => j.close()))
  })

  it('are tried again after a failure', async () => {
    let tries = 0
    const job = {
      name: 'fail-once',
      retryDelay: 1,
      run: async () => {
        tries += 1
        if (tries === 1) throw new Error('not yet')
      },
    }
    const jobs = new Jobs(apps[0]!.database, () => {})
    await jobs.start([job])
    await apps[0]!.database.write(null, (db) => enqueue(db, job, {}))
    await expect.poll(() => tries).toBe(2)
    await jobs.close()
  })

  it('of a company wait once each, and one that fails keeps no other from being done', async () => {
    const [good, bad] = [await given.member(), await given.member()]
    const ran: number[] = []
    const job = {
      name: 'each-company',
      schedule: '0 0 1 1 *',
      runFor: async (_: unknown, company_id: number) => {
        ran.push(company_id)
        if (company_id === bad.company_id) throw new Error('no')
      },
    }
    const runsOf = (company_id: number) => ran.filter((id) => id === company_id).length
    const jobs = new Jobs(apps[0]!.database, () => {})
    await jobs.start([job])
    await apps[0]!.database.write(null, async (db) => {
      for (const { company_id } of [bad, good, good, good]) await enqueue(db, job, { company_id })
    })
    await until(() => ran.length >= 2)
    expect([runsOf(bad.company_id), runsOf(good.company_id)]).toEqual([1, 1])
    // What the clock does: one for every company.
    const clock = { name: job.name, run: async () => {} }
    await apps[0]!.database.write(null, (db) => enqueue(db, clock, {}))
    await until(() => runsOf(good.company_id) === 2)
    expect(new Set(ran)).toEqual(new Set(await apps[0]!.database.companies()))
    await jobs.close()
  })

  it('of an earlier release are no longer queued by the clock', async () => {
    const job = (name: string) => ({ name, schedule: '0 0 1 1 *', run: async () => {} })
    const scheduled = async () =>
      (await owner.query(`select name from jobs.schedule where name like 'yearly-%'`)).rows.map(({ name }) => name)
    const { database } = apps[0]!
    const earlier = new Jobs(database, () => {}, true)
    await earlier.start([job('yearly-old'), job('yearly-new')])
    await earlier.close()
    expect((await scheduled()).sort()).toEqual(['yearly-new', 'yearly-old'])
    const later = new Jobs(database, () => {}, true)
    await later.start([job('yearly-new')])
    await later.close()
    expect(await scheduled()).toEqual(['yearly-new'])
  })
})

describe('an instance of 0.1.0, which does not know the ledger of expenses', () => {
  it('leaves orders that differ from it, which the job of the new one finds and rewrites', async () => {
    const boss = await given.member({ role: 'super-admin' })
    const { company_id } = boss
    await given.setting(company_id, 'has_warehouse', false)
    const [truck, other] = [await given.truck(boss), await given.truck(boss)]
    const supply = await given.supply(boss)
    const service = await given.service(boss)
    const orders = []
    for (let i = 0; i < 5; i++)
      orders.push(
        await given.workOrder(boss, {
          truck_id: truck.id,
          has_warehouse: false,
          supplies: [{ supply_id: supply.id, count: 2, cost: 500 }],
          services: [{ service_id: service.id, quantity: 1 }],
        }),
      )
    const differing = async () => (await brokenInvariants(owner)).filter((one) => one.startsWith('expenses = lines'))
    expect(await differing()).toEqual([])
    // Another day without another cost, another truck, a line more, a line less, and an order that is no longer there.
    const ids = orders.map(({ id }) => id)
    for (const [statement, id] of [
      ["update work_order_services set day = day - 40 where work_order_id = $1 and 'x' <> $2::text", ids[0]],
      ['update work_orders set truck_id = $2::bigint where id = $1', ids[1]],
      [
        `insert into work_order_services (company_id, work_order_id, provider_id, service_id, quantity, unit_price, amount, day)
         select company_id, work_order_id, provider_id, service_id, 3, 1, 3, day from work_order_services
         where work_order_id = $1 and 'x' <> $2::text`,
        ids[2],
      ],
      ["delete from work_order_supplies where work_order_id = $1 and 'x' <> $2::text", ids[3]],
      ["delete from work_orders where id = $1 and 'x' <> $2::text", ids[4]],
    ] as const)
      await owner.query(statement, [id, other.id])
    expect(await differing()).toHaveLength(1)
    await repairJob.runFor(apps[0]!.database, company_id)
    expect(await differing()).toEqual([])
    const { rows } = await owner.query(
      'select distinct source_id::int as id from expenses where company_id = $1 order by 1',
      [company_id],
    )
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 4))
  })
})
