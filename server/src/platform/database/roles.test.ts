import pg from 'pg'
import { expect, it } from 'vitest'
import { openHouse } from '../../../test/house.ts'
import { servingUrl } from './roles.ts'

const house = openHouse()

it('serves as somebody who owns nothing, however the role is reset', async () => {
  const client = new pg.Client({ connectionString: house.app.database.url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls,
         (select count(*)::int from pg_class where relowner = r.oid) as owns
       from pg_roles r where rolname = session_user`,
    )
    expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, owns: 0 }])
    await client.query('reset role')
    const ana = await house.given.member()
    await house.given.truck(ana)
    expect((await client.query('select * from trucks')).rows).toEqual([])
    await expect(client.query('drop table trucks')).rejects.toThrow(/must be owner/)
    await expect(client.query('alter role current_user superuser')).rejects.toThrow(/permission denied/)
    await expect(client.query(`copy trucks to program 'id'`)).rejects.toThrow(/permission denied/)
  } finally {
    await client.end()
  }
})

it('is the same address for every instance', async () => {
  expect(await servingUrl(house.url)).toBe(await servingUrl(house.url))
  expect(await servingUrl(house.url)).toBe(house.app.database.url)
})
