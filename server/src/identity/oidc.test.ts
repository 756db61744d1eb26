import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { identity } from '#contract/identity/identity.ts'
import { oidc } from '#contract/identity/oidc.ts'
import { security } from '#contract/identity/security.ts'
import { workshops } from '#contract/workshops/workshops.ts'
import type { Member } from '../../test/given.ts'
import { forgetGuesses, openHouse } from '../../test/house.ts'
import { CLIENT, openProvider } from '../../test/identity-provider.ts'
import { Secrets } from '../platform/operations/secrets.ts'
import { isPublic, reach } from '../platform/outside/reach.ts'

const house = openHouse()
const PAGE = { origin: 'http://localhost', host: 'localhost' }

let provider: Awaited<ReturnType<typeof openProvider>>
let issuer: string
beforeAll(async () => {
  process.env.ALLOW_PRIVATE_CALLS = '1'
  provider = await openProvider('http://localhost/entrar/vuelta')
  issuer = provider.issuer
})
afterAll(() => {
  delete process.env.ALLOW_PRIVATE_CALLS
  provider.close()
})

/** A browser at the provider: follows it, logs in as `subject`, agrees, and gives what it is sent back with. */
async function atProvider(begin: string, subject: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = begin
  let form: URLSearchParams | undefined
  for (let hop = 0; hop < 20; hop++) {
    if (url.startsWith('http://localhost/entrar/vuelta')) return new URL(url).search.slice(1)
    const response = await fetch(url, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: form }),
    })
    form = undefined
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]!.split(/=(.*)/s)
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    const next = response.headers.get('location')
    if (next) {
      url = new URL(next, url).href
      continue
    }
    const page = await response.text()
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
    if (!action) throw new Error(`The provider answered ${response.status}: ${page.slice(0, 300)}`)
    url = new URL(action, url).href
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? 'login'
    form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: subject, password: 'x' }) })
  }
  throw new Error('The provider never sent the browser back')
}

const configure = (boss: Member, more: object = {}) =>
  house.call(boss, oidc.setProvider, {
    body: {
      issuer,
      ...CLIENT,
      label: 'Entrar con Entra',
      ...more,
    },
  })
async function link(who: Member, subject: string) {
  const { url } = (await house.call(who, oidc.beginLink, { headers: PAGE })).body
  return house.call(who, oidc.finishLink, { body: { query: await atProvider(url, subject) } })
}
async function enter(company_id: number, subject: string) {
  const { url } = (await house.call(undefined, oidc.begin, { body: { company_id }, headers: PAGE })).body
  const query = await atProvider(url, subject)
  return { query, answer: await house.call(undefined, oidc.finish, { body: { query } }) }
}

describe('the identity provider of a company', () => {
  it('is believed once it answers, and keeps its secret', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    expect((await house.call(boss, oidc.getProvider)).body).toEqual({ provider: null })
    const wrong = await configure(boss, { issuer: `${issuer}/nada` })
    expect(wrong.failure.errors).toHaveProperty('issuer')
    expect((await configure(boss, { client_secret: '' })).failure.errors).toHaveProperty('client_secret')
    expect((await configure(boss)).status).toBe(200)
    expect((await configure(boss, { client_secret: '', label: 'Otra' })).body.label).toBe('Otra')
    expect((await house.call(boss, oidc.getProvider)).body).toEqual({
      provider: { issuer, client_id: 'maestranza', label: 'Otra' },
    })
    const door = (company_id: number) => house.call(undefined, oidc.describeDoor, { body: { company_id } })
    expect((await door(boss.company_id)).body).toEqual({ label: 'Otra' })
    expect((await door(999_999)).status).toBe(404)
  })

  it('lets in whom a person linked while logged in, into that company only, and nobody by their address', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    const other = await house.given.member({ role: 'super-admin' })
    await house.owner.query(`insert into memberships (company_id, user_id, role) values ($1, $2, 'super-admin')`, [
      other.company_id,
      ana.user_id,
    ])
    await configure(boss)
    await house.owner.query(`update users set email = 'jefe@otra.cl' where id = $1`, [boss.user_id])
    const unknown = await enter(boss.company_id, 'sub-1')
    expect([unknown.answer.status, unknown.answer.failure.message]).toEqual([
      422,
      'Nadie de la empresa está vinculado a esa cuenta. Entre con su contraseña y vincúlela en su perfil.',
    ])
    expect((await link(ana, 'sub-1')).status).toBe(204)
    expect((await link(boss, 'sub-1')).status).toBe(422)
    expect((await house.call(ana, oidc.ownLink)).body).toEqual({ label: 'Entrar con Entra', linked: true })

    const { answer, query } = await enter(boss.company_id, 'sub-1')
    expect(answer.body.user).toMatchObject({ id: ana.user_id, company_id: boss.company_id })
    expect(answer.body.user.companies.map(({ id }) => id)).toEqual([boss.company_id])
    expect((await house.call(undefined, oidc.finish, { body: { query } })).status).toBe(422)
    const her = { ...ana, token: answer.body.token }
    expect((await house.call(her, workshops.listWorkshops)).status).toBe(200)
    expect((await house.call({ ...her, company_id: other.company_id }, workshops.listWorkshops)).status).toBe(403)
    // Nothing of her account, which opens the other company too.
    for (const call of [identity.endOtherSessions, identity.updateProfile, oidc.removeLink])
      expect((await house.call(her, call, {})).status).toBe(403)
    // What she takes away is on record all the same.
    expect((await house.call(her, fleet.listTrucks, { headers: { 'x-purpose': 'export' } })).status).toBe(200)
    const [noted] = (await house.call(boss, security.listEvents, { query: { filter: { Kind: ['export'] } } })).body.data
    expect(noted).toMatchObject({ user_name: ana.name, detail: 'Equipos: 0 filas' })
    expect((await house.call(her, identity.logout)).status).toBe(204)

    await house.owner.query(`update memberships set state = 'inactive' where user_id = $1 and company_id = $2`, [
      ana.user_id,
      boss.company_id,
    ])
    expect((await enter(boss.company_id, 'sub-1')).answer.status).toBe(422)
  })

  it('lets nobody in with a secret that another key closed, and says who can mend it', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    await configure(boss)
    const { context } = house.app.database
    const key = context.secrets!
    context.secrets = new Secrets('otra clave, la de otro servidor igual')
    const refused = await house.call(undefined, oidc.begin, { body: { company_id: boss.company_id }, headers: PAGE })
    expect([refused.status, refused.failure.message]).toEqual([
      422,
      'El secreto del proveedor se guardó con otra clave del servidor: un administrador debe escribirlo de nuevo.',
    ])
    expect((await configure(boss, { client_secret: '' })).failure.errors).toHaveProperty('client_secret')
    expect((await configure(boss)).status).toBe(200)
    await link(boss, 'sub-3')
    expect((await enter(boss.company_id, 'sub-3')).answer.status).toBe(200)
    // Every one that begins asks the provider: not without end.
    await house.owner.query(
      `insert into login_attempts (key, at) select 'entry:127.0.0.1', now() from generate_series(1, 300)`,
    )
    const often = await house.call(undefined, oidc.begin, { body: { company_id: boss.company_id }, headers: PAGE })
    expect(often.status).toBe(429)
    await forgetGuesses(house)
    context.secrets = key
  })

  it('links nobody with a journey that somebody else began', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    await configure(boss)
    const begin = async (who: Member) => (await house.call(who, oidc.beginLink, { headers: PAGE })).body.url
    const query = await atProvider(await begin(boss), 'sub-2')
    expect((await house.call(ana, oidc.finishLink, { body: { query } })).status).toBe(422)
    const again = await atProvider(await begin(boss), 'sub-2')
    expect((await house.call(undefined, oidc.finish, { body: { query: again } })).status).toBe(422)
    const forged = (await atProvider(await begin(boss), 'sub-2')).replace(/code=[^&]+/, 'code=otro')
    expect((await house.call(boss, oidc.finishLink, { body: { query: forged } })).status).toBe(422)
  })
})

describe('addresses that people type', () => {
  it('are called only where anybody could call them', async () => {
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '192.168.0.1',
      '172.31.0.1',
      '100.64.0.1',
      '0.0.0.0',
    ])
      expect([address, isPublic(address)]).toEqual([address, false])
    for (const address of ['::1', 'fe80::1', 'fc00::1', '::ffff:127.0.0.1', '2002:7f00:1::', '64:ff9b::7f00:1'])
      expect([address, isPublic(address)]).toEqual([address, false])
    expect([isPublic('200.29.0.1'), isPublic('2800:3f0::1')]).toEqual([true, true])
    delete process.env.ALLOW_PRIVATE_CALLS
    try {
      const port = new URL(issuer).port
      for (const url of [issuer, `https://127.0.0.1:${port}`, `https://[::1]:${port}`, `https://localhost:${port}`])
        await expect(reach(url)).rejects.toThrow(/https:|red privada/)
    } finally {
      process.env.ALLOW_PRIVATE_CALLS = '1'
    }
  })
})
