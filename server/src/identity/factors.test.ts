import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, it } from 'vitest'
import { CONFIRM_FIRST, FACTOR_NEEDED } from '#contract/base/wire.ts'
import { factors } from '#contract/identity/factors.ts'
import { identity } from '#contract/identity/identity.ts'
import { security } from '#contract/identity/security.ts'
import { months } from '#contract/workshops/months.ts'
import { companySecurity } from '#contract/workshops/security.ts'
import { workshops } from '#contract/workshops/workshops.ts'
import { newAuthenticator } from '../../test/authenticator.ts'
import { type Member, PASSWORD } from '../../test/given.ts'
import { forgetGuesses, openHouse } from '../../test/house.ts'

const house = openHouse()
beforeEach(() => forgetGuesses(house))

const ASK = 'Ingrese el código de su aplicación, o uno de recuperación.'
const WRONG = 'El código no es correcto, o ya se usó.'

const login = (who: Member, more: object = {}, headers: Record<string, string> = {}) =>
  house.call(undefined, identity.login, { body: { email: who.email, password: PASSWORD, ...more }, headers })
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Somebody with an application that makes codes. */
async function withTotp(who: Member) {
  const { secret, attempt, uri } = (await house.call(who, factors.beginTotp)).body
  expect(uri).toContain(`secret=${secret}`)
  const body = { attempt, name: 'Teléfono', code: codeOf(secret, -1) }
  const { status, body: reply } = await house.call(who, factors.confirmTotp, { body })
  expect(status).toBe(200)
  return { secret, codes: reply.recovery_codes }
}
const kindsOf = async (who: Member) =>
  (await house.call(who, security.listEvents)).body.data.map(({ kind, detail }) => [kind, detail])

describe('an application that makes codes', () => {
  it('counts once a code of it was given, and then each code once', async () => {
    const ana = await house.given.member()
    const { attempt, secret } = (await house.call(ana, factors.beginTotp)).body
    const confirm = (code: string) => house.call(ana, factors.confirmTotp, { body: { attempt, name: 'T', code } })
    expect((await confirm('000000')).failure.errors).toHaveProperty('code')
    expect((await login(ana)).status).toBe(200)
    expect((await confirm(codeOf(secret, -1))).body.recovery_codes).toHaveLength(10)
    expect((await confirm(codeOf(secret))).status).toBe(422)

    const asked = await login(ana)
    expect([asked.status, asked.failure]).toEqual([422, { message: ASK, errors: { code: [ASK] } }])
    // Used when it was confirmed.
    expect((await login(ana, { code: codeOf(secret, -1) })).failure.errors?.code).toEqual([WRONG])
    const code = codeOf(secret)
    expect((await login(ana, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200)
    expect((await login(ana, { code })).failure.errors?.code).toEqual([WRONG])
    expect((await login(ana, { code: codeOf(secret, 5) })).status).toBe(422)
    expect((await login(ana, { password: 'mala' })).failure.errors).toHaveProperty('email')
  })

  it('lets five wrong codes through, whatever is asked in between', async () => {
    const ana = await house.given.member()
    await withTotp(ana)
    const answers = []
    for (let i = 0; i < 6; i++) {
      expect([422, 429]).toContain((await login(ana)).status)
      answers.push((await login(ana, { code: '000000' })).status)
    }
    expect(answers).toEqual([422, 422, 422, 422, 422, 429])
  })

  it('is replaced by a recovery code, once each', async () => {
    const ana = await house.given.member()
    const { codes } = await withTotp(ana)
    expect((await login(ana, { code: codes[0]!.toLowerCase().replace('-', ' ') })).status).toBe(200)
    expect((await login(ana, { code: codes[0] })).status).toBe(422)
    expect((await house.call(ana, factors.listFactors)).body).toMatchObject({ total: 1, recovery_codes: 9 })
    const renewed = (await house.call(ana, factors.renewRecoveryCodes)).body.recovery_codes
    expect((await login(ana, { code: codes[1] })).status).toBe(422)
    expect((await login(ana, { code: renewed[0] })).status).toBe(200)
  })

  it('is asked for with a one-time link too', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    const { secret } = await withTotp(ana)
    const { token } = (await house.call(boss, identity.createLink, { params: { id: ana.user_id }, body: {} })).body
    const body = { token: token!, password: 'otra clave, muy larga' }
    expect((await house.call(undefined, identity.useLink, { body })).failure.errors).toEqual({ code: [ASK] })
    const used = await house.call(undefined, identity.useLink, { body: { ...body, code: codeOf(secret) } })
    expect(used.status).toBe(200)
  })

  it('is forgotten by who manages people when it was lost, on record, and sessions end', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    await withTotp(ana)
    const forget = (who: Member) => house.call(who, factors.removeFactorsOf, { params: { id: ana.user_id } })
    expect((await forget(await house.given.member({ role: 'super-admin' }))).status).toBe(404)
    expect((await forget(boss)).status).toBe(204)
    expect((await house.call(ana, identity.me)).status).toBe(401)
    expect((await login(ana)).status).toBe(200)
    expect((await kindsOf(boss)).map(([kind]) => kind)).toEqual(['new_device', 'factor', 'factor'])
  })
})

describe('a passkey', () => {
  async function withPasskey(who: Member) {
    const key = newAuthenticator()
    const { options } = (await house.call(who, factors.beginPasskey, { headers: key.headers })).body
    const body = { name: 'Notebook', response: key.register(options) }
    const { status } = await house.call(who, factors.addPasskey, { body, headers: key.headers })
    expect(status).toBe(200)
    return key
  }

  it('opens with what the refusal asked for, once, and only from the address it belongs to', async () => {
    const ana = await house.given.member()
    const key = await withPasskey(ana)
    const ask = async () => {
      const { failure } = await login(ana, {}, key.headers)
      expect(failure.errors).toEqual({ code: ['Use su llave de acceso, o un código de recuperación.'] })
      return failure.passkey!
    }
    const passkey = key.use(await ask())
    expect((await login(ana, { passkey }, key.headers)).status).toBe(200)
    expect((await login(ana, { passkey }, key.headers)).status).toBe(422)
    // A page elsewhere that passes the question on.
    const elsewhere = key.use(await ask(), 'http://otra.parte')
    expect((await login(ana, { passkey: elsewhere }, key.headers)).status).toBe(422)
    const other = { origin: 'http://otra.parte', host: 'otra.parte' }
    expect((await login(ana, {}, other)).failure.passkey).toBeUndefined()
    // Somebody else's key.
    const stranger = newAuthenticator().use(await ask())
    expect((await login(ana, { passkey: stranger }, key.headers)).status).toBe(422)
    expect((await login(ana, { passkey: { id: 7, junk: true } }, key.headers)).status).toBe(422)
  })

  it('is none of a page without a name, nor one that answers another question', async () => {
    const ana = await house.given.member()
    const key = newAuthenticator('http://127.0.0.1')
    expect((await house.call(ana, factors.beginPasskey, { headers: key.headers })).status).toBe(422)
    const good = newAuthenticator()
    const response = good.register({ challenge: 'AAAA' })
    const add = await house.call(ana, factors.addPasskey, { body: { name: 'X', response }, headers: good.headers })
    expect(add.status).toBe(422)
  })
})

describe('what the company asks of a role', () => {
  it('keeps everything else closed until the session has shown a second factor', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    const body = { factor_roles: ['admin' as const] }
    expect((await house.call(boss, companySecurity.updateAccessRules, { body })).body).toMatchObject(body)
    expect((await house.call(boss, workshops.listWorkshops)).status).toBe(200)
    const closed = await house.call(ana, workshops.listWorkshops)
    expect([closed.status, closed.failure.message]).toEqual([403, FACTOR_NEEDED])
    expect((await house.call(ana, identity.me)).body.needs_factor).toBe(true)
    const live = await house.app.http.inject({
      url: '/api/v1/live',
      headers: { authorization: `Bearer ${ana.token}`, 'x-company-id': String(ana.company_id) },
    })
    expect(live.statusCode).toBe(403)

    const { secret } = await withTotp(ana)
    expect((await house.call(ana, workshops.listWorkshops)).status).toBe(200)
    const [factor] = (await house.call(ana, factors.listFactors)).body.data
    const removed = await house.call(ana, factors.removeFactor, { params: { id: factor!.id } })
    expect(removed.failure.message).toBe('Su empresa pide un segundo factor: active otro antes de quitar este.')
    const { token } = (await login(ana, { code: codeOf(secret) })).body
    expect((await house.call({ ...ana, token }, workshops.listWorkshops)).status).toBe(200)
  })
})

describe('what is dangerous', () => {
  const old = (who: Member) =>
    house.owner.query(`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = $1`, [
      who.user_id,
    ])

  it('asks again who it is: the password of those without a factor, the factor of the others', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ role: 'viewer', company_id: boss.company_id })
    const change = () =>
      house.call(boss, identity.updateUser, {
        params: { id: ana.user_id },
        body: { role: 'warehouse', workshop_id: ana.workshop_id },
      })
    const confirm = (body: object) => house.call(boss, factors.confirmOneself, { body })
    await old(boss)
    const asked = await change()
    expect([asked.status, asked.failure]).toEqual([403, { message: CONFIRM_FIRST, confirm: true }])
    const reopen = await house.call(boss, months.closeMonths, { body: { closed_through: null } })
    expect(reopen.failure.confirm).toBe(true)
    expect((await house.call(boss, factors.beginTotp)).failure.confirm).toBe(true)
    expect((await house.call(boss, factors.waysToConfirm)).body).toEqual({ password: true, code: false, passkey: null })
    expect((await confirm({ password: 'mala' })).failure.errors).toHaveProperty('password')
    expect((await confirm({})).status).toBe(422)
    expect((await confirm({ password: PASSWORD })).status).toBe(204)
    expect((await change()).status).toBe(200)

    const { secret } = await withTotp(boss)
    await old(boss)
    expect((await confirm({ password: PASSWORD })).failure.errors).toEqual({ code: [ASK] })
    expect((await change()).status).toBe(403)
    expect((await confirm({ code: codeOf(secret) })).status).toBe(204)
    expect((await change()).status).toBe(200)
  })
})
