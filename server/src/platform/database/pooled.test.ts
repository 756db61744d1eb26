import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse } from '../../../test/house.ts'
import { Database, type Db, rows, snapshot } from './db.ts'
import { servingUrl } from './roles.ts'

/* As behind a pooler that lends connections for one transaction: one connection, which nothing may stay on. */

const house = openHouse()
let database: Database
beforeAll(async () => {
  const poolUrl = await servingUrl(house.url, true)
  database = new Database(poolUrl, { max: 1, poolUrl })
})
afterAll(() => database.close())

const trucks = (db: Db) => rows<{ id: number }>(db, sql`select id from trucks order by id`)

it('reads and writes what is of one company, and leaves nothing behind', async () => {
  const [ana, bob] = [await house.given.member(), await house.given.member()]
  const [hers, his] = [await house.given.truck(ana), await house.given.truck(bob)]
  expect(await database.isFenced()).toBe(true)
  expect(await database.read(ana.company_id, trucks)).toEqual([{ id: hers.id }])
  expect(await database.read(bob.company_id, trucks)).toEqual([{ id: his.id }])
  expect(await database.write(ana.company_id, trucks)).toEqual([{ id: hers.id }])
  expect(await database.read(null, trucks)).toEqual([])
  expect(await database.read(undefined, trucks)).toEqual([])
  const { rows: left } = await database.pool.query(
    `select current_setting('app.company_id', true) as company, current_setting('timezone') as zone,
       (select count(*)::int from pg_prepared_statements) as prepared`,
  )
  expect(left).toEqual([{ company: '', zone: 'UTC', prepared: 0 }])
})

it('asks several questions about one moment, for the same company', async () => {
  const ana = await house.given.member()
  await house.given.truck(ana, { code: 'before' })
  const codes = (db: Db) => rows<{ code: string }>(db, sql`select code from trucks`)
  const seen = await database.read(ana.company_id, async (db) => {
    const before = await codes(db)
    return snapshot(db, async () => {
      const first = await codes(db)
      await house.owner.query(`update trucks set code = 'after' where company_id = $1`, [ana.company_id])
      return [
        before,
        first,
        await codes(db),
        await rows(db, sql`select current_setting('transaction_isolation') as level`),
      ]
    })
  })
  const before = [{ code: 'before' }]
  expect(seen).toEqual([before, before, before, [{ level: 'repeatable read' }]])
  expect(await database.read(ana.company_id, codes)).toEqual([{ code: 'after' }])
})

it('goes on after a question that failed', async () => {
  await expect(database.read(1, (db) => rows(db, sql`select 1 / 0`))).rejects.toThrow('division by zero')
  expect(await database.read(1, (db) => rows(db, sql`select 1 as n`))).toEqual([{ n: 1 }])
})
