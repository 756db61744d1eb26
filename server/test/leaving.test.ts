import { join } from 'node:path'
import { expect, it } from 'vitest'
import { identity } from '#contract/identity/identity.ts'
import { LEAVING_LOCK, leaveDemo } from '../seeds/leaving.ts'
import { openStore } from '../src/platform/outside/store.ts'
import { DEMO_FACTORS, openHouse } from './house.ts'

const house = openHouse({ demo: 'small' })

const leave = async (code: string | null) => {
  const said: (string | undefined)[] = []
  const files = { folder: join(house.dataDir, 'files') }
  await leaveDemo({ ownerUrl: house.url, code, files, factor: DEMO_FACTORS.small }, (problem) => said.push(problem))
  return said
}
const count = async (table: string) => Number((await house.owner.query(`select count(*) from ${table}`)).rows[0].count)
const enter = () =>
  house.call(undefined, identity.login, { body: { email: 'admin@maestranza.demo', password: 'maestranza' } })

it('leaves what is not the demonstration alone', async () => {
  const ana = await house.given.member({ role: 'super-admin' })
  const refused = await house.call(ana, identity.leaveDemo, { body: { how: 'leave' } })
  expect([refused.status, refused.failure.message]).toEqual([409, 'Aquí no hay una demostración que dejar.'])
  const orders = await count('work_orders')
  expect(await leave('ABCDE23456')).toEqual([expect.stringContaining('no son de la demostración')])
  expect(await count('work_orders')).toBe(orders)
  expect(await count('maintenance')).toBe(0)
})

it('lets only one of several instances do it', async () => {
  const other = await house.owner.connect()
  await other.query('select pg_advisory_lock($1)', [LEAVING_LOCK])
  expect(await leave(null)).toEqual(['La demostración ya se está preparando.'])
  await other.query('select pg_advisory_unlock($1)', [LEAVING_LOCK])
  other.release()
})

it('starts it anew, and leaves it for a company of one’s own; nobody stays inside', async () => {
  // The other test's company is the demonstration's as soon as its people run it.
  await house.owner.query(
    `insert into memberships (company_id, user_id, role)
     select c.id, u.id, 'super-admin' from companies c, users u where u.email = 'admin@maestranza.demo'
     on conflict do nothing`,
  )
  const { token } = (await enter()).body
  const before = await count('trucks')
  await house.owner.query('delete from truck_readings')
  const { rows } = await house.owner.query('select min(id)::int as id from companies')
  const photo = { company_id: rows[0].id, hash: 'ab'.repeat(32) }
  const store = openStore({ folder: join(house.dataDir, 'files') })
  await store.put(photo, new Blob(['a photo of a visitor']))
  expect(await leave(null)).toEqual([undefined])
  expect(await store.get(photo)).toBeUndefined()
  expect(await count('companies')).toBe(2)
  expect(await count('trucks')).toBe(before)
  expect(await count('truck_readings')).toBeGreaterThan(0)
  const statusOf = async () =>
    (await house.app.http.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${token}` } })).statusCode
  // Within a second the house knows that it is open again.
  await expect.poll(statusOf).toBe(401)
  expect((await enter()).status).toBe(200)

  expect(await leave('ABCDE23456')).toEqual([undefined])
  for (const table of ['companies', 'users', 'sessions', 'work_orders', 'trucks', 'maintenance'])
    expect([table, await count(table)]).toEqual([table, 0])
  const body = {
    code: 'abcde-23456',
    company_name: 'Transportes Nuevos SpA',
    workshop_name: 'Taller Central',
    name: 'Rosa Díaz',
    email: 'rosa@nuevos.cl',
    password: 'una clave larga y propia',
  }
  await expect.poll(statusOf).toBe(401)
  const made = await house.call(undefined, identity.setUp, { body })
  expect(made.status).toBe(201)
  expect(made.body.user.companies).toMatchObject([{ name: 'Transportes Nuevos SpA' }])
})
