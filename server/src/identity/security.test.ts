import { beforeEach, describe, expect, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { identity } from '#contract/identity/identity.ts'
import { security } from '#contract/identity/security.ts'
import { imports } from '#contract/imports/imports.ts'
import { reports } from '#contract/reports/reports.ts'
import { companySecurity } from '#contract/workshops/security.ts'
import { type Member, PASSWORD } from '../../test/given.ts'
import { forgetGuesses, openHouse } from '../../test/house.ts'
import { findActor } from './sessions.ts'

const house = openHouse()
beforeEach(() => forgetGuesses(house))

const tryLogin = (email: string, password: string, device?: string) =>
  house.call(undefined, identity.login, { body: { email, password, device } })
const aged = (who: Member, column: 'last_seen_at' | 'created_at', by: string) =>
  house.owner.query(`update sessions set ${column} = now() - $2::interval where user_id = $1`, [who.user_id, by])
const isIn = async (who: Member) => (await house.call(who, identity.me)).status
const eventsOf = async (who: Member, filter: object = {}) =>
  (await house.call(who, security.listEvents, { query: { filter } })).body.data

describe('a session', () => {
  it('ends after 12 hours without use and after 30 days of any', async () => {
    const ana = await house.given.member()
    await aged(ana, 'last_seen_at', '11 hours 59 minutes')
    expect(await isIn(ana)).toBe(200)
    await aged(ana, 'last_seen_at', '12 hours 1 minute')
    expect(await isIn(ana)).toBe(401)
    const bob = await house.given.member()
    const { token } = (await tryLogin(bob.email, PASSWORD)).body
    await house.owner.query(`update sessions set expires_at = created_at + interval '30 days' where user_id = $1`, [
      bob.user_id,
    ])
    await house.owner.query(
      `update sessions set created_at = created_at - interval '30 days', expires_at = expires_at - interval '30 days'
       where user_id = $1`,
      [bob.user_id],
    )
    expect(await isIn({ ...bob, token })).toBe(401)
  })

  it('ends sooner where the company says so, and only there', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const rules = { session_idle_hours: 2, session_days: 7 }
    const set = await house.call(boss, companySecurity.updateAccessRules, { body: rules })
    expect(set.body).toMatchObject(rules)
    const [ana, bob] = [await house.given.member({ company_id: boss.company_id }), await house.given.member()]
    for (const who of [ana, bob]) await aged(who, 'last_seen_at', '3 hours')
    expect([await isIn(ana), await isIn(bob)]).toEqual([401, 200])
    const eva = await house.given.member({ company_id: boss.company_id })
    await aged(eva, 'created_at', '8 days')
    expect(await isIn(eva)).toBe(401)
    for (const body of [{ session_idle_hours: 13 }, { session_idle_hours: 0 }, { session_days: 31 }])
      expect((await house.call(boss, companySecurity.updateAccessRules, { body })).status).toBe(422)
    expect((await eventsOf(boss, { Kind: ['rules'] }))[0]).toMatchObject({
      detail: 'Sesiones: 2 h sin uso, 7 días. Segundo factor: nadie',
    })
  })

  it('is marked as used once in a few minutes, and not by a page that is only open', async () => {
    const ana = await house.given.member()
    const seen = async () =>
      (await house.owner.query('select last_seen_at from sessions where user_id = $1', [ana.user_id])).rows[0]
        .last_seen_at
    await aged(ana, 'last_seen_at', '4 minutes')
    const before = await seen()
    await isIn(ana)
    expect(await seen()).toEqual(before)
    await aged(ana, 'last_seen_at', '6 minutes')
    const older = await seen()
    await house.app.database.read(undefined, (db) => findActor(db, ana.token, ana.company_id, false))
    expect(await seen()).toEqual(older)
    await isIn(ana)
    expect(await seen()).not.toEqual(older)
  })

  it('stays when its owner ends all others, whose browsers are strangers again', async () => {
    const ana = await house.given.member()
    const [here, there] = [(await tryLogin(ana.email, PASSWORD)).body, (await tryLogin(ana.email, PASSWORD)).body]
    const her = { ...ana, token: here.token }
    expect((await house.call(her, identity.endOtherSessions)).status).toBe(204)
    const left = (await house.call(her, identity.listSessions, { params: { id: ana.user_id } })).body.data
    expect(left.map(({ current }) => current)).toEqual([true])
    expect(await isIn({ ...ana, token: there.token })).toBe(401)
    await tryLogin(ana.email, PASSWORD, here.device)
    await tryLogin(ana.email, PASSWORD, there.device)
    const kinds = (await eventsOf(her)).map(({ kind }) => kind)
    expect(kinds).toEqual(['new_device', 'login', 'sessions_ended', 'new_device', 'new_device'])
  })
})

describe('a password', () => {
  it('is none that everybody tries, nor one’s own address, company or last one', async () => {
    const ana = await house.given.member()
    const change = (password: string) =>
      house.call(ana, identity.changePassword, { body: { current_password: PASSWORD, password } })
    const COMMON = 'Es una de las contraseñas más usadas: elija otra.'
    const KNOWN = 'No use su correo ni el nombre de la empresa como contraseña.'
    await house.owner.query(`update companies set name = 'Áridos del Ñuble SpA' where id = $1`, [ana.company_id])
    for (const [password, said] of [
      ['corta', 'La contraseña debe tener al menos 10 caracteres.'],
      ['1q2w3e4r5t', COMMON],
      ['QwertyUiop', COMMON],
      [ana.email, KNOWN],
      [`${ana.email.split('@')[0]}!2026`, KNOWN],
      ['aridos-Nuble-26', KNOWN],
      ['Maestranza2026', KNOWN],
      [PASSWORD, 'Es la contraseña de antes: elija otra.'],
    ] as const)
      expect([password, (await change(password)).failure.errors]).toEqual([password, { password: [said] }])
    await forgetGuesses(house)
    expect((await change('el camion va a Nuble hoy')).status).toBe(204)
    expect((await eventsOf(ana))[0]).toMatchObject({ kind: 'password', user_name: ana.name, by_name: null })
  })

  it('chosen with a link is held to the same', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    const link = await house.call(boss, identity.createLink, { params: { id: ana.user_id }, body: {} })
    const use = (password: string) =>
      house.call(undefined, identity.useLink, { body: { token: link.body.token!, password } })
    expect((await use('1q2w3e4r5t')).failure.errors).toHaveProperty('password')
    expect((await use(PASSWORD)).failure.errors?.password).toEqual(['Es la contraseña de antes: elija otra.'])
    expect((await use('otra clave, muy larga')).status).toBe(200)
    const told = (await eventsOf(boss)).map(({ kind, user_name, by_name }) => [kind, user_name, by_name])
    expect(told).toEqual([
      ['new_device', ana.name, null],
      ['password', ana.name, null],
      ['link', ana.name, boss.name],
    ])
  })
})

describe('the log of security', () => {
  it('tells who came in and who failed to, in every company that lets them in', async () => {
    const ana = await house.given.member()
    const other = await house.given.member({ role: 'super-admin' })
    await house.owner.query(`insert into memberships (company_id, user_id, role) values ($1, $2, 'super-admin')`, [
      other.company_id,
      ana.user_id,
    ])
    await tryLogin(ana.email, 'mala')
    await tryLogin('nadie@prueba.cl', 'mala')
    const { device } = (await tryLogin(ana.email, PASSWORD)).body
    await tryLogin(ana.email, PASSWORD, device)
    for (const who of [ana, other]) {
      const events = await eventsOf(who)
      expect(events.map(({ kind }) => kind)).toEqual(['login', 'new_device', 'login_failed'])
      expect(events[0]).toMatchObject({ user_name: ana.name, address: '127.0.0.1' })
    }
    expect(await eventsOf(ana, { Kind: ['login'], Search: ana.name, BetweenDate: '2020-01-01,2020-01-02' })).toEqual([])
    expect(await eventsOf(ana, { Kind: ['login'], Search: ana.name })).toHaveLength(1)
  })

  it('tells of roles and of what was taken away, to a chief only of their own workshop', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const chief = await house.given.member({ company_id: boss.company_id })
    const eva = await house.given.member({
      role: 'viewer',
      company_id: boss.company_id,
      workshop_id: chief.workshop_id,
    })
    const far = await house.given.member({ role: 'viewer', company_id: boss.company_id })
    for (const { user_id, workshop_id } of [eva, far])
      await house.call(boss, identity.updateUser, { params: { id: user_id }, body: { role: 'warehouse', workshop_id } })
    await house.call(chief, reports.downloadHistory, {})
    await house.call(chief, imports.downloadExample, { query: { type: 'supplies' } })
    const told = (await eventsOf(chief)).map(({ kind, user_name, by_name }) => [kind, user_name, by_name])
    expect(told).toEqual([
      ['export', chief.name, null],
      ['role', eva.name, boss.name],
    ])
    expect((await eventsOf(boss)).map(({ user_name }) => user_name)).toEqual([chief.name, far.name, eva.name])
    expect((await eventsOf(boss, { Kind: ['role'] }))[1]?.detail).toMatch(/^Consulta, .* → Bodeguero, /)
  })

  it('logs an exported list itself and takes no entry from a caller', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const exporting = { headers: { 'x-purpose': 'export' } }
    const forged = await house.call(boss, security.noteExport, { body: { title: 'Nada de nada', rows: 7 } })
    expect(forged.status).toBe(204)
    expect(await eventsOf(boss, { Kind: ['export'] })).toEqual([])
    await house.given.truck(boss)
    expect((await house.call(boss, fleet.listTrucks, exporting)).body.total).toBe(1)
    await house.call(boss, fleet.listTrucks)
    // One thing, a refused list and a change are no exports.
    await house.call(boss, identity.me, exporting)
    const reader = await house.given.member({ role: 'specialist', company_id: boss.company_id })
    expect((await house.call(reader, security.listEvents, exporting)).status).toBe(403)
    const events = await eventsOf(boss, { Kind: ['export'] })
    expect(events.map(({ user_name, detail }) => [user_name, detail])).toEqual([[boss.name, 'Equipos: 1 fila']])
  })

  it('is only added to', async () => {
    const ana = await house.given.member()
    await tryLogin(ana.email, PASSWORD)
    for (const change of ['delete from security_events', `update security_events set kind = 'login'`])
      await expect(house.app.database.write(ana.company_id, (db) => db.$client.query(change))).rejects.toThrow(
        /permission denied/,
      )
  })
})
