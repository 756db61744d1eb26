import { expect, it } from 'vitest'
import { server } from '#contract/workshops/server.ts'
import { newerMinors } from '../../../../scripts/postgres-minors.mjs'
import { openHouse } from '../../../test/house.ts'
import recorded from './postgres-minors.json' with { type: 'json' }
import { describeVersion } from './postgres-version.ts'

const house = openHouse()

it('says that the embedded database is behind, and never a database of ones own', () => {
  const minors = { 17: 10, 18: 6 }
  const of = (number: number, isEmbedded = true) => describeVersion(number, isEmbedded, minors)
  expect(of(180004)).toMatchObject({ version: '18.4', latest: '18.6', behind: true })
  expect(of(180004).message).toBe(
    'PostgreSQL 18.4 está atrasado: ya existe 18.6, con correcciones de seguridad. Actualice Maestranza para recibirlas.',
  )
  expect(of(180006)).toMatchObject({ behind: false, message: null })
  // The installed one may be newer than what was known at the release.
  expect(of(180007)).toMatchObject({ behind: false, message: null })
  expect(of(170010)).toMatchObject({ version: '17.10', latest: '17.10', behind: false })
  expect(of(190001)).toMatchObject({ version: '19.1', latest: null, behind: false, message: null })
  expect(of(180004, false)).toMatchObject({ version: '18.4', embedded: false, behind: false, message: null })
})

it('tells only those who administer a company, on its own call and in the health of the server', async () => {
  const owner = await house.given.member({ role: 'super-admin' })
  const chief = await house.given.member({ role: 'admin' })
  const { body } = await house.call(owner, server.getServer)
  const { rows } = await house.owner.query('show server_version')
  expect(body.database.version).toBe(/^\d+\.\d+/.exec(rows[0].server_version)![0])
  expect(body.database.embedded).toBe(false)
  expect((await house.call(chief, server.getServer)).status).toBe(403)

  const health = async (authorization?: string) =>
    (await house.app.http.inject({ url: '/api/health', headers: { ...(authorization && { authorization }) } })).json()
  expect(await health(`Bearer ${owner.token}`)).toMatchObject({ status: 'ok', database: body.database })
  for (const stranger of [undefined, `Bearer ${chief.token}`, 'Bearer nothing'])
    expect(Object.keys(await health(stranger))).toEqual(['status', 'maintenance', 'demo'])
  house.app.database.context.isEmbedded = true
  const known = recorded.minors['18']
  expect((await house.call(owner, server.getServer)).body.database).toMatchObject({
    embedded: true,
    latest: `18.${known}`,
  })
  house.app.database.context.isEmbedded = false
})

it('refreshes the recorded versions without forgetting one that another source knew', () => {
  expect(newerMinors({ 17: 10, 18: 4 }, [[18, 3]])).toEqual({ 17: 10, 18: 4 })
  expect(
    newerMinors({ 17: 10, 18: 4 }, [
      [18, 6],
      [17, 11],
      [16, 99],
    ]),
  ).toEqual({ 17: 11, 18: 6 })
})
