import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { beforeAll, expect, it, vi } from 'vitest'
import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { times } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { PATIENCE, within } from '../../../test/listen.ts'
import { endSlowBodies, endStalledReaders } from './binder.ts'

const house = openHouse()

beforeAll(() => house.app.listen('127.0.0.1', 0))

/** What a bare socket is answered. */
async function raw(port: number, text: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.write(text)
  await within('the server closes the connection', once(socket, 'close'))
  socket.destroy()
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body }
}

it('answers what is no HTTP, headers too large and addresses that are none in our own words', async () => {
  const { port } = house.app.http.server.address() as { port: number }
  const close = 'Host: x\r\nConnection: close\r\n\r\n'
  expect(await raw(port, `GET /api/v1/%E0%A4%A HTTP/1.1\r\n${close}`)).toEqual({
    status: 422,
    body: expect.stringMatching(/^{"message":"La dirección no es válida.","request_id":"[\w-]{12}"}$/),
  })
  expect(await raw(port, 'hola\r\n\r\n')).toEqual({
    status: 422,
    body: JSON.stringify({ message: 'La solicitud no es válida.' }),
  })
  expect(await raw(port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n${close}`)).toEqual({
    status: 413,
    body: JSON.stringify({ message: 'Las cabeceras de la solicitud son demasiado grandes.' }),
  })
})

it('refuses a body that nests without end', async () => {
  const ana = await house.given.member()
  const { statusCode, body } = await house.app.http.inject({
    method: 'POST',
    url: '/api/v1/brands',
    headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' },
    payload: `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  })
  expect([statusCode, JSON.parse(body).message]).toEqual([422, 'El contenido tiene demasiados niveles.'])
  expect((await house.call(ana, fleetCatalogues.createBrand, { body: { name: '[[[[{{{{"' } })).status).toBe(201)
})

it('takes one file per form', async () => {
  const ana = await house.given.member({ role: 'admin' })
  const { id } = await house.given.workOrder(ana)
  const file = [1, 2].map((n) => new File(['%PDF-1.4'], `${n}.pdf`))
  const { status, failure } = await house.call(ana, workOrderParts.addFile, {
    params: { id },
    body: { file: file as unknown },
  })
  expect([status, failure.message]).toEqual([422, 'Envíe un archivo a la vez.'])
})

it('ends a body that hardly moves, and waits for one that does', async () => {
  const app = Fastify()
  endSlowBodies(app, 1000, 400)
  app.post('/', async ({ body }) => (body as string).length)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const send = async (bytes: number) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const answer = new Promise((resolve) => socket.once('data', (data) => resolve(String(data).split('\r\n')[0])))
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 40000\r\n\r\n')
    const closed = new Promise((resolve) => socket.once('close', () => resolve('ended')))
    for (let sent = 0; sent < 40_000 && !socket.destroyed; sent += bytes) {
      socket.write('x'.repeat(bytes))
      // The pace is the subject: how many bytes arrive in each second.
      await sleep(50)
    }
    const said = await within('the server answers or hangs up', Promise.race([answer, closed]))
    socket.destroy()
    return said
  }
  expect(await send(10)).toBe('ended')
  // Fifty times the pace that is asked for, so that it stays above it on a busy machine.
  expect(await send(1000)).toBe('HTTP/1.1 200 OK')
  await app.close()
})

it('cuts off whoever stops taking an answer, and waits for one who takes it slowly', async () => {
  const app = Fastify()
  endStalledReaders(app, 2000)
  const size = 64 * 1024 * 1024
  app.get('/', async () => Buffer.alloc(size))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const ask = () => {
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return socket
  }
  const [stalled, slow] = [ask(), ask()]
  let bytes = 0
  let steps = true
  slow.on('data', (data) => {
    bytes += data.length
    if (steps) slow.pause()
  })
  const reading = setInterval(() => slow.resume(), 5)
  const connections = () => new Promise((resolve) => app.server.getConnections((_, many) => resolve(many)))
  await vi.waitFor(async () => expect(await connections()).toBe(1), { timeout: PATIENCE, interval: 100 })
  steps = false
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(size), { timeout: PATIENCE })
  clearInterval(reading)
  stalled.destroy()
  slow.destroy()
  await app.close()
})

it('lets nobody stand before the others at the database with hundreds of calls at once', async () => {
  const { database } = house.app
  const [ana, eva] = [await house.given.member(), await house.given.member({ role: 'viewer' })]
  let most = 0
  const looks = setInterval(() => {
    most = Math.max(most, database.pool.waitingCount)
  }, 1)
  const storm = Promise.all(Array.from({ length: 200 }, () => house.call(eva, fleet.listTrucks)))
  await house.call(ana, fleet.listTrucks)
  const answers = await storm
  clearInterval(looks)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(most).toBeLessThan(5)
})

it('keeps connections for those who read while many of a company wait to write', async () => {
  const ana = await house.given.member()
  const { company_id, workshop_id } = ana
  const staff = [ana, ...(await Promise.all(times(4, () => house.given.member({ company_id, workshop_id }))))]
  const [reader, neighbour] = [await house.given.member({ company_id, workshop_id }), await house.given.member()]
  const { id } = await house.given.workOrder(ana)
  const owner = await house.owner.connect()
  await owner.query(`begin; select pg_advisory_xact_lock(hashtext('work_orders'), ${company_id})`)
  const storm = Promise.all(
    staff.flatMap((who) =>
      times(8, () =>
        house.call(who, workOrders.moveWorkOrder, { params: { id }, body: { status: 'IN_PROCESS', positions: [] } }),
      ),
    ),
  )
  try {
    const waiting = async () =>
      (await owner.query(`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted`)).rows[0]
        .n
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(3), PATIENCE)
    expect((await house.call(reader, fleet.listTrucks)).status).toBe(200)
    expect((await house.call(neighbour, fleetCatalogues.createBrand, { body: { name: 'Vecina' } })).status).toBe(201)
    expect(house.app.database.pool.waitingCount).toBe(0)
  } finally {
    await owner.query('commit')
    owner.release()
  }
  expect(new Set((await storm).map(({ status }) => status))).toEqual(new Set([200]))
})
