import { expect, it } from 'vitest'
import { identity } from '#contract/identity/identity.ts'
import { openHouse } from '../../../test/house.ts'

const house = openHouse()

it('asks to come back, and does not wait for ever, while every connection is taken', async () => {
  const ana = await house.given.member()
  const { pool } = house.app.database
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  // It waits long enough for a call that is slow, and too long for a test.
  const { connectionTimeoutMillis } = pool.options
  expect(connectionTimeoutMillis).toBe(15_000)
  pool.options.connectionTimeoutMillis = 200
  const answer = await house.call(ana, identity.me)
  pool.options.connectionTimeoutMillis = connectionTimeoutMillis
  for (const client of taken) client.release()
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '2'])
  expect(answer.failure.message).toMatch(/Intente de nuevo/)
  expect((await house.call(ana, identity.me)).status).toBe(200)
})
