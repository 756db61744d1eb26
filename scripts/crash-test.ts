/**
 * Kills Node, PostgreSQL and both in the middle of entries, exits, orders, purchases and receipts, waits until the house
 * is back, and checks that everything answered is there exactly once and that the data holds together:
 * `npm run crash [rounds] [kinds of kill, with commas; all in turn by default]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { brokenInvariants } from '../server/test/invariants.ts'
import { type Ask, differences, entryOf, exitOf, kill, orderOf, type Person, Product, staff, twoOf } from './product.ts'

interface Kind {
  pids(found: Awaited<ReturnType<Product['processes']>>): (number | undefined)[]
  /** Nothing is left that would start it: the test does. */
  restarts?: 'once' | 'twice'
}
const nodes: Kind['pids'] = ({ parents, serving, next }) => [...parents, serving, next]
const everything: Kind['pids'] = (found) => [...nodes(found), ...found.databases]
/** Those that leave nobody to start it again come between those that do: the supervisor forgets earlier ends. */
const KINDS: Record<string, Kind> = {
  server: { pids: ({ serving }) => [serving] },
  database: { pids: ({ databases }) => databases },
  nodes: { pids: nodes, restarts: 'once' },
  both: { pids: ({ serving, databases }) => [serving, ...databases] },
  everything: { pids: everything, restarts: 'once' },
  servers: { pids: ({ serving, next }) => [serving, next] },
  backend: { pids: ({ databases, postmaster }) => [databases.filter((pid) => pid !== postmaster).at(-1)] },
  wrapper: { pids: ({ parents }) => [Math.min(...parents)], restarts: 'once' },
  postmaster: { pids: ({ postmaster }) => [postmaster] },
  startup: { pids: everything, restarts: 'twice' },
}
const LANES = 8

const rounds = Number(process.argv[2] ?? 20)
const kinds = process.argv[3]?.split(',') ?? Object.keys(KINDS)
const product = await Product.make(Number(process.env.PORT ?? 3190))

/** What was answered: its mark, and what the database must hold under it. */
const acknowledged = new Map<string, string>()
let repeated = 0
let writing = false
/** Between a kill and the first answer of the house; what lies wholly outside may not fail. */
let away = true
let strikes = 0
const wrong: string[] = []

/** Sends it until it is answered, with the same key, as a browser on a bad line does. */
async function persist(ask: Ask, expected: number[]): Promise<Record<string, unknown>> {
  for (const giveUp = Date.now() + 180_000; ; await sleep(200)) {
    const [wasAway, before] = [away, strikes]
    const answer = await product.ask(ask, 30_000).catch((error: Error) => ({ status: 0, text: error.message }))
    if (expected.includes(answer.status)) return JSON.parse(answer.text)
    const isOutage = answer.status === 0 || answer.status === 429 || answer.status >= 500
    const isStruck = wasAway || away || strikes !== before
    const words = `${ask.method ?? 'GET'} ${ask.path} answered ${answer.status} ${answer.text.slice(0, 200)}`
    if (!isOutage) throw new Error(words)
    if (!isStruck) wrong.push(words)
    if (Date.now() > giveUp) throw new Error(`still: ${words}`)
    repeated += 1
  }
}

async function write(who: Person, mark: string, holds: string, path: string, body: object) {
  const made = await persist({ method: 'POST', path, who, key: mark, body }, [201])
  acknowledged.set(mark, holds)
  return made
}

const WRITES: ((who: Person, mark: string) => Promise<unknown>)[] = [
  (who, mark) => write(who, mark, 'entry 2', '/v1/transaction', entryOf(who, mark)),
  (who, mark) => write(who, mark, 'exit 2', '/v1/transaction', exitOf(who, mark)),
  (who, mark) => write(who, mark, 'order 2', '/v1/order_workers', orderOf(who, mark)),
  async (who, document) => {
    const lines = twoOf(who).map((supply_id) => ({ supply_id, quantity: 3, unit_cost: 1200 }))
    const { warehouse_id, provider_id } = who
    const order = { warehouse_id, provider_id, document, supplies: lines }
    const { id } = await write(who, document, 'purchase 2', '/v1/order_purchase', order)
    // It has no key: what was done before its answer was lost is refused the second time.
    const approve = { method: 'PUT', path: `/v1/order-purchase-update-status/${id}`, who, body: { status: 'approved' } }
    await persist(approve, [200, 409, 422])
    const { status } = await persist({ path: `/v1/order_purchase/${id}`, who }, [200])
    if (status !== 'approved') wrong.push(`${document} is ${status} after it was approved`)
    await write(who, `${document}R`, 'receipt 2', `/v1/order_purchase/${id}/receive`, {
      transaction: { document: `${document}R` },
      supplies: lines,
    })
  },
]

/** Everything that is not as it was answered, and every question of `npm run verify` that has an answer. */
async function check(): Promise<string[]> {
  const owner = await product.owner()
  try {
    return [...(await differences(owner, acknowledged)), ...(await brokenInvariants(owner))]
  } finally {
    await owner.end()
  }
}

async function strike(kind: Kind) {
  const found = await product.processes()
  away = true
  strikes += 1
  kill(kind.pids(found))
  return { since: performance.now(), before: nodes(found) }
}

/** How long nobody was answered, in milliseconds. */
async function round(number: number, kind: Kind, people: Person[]): Promise<number> {
  await product.untilStanding()
  writing = true
  const lanes = people.map(async (who, lane) => {
    for (let n = 0; writing; n++) await WRITES[(n + lane) % WRITES.length]!(who, `K${number}-${lane}-${n}`)
  })
  await sleep(300 + Math.random() * 1000)
  let { since, before } = await strike(kind)
  for (const again of kind.restarts === 'twice' ? [true, false] : kind.restarts ? [false] : []) {
    await product.ended()
    product.start()
    if (!again) break
    await sleep(Math.random() * 1500)
    ;({ since, before } = await strike(kind))
  }
  // What is closing in good order may still answer.
  const goes = async () => nodes(await product.processes()).some((pid) => pid !== undefined && before.includes(pid))
  while (kind.restarts && (await goes())) await sleep(20)
  const took = (await product.untilHealthy()) - since
  away = false
  await sleep(300)
  writing = false
  await Promise.all(lanes)
  return took
}

const times = new Map<string, number[]>()
const begin = Date.now()
let failure: string | undefined
try {
  product.start()
  await product.untilHealthy(300_000)
  away = false
  const owner = await product.owner()
  const people = [...(await staff(product, owner, 1, LANES - 2)), ...(await staff(product, owner, 2, 2))]
  await owner.end()
  for (let number = 1; number <= rounds && !failure; number++) {
    const name = kinds[(number - 1) % kinds.length]!
    const took = await round(number, KINDS[name]!, people)
    times.set(name, [...(times.get(name) ?? []), took])
    const broken = [...(await check()), ...wrong]
    console.log(
      `${number}/${rounds} ${name}: away ${(took / 1000).toFixed(2)} s, ${acknowledged.size} answered, ` +
        `${repeated} repeated, ${broken.length} wrong`,
    )
    if (broken.length > 0) failure = broken.slice(0, 10).join('\n')
  }
  await product.stop()
} catch (error) {
  failure ??= String(error)
}
const left = await product.remove()
if (!failure && left.length > 0) failure = `left running: ${left}`
const seconds = Math.round((Date.now() - begin) / 1000)
console.table(
  Object.fromEntries(
    [...times].map(([name, list]) => {
      const sorted = list.toSorted((a, b) => a - b).map((ms) => Number((ms / 1000).toFixed(2)))
      return [name, { rounds: list.length, least: sorted[0], median: sorted[sorted.length >> 1], most: sorted.at(-1) }]
    }),
  ),
)
if (failure) {
  console.error(`Crash test failed after ${seconds} s, data in ${product.dataDir}:\n${failure}`)
  process.exit(1)
}
console.log(
  `Crash test: ${rounds} kills, ${acknowledged.size} writes answered (${repeated} sent again), each there once, ${seconds} s`,
)
process.exit()
