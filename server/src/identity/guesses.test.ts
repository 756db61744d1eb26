import { expect, it } from 'vitest'
import { identity } from '#contract/identity/identity.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()

const guess = (email: string, more: object = {}) =>
  house.call(undefined, identity.login, { body: { email, password: 'mala', ...more } })

/** Every use of the database while `work` runs. */
async function countingQueries(work: () => Promise<void>) {
  const { database } = house.app
  const { read, write } = database
  let many = 0
  database.read = (...args) => {
    many += 1
    return read.apply(database, args) as never
  }
  database.write = (...args) => {
    many += 1
    return write.apply(database, args) as never
  }
  try {
    await work()
  } finally {
    Object.assign(database, { read, write })
  }
  return many
}

it('refuses wrong logins from memory, whether they send a device key or not', async () => {
  const ana = await house.given.member()
  for (let i = 0; i < 5; i++) expect((await guess(ana.email)).status).toBe(422)
  const storm = async (more: () => object) => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => guess(ana.email, more())))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
    expect(Number(answers.at(-1)!.headers['retry-after'])).toBeGreaterThan(800)
  }
  await storm(() => ({}))
  await storm(() => ({ device: crypto.randomUUID() }))
  const queries = await countingQueries(async () => {
    for (let i = 0; i < 5; i++) {
      await storm(() => ({}))
      await storm(() => ({ device: crypto.randomUUID() }))
    }
  })
  // One a second of each kind asks the database again.
  expect(queries).toBeLessThan(40)
})
