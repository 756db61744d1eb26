import { expect, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { apiTokens } from '#contract/identity/api-tokens.ts'
import { factors } from '#contract/identity/factors.ts'
import { identity } from '#contract/identity/identity.ts'
import { security } from '#contract/identity/security.ts'
import { type Member, PASSWORD } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()

const make = (who: Member, more: object = {}) =>
  house.call(who, apiTokens.createApiToken, {
    body: { name: 'Planilla', permissions: ['fleet.read'], days: 30, ...more },
  })
const listOf = async (who: Member) => (await house.call(who, apiTokens.listApiTokens)).body.data

it('a program does what its key and the role of its owner allow, and nothing of the account', async () => {
  const ana = await house.given.member()
  const { token } = (await make(ana)).body
  const program = { ...ana, token }
  expect((await house.call(program, fleet.listTrucks)).status).toBe(200)
  expect((await house.call(program, fleet.createTruck, { body: house.given.newTruck(ana) })).status).toBe(403)
  expect((await house.call(program, identity.me)).body.permissions).toEqual(['fleet.read'])
  expect((await make(program)).status).toBe(403)
  expect((await house.call(program, identity.endOtherSessions)).status).toBe(403)
  expect((await house.call(program, identity.listSessions, { params: { id: ana.user_id } })).status).toBe(403)

  const wide = { ...ana, token: (await make(ana, { permissions: ['fleet.write', 'people.manage'] })).body.token }
  expect((await house.call(wide, fleet.createTruck, { body: house.given.newTruck(ana) })).status).toBe(201)
  const invited = { name: 'X', email: 'x@prueba.cl', role: 'viewer' as const, workshop_id: ana.workshop_id }
  expect((await house.call(wide, identity.createUser, { body: invited })).status).toBe(403)
  await house.owner.query(`update memberships set role = 'viewer' where user_id = $1`, [ana.user_id])
  expect((await house.call(wide, fleet.createTruck, { body: house.given.newTruck(ana) })).status).toBe(403)
})

it('a key is of one company, ends with its days, its owner’s access or a click, and tells its last use', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const ana = await house.given.member({ company_id: boss.company_id })
  const other = await house.given.member()
  const { token } = (await make(ana)).body
  const program = { ...ana, token }
  const use = async (who: Member = program) => (await house.call(who, fleet.listTrucks)).status
  expect((await listOf(ana))[0]).toMatchObject({ name: 'Planilla', last_used_at: null })
  expect(await use()).toBe(200)
  expect((await listOf(ana))[0]).toMatchObject({ last_used_at: expect.any(String), last_address: '127.0.0.1' })
  await house.owner.query(
    `insert into memberships (company_id, user_id, role, workshop_id) values ($1, $2, 'admin', $3)`,
    [other.company_id, ana.user_id, other.workshop_id],
  )
  expect(await use({ ...program, company_id: other.company_id })).toBe(403)

  expect(await listOf(other)).toEqual([])
  expect((await listOf(boss)).map(({ user_name }) => user_name)).toEqual([ana.name])
  const { id } = (await listOf(boss))[0]!
  expect((await house.call(boss, apiTokens.deleteApiToken, { params: { id } })).status).toBe(204)
  expect(await use()).toBe(401)
  const told = (await house.call(boss, security.listEvents)).body.data.map(({ kind, by_name }) => [kind, by_name])
  expect(told).toEqual([
    ['token', boss.name],
    ['token', null],
  ])

  const second = { ...ana, token: (await make(ana)).body.token }
  expect(await use(second)).toBe(200)
  await house.owner.query(`update memberships set state = 'inactive' where user_id = $1`, [ana.user_id])
  expect(await use(second)).toBe(401)
  await house.owner.query(`update memberships set state = 'active' where user_id = $1`, [ana.user_id])
  await house.owner.query(`update api_tokens set expires_at = now() where user_id = $1`, [ana.user_id])
  expect(await use(second)).toBe(401)
})

it('a key opens no more than its maker may, for a year at most, and they make twenty', async () => {
  const ana = await house.given.member({ role: 'viewer' })
  expect((await make(ana, { permissions: ['fleet.write'] })).failure.errors).toHaveProperty('permissions')
  expect((await make(ana, { permissions: [] })).failure.errors).toHaveProperty('permissions')
  for (const days of [0, 366]) expect((await make(ana, { days })).failure.errors).toHaveProperty('days')
  for (let i = 0; i < 20; i++) expect((await make(ana)).status).toBe(200)
  expect((await make(ana)).status).toBe(422)
  const { rows } = await house.owner.query('select token_hash from api_tokens limit 1')
  expect(rows[0].token_hash).toHaveLength(32)
})

it('keys end with a used reset link, with lost factors and with deactivation, and do not come back', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const { company_id, workshop_id } = boss
  const ana = await house.given.member({ company_id, workshop_id })
  const params = { id: ana.user_id }
  const use = async (token: string) => (await house.call({ ...ana, token }, fleet.listTrucks)).status
  const key = async (who: Member) => (await make(who)).body.token

  const first = await key(ana)
  const link = (await house.call(boss, identity.createLink, { params })).body.token!
  expect(await use(first)).toBe(200)
  const entered = await house.call(undefined, identity.useLink, { body: { token: link, password: 'otra-clave-larga' } })
  expect([entered.status, await use(first)]).toEqual([200, 401])

  const back = { ...ana, token: entered.body.token }
  const second = await key(back)
  expect((await house.call(boss, factors.removeFactorsOf, { params })).status).toBe(204)
  expect(await use(second)).toBe(401)

  const again = await house.given.member({ company_id, workshop_id })
  const third = await key(again)
  const edit = (state: 'active' | 'inactive') =>
    house.call(boss, identity.updateUser, { params: { id: again.user_id }, body: { state } })
  expect((await edit('inactive')).status).toBe(200)
  expect((await edit('active')).status).toBe(200)
  expect(await use(third)).toBe(401)
  const told = (await house.call(boss, security.listEvents)).body.data.filter(({ detail }) =>
    /eliminada/.test(detail ?? ''),
  )
  expect(told.map(({ user_name, by_name }) => [user_name, by_name])).toEqual([
    [again.name, boss.name],
    [ana.name, boss.name],
    [ana.name, null],
  ])
})

it('whoever changes their password or ends their sessions says whether their keys end too', async () => {
  const ana = await house.given.member()
  const use = async (token: string) => (await house.call({ ...ana, token }, fleet.listTrucks)).status
  const key = async () => (await make(ana)).body.token
  const change = (current_password: string, password: string, more = {}) =>
    house.call(ana, identity.changePassword, { body: { current_password, password, ...more } })

  const kept = await key()
  expect((await change(PASSWORD, 'otra-clave-larga')).status).toBe(204)
  expect((await house.call(ana, identity.endOtherSessions)).status).toBe(204)
  expect(await use(kept)).toBe(200)
  expect((await change('otra-clave-larga', PASSWORD, { end_api_tokens: true })).status).toBe(204)
  expect(await use(kept)).toBe(401)
  const other = await key()
  await house.call(ana, identity.endOtherSessions, { query: { end_api_tokens: 'true' } })
  expect(await use(other)).toBe(401)
})
