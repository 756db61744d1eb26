import { beforeEach, describe, expect, it } from 'vitest'
import { permissionsOf } from '#contract/base/permissions.ts'
import { BAD_CREDENTIALS, identity } from '#contract/identity/identity.ts'
import { workshops } from '#contract/workshops/workshops.ts'
import { PASSWORD, times } from '../../test/given.ts'
import { forgetGuesses, openHouse } from '../../test/house.ts'
import { statementsOf } from '../../test/statements.ts'

const house = openHouse()
const tryLogin = (email: string, password: string) =>
  house.call(undefined, identity.login, { body: { email, password } })

beforeEach(() => forgetGuesses(house))

describe('logging in', () => {
  it('gives a token, the person and what they may do', async () => {
    const ana = await house.given.member({ role: 'warehouse' })
    const { status, body } = await tryLogin(`  ${ana.email.toUpperCase()} `, PASSWORD)
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      id: ana.user_id,
      role: 'warehouse',
      company_id: ana.company_id,
      workshop_id: ana.workshop_id,
      permissions: permissionsOf('warehouse'),
    })
    const me = await house.call({ ...ana, token: body.token }, identity.me)
    expect(me.body).toEqual(body.user)
  })

  it('says the same for a wrong password, an unknown address and a person who left', async () => {
    const ana = await house.given.member()
    const gone = await house.given.member()
    await house.owner.query('update users set active = false where id = $1', [gone.user_id])
    const answers = [
      await tryLogin(ana.email, 'otra'),
      await tryLogin('nadie@prueba.cl', PASSWORD),
      await tryLogin(gone.email, PASSWORD),
    ]
    for (const { status, failure } of answers) {
      expect(status).toBe(422)
      expect(failure).toEqual({ message: BAD_CREDENTIALS, errors: { email: [BAD_CREDENTIALS] } })
    }
  })

  it('lets five guesses at an account through, sent one by one or all at once, and forgets them in time', async () => {
    const [ana, bob] = [await house.given.member(), await house.given.member()]
    for (let i = 0; i < 5; i++) expect((await tryLogin(ana.email, 'mala')).status).toBe(422)
    const slowed = await tryLogin(ana.email, PASSWORD)
    expect(slowed.status).toBe(429)
    expect(slowed.failure.message).toBe('Demasiados intentos fallidos. Espere 15 minutos e intente de nuevo.')
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(800)
    const atOnce = await Promise.all(times(24, () => tryLogin(bob.email, 'mala')))
    expect(atOnce.filter(({ status }) => status === 422)).toHaveLength(5)

    await forgetGuesses(house)
    expect((await tryLogin(ana.email, PASSWORD)).status).toBe(200)
    expect((await tryLogin(ana.email, 'mala')).status).toBe(422)
  })

  it('slows down an address that tries many accounts, whatever it gets right in between', async () => {
    const ana = await house.given.member()
    await house.owner.query(
      `insert into login_attempts (key, at) select 'address:127.0.0.1', now() from generate_series(1, 99)`,
    )
    expect((await tryLogin(ana.email, PASSWORD)).status).toBe(200)
    expect((await tryLogin('nadie@prueba.cl', 'mala')).status).toBe(422)
    expect((await tryLogin(ana.email, PASSWORD)).status).toBe(429)
  })

  it('keeps nobody out of a browser they logged in with before, and lets others guess no more with it', async () => {
    const [ana, bob] = [await house.given.member(), await house.given.member()]
    const { device } = (await tryLogin(ana.email, PASSWORD)).body
    for (let i = 0; i < 5; i++) await tryLogin(ana.email, 'mala')
    const withDevice = (email: string, password: string) =>
      house.call(undefined, identity.login, { body: { email, password, device } })
    expect((await tryLogin(ana.email, PASSWORD)).status).toBe(429)
    const back = await withDevice(ana.email, PASSWORD)
    expect([back.status, back.body.device]).toEqual([200, device])
    for (let i = 0; i < 5; i++) expect((await withDevice(bob.email, 'mala')).status).toBe(422)
    expect((await withDevice(bob.email, PASSWORD)).status).toBe(429)
  })

  it('holds no connection while it looks at passwords, and asks whoever comes when too many wait to come back', async () => {
    const ana = await house.given.member()
    const people = await Promise.all(times(100, (i) => tryLogin(`alguien${i}@prueba.cl`, 'mala')))
    const statuses = new Set(people.map(({ status }) => status))
    expect(statuses).toEqual(new Set([422, 429]))
    expect((await house.call(ana, identity.me)).status).toBe(200)
  })
})

describe('a session', () => {
  it('ends with logout, and with its time', async () => {
    const ana = await house.given.member()
    const { body } = await tryLogin(ana.email, PASSWORD)
    const her = { ...ana, token: body.token }
    expect((await house.call(her, identity.logout)).status).toBe(204)
    const after = await house.call(her, identity.me)
    expect(after.status).toBe(401)
    expect(after.failure.message).toBe('Su sesión terminó. Ingrese nuevamente.')

    await house.owner.query(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [
      ana.user_id,
    ])
    expect((await house.call(ana, identity.me)).status).toBe(401)
  })

  it('feels a change of role, workshop or company on the next call', async () => {
    const ana = await house.given.member({ role: 'viewer' })
    await house.owner.query(`update memberships set role = 'admin' where user_id = $1`, [ana.user_id])
    expect((await house.call(ana, identity.me)).body.role).toBe('admin')
    await house.owner.query('delete from memberships where user_id = $1', [ana.user_id])
    expect((await house.call(ana, identity.me)).status).toBe(403)
  })

  it('keeps only a hash of the token', async () => {
    const ana = await house.given.member()
    const { rows } = await house.owner.query('select token_hash from sessions where user_id = $1', [ana.user_id])
    expect(rows[0].token_hash.toString()).not.toContain(ana.token)
    expect(rows[0].token_hash).toHaveLength(32)
  })
})

describe('companies', () => {
  it('are set on a connection only when it changes from one to another', async () => {
    const ana = await house.given.member()
    await house.call(ana, identity.me)
    const switches: number[] = []
    for (let i = 0; i < 3; i++) {
      const asked = await statementsOf(() => house.call(ana, identity.me))
      switches.push(asked.filter((text) => text.startsWith('set app.company_id')).length)
    }
    // What the house does by itself may take the connection to another company meanwhile, but not each time.
    expect(Math.min(...switches)).toBe(0)
  })

  it('are switched by header; without one the first is meant', async () => {
    const ana = await house.given.member({ role: 'super-admin' })
    const second = await house.given.company()
    const workshop_id = await house.given.workshop(second)
    await house.owner.query(
      `insert into memberships (company_id, user_id, role, workshop_id) values ($1, $2, 'viewer', $3)`,
      [second, ana.user_id, workshop_id],
    )
    const there = await house.call({ ...ana, company_id: second }, identity.me)
    expect(there.body).toMatchObject({ company_id: second, role: 'viewer', workshop_id })
    expect(there.body.companies.map((c) => c.id)).toEqual([ana.company_id, second])
    const response = await house.app.http.inject({
      url: '/api/v1/me',
      headers: { authorization: `Bearer ${ana.token}` },
    })
    expect(response.json().company_id).toBe(ana.company_id)
  })

  it('keep their rows apart even where a query forgets to', async () => {
    const [ana, bob] = [await house.given.member(), await house.given.member()]
    await house.given.truck(ana)
    const seen = (company: number | null) =>
      house.app.database.read(company, async (db) => (await db.$client.query('select company_id from trucks')).rows)
    expect(new Set((await seen(ana.company_id)).map((r) => r.company_id))).toEqual(new Set([ana.company_id]))
    expect(await seen(bob.company_id)).toEqual([])
    expect(await seen(null)).toEqual([])
    const smuggle = house.app.database.write(bob.company_id, (db) =>
      db.$client.query(`insert into brands (company_id, name) values ($1, 'X')`, [ana.company_id]),
    )
    await expect(smuggle).rejects.toThrow(/row-level security/)
  })
})

it('lists the workshops one may work in', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const ana = await house.given.member({ company_id: boss.company_id })
  expect((await house.call(boss, workshops.listWorkshops)).body.total).toBe(2)
  expect((await house.call(ana, workshops.listWorkshops)).body.data.map((w) => w.id)).toEqual([ana.workshop_id])
})
