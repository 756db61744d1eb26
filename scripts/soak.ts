/**
 * `npm run soak [minutes] [clients]`: many people at once, some with bad lines and bad files, while the server is killed
 * now and then in the first half. Ends with what was called, what went wrong, what was lost and how memory went.
 */
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { brokenInvariants } from '../server/test/invariants.ts'
import {
  type Answer,
  type Ask,
  differences,
  entryOf,
  exitOf,
  headersOf,
  kill,
  memoryOf,
  orderOf,
  type Person,
  Product,
  staff,
} from './product.ts'

const minutes = Number(process.argv[2] ?? 10)
const clients = Number(process.argv[3] ?? 300)
const MINUTE = 60_000
/** Between two things that one person does. */
const THINKING = [2000, 10_000] as const
/** A kill at the end of each of these minutes; then the same process serves to the end, for its memory to be seen. */
const KILLS = minutes < 5 ? [0.5] : [1, 2, 3]

const product = await Product.make(Number(process.env.PORT ?? 3190))
let ending = false
/** Between a kill and the first answer of the house; what lies wholly outside may not fail. */
let away = false
let strikes = 0
const killed: number[] = []

interface Tally {
  calls: number
  busy: number
  cut: number
  wrong: number
  times: number[]
}
const tallies = new Map<string, Tally>()
const wrong: string[] = []
const acknowledged = new Map<string, string>()
/** The state that each order was last moved to, as answered. */
const moved = new Map<number, string>()

const tallyOf = (name: string) => {
  const known = tallies.get(name) ?? { calls: 0, busy: 0, cut: 0, wrong: 0, times: [] }
  tallies.set(name, known)
  return known
}

function complain(name: string, words: string) {
  tallyOf(name).wrong += 1
  wrong.push(`${name}: ${words}`)
}

type Outcome = Answer | 'busy' | 'cut' | undefined

/** Counted under its name; whatever is neither expected nor told to come later nor cut by a kill is wrong. */
async function call(name: string, ask: Ask, expected: number): Promise<Outcome> {
  const tally = tallyOf(name)
  const [wasAway, before, began] = [away, strikes, performance.now()]
  const answer = await product.ask(ask, 120_000).catch((error: Error) => ({ status: 0, text: error.message, bytes: 0 }))
  tally.calls += 1
  if (answer.status === expected) {
    tally.times.push(performance.now() - began)
    return answer
  }
  if (answer.status === 429) {
    tally.busy += 1
    return 'busy'
  }
  if ((answer.status === 0 || answer.status === 503) && (wasAway || away || strikes !== before)) {
    tally.cut += 1
    return 'cut'
  }
  complain(name, `${ask.method ?? 'GET'} ${ask.path} answered ${answer.status} ${answer.text.slice(0, 200)}`)
  return undefined
}

/** Until it is answered, however often it is cut off or told to come later. */
async function persist(name: string, ask: Ask, expected: number): Promise<Answer | undefined> {
  for (;;) {
    const outcome = await call(name, ask, expected)
    if (outcome !== 'busy' && outcome !== 'cut') return outcome
    await sleep(500)
  }
}

async function write(name: string, who: Person, mark: string, holds: string, path: string, body: object) {
  const answer = await persist(name, { method: 'POST', path, who, key: mark, body }, 201)
  if (answer) acknowledged.set(mark, holds)
  return answer
}

/* What people do */

/** A person at work: what they have made so far, and a mark for what comes next. */
interface Worker {
  who: Person
  orders: number[]
  mark(): string
}
const LISTS = [
  '/v1/trucks?per_page=50',
  '/v1/supplies?per_page=50',
  '/v1/supplies?per_page=50&filter[Search]=filtro',
  '/v1/providers?per_page=50',
  '/v1/order_purchase?per_page=50',
  '/v1/history_order_workers?per_page=50',
  '/v1/history_order_workers?filter[Search]=frenos',
  '/v1/maintenance-alerts?per_page=50',
  '/v1/drivers?per_page=50',
  '/v1/me',
]
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** The head of a picture, and then nothing of one. */
const BROKEN = Buffer.concat([Buffer.from(PIXEL, 'base64').subarray(0, 33), Buffer.alloc(5000, 7)])

const DEEDS: [number, (worker: Worker) => Promise<unknown>][] = [
  [30, ({ who }) => call('list', { path: pick(LISTS), who }, 200)],
  [6, ({ who }) => call('stock', { path: `/v1/stock/${who.warehouse_id}?per_page=50`, who }, 200)],
  [12, ({ who }) => call('board', { path: '/v2/order_workers_by_group', who }, 200)],
  [
    10,
    async (worker) => {
      const { who } = worker
      const mark = worker.mark()
      const answer = await write('order', who, mark, 'order 2', '/v1/order_workers', orderOf(who, mark))
      if (answer) worker.orders.push(JSON.parse(answer.text).id)
    },
  ],
  [
    12,
    async ({ who, orders }) => {
      const id = orders.at(-1)
      if (id === undefined) return
      const status = pick(['PENDING', 'IN_PROCESS', 'IN_REVIEW'])
      const ask = { method: 'PUT', path: `/v1/update_status/${id}`, who, body: { status } }
      if (await persist('move', ask, 200)) moved.set(id, status)
    },
  ],
  [
    8,
    (worker) => {
      const mark = worker.mark()
      return write('entry', worker.who, mark, 'entry 2', '/v1/transaction', entryOf(worker.who, mark))
    },
  ],
  [
    6,
    (worker) => {
      const mark = worker.mark()
      return write('exit', worker.who, mark, 'exit 2', '/v1/transaction', exitOf(worker.who, mark))
    },
  ],
  [5, ({ who, orders }) => ofOrder('order read', orders, (id) => ({ path: `/v1/order_workers/${id}`, who }))],
  [2, ({ who, orders }) => ofOrder('pdf', orders, (id) => ({ path: `/v1/order_workers/${id}/pdf`, who }))],
  [1, ({ who }) => call('download', { path: '/v1/history_order_workers_download', who }, 200)],
  [1, ({ who }) => call('report', { path: '/v1/download_expenses_by_truck', who }, 200)],
  [
    1,
    ({ who, orders }) =>
      ofOrder(
        'broken signature',
        orders,
        (id) => ({
          method: 'PUT',
          path: `/v1/order_workers/${id}/signature/delivered`,
          who,
          body: { image: `data:image/png;base64,${BROKEN.toString('base64')}`, name: 'Cliente', dni: '11.111.111-1' },
        }),
        422,
      ),
  ],
  [1, ({ who, orders }) => upload('photo', who, orders, Buffer.from(PIXEL, 'base64'), 201)],
  [1, ({ who, orders }) => upload('broken photo', who, orders, BROKEN, 422)],
]

async function ofOrder(name: string, orders: number[], ask: (id: number) => Ask, expected = 200) {
  const id = orders.at(-1)
  if (id !== undefined) await call(name, ask(id), expected)
}

const BOUNDARY = 'soak-boundary'
const FORM = `multipart/form-data; boundary=${BOUNDARY}`
const formOf = (content: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="foto.png"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    content,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
const upload = (name: string, who: Person, orders: number[], content: Buffer, expected: number) =>
  ofOrder(
    name,
    orders,
    (id) => ({ method: 'POST', path: `/v1/order_workers/${id}/files`, who, body: formOf(content), type: FORM }),
    expected,
  )

/* Lines that are bad */

function open(who: Person, path: string, method = 'GET', headers: Record<string, string> = {}): ClientRequest {
  const opened = request({
    port: product.port,
    host: '127.0.0.1',
    path: `/api${path}`,
    method,
    headers: { ...headersOf(who), ...headers },
    agent: false,
  })
  opened.on('error', () => {})
  return opened
}

const closed = (opened: ClientRequest) => new Promise<void>((resolve) => opened.once('close', resolve))

/** A window with the board open. */
async function listener(who: Person) {
  const opened = open(who, '/v1/live')
  opened.on('response', (response) => {
    response.on('error', () => {})
    response.on('data', (chunk: Buffer) => {
      tallyOf('live events').calls += chunk.toString().split('data: ').length - 1
    })
    if (response.statusCode === 429) tallyOf('live stream').busy += 1
    else if (response.statusCode !== 200 && !away) complain('live stream', `answered ${response.statusCode}`)
  })
  opened.end()
  await Promise.race([closed(opened), over])
  opened.destroy()
}

/** One that never reads what it hears. */
async function deaf(who: Person) {
  const opened = open(who, '/v1/live')
  opened.on('response', (response) => {
    response.on('error', () => {})
    tallyOf('deaf stream').calls += 1
    response.socket.pause()
  })
  opened.end()
  await Promise.race([closed(opened), sleep(2 * MINUTE), over])
  opened.destroy()
}

/** Takes a file a little at a time, and goes away in the middle. */
async function slowReader(who: Person) {
  const opened = open(who, '/v1/history_order_workers_download')
  opened.end()
  tallyOf('slow reader').calls += 1
  const response = await Promise.race([
    once(opened, 'response').then(
      ([answer]) => answer,
      () => undefined,
    ),
    closed(opened),
    over,
  ])
  response?.on('error', () => {})
  for (let n = 0; n < 20 && !ending && !opened.destroyed; n++) {
    response?.read(512)
    await sleep(1000)
  }
  opened.destroy()
}

const UPLOAD = { 'content-type': FORM, 'content-length': '3000000' }

/** Sends less than a kilobyte a second: the server ends it after a while. */
async function slowUploader(who: Person, order: number) {
  const opened = open(who, `/v1/order_workers/${order}/files`, 'POST', UPLOAD)
  tallyOf('slow upload').calls += 1
  const began = Date.now()
  let over = false
  void closed(opened).then(() => {
    over = true
  })
  opened.write(formOf(Buffer.alloc(2000)).subarray(0, 1000))
  while (!ending && !over) {
    await sleep(1000)
    if (!over) opened.write(Buffer.alloc(50))
    if (Date.now() - began > 90_000) {
      complain('slow upload', 'was not ended in 90 s')
      break
    }
  }
  opened.destroy()
}

/** Goes away in the middle of a photo. */
async function cutter(who: Person, order: number) {
  const opened = open(who, `/v1/order_workers/${order}/files`, 'POST', UPLOAD)
  tallyOf('cut upload').calls += 1
  opened.write(formOf(Buffer.alloc(200_000)).subarray(0, 150_000))
  await sleep(200 + Math.random() * 2000)
  opened.destroy()
  await sleep(1000)
}

/* The hours */

let ring = () => {}
const over = new Promise<void>((resolve) => {
  ring = resolve
})

const chance = DEEDS.reduce((sum, [weight]) => sum + weight, 0)
function deed(): (worker: Worker) => Promise<unknown> {
  let left = Math.random() * chance
  for (const [weight, work] of DEEDS) if ((left -= weight) < 0) return work
  return DEEDS[0]![1]
}

async function work(who: Person, number: number) {
  let made = 0
  const worker: Worker = { who, orders: [], mark: () => `K${number}-${++made}` }
  await sleep(Math.random() * THINKING[1])
  while (!ending) {
    await deed()(worker)
    await Promise.race([sleep(THINKING[0] + Math.random() * (THINKING[1] - THINKING[0])), over])
  }
}

async function again(deed: () => Promise<unknown>) {
  while (!ending) {
    await deed()
    await Promise.race([sleep(500 + Math.random() * 1000), over])
  }
}

async function killServer() {
  const { serving } = await product.processes()
  away = true
  strikes += 1
  const since = performance.now()
  kill([serving])
  const back = await product.untilHealthy(300_000, 1)
  away = false
  killed.push((back - since) / 1000)
}

const memory: Record<string, { server: number; next: number; makers: number }> = {}
async function remember(minute: number) {
  const { serving, next, makers } = await product.processes()
  memory[`minute ${minute}`] = {
    server: await memoryOf([serving]),
    next: await memoryOf([next]),
    makers: await memoryOf(makers),
  }
}

/** Runs by the clock from the beginning. */
async function by(clock: number, at: number, work: () => Promise<void>) {
  await sleep(Math.max(0, clock + at * MINUTE - Date.now()))
  await work()
}

async function soak(owner: Awaited<ReturnType<Product['owner']>>) {
  const bad = Math.max(1, Math.round(clients / 30))
  const listening = Math.round(clients / 5)
  const people = [
    ...(await staff(product, owner, 1, Math.round(clients * 0.8))),
    ...(await staff(product, owner, 2, clients - Math.round(clients * 0.8))),
  ].sort(() => Math.random() - 0.5)
  const take = (many: number) => people.splice(0, many)
  const first = people[0]!
  const answer = await product.ask({ method: 'POST', path: '/v1/order_workers', who: first, body: orderOf(first, 'A') })
  const order = JSON.parse(answer.text).id
  const mates = people.filter(({ company_id }) => company_id === first.company_id)
  const clock = Date.now()
  const busy = [
    ...take(listening).map((who) => again(() => listener(who))),
    ...take(bad).map((who) => again(() => deaf(who))),
    ...take(bad).map((who) => again(() => slowReader(who))),
    ...take(bad).map((_, i) => again(() => slowUploader(mates[i]!, order))),
    ...take(bad).map((_, i) => again(() => cutter(mates[i]!, order))),
    ...people.map((who, number) => work(who, number)),
  ]
  await Promise.all([
    ...KILLS.map((minute) => by(clock, minute, killServer)),
    ...Array.from({ length: minutes }, (_, i) => by(clock, i + 0.98, () => remember(i + 1))),
    by(clock, minutes, async () => {
      ending = true
      ring()
    }),
  ])
  await Promise.all(busy)
}

let failure: string | undefined
let lost: string[] = []
try {
  product.start()
  await product.untilHealthy(300_000)
  const owner = await product.owner()
  await soak(owner)
  lost = await differences(owner, acknowledged)
  const ids = [...moved.keys()]
  const { rows } = await owner.query<{ id: number; status: string }>(
    'select id::int, status from work_orders where id = any($1)',
    [ids],
  )
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  for (const [id, status] of moved)
    if (statuses.get(id) !== status) lost.push(`order ${id} was moved to ${status} and is ${statuses.get(id)}`)
  lost.push(...(await brokenInvariants(owner)))
  await owner.end()
  await product.stop()
} catch (error) {
  failure = String(error)
}
const left = await product.remove()
if (!failure && left.length > 0) failure = `left running: ${left}`

const at = (times: number[], share: number) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0)
console.table(
  Object.fromEntries(
    [...tallies]
      .sort()
      .map(([name, { times, ...tally }]) => [name, { ...tally, p50: at(times, 0.5), p95: at(times, 0.95) }]),
  ),
)
console.table(memory)
const total = [...tallies.values()].reduce((sum, { calls }) => sum + calls, 0)
console.log(
  `Soak: ${clients} clients, ${minutes} minutes, ${total} calls, ${wrong.length} wrong answers, ` +
    `${acknowledged.size + moved.size} writes, ${lost.length} lost; server killed ${killed.length} times, ` +
    `back after ${killed.map((seconds) => seconds.toFixed(2)).join(', ')} s`,
)
for (const words of [...wrong, ...lost].slice(0, 20)) console.error(words)
if (failure) console.error(failure)
process.exit(failure || wrong.length + lost.length > 0 ? 1 : 0)
