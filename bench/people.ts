import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#server/platform/running/embedded-postgres.ts'
import {
  type Ask,
  entryOf,
  exitOf,
  headersOf,
  memoryOf,
  orderOf,
  type Person,
  Product,
  staff,
} from '../scripts/product.ts'
import { cpuOf } from './cpu.ts'
import { growHistory } from './history.ts'

/**
 * `node scripts/run.mjs bench/people.ts [minutes] [people] [calls a second] [orders]`: many people, each with a live stream,
 * who look and write at once. Arrivals do not wait for answers. Tells errors, how long each kind of call took, and memory.
 */

const [minutes = 10, many = 300, rate = 95, orders = 22_000] = process.argv.slice(2).map(Number)
const product = await Product.make(Number(process.env.PORT ?? 3191))
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!
const LISTS = [
  '/v1/trucks?per_page=50&count=bounded',
  '/v1/supplies?per_page=50&count=bounded&filter[Search]=filtro',
  '/v1/providers?per_page=50&count=bounded',
  '/v1/history_order_workers?per_page=50&count=bounded',
  '/v1/history_order_workers?per_page=50&count=bounded&filter[Search]=frenos',
  '/v1/maintenance-alerts?per_page=50&count=bounded',
  '/v1/me',
]
const cards: number[] = []
let marks = 0
const POST = { method: 'POST', path: '/v1/transaction' }

/** How often of a hundred, what is asked, and what is answered. */
const DEEDS: [string, number, number, (who: Person) => Ask][] = [
  ['lists', 42, 200, () => ({ path: pick(LISTS) })],
  ['stock of a warehouse', 6, 200, (who) => ({ path: `/v1/stock/${who.warehouse_id}?per_page=50&count=bounded` })],
  ['open an order', 15, 200, () => ({ path: `/v1/order_workers/${pick(cards)}` })],
  ['the board', 3, 200, () => ({ path: '/v2/order_workers_by_group' })],
  ['what changed on it', 10, 200, () => ({ path: `/v2/order_workers_by_group?only=${pick(cards)}` })],
  [
    'move a card',
    10,
    200,
    () => ({
      method: 'PUT',
      path: `/v1/update_status/${pick(cards)}`,
      body: { status: pick(['PENDING', 'IN_PROCESS', 'IN_REVIEW']) },
    }),
  ],
  ['create an order', 5, 201, (who) => ({ method: 'POST', path: '/v1/order_workers', body: orderOf(who, mark()) })],
  ['entry', 5, 201, (who) => ({ ...POST, body: entryOf(who, mark()) })],
  ['exit', 4, 201, (who) => ({ ...POST, body: exitOf(who, mark()) })],
]
const mark = () => `K${++marks}`
const DRAWN = DEEDS.flatMap((deed) => Array<typeof deed>(deed[1]).fill(deed))

const times = new Map<string, number[]>()
const wrong: string[] = []

async function once([name, , expected, ask]: (typeof DEEDS)[number], who: Person) {
  const began = performance.now()
  const { status, text } = await product
    .ask({ ...ask(who), who })
    .catch((error: Error) => ({ status: 0, text: error.message }))
  if (status !== expected) wrong.push(`${name}: ${status} ${text.slice(0, 200)}`)
  else if (name === 'create an order') cards.push(JSON.parse(text).id)
  const taken = times.get(name) ?? []
  taken.push(performance.now() - began)
  times.set(name, taken)
}

let told = 0
/** Opened as a browser does, and read. */
const listen = (who: Person): ClientRequest =>
  request(
    { port: product.port, host: '127.0.0.1', path: '/api/v1/live', agent: false, headers: headersOf(who) },
    (response) => {
      if (response.statusCode !== 200) wrong.push(`stream: ${response.statusCode}`)
      response.on('data', () => {
        told += 1
      })
    },
  )
    .on('error', () => {})
    .end()

try {
  product.start()
  await product.untilHealthy()
  const { url } = await startEmbeddedPostgres(`${product.dataDir}/postgres`)
  await growHistory(url, 1, { orders: orders, years: 8.5 })
  const owner = await product.owner()
  const people = await staff(product, owner, 1, many)
  const open = await owner.query<{ id: number }>(
    "select id::int from work_orders where company_id = 1 and status <> 'FINALIZED'",
  )
  cards.push(...open.rows.map(({ id }) => id))
  const streams = people.map(listen)
  await sleep(5000)
  const { parents, serving, databases } = await product.processes()
  const cpu = () => cpuOf([...parents, serving!, ...databases]) ?? 0
  const before = cpu()
  const began = performance.now()
  const calls: Promise<void>[] = []
  const memory: number[] = []
  for (let n = 0; n < minutes * 60 * rate; n++) {
    const due = began + (n * 1000) / rate
    if (due > performance.now()) await sleep(due - performance.now())
    if (n % (60 * rate) === 0) memory.push(await memoryOf([serving]))
    calls.push(once(pick(DRAWN), pick(people)))
  }
  await Promise.all(calls)
  const seconds = (performance.now() - began) / 1000
  const cores = (cpu() - before) / 1000 / seconds
  memory.push(await memoryOf([serving]))
  for (const stream of streams) stream.destroy()
  const shown = (list: number[], share: number) =>
    list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * share)]!.toFixed(0)
  console.log(
    `\n${many} people, ${calls.length} calls in ${seconds.toFixed(0)} s, ${told} things told, ${cores.toFixed(2)} cores`,
  )
  console.log(`memory of the server, each minute: ${memory.join(', ')} MB; ${wrong.length} errors`)
  console.log('\n| call | calls | p50 ms | p95 | p99 |\n|---|---|---|---|---|')
  for (const [name, list] of [...times, ['all', [...times.values()].flat()] as const])
    console.log(`| ${name} | ${list.length} | ${shown(list, 0.5)} | ${shown(list, 0.95)} | ${shown(list, 0.99)} |`)
  for (const each of new Set(wrong)) console.log(each)
  await owner.end()
  await product.stop()
} finally {
  await product.remove()
}
process.exit()
