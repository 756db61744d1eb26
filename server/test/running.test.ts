import { expect, it } from 'vitest'
import { identity } from '#contract/identity/identity.ts'
import { createApp } from '../src/app.ts'
import { errorOf } from '../src/platform/http/log.ts'
import { isPrivate, readConfig } from '../src/platform/running/config.ts'
import { isDiskLow } from '../src/platform/running/health.ts'
import { openHouse } from './house.ts'
import { until } from './listen.ts'

const house = openHouse()

it('stands ready before there is a database, and ends again', async () => {
  const app = await createApp({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', prepared: true, closed: true })
  expect((await app.http.inject('/api/openapi.json')).statusCode).toBe(200)
  await app.close()
})

it('gives its figures to those who show the token, and to nobody where none is set up', async () => {
  expect((await house.app.http.inject('/metrics')).statusCode).toBe(404)
  const app = await createApp({ databaseUrl: house.url, metricsToken: 'secreto' })
  try {
    expect((await app.http.inject('/metrics')).statusCode).toBe(401)
    await app.http.inject('/api/v1/me')
    const { body } = await app.http.inject({ url: '/metrics', headers: { authorization: 'Bearer secreto' } })
    expect(body).toMatch(/maestranza_request_seconds_count\{method="GET",route="\/api\/v1\/me",status="401"\} 1/)
    for (const name of [
      'connections',
      'heavy_calls',
      'live_streams',
      'mails',
      'jobs',
      'makers_waiting',
      'files_bytes',
      'files_quota_bytes',
    ])
      expect(body).toContain(`# TYPE maestranza_${name} gauge`)
    expect(body).toContain('nodejs_eventloop_lag_seconds')
  } finally {
    await app.close()
  }
})

it('knows the caller behind a proxy it trusts, and believes nobody else', async () => {
  const ana = await house.given.member()
  const addresses = async () =>
    (
      await house.owner.query(`select distinct key from login_attempts where key like 'address:%' order by key`)
    ).rows.map(({ key }) => key)
  const guess = (app: typeof house.app) =>
    app.http.inject({
      method: 'POST',
      url: '/api/v1/login',
      headers: { 'x-forwarded-for': '203.0.113.7' },
      payload: { email: ana.email, password: 'mala' },
    })
  await guess(house.app)
  expect(await addresses()).toEqual(['address:127.0.0.1'])
  const behind = await createApp({ databaseUrl: house.url, trustProxy: 1 })
  await guess(behind)
  await behind.close()
  expect(await addresses()).toEqual(['address:127.0.0.1', 'address:203.0.113.7'])
})

it('understands which proxies are meant, and who can reach it', () => {
  const trusts = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).trustProxy
  expect([trusts(''), trusts('0'), trusts('1'), trusts('10.0.0.0/8, ::1')]).toEqual([
    false,
    false,
    1,
    '10.0.0.0/8, ::1',
  ])
  expect(() => trusts('todos')).toThrow('TRUST_PROXY debe ser')
  const reached = (env: NodeJS.ProcessEnv) => !isPrivate(readConfig(env))
  expect([
    reached({}),
    reached({ HOST: '0.0.0.0' }),
    reached({ PUBLIC_URL: 'https://taller.cl' }),
    reached({ PUBLIC_URL: 'http://localhost:3000' }),
  ]).toEqual([false, true, true, false])
})

it('reads how much a company may keep, in GB', () => {
  const quotaOf = (FILES_QUOTA_GB: string) => readConfig({ FILES_QUOTA_GB }).filesQuota
  expect(['', '0', '0.5', '100'].map(quotaOf)).toEqual([20e9, null, 5e8, 100e9])
  expect(() => quotaOf('mucho')).toThrow('FILES_QUOTA_GB debe ser')
})

it('says that the disk runs full', async () => {
  expect(await isDiskLow('/')).toBe(false)
  expect(await isDiskLow('/', Number.MAX_SAFE_INTEGER)).toBe(true)
  expect(await isDiskLow('/nowhere')).toBe(false)
})

it('keeps what people typed out of the log', async () => {
  const failed = await house.owner
    .query(`insert into users (email, name) values ('ana@secreto.cl', 'A'), ('ana@secreto.cl', 'B')`)
    .catch((error: Error) => error)
  const told = JSON.stringify(errorOf(failed as Error))
  expect(told).toContain('users_email_unique')
  expect(told).not.toContain('ana@secreto.cl')
  expect(told).toContain('    at ')
})

it('runs heavy calls two at a time for a company, and another company does not wait for them', async () => {
  const [ana, bob] = [await house.given.member({ role: 'super-admin' }), await house.given.member()]
  const { heavyQueue } = house.app
  const enter = ({ user_id, company_id }: typeof ana) => heavyQueue.enter(user_id, company_id)
  const first = await Promise.all([enter(ana), enter(ana)])
  const order: string[] = []
  const third = enter(ana).then((end) => {
    order.push('ana')
    return end
  })
  const other = await enter(bob)
  expect([heavyQueue.running, heavyQueue.waiting, order]).toEqual([3, 1, []])
  first[0]!()
  const ends = [first[1]!, await third, other]
  expect(order).toEqual(['ana'])
  for (let i = 0; i < 8; i++) void heavyQueue.enter(1, ana.company_id).then((end) => end())
  for (const end of ends) end()
  await until(() => heavyQueue.running === 0)
  expect((await house.call(ana, identity.me)).status).toBe(200)
})
