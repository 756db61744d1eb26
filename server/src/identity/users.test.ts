import { describe, expect, it } from 'vitest'
import { factors } from '#contract/identity/factors.ts'
import { identity, LINK_GONE } from '#contract/identity/identity.ts'
import { security } from '#contract/identity/security.ts'
import { type Member, PASSWORD } from '../../test/given.ts'
import { forgetGuesses, openHouse } from '../../test/house.ts'
import { MailServer } from '../../test/smtp.ts'
import { Outbox } from '../platform/outside/mail.ts'

const house = openHouse()
/** Somebody new and their link. */
const invite = async (who: Member, more: object = {}) => {
  const answer = await house.call(who, identity.createUser, {
    body: {
      name: 'Ana Rojas',
      email: `${house.given.next('nueva')}@prueba.cl`,
      role: 'viewer',
      workshop_id: who.workshop_id,
      ...more,
    },
  })
  const given =
    answer.status === 201 ? await house.call(who, identity.createLink, { params: { id: answer.body.id } }) : undefined
  return { ...answer, link: { mailed: given?.body.mailed, token: given?.body.token ?? '' } }
}
const use = (token: string, password: string) => house.call(undefined, identity.useLink, { body: { token, password } })
const read = (token: string) => house.call(undefined, identity.readLink, { body: { token } })
const login = (email: string, password: string) => house.call(undefined, identity.login, { body: { email, password } })
const change = (who: Member, id: number, body: Record<string, unknown>) =>
  house.call(who, identity.updateUser, { params: { id }, body })

describe('the people of a workshop', () => {
  it('are names and nothing else to those who do not manage them', async () => {
    const chief = await house.given.member({ role: 'admin' })
    const { company_id, workshop_id } = chief
    const viewer = await house.given.member({ role: 'viewer', company_id, workshop_id })
    const seen = await house.call(viewer, identity.listUsers, { query: { sort: '-email' } })
    expect(seen.body.data).toHaveLength(2)
    for (const person of seen.body.data) expect(Object.keys(person).sort()).toEqual(['id', 'name'])
    const byMail = await house.call(viewer, identity.listUsers, { query: { filter: { Search: chief.email } } })
    expect(byMail.body.data).toEqual([])
    const managed = await house.call(chief, identity.listUsers, { query: { filter: { Search: chief.email } } })
    expect(managed.body.data).toMatchObject([{ email: chief.email, role: 'admin' }])
  })
})

describe('an invitation', () => {
  it('opens the door once, with a password of their own', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const { status, body, link } = await invite(boss, { email: '  ANA.Rojas@Prueba.CL ' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Ana Rojas', email: 'ana.rojas@prueba.cl', role: 'viewer', state: 'invited' })
    expect((await login('ana.rojas@prueba.cl', 'cualquiera-larga')).status).toBe(422)

    const { token } = link
    expect((await read(token)).body).toMatchObject({ kind: 'invitation', name: 'Ana Rojas' })
    const short = await use(token, 'corta')
    expect(short.failure.errors).toEqual({ password: ['La contraseña debe tener al menos 10 caracteres.'] })
    const opened = await use(token, 'una-clave-nueva')
    expect(opened.body.user).toMatchObject({ name: 'Ana Rojas', role: 'viewer', company_id: boss.company_id })
    expect((await login('ana.rojas@prueba.cl', 'una-clave-nueva')).status).toBe(200)

    for (const answer of [await read(token), await use(token, 'otra-clave-nueva')]) {
      expect(answer.status).toBe(404)
      expect(answer.failure.message).toBe(LINK_GONE)
    }
    const listed = await house.call(boss, identity.listUsers, { query: { filter: { Search: 'ana.rojas' } } })
    expect(listed.body.data[0]).toMatchObject({ state: 'active', last_seen_at: expect.any(String) })
  })

  it('goes by mail where there is a mail server, and its key is not kept once it left', async () => {
    const server = new MailServer()
    await server.start()
    const boss = await house.given.member({ role: 'super-admin' })
    const { body, link } = await invite(boss, { name: 'Ana <Rojas>' })
    const mail = () => house.call(boss, identity.createLink, { params: { id: body.id }, body: {} })
    expect([link.mailed, (await mail()).body.mailed]).toEqual([false, false])
    const outbox = new Outbox(house.app.database, { smtpUrl: server.url, address: 'https://taller.cl' })
    const before = house.app.database.context.outbox
    house.app.database.context.outbox = outbox
    try {
      const sent = await mail()
      expect(sent.body.mailed).toBe(true)
      await expect.poll(() => server.received.length).toBe(1)
      const [received] = server.received
      expect(received).toMatchObject({ to: body.email })
      expect(sent.body.token).toBeNull()
      const [, token = ''] = /https:\/\/taller\.cl\/invitacion\/(\S+)/.exec(received?.text ?? '') ?? []
      expect(received?.html).toContain('Ana &lt;Rojas&gt;')
      await expect
        .poll(
          async () => (await house.owner.query(`select state, text, html from mails where topic = 'identity'`)).rows,
          { timeout: 30_000 },
        )
        .toEqual([{ state: 'sent', text: '', html: '' }])
      expect((await use(token, 'una-clave-nueva')).status).toBe(200)
    } finally {
      house.app.database.context.outbox = before
      outbox.close()
      await server.stop()
    }
  })

  it('keeps only a hash of its token, and ends with its time or with a newer one', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const { body, link } = await invite(boss)
    const { rows } = await house.owner.query('select token_hash from one_time_links where user_id = $1', [body.id])
    expect(rows[0].token_hash).toHaveLength(32)
    const newer = await house.call(boss, identity.createLink, { params: { id: body.id } })
    expect((await read(link.token)).status).toBe(404)
    expect((await read(newer.body.token!)).status).toBe(200)
    await house.owner.query(`update one_time_links set expires_at = now() where user_id = $1`, [body.id])
    expect((await read(newer.body.token!)).status).toBe(404)
  })

  it('of somebody with an account elsewhere asks for their password, and shows nothing of them before', async () => {
    const [boss, other] = [await house.given.member({ role: 'super-admin' }), await house.given.member()]
    const { body, link } = await invite(boss, { email: other.email, name: 'Como yo la llamo' })
    expect(body.name).toBe('Como yo la llamo')
    expect((await house.call({ ...other, company_id: boss.company_id }, identity.me)).status).toBe(403)
    expect((await read(link.token)).body).toEqual({
      kind: 'invitation',
      name: 'Como yo la llamo',
      email: other.email,
      company_name: expect.any(String),
    })
    expect((await use(link.token, 'no-es-su-clave')).failure.errors).toEqual({
      password: ['La contraseña no es correcta.'],
    })
    const opened = await use(link.token, PASSWORD)
    expect(opened.body.user.companies.map(({ id }) => id).sort()).toEqual([boss.company_id, other.company_id].sort())
    expect(opened.body.user.company_id).toBe(boss.company_id)
    // The session they had reaches the new company without logging in again.
    expect((await house.call({ ...other, company_id: boss.company_id }, identity.me)).status).toBe(200)
  })

  it('is refused for people who are already here, and for an address that is none', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    expect((await invite(boss, { email: boss.email })).failure.errors).toHaveProperty('email')
    expect((await invite(boss, { email: 'ana' })).failure.errors).toEqual({ email: ['Escriba un correo válido.'] })
  })

  it('is shown to a super-admin where nothing can be mailed, on record, and to a chief never', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const chief = await house.given.member({ company_id: boss.company_id })
    const { body } = await invite(chief)
    const link = (who: Member) => house.call(who, identity.createLink, { params: { id: body.id }, body: {} })
    expect((await link(chief)).body).toMatchObject({ token: null, mailed: false })
    expect((await link(boss)).body.token).toHaveLength(43)
    const { rows } = await house.owner.query(
      `select user_id, changes from activity where entity = 'user' and entity_id = $1 and action = 'invited' order by id`,
      [body.id],
    )
    expect(rows.at(-1)).toEqual({ user_id: String(boss.user_id), changes: { revealed: [null, true] } })
  })

  it('that was withdrawn no longer opens', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const { body, link } = await invite(boss)
    await change(boss, body.id, { role: 'viewer', workshop_id: boss.workshop_id, state: 'inactive' })
    expect((await use(link.token, 'una-clave-nueva')).status).toBe(404)
    const back = await change(boss, body.id, { role: 'viewer', workshop_id: boss.workshop_id, state: 'active' })
    expect(back.body.state).toBe('invited')
  })
})

describe('a reset of the password', () => {
  it('ends every session and the former password', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ role: 'viewer', company_id: boss.company_id })
    const { body } = await house.call(boss, identity.createLink, { params: { id: ana.user_id } })
    expect((await house.call(ana, identity.me)).status).toBe(200)
    expect((await use(body.token!, 'una-clave-nueva')).status).toBe(200)
    expect((await house.call(ana, identity.me)).status).toBe(401)
    expect((await login(ana.email, PASSWORD)).status).toBe(422)
    expect((await login(ana.email, 'una-clave-nueva')).status).toBe(200)
  })

  it('never opens the door to another company of the person', async () => {
    const [boss, ana] = [await house.given.member({ role: 'super-admin' }), await house.given.member()]
    const { link } = await invite(boss, { email: ana.email })
    await use(link.token, PASSWORD)
    const refused = await house.call(boss, identity.createLink, { params: { id: ana.user_id } })
    expect(refused.status).toBe(403)
    expect((await house.call(boss, identity.listSessions, { params: { id: ana.user_id } })).status).toBe(403)
  })

  it('given before the person joined another company is worth nothing after', async () => {
    const [boss, other] = [
      await house.given.member({ role: 'super-admin' }),
      await house.given.member({ role: 'super-admin' }),
    ]
    const ana = await house.given.member({ role: 'viewer', company_id: boss.company_id })
    const reset = await house.call(boss, identity.createLink, { params: { id: ana.user_id } })
    const invited = await invite(other, { email: ana.email })
    await use(invited.link.token, PASSWORD)
    expect((await use(reset.body.token!, 'una-clave-nueva')).status).toBe(404)
    expect((await login(ana.email, PASSWORD)).status).toBe(200)
  })
})

describe('who manages people', () => {
  it('of one workshop sees and changes that workshop only, and names no super-admin', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const chief = await house.given.member({ company_id: boss.company_id })
    const mate = await house.given.member({
      role: 'viewer',
      company_id: boss.company_id,
      workshop_id: chief.workshop_id,
    })
    const far = await house.given.member({ role: 'viewer', company_id: boss.company_id })
    const seen = await house.call(chief, identity.listUsers, { query: { filter: { WorkshopId: [far.workshop_id] } } })
    expect(seen.body.data.map(({ id }) => id).sort()).toEqual([chief.user_id, mate.user_id].sort())

    const place = { role: 'warehouse', workshop_id: chief.workshop_id }
    expect((await change(chief, mate.user_id, place)).body).toMatchObject(place)
    expect((await house.call(mate, identity.me)).body.role).toBe('warehouse')
    expect((await change(chief, mate.user_id, { role: 'super-admin' })).failure.errors).toEqual({
      role: ['Solo un super administrador puede dar este rol.'],
    })
    const elsewhere = await change(chief, mate.user_id, { role: 'viewer', workshop_id: far.workshop_id })
    expect(elsewhere.failure.errors).toHaveProperty('workshop_id')
    for (const { user_id } of [far, boss]) expect((await change(chief, user_id, place)).status).toBe(404)
    expect((await invite(chief, { role: 'super-admin' })).status).toBe(422)
    expect((await invite(chief, { workshop_id: far.workshop_id })).status).toBe(422)
  })

  it('cannot lock themself out, and the company keeps a super-admin whatever happens at once', async () => {
    const ana = await house.given.member({ role: 'super-admin' })
    const away = { role: 'viewer', workshop_id: ana.workshop_id }
    expect((await change(ana, ana.user_id, away)).status).toBe(422)
    expect((await change(ana, ana.user_id, { role: 'super-admin', state: 'inactive' })).status).toBe(422)

    const bob = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
    const answers = await Promise.all([change(ana, bob.user_id, away), change(bob, ana.user_id, away)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('ends the sessions of people who are deactivated, at once', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ role: 'viewer', company_id: boss.company_id })
    await change(boss, ana.user_id, { role: 'viewer', workshop_id: ana.workshop_id, state: 'inactive' })
    expect((await house.call(ana, identity.me)).status).toBe(401)
    expect((await login(ana.email, PASSWORD)).status).toBe(422)
    const { rows } = await house.owner.query('select 1 from sessions where user_id = $1', [ana.user_id])
    expect(rows).toEqual([])
  })

  it('says who a person is among the specialists of their workshop, each once', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ role: 'specialist', company_id: boss.company_id })
    const bob = await house.given.member({
      role: 'specialist',
      company_id: boss.company_id,
      workshop_id: ana.workshop_id,
    })
    const hers = await house.given.specialist({ ...boss, workshop_id: ana.workshop_id })
    const other = await house.given.specialist(boss)
    const place = { role: 'specialist', workshop_id: ana.workshop_id }
    expect((await change(boss, ana.user_id, { ...place, specialist_id: hers.id })).body.specialist_id).toBe(hers.id)
    expect((await change(boss, bob.user_id, { ...place, specialist_id: hers.id })).failure.errors).toEqual({
      specialist_id: ['Este especialista ya tiene un usuario.'],
    })
    expect((await change(boss, bob.user_id, { ...place, specialist_id: other.id })).status).toBe(422)
  })
})

describe('the own profile', () => {
  it('changes name and password; the other sessions end, this one stays', async () => {
    const ana = await house.given.member({ role: 'viewer' })
    const elsewhere = { ...ana, token: await house.given.session(ana.user_id) }
    expect((await house.call(ana, identity.updateProfile, { body: { name: 'Ana María' } })).body.name).toBe('Ana María')
    const save = (current_password: string) =>
      house.call(ana, identity.changePassword, { body: { current_password, password: 'una-clave-nueva' } })
    expect((await save('no-es')).failure.errors).toEqual({
      current_password: ['La contraseña actual no es correcta.'],
    })
    for (let i = 0; i < 4; i++) await save('no-es')
    expect((await save(PASSWORD)).status).toBe(429)
    await forgetGuesses(house)
    expect((await save(PASSWORD)).status).toBe(204)
    expect((await house.call(ana, identity.me)).status).toBe(200)
    expect((await house.call(elsewhere, identity.me)).status).toBe(401)
  })

  it('lists the open sessions and ends one of them', async () => {
    const ana = await house.given.member({ role: 'viewer' })
    const other = await house.given.openSession(ana)
    const list = () => house.call(ana, identity.listSessions, { params: { id: ana.user_id } })
    expect((await list()).body.data.map(({ current }) => current).sort()).toEqual([false, true])
    expect((await house.call(ana, identity.endSession, { params: { id: other.id } })).status).toBe(204)
    expect((await list()).body.total).toBe(1)
  })

  it('keeps preferences, which nobody else but who manages them reads', async () => {
    const ana = await house.given.member({ role: 'viewer' })
    const chief = await house.given.member({ company_id: ana.company_id, workshop_id: ana.workshop_id })
    const mate = await house.given.member({ role: 'viewer', company_id: ana.company_id, workshop_id: ana.workshop_id })
    expect((await house.call(ana, identity.ownPreferences)).body).toMatchObject({ theme: 'dark', density: 'normal' })
    const body = { theme: 'light', density: 'compact', board_filters: { Priority: ['high'] } }
    await house.call(ana, identity.updatePreferences, { body })
    expect((await house.call(ana, identity.ownPreferences)).body).toMatchObject(body)
    const params = { id: ana.user_id }
    expect((await house.call(chief, identity.preferencesOf, { params })).body).toMatchObject(body)
    expect((await house.call(mate, identity.preferencesOf, { params })).status).toBe(404)
  })
})

describe('an invitation to a stranger', () => {
  it('counts guesses at a password under the account, and notes them where the person works', async () => {
    await forgetGuesses(house)
    const [boss, victim] = [await house.given.member({ role: 'super-admin' }), await house.given.member()]
    const { link } = await invite(boss, { email: victim.email })
    const guess = () => use(link.token, 'no-es-su-clave')
    for (let i = 0; i < 3; i++) expect((await guess()).status).toBe(422)
    const atLogin = (password: string) =>
      house.call(undefined, identity.login, { body: { email: victim.email, password } })
    for (let i = 0; i < 2; i++) expect((await atLogin('mala')).status).toBe(422)
    expect([(await guess()).status, (await atLogin(PASSWORD)).status]).toEqual([429, 429])
    await forgetGuesses(house)
    const events = (await house.call(victim, security.listEvents)).body.data
    expect(events.filter(({ kind }) => kind === 'login_failed').map(({ detail }) => detail)).toEqual([
      null,
      null,
      ...Array(3).fill('Con una invitación'),
    ])
  })

  it('is answered the same for an address with an account and for one without', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const known = await house.given.member()
    const answersFor = async (email: string) => {
      const { body, link } = await invite(boss, { email, name: 'Quien sea' })
      const params = { id: body.id }
      const calls = [
        await house.call(boss, identity.getUser, { params }),
        await house.call(boss, identity.listSessions, { params }),
        await house.call(boss, factors.removeFactorsOf, { params }),
        await read(link.token),
        await use(link.token, 'corta'),
        await house.call(boss, identity.createLink, { params }),
      ]
      // An account that is new here gets a number that tells nothing.
      const said = JSON.stringify(calls.map(({ status, body }) => [status, body]))
      return said
        .replaceAll(/"token":"[^"]*"|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'X')
        .replaceAll(`"id":${body.id}`, 'ID')
        .replaceAll(email, 'EMAIL')
    }
    expect(await answersFor(known.email)).toBe(await answersFor('nadie.aun@prueba.cl'))
    const ids = await Promise.all(
      [1, 2].map(async (n) => (await invite(boss, { email: `nuevo${n}@prueba.cl` })).body.id),
    )
    expect(Math.abs(ids[0]! - ids[1]!)).toBeGreaterThan(1)
    expect(ids.every((id) => id > 2 ** 32)).toBe(true)
  })
})

it('preferences keep no workshop of another company', async () => {
  const [ana, other] = [await house.given.member({ role: 'super-admin' }), await house.given.member()]
  const save = (body: object) => house.call(ana, identity.updatePreferences, { body: body as Record<string, unknown> })
  const foreign = await save({
    default_workshop_id: other.workshop_id,
    monday_reports: [{ report: 'trucks', workshop_id: other.workshop_id }],
  })
  expect([foreign.status, Object.keys(foreign.failure.errors!)]).toEqual([422, ['default_workshop_id']])
  const report = await save({ monday_reports: [{ report: 'trucks', workshop_id: other.workshop_id }] })
  expect(Object.keys(report.failure.errors!)).toEqual(['monday_reports.0.workshop_id'])
  expect((await save({ default_workshop_id: ana.workshop_id })).status).toBe(200)
  await house.owner.query('update workshops set active = false where id = $1', [ana.workshop_id])
  expect((await save({ theme: 'light' })).status).toBe(200)
})

it('refuses passwords of few letters, of one part again and again, and of a row of keys', async () => {
  const ana = await house.given.member()
  const save = (password: string) =>
    house.call(ana, identity.changePassword, { body: { current_password: PASSWORD, password } })
  for (const password of ['aaaaaaaaaa', 'abababababab', 'camioncamion', '34567890123', 'zyxwvutsrqp', 'ABCDEFGHIJK']) {
    const { status, failure } = await save(password)
    expect([password, status, Object.keys(failure.errors!)]).toEqual([password, 422, ['password']])
  }
  expect((await save('camion-rojo-47')).status).toBe(204)
})
