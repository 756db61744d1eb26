import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { restoreBackup } from '../src/platform/running/backup.ts'
import { fillLedger } from '../src/upgrade.ts'
import { databaseUrl } from './global-setup.ts'
import { brokenInvariants } from './invariants.ts'

/* The ledger of expenses of data that 0.1.0 wrote, which has none. */

let url: string
let owner: pg.Pool
beforeAll(async () => {
  const server = new pg.Client({ connectionString: inject('serverUrl') })
  await server.connect()
  const name = `expenses_${randomUUID().replaceAll('-', '')}`
  await server.query(`create database ${name}`)
  await server.end()
  url = databaseUrl(inject('serverUrl'), name)
  owner = new pg.Pool({ connectionString: url, max: 2 })
  await restoreBackup(url, join(import.meta.dirname, 'releases', '0.1.0', 'demo.backup'))
}, 120_000)
afterAll(() => owner.end())

const count = async () => Number((await owner.query('select count(*) from expenses')).rows[0].count)
const differing = async () => (await brokenInvariants(owner)).filter((one) => one.includes('expenses'))

it('is filled before the new release serves, and says how far it is', async () => {
  expect(await count()).toBe(0)
  const sentences: string[] = []
  await fillLedger(url, (sentence) => sentences.push(sentence))
  expect(sentences.at(-1)).toBe('Se preparan los gastos de las órdenes de trabajo: 100 %')
  expect(await count()).toBeGreaterThan(500)
  expect(await differing()).toEqual([])
})

it('goes on after a kill behind the last order that has rows', async () => {
  const whole = await count()
  await owner.query('create table before_kill as select xmin::text as written, * from expenses')
  for (const company of [1, 2])
    await owner.query(
      `delete from expenses where company_id = $1 and source_id > (select avg(source_id) from expenses where company_id = $1)`,
      [company],
    )
  const left = await count()
  expect(left).toBeLessThan(whole)
  await fillLedger(url)
  expect(await count()).toBe(whole)
  expect(await differing()).toEqual([])
  const { rows } = await owner.query(
    `select count(*) from before_kill b join expenses e using (company_id, source, source_id, kind, line_id) where e.xmin::text = b.written`,
  )
  expect(Number(rows[0].count)).toBe(left)
})

it('writes nothing where nothing is missing', async () => {
  const sentences: string[] = []
  await fillLedger(url, (sentence) => sentences.push(sentence))
  expect(sentences).toEqual([])
})
