import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { PASSWORD } from '../server/seeds/people.ts'

/**
 * `TRUST_PROXY=1 npm start`, and beside it `node scripts/run.mjs bench/guesses.ts [--url http://127.0.0.1:3000]
 * [--addresses 30] [--rate 10] [--seconds 60]`: how long the calls of others and the logins of real people take, first in
 * quiet and then while that many addresses guess passwords at that rate a second each. On a demonstration without wrong
 * logins of the last fifteen minutes.
 *
 * The goals: p95 of others under 100 ms, and every login with the right password within two seconds.
 */

const said = (name: string, otherwise: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : process.argv[at + 1]!
}

interface Attack {
  url: string
  addresses: number
  rate: number
  until: number
}
interface Answer {
  status: number
  ms: number
  body: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 400 })

function send(url: string, { address, token, body }: { address: string; token?: string; body?: object }) {
  const began = performance.now()
  return new Promise<Answer>((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const sent = request(url, { method: body ? 'POST' : 'GET', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode!, ms: performance.now() - began, body: text }))
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

const ACCOUNTS = ['admin', 'jefe', 'bodega', 'mecanico', 'consulta'].map((name) => `${name}@maestranza.demo`)

/** Half of the guesses are at accounts that are there. Nobody waits for an answer before the next guess. */
async function attack({ url, addresses, rate, until }: Attack) {
  const statuses: Record<string, number> = {}
  const pending = new Set<Promise<void>>()
  // Others than those of a run before, which the product still refuses.
  const net = `10.${randomInt(256)}.${randomInt(256)}`
  const guess = (address: string, n: number) => {
    const email = n % 2 ? ACCOUNTS[n % ACCOUNTS.length]! : `nadie${n}@prueba.cl`
    const one = send(`${url}/api/v1/login`, { address, body: { email, password: `mala-${n}-clave` } })
      .then(({ status }) => {
        statuses[status] = (statuses[status] ?? 0) + 1
      })
      .catch(() => {})
      .finally(() => pending.delete(one))
    pending.add(one)
  }
  for (let n = 0; Date.now() < until; n++) {
    const next = performance.now() + 1000 / rate
    for (let i = 1; i <= addresses; i++) guess(`${net}.${i}`, n * addresses + i)
    await sleep(Math.max(0, next - performance.now()))
  }
  // Calls that still wait are dropped: the figures have been taken.
  const waiting = pending.size
  agent.destroy()
  return { ...statuses, waiting }
}

const percentile = (times: number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN
const shown = (times: number[]) =>
  `${times.length} times: p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms, longest ${percentile(times, 1).toFixed(0)} ms`

async function measure() {
  const url = said('url', 'http://127.0.0.1:3000')
  const seconds = Number(said('seconds', '60'))
  const [addresses, rate] = [Number(said('addresses', '30')), Number(said('rate', '10'))]
  const logIn = (email: string, address: string, device?: string) =>
    send(`${url}/api/v1/login`, { address, body: { email, password: PASSWORD, device } })
  // Browsers that logged in before, as those of people at work did.
  const people: { email: string; token: string; device: string; address: string }[] = []
  for (const [i, email] of ACCOUNTS.entries()) {
    const { status, body } = await logIn(email, `198.51.100.${i + 1}`)
    if (status !== 200) throw new Error(`${email}: ${status} ${body}`)
    const { token, device } = JSON.parse(body) as { token: string; device: string }
    people.push({ email, token, device, address: `198.51.100.${i + 1}` })
  }
  const calls = ['/v1/me', '/v1/order_workers?per_page=25', '/v1/trucks?per_page=25', '/v2/order_workers_by_group']
  const look = async (until: number) => {
    const [others, logins, refused]: [number[], number[], string[]] = [[], [], []]
    const working = people.map(async ({ token, address }, person) => {
      for (let n = person; Date.now() < until; n++) {
        const { status, ms } = await send(`${url}/api${calls[n % calls.length]}`, { address, token })
        if (status !== 200) refused.push(`${calls[n % calls.length]}: ${status}`)
        others.push(ms)
        await sleep(100)
      }
    })
    const entering = (async () => {
      for (let n = 0; Date.now() < until; n++) {
        const { email, address, device } = people[n % people.length]!
        const { status, ms } = await logIn(email, address, device)
        if (status !== 200) refused.push(`login of ${email}: ${status}`)
        logins.push(ms)
        await sleep(1000)
      }
    })()
    await Promise.all([...working, entering])
    console.log(`  others  ${shown(others)}\n  logins  ${shown(logins)}`)
    if (refused.length > 0) console.log(`  refused ${refused.length}: ${[...new Set(refused)].join(', ')}`)
  }
  console.log('quiet')
  await look(Date.now() + 15_000)
  console.log(`${addresses} addresses, ${rate} guesses a second each`)
  const until = Date.now() + seconds * 1000
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, addresses, rate, until } satisfies Attack })
  const statuses = new Promise((resolve) => worker.once('message', resolve))
  await look(until)
  console.log('  guesses by status', await statuses)
  agent.destroy()
}

if (isMainThread) await measure()
else {
  const { parentPort } = await import('node:worker_threads')
  parentPort!.postMessage(await attack(workerData as Attack))
}
