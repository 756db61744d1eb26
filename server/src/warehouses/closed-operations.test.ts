import { expect, it } from 'vitest'
import { months } from '#contract/workshops/months.ts'
import { times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { brokenInvariants } from '../../test/invariants.ts'
import { groundOf, runAtOnce, StockClient } from '../../test/stock-operations.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { lockSuppliesForReplay } from './stock/locked-levels.ts'
import { replayFrom } from './stock/replay.ts'

/** Random operations before and after a month is closed. `SEEDS` runs more of them. */

const house = openHouse()

/** Moves all that happened so far 62 days into the past, and closes the months until then. */
async function closePast(company_id: number) {
  for (const [table, column] of [
    ['movements', 'at'],
    ['movements', 'created_at'],
    ['stock', 'last_at'],
    ['transactions', 'date'],
    ['transactions', 'invoice_date'],
    ['transactions', 'created_at'],
  ])
    await house.owner.query(`update ${table} set ${column} = ${column} - interval '62 days' where company_id = $1`, [
      company_id,
    ])
  const last = new Date(Date.now() - 32 * 86_400_000).toISOString().slice(0, 7)
  const boss = await house.given.member({ role: 'super-admin', company_id })
  expect((await house.call(boss, months.closeMonths, { body: { closed_through: last } })).status).toBe(200)
}

const ledgerOf = async (company_id: number) =>
  (
    await house.owner.query<{ line: string }>(
      `select concat_ws(' ', id, value, balance, balance_value, average_cost) as line from movements
       where company_id = $1 order by id`,
      [company_id],
    )
  ).rows.map(({ line }) => line)

/** Works every level out again from its first movement on. */
async function replayAll(company_id: number) {
  const actor: Actor = {
    company_id,
    time_zone: 'America/Santiago',
    user_id: 0,
    user_name: 'Prueba',
    session_id: 0,
    role: 'super-admin',
    workshop_id: null,
    may: new Set(),
  }
  const { rows: levels } = await house.owner.query<{ warehouse_id: number; supply_id: number }>(
    'select warehouse_id::int, supply_id::int from stock where company_id = $1 and last_at is not null',
    [company_id],
  )
  for (const level of levels)
    await house.app.database.write(company_id, async (db) => {
      await lockSuppliesForReplay(db, actor, [level])
      await replayFrom(db, actor, level, '-infinity')
    })
}

it.each(times(Number(process.env.SEEDS ?? 1), (i) => i))(
  'keeps every peso before and after a month is closed (%s)',
  async (seed) => {
    const ground = await groundOf(house.given, { warehouses: 3, supplies: 2 })
    const { company_id } = ground.who
    const client = new StockClient(`closed ${seed}`, ground, [], house.call)
    await runAtOnce([client], 120)
    const before = await ledgerOf(company_id)
    await replayAll(company_id)
    expect(await ledgerOf(company_id)).toEqual(before)
    await closePast(company_id)
    await runAtOnce([client], 100)
    expect(await brokenInvariants(house.owner)).toEqual([])
  },
)
