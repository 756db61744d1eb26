import { expect, it, vi } from 'vitest'
import { identity } from '#contract/identity/identity.ts'
import { openHouse } from '../../../test/house.ts'
import { PATIENCE } from '../../../test/listen.ts'

const house = openHouse()

it('answers 503 with its sentence to every call but health while the house is closed, and opens again by itself', async () => {
  const ana = await house.given.member()
  const status = async () => (await house.call(ana, identity.me)).status
  expect(await status()).toBe(200)
  await house.owner.query(`insert into maintenance (message) values ('Volvemos a las 15:00.')`)
  await vi.waitFor(async () => expect(await status()).toBe(503), PATIENCE)
  expect((await house.call(undefined, identity.login, { body: {} })).failure).toEqual({
    message: 'Volvemos a las 15:00.',
  })
  // However the address is spelled.
  for (const url of ['/%61pi/v1/me', '/api/v1/%6De', '/api/docs'])
    expect([url, (await house.app.http.inject(url)).statusCode]).toEqual([url, 503])
  const health = await house.app.http.inject('/api/health')
  expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok', maintenance: true, demo: false }])
  await house.owner.query('delete from maintenance')
  await vi.waitFor(async () => expect(await status()).toBe(200), PATIENCE)
})
