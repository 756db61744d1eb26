import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { contract } from '#contract/all.ts'
import { pathOf, REFUSED_IN_DEMO } from '#contract/base/wire.ts'
import { identity } from '#contract/identity/identity.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { CARRIER } from '../../seeds/people.ts'
import { openHouse } from '../../test/house.ts'
import { MailServer } from '../../test/smtp.ts'
import { type App, createApp } from '../app.ts'
import { queueMail } from '../platform/outside/mail.ts'
import { NOT_IN_DEMO, reach } from '../platform/outside/reach.ts'
import { readConfig } from '../platform/running/config.ts'
import { DEMO_EMAILS } from './demo.ts'

const house = openHouse({ demo: 'small' })
const mailServer = new MailServer()
let app: App

beforeAll(async () => {
  await mailServer.start()
  const { url, dataDir } = house
  app = await createApp({ databaseUrl: url, dataDir, smtpUrl: mailServer.url, publicDemo: { resetHours: 6 } })
})
afterAll(async () => {
  await app.close()
  await mailServer.stop()
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const post = (url: string, payload: object, token?: string) =>
  app.http.inject({ method: 'POST', url, payload, ...(token && { headers: { authorization: `Bearer ${token}` } }) })
const enter = async (role: string) => (await post('/api/v1/demo/entry', { role })).json()

it('enters as the person of each role with one click, and only where the demonstration is public', async () => {
  for (const { email, role } of CARRIER.people) expect(DEMO_EMAILS[role]).toBe(email)
  const { data, total, reset_hours } = (await app.http.inject('/api/v1/demo')).json()
  expect([total, reset_hours]).toEqual([5, 6])
  for (const { role, name } of data) {
    const { token, user } = await enter(role)
    expect(user).toMatchObject({ name, role, email: DEMO_EMAILS[role as keyof typeof DEMO_EMAILS] })
    const me = await app.http.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${token}` } })
    expect(me.statusCode).toBe(200)
  }
  expect((await post('/api/v1/demo/entry', { role: 'owner' })).statusCode).toBe(422)
  // The same database, not public.
  expect((await house.call(undefined, identity.demoEntries)).body).toEqual({ data: [], total: 0, reset_hours: null })
  expect((await house.call(undefined, identity.enterDemo, { body: { role: 'viewer' } })).status).toBe(404)
})

it('lets the next visitor in however many wrong passwords somebody tried', async () => {
  const wrong = { email: DEMO_EMAILS.admin, password: 'equivocada' }
  let status = 422
  for (let i = 0; i < 30 && status === 422; i++) status = (await post('/api/v1/login', wrong)).statusCode
  expect(status).toBe(429)
  expect((await enter('admin')).user.role).toBe('admin')
})

it('refuses whatever would lock the next visitor out or reach an identity provider', async () => {
  const { token } = await enter('super-admin')
  const before = await house.owner.query('select id, email, password_hash, active from users order by id')
  const refused = Object.values(contract)
    .flatMap((calls) => Object.values(calls))
    .filter(({ refusedInDemo }) => refusedInDemo)
  // These calls change people, ways in or rules of entry: a new call of that kind has to say whether visitors may make it.
  const paths =
    /^\/v1\/(users|links|company\/(access|identity-provider)|me\/(factors|password|recovery-codes|identity-provider)|sessions|oidc)/
  const READING = ['/v1/links/read', '/v1/oidc/door']
  const expected = Object.values(contract)
    .flatMap((calls) => Object.values(calls))
    .filter(({ method, path }) => method !== 'GET' && paths.test(path) && !READING.includes(path))
  expect(expected.filter((endpoint) => !refused.includes(endpoint)).map(({ path }) => path)).toEqual([])
  await house.owner.query(`update sessions set confirmed_at = now()`)
  for (const endpoint of refused) {
    const answer = await app.http.inject({
      method: endpoint.method,
      url: `/api${pathOf(endpoint, { id: 1 })}`,
      headers: { authorization: `Bearer ${token}` },
      ...(endpoint.method !== 'GET' && endpoint.method !== 'DELETE' && { payload: {} }),
    })
    expect([endpoint.path, answer.statusCode, answer.json().message]).toEqual([endpoint.path, 403, REFUSED_IN_DEMO])
  }
  const after = await house.owner.query('select id, email, password_hash, active from users order by id')
  expect(after.rows).toEqual(before.rows)
})

it('keeps mails in the outbox even with a mail server', async () => {
  const company = Number((await house.owner.query('select min(id) as id from companies')).rows[0].id)
  const letter = { topic: 'alerts', to: 'visita@empresa.cl', subject: 'Prueba', html: '<p>Hola', text: 'Hola' }
  const id = await app.database.write(company, (db) => queueMail(db, company, letter, new Date()))
  expect(await app.outbox.sendDue(company)).toBe(0)
  const { rows } = await house.owner.query('select state, attempts from mails where company_id = $1 and id = $2', [
    company,
    id,
  ])
  expect([rows, mailServer.received]).toEqual([[{ state: 'queued', attempts: 0 }], []])
})

it('calls no other system, also where private addresses are allowed', async () => {
  let called = 0
  const other = createServer((_request, response) => {
    called += 1
    response.end('{}')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
  vi.stubEnv('ALLOW_PRIVATE_CALLS', '1')
  expect((await reach(url)).status).toBe(200)
  vi.stubEnv('MAESTRANZA_DEMO', 'public')
  await expect(reach(url)).rejects.toThrow(NOT_IN_DEMO)
  expect(called).toBe(1)
  other.close()
})

it('bounds the files of visitors by size and by quota', async () => {
  const { token } = await enter('super-admin')
  const { rows } = await house.owner.query(
    `select min(id)::int as id from work_orders where status = 'PENDING' and company_id = (select min(id) from companies)`,
  )
  const headers = { authorization: `Bearer ${token}` }
  const upload = async (app: App, content: Buffer) => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(content)]), 'foto.png')
    const request = new Request('http://x/', { method: 'POST', body: form })
    const answer = await app.http.inject({
      method: 'POST',
      url: `/api${pathOf(workOrderParts.addFile, { id: rows[0].id })}`,
      headers: { ...headers, 'content-type': request.headers.get('content-type')! },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return answer.statusCode
  }
  const picture = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#c00' } })
      .png()
      .toBuffer()
  const storage = await app.http.inject({ url: '/api/v1/company/storage', headers })
  expect(storage.json().quota).toBe(200_000_000)

  // 5.1 MB of what is no image: elsewhere it is looked at and refused as such.
  const large = Buffer.alloc(5_100_000)
  expect([await upload(app, large), await upload(house.app, large)]).toEqual([413, 422])
  expect(await upload(app, await picture(8))).toBe(201)
  await house.owner.query(
    `insert into files (company_id, hash, size, type, unused_since)
     select min(id), repeat('a', 64), 200000000, 'image/png', now() from companies`,
  )
  expect([await upload(app, await picture(9)), await upload(house.app, await picture(10))]).toEqual([413, 201])
  await house.owner.query(`delete from files where hash = repeat('a', 64)`)
})

it('says in its health that it is public and when it begins anew', async () => {
  expect((await app.http.inject('/api/health')).json()).toMatchObject({
    demo: true,
    public_demo: true,
    demo_reset_hours: 6,
  })
})

it('takes DEMO_RESET_HOURS only of a public demonstration', () => {
  const of = (DEMO_RESET_HOURS: string, MAESTRANZA_DEMO = 'public') =>
    readConfig({ DEMO_RESET_HOURS, MAESTRANZA_DEMO }).demoResetHours
  expect([of('6'), of('0'), of('', '')]).toEqual([6, null, null])
  expect(() => of('6', '')).toThrow('DEMO_RESET_HOURS solo vale con MAESTRANZA_DEMO=public.')
  for (const wrong of ['-1', '1,5', 'seis', '169']) expect(() => of(wrong)).toThrow('DEMO_RESET_HOURS debe ser')
})
