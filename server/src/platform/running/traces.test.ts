import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openHouse } from '../../../test/house.ts'
import { until } from '../../../test/listen.ts'
import { createApp } from '../../app.ts'
import { enqueue } from '../operations/jobs.ts'
import { mailsJob } from '../outside/mail.ts'

const house = openHouse()

interface Told {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

it('tells a collector of calls, of the transactions in them and of jobs', async () => {
  const told: Told[] = []
  const collector = createServer(async (request, response) => {
    const sent = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Told[] }[] }[] }
    if (request.url === '/v1/traces')
      told.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const ana = await house.given.member()
  const { port } = collector.address() as AddressInfo
  const app = await createApp({ databaseUrl: house.url, tracesUrl: `http://127.0.0.1:${port}` })
  const { headers } = await app.http.inject({
    url: '/api/v1/trucks?filter[Search]=ABCD12',
    headers: { authorization: `Bearer ${ana.token}` },
  })
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
  for (const traceparent of [`00-${TRACE}-00f067aa0ba902b7-00`, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'ABCD12'])
    await app.http.inject({ url: '/api/health', headers: { traceparent } })
  let done = 0
  const { traces } = app.database.context
  const span = traces!.span
  traces!.span = (name, facts, work) => span(name, facts, work).finally(() => name.startsWith('job') && done++)
  // The house's own instance may be quicker: until one falls to this one.
  await until(async () => {
    await app.database.write(ana.company_id, (db) => enqueue(db, mailsJob, { company_id: ana.company_id }))
    return done > 0
  })
  await app.close()
  collector.close()

  const called = told.find(({ name }) => name === 'GET /api/v1/trucks')
  expect(
    Object.fromEntries(called!.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue])),
  ).toEqual({
    'http.request.method': 'GET',
    'http.route': '/api/v1/trucks',
    'http.response.status_code': 200,
    'maestranza.company': ana.company_id,
    'maestranza.request_id': headers['x-request-id'],
  })
  const inside = told.filter(({ parentSpanId }) => parentSpanId === called!.spanId)
  expect(new Set(inside.map(({ name }) => name))).toEqual(new Set(['database read']))
  const [followed, ...others] = told.filter(({ name }) => name === 'GET /api/health')
  expect([followed!.traceId, followed!.parentSpanId]).toEqual([TRACE, '00f067aa0ba902b7'])
  expect(others.map(({ parentSpanId }) => parentSpanId ?? '')).toEqual(['', ''])
  expect(told.map(({ name }) => name)).toContain('job mails.company')
  expect(JSON.stringify(told)).not.toContain('ABCD12')
})
