import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, it } from 'vitest'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { until, within } from '../../test/listen.ts'
import { sized } from '../../test/sized.ts'

/** A receipt is broken off between every two of its statements: all of it is there, or none of it. */

const house = openHouse()

/** Every row of every table of a company, in one word per table. */
async function everything(company_id: number) {
  const { rows: tables } = await house.owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'company_id' order by 1`,
  )
  const { rows } = await house.owner.query(
    tables
      .map(
        ({
          name,
        }) => `select '${name}' as name, count(*) as rows, md5(string_agg(t::text, chr(10) order by t::text)) as sum
          from "${name}" t where company_id = $1`,
      )
      .join(' union all '),
    [company_id],
  )
  return rows
}

async function approvedOrder(who: Member) {
  const supplies = [await house.given.supply(who), await house.given.supply(who)]
  const order = await house.given.purchaseOrder(who, {
    supplies: supplies.map(({ id }, i) => ({ supply_id: id, quantity: 10, unit_cost: 1000 + i })),
  })
  await house.call(who, purchasing.updatePurchaseStatus, { params: { id: order.id }, body: { status: 'approved' } })
  const body = {
    transaction: { document: 'F-100' },
    supplies: supplies.map(({ id }) => ({ supply_id: id, quantity: 4 })),
  }
  return { order, body }
}

/** The line to the database is cut once so many statements of the next transaction have been answered. */
function cutAfter(count: number) {
  const original = pg.Client.prototype.query
  let answered = 0
  let its: pg.Client | undefined
  let cut = false
  pg.Client.prototype.query = async function (this: pg.Client & { processID: number }, ...args: unknown[]) {
    const [what] = args as [string | { text: string }]
    const text = typeof what === 'string' ? what : what.text
    if (!its && /^begin/.test(text)) its = this
    if (this === its && !cut && answered === count) {
      cut = true
      await house.owner.query('select pg_terminate_backend($1::int)', [this.processID])
      for (let alive = 1; alive > 0; await sleep(2))
        alive = (await house.owner.query('select from pg_stat_activity where pid = $1', [this.processID])).rowCount ?? 0
    }
    const result = await (original as (...args: unknown[]) => Promise<unknown>).apply(this, args)
    if (this === its) answered += 1
    return result
  } as typeof original
  return {
    restore: () => {
      pg.Client.prototype.query = original
    },
    answered: () => answered,
    wasCut: () => cut,
  }
}

const stateOf = async (who: Member, id: number, warehouse: number) => {
  const { body: order } = await house.call(who, purchasing.getPurchaseOrder, { params: { id } })
  const { body: stock } = await house.call(who, warehouses.listStock, { params: { warehouse } })
  const { body: receipts } = await house.call(who, purchasing.listReceipts, { params: { id } })
  return [
    order.status,
    order.supplies.map((line) => line.received),
    stock.data.map((line) => line.stock),
    receipts.total,
  ]
}
const NONE = (state: unknown[]) => expect(state).toEqual(['approved', [0, 0], [], 0])
const ALL = (state: unknown[]) => expect(state).toEqual(['partially_received', [4, 4], [4, 4], 1])

it('cut off after each of its statements in turn, a receipt leaves every table as it was', async () => {
  const ana = await house.given.member()
  const { order, body } = await approvedOrder(ana)
  const receive = () =>
    house.call(ana, purchasing.receivePurchaseOrder, {
      params: { id: order.id },
      body,
      headers: { 'idempotency-key': 'recibo' },
    })
  const before = await everything(ana.company_id)
  // Each cut is an error of the server, and is logged as one.
  house.app.http.log.level = 'silent'
  let statements = 0
  for (let count = 1; ; count++) {
    const line = cutAfter(count)
    const { status } = await receive().finally(line.restore)
    if (!line.wasCut()) {
      expect(status).toBe(201)
      statements = line.answered()
      break
    }
    expect([count, status]).toEqual([count, 500])
    expect(await everything(ana.company_id)).toEqual(before)
  }
  // Begin, some thirty in between, and the commit.
  expect(statements).toBeGreaterThan(31)
  ALL(await stateOf(ana, order.id, order.warehouse_id))
  // Whoever heard no answer asks again with the same key, and nothing is received twice.
  expect((await receive()).status).toBe(201)
  ALL(await stateOf(ana, order.id, order.warehouse_id))
})

it('kill -9 of the server at any of them does the same', async () => {
  const ana = await house.given.member()
  const { order, body } = await approvedOrder(ana)
  const before = await everything(ana.company_id)
  const kill = async (after: number) => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../test/receive-and-die.ts', import.meta.url)), String(after)],
      {
        env: {
          ...process.env,
          RECEIPT: JSON.stringify({ url: house.url, token: ana.token, id: order.id, body }),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    const [, signal] = await within('the process ends', once(child, 'exit'))
    return { said, signal }
  }
  for (const after of sized([31], [11, 31])) {
    expect([after, await kill(after)]).toEqual([after, { said: '', signal: 'SIGKILL' }])
    // The database notices that nobody is there any more.
    const open = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
    await until(async () => (await house.owner.query(open)).rows.length === 0)
    expect(await everything(ana.company_id)).toEqual(before)
    NONE(await stateOf(ana, order.id, order.warehouse_id))
  }
  expect(await kill(1000)).toEqual({ said: '201', signal: null })
  ALL(await stateOf(ana, order.id, order.warehouse_id))
})
