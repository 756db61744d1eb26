import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { beforeAll, expect, it } from 'vitest'
import { identity } from '#contract/identity/identity.ts'
import type { Member } from '../../../test/given.ts'
import { times } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { listen, until, within } from '../../../test/listen.ts'
import type { App } from '../../app.ts'
import type { Actor } from '../operations/actor.ts'
import { LINE, Live } from './live.ts'

const house = openHouse()

beforeAll(() => house.app.listen('127.0.0.1', 0))

/** A stream on a bare socket, which is not read after its first words. */
async function stalled(who: Member) {
  const { port } = house.app.http.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `GET /api/v1/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${who.token}\r\nX-Company-Id: ${who.company_id}\r\n\r\n`,
  )
  const [first] = await within('the stream begins', once(socket, 'data'))
  socket.pause()
  return { socket, status: Number(/^HTTP\/1.1 (\d+)/.exec(String(first))?.[1]) }
}

/** As large as one may be, so that what the kernel holds for a reader is soon full. */
const shout = (who: Member, many: number) => {
  const present = { user_id: 1, user_name: 'x'.repeat(7500) }
  for (let i = 0; i < many; i++)
    house.app.database.context.live!.publish(who.company_id, {
      topic: 'fleet',
      workshop_id: null,
      ids: [i],
      present,
    })
}

it('cuts off a reader that falls behind, and goes on serving', async () => {
  const ana = await house.given.member()
  const { socket } = await stalled(ana)
  const closed = once(socket, 'close')
  shout(ana, 4000)
  await until(() => house.app.live.size === 0)
  socket.resume()
  await within('the reader that fell behind is cut off', closed)
  expect((await house.call(ana, identity.me)).status).toBe(200)
})

it('writes nothing after the end of a stream whose reader does not notice it', async () => {
  const ana = await house.given.member()
  const { socket } = await stalled(ana)
  shout(ana, 700)
  await until(async () => (await house.owner.query('select pg_notification_queue_usage() as used')).rows[0].used === 0)
  await house.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and (query like '%pg_notify($1%' or query like 'listen %')`,
  )
  await until(() => house.app.live.size === 0)
  const second = await stalled(ana)
  shout(ana, 10)
  // The new reader gets the last event, so whatever was to be written to the ended stream has been written as well.
  let received = ''
  second.socket.on('data', (data) => {
    received += data
  })
  second.socket.resume()
  await until(() => received.includes('"ids":[9]'))
  expect((await house.call(ana, identity.me)).status).toBe(200)
  for (const open of [socket, second.socket]) open.destroy()
})

it('tells the first at once, and what follows soon after together, in its order', async () => {
  const ana = await house.given.member()
  const { port } = house.app.http.server.address() as { port: number }
  const headers = { authorization: `Bearer ${ana.token}`, 'x-company-id': String(ana.company_id) }
  const { body } = await fetch(`http://127.0.0.1:${port}/api/v1/live`, { headers })
  const chunks: string[] = []
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  void (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value)
  })()
  const told = () => [...chunks.join('').matchAll(/"ids":\[(\d+)\]/g)].map(([, id]) => Number(id))
  await until(() => chunks.length > 0)
  for (let i = 0; i < 20; i++)
    house.app.database.context.live!.publish(ana.company_id, { topic: 'fleet', workshop_id: null, ids: [i] })
  await until(() => told().length === 20)
  expect(told()).toEqual(times(20, (i) => i))
  expect(chunks.filter((chunk) => chunk.includes('data:')).length).toBeLessThan(5)
  await reader.cancel()
  await until(() => house.app.live.size === 0)
})

it('lets a person have twenty, not more', async () => {
  const ana = await house.given.member()
  const streams = await Promise.all(times(20, () => stalled(ana)))
  expect(streams.map(({ status }) => status)).toEqual(times(20, () => 200))
  const one = await stalled(ana)
  expect(one.status).toBe(429)
  for (const { socket } of [...streams, one]) socket.destroy()
  await until(() => house.app.live.size === 0)
})

it('is heard anew when another server ends without a word, and goes on when it said goodbye', async () => {
  const ana = await house.given.member()
  const http = Fastify()
  // All the time, so that one look or another is under way when somebody leaves.
  const here = new Live(house.url, () => {}, 1)
  here.route(http, async () => ({ ...ana, may: new Set() }) as unknown as Actor)
  await here.start()
  await http.listen({ host: '127.0.0.1', port: 0 })
  const lines = async () =>
    (
      await house.owner.query(
        'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
        [LINE],
      )
    ).rows.map(({ pid }) => Number(pid))
  const before = await lines()
  const other = new Live(house.url, () => {}, 50)
  try {
    const ear = await listen({ http } as unknown as App, ana)
    let ended = false
    void ear.ended.then(() => {
      ended = true
    })
    const polite = new Live(house.url, () => {}, 50)
    await polite.start()
    await other.start()
    const others = async () => (await lines()).filter((pid) => !before.includes(pid))
    await until(async () => (await others()).length === 2)
    // Nothing shows that it has looked: it looks every millisecond, so now it has seen both.
    await sleep(200)
    const [first, last] = await others()
    await polite.close()
    // The stream must not end, and no event follows a look that finds nothing.
    await sleep(200)
    expect(ended).toBe(false)
    for (const pid of [first, last]) await house.owner.query('select pg_terminate_backend($1::int)', [pid])
    await until(() => ended)
  } finally {
    await other.close()
    await here.close()
    await http.close()
  }
})
