import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/running/embedded-postgres.ts'

/** What the crash test and the soak share: the product on data of its own, its processes, and people who call it. */

export interface Answer {
  status: number
  text: string
  /** What came, where it was too long to keep. */
  bytes: number
}
export interface Ask {
  method?: string
  path: string
  who?: Person
  /** Bytes are sent as they are, as `type`; anything else as JSON. */
  body?: unknown
  type?: string
  /** Of a call that must be done once, however often it is sent. */
  key?: string
}

/** Somebody with a session, and where they work. */
export interface Person {
  token: string
  company_id: number
  workshop_id: number
  warehouse_id: number
  truck_id: number
  provider_id: number
  /** Of which the warehouse has plenty. */
  supplies: number[]
}

interface Processes {
  /** Wrapper and supervisor. */
  parents: number[]
  /** The one that serves, and the one that waits to take its place. */
  serving: number | undefined
  next: number | undefined
  makers: number[]
  postmaster: number | undefined
  /** All of PostgreSQL. */
  databases: number[]
}

const START = join(import.meta.dirname, 'start.mjs')
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

export class Product {
  readonly dataDir: string
  readonly port: number
  #wrapper: ChildProcess | undefined

  private constructor(dataDir: string, port: number) {
    this.dataDir = dataDir
    this.port = port
  }

  static async make(port: number) {
    const dataDir = await fs.mkdtemp(join(tmpdir(), 'maestranza-trial-'))
    await fs.chmod(dataDir, 0o755)
    return new Product(dataDir, port)
  }

  start() {
    const env = { ...process.env, PORT: String(this.port), DATA_DIR: this.dataDir }
    this.#wrapper = spawn(process.execPath, [START], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }

  /** Ended by itself or by somebody else. */
  async ended() {
    const wrapper = this.#wrapper!
    if (wrapper.exitCode === null && wrapper.signalCode === null) await once(wrapper, 'exit')
  }

  /** In good order. */
  async stop() {
    this.#wrapper!.kill('SIGTERM')
    await this.ended()
    if (this.#wrapper!.exitCode !== 0) throw new Error(`it ended with ${this.#wrapper!.exitCode} instead of 0`)
  }

  async isHealthy() {
    const answer = await this.ask({ path: '/health' }, 30_000).catch(() => undefined)
    return answer?.status === 200
  }

  /** When it answered first, of answers that keep coming: what was struck may speak once more. */
  async untilHealthy(patience = 300_000, often = 15): Promise<number> {
    let [first, many] = [0, 0]
    for (const giveUp = Date.now() + patience; Date.now() < giveUp; await sleep(20)) {
      if (this.#wrapper!.exitCode) throw new Error(`it ended with ${this.#wrapper!.exitCode}`)
      many = (await this.isHealthy()) ? many + 1 : 0
      if (many === 1) first = performance.now()
      if (many === often) return first
    }
    throw new Error(`it did not answer in ${patience / 1000} s`)
  }

  ask({ method = 'GET', path, who, body, type = 'application/json', key }: Ask, patience = 60_000): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asking = request({ port: this.port, host: '127.0.0.1', path: `/api${path}`, method, agent }, (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes < 200_000) chunks.push(chunk)
        })
        response.on('end', () =>
          resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString(), bytes }),
        )
        response.on('error', reject)
      })
      for (const [name, value] of Object.entries(headersOf(who, key))) asking.setHeader(name, value)
      if (body !== undefined) asking.setHeader('content-type', type)
      asking.setTimeout(patience, () => asking.destroy(new Error(`no answer in ${patience / 1000} s`)))
      asking.on('error', reject)
      asking.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    })
  }

  /** As the owner of the tables; the database must be up. */
  async owner(): Promise<pg.Pool> {
    const { url } = await startEmbeddedPostgres(join(this.dataDir, 'postgres'))
    const pool = new pg.Pool({ connectionString: url, max: 2 })
    pool.on('error', () => {})
    return pool
  }

  async processes(): Promise<Processes> {
    const found: Processes = {
      parents: [],
      serving: undefined,
      next: undefined,
      makers: [],
      postmaster: undefined,
      databases: [],
    }
    const servers: { pid: number; since: number }[] = []
    const makers: { pid: number; parent: number }[] = []
    for (const name of await fs.readdir('/proc')) {
      const pid = Number(name)
      if (!pid || pid === process.pid) continue
      const read = (file: string) => fs.readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
      const command = await read('cmdline')
      if (command.includes('maker-process.ts')) makers.push({ pid, parent: (await statOf(read)).parent })
      // PostgreSQL's processes overwrite their environment, but work inside the folder.
      const folder = await fs.readlink(`/proc/${pid}/cwd`).catch(() => '')
      if (!(await read('environ')).includes(`DATA_DIR=${this.dataDir}\0`) && !folder.startsWith(this.dataDir)) continue
      if (/postgres|initdb/.test(command)) found.databases.push(pid)
      else if (command.includes('serve.ts')) servers.push({ pid, since: (await statOf(read)).since })
      else found.parents.push(pid)
    }
    servers.sort((a, b) => a.since - b.since)
    found.serving = servers[0]?.pid
    found.next = servers[1]?.pid
    found.makers = makers.filter(({ parent }) => parent === found.serving).map(({ pid }) => pid)
    const pidFile = join(this.dataDir, 'postgres/cluster/data/postmaster.pid')
    found.postmaster = Number((await fs.readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]) || undefined
    return found
  }

  /** The one that would take the place of the one that serves is there, and has nothing left to do. */
  async untilStanding() {
    let [before, quiet] = [-1, 0]
    for (const giveUp = Date.now() + 120_000; Date.now() < giveUp && quiet < 3; await sleep(100)) {
      const { next } = await this.processes()
      const spent = next ? (await statOf((file) => fs.readFile(`/proc/${next}/${file}`, 'utf8'))).spent : -1
      quiet = spent > 100 && spent === before ? quiet + 1 : 0
      before = spent
    }
  }

  /** What is still running when nothing should be. */
  async remove() {
    const { parents, serving, next, databases } = await this.processes()
    const left = [...parents, serving, next, ...databases].filter((pid) => pid !== undefined)
    kill(left)
    if (left.length === 0) await fs.rm(this.dataDir, { recursive: true, force: true })
    return left
  }
}

export const headersOf = (who: Person | undefined, key?: string): Record<string, string> => ({
  ...(who && { authorization: `Bearer ${who.token}`, 'x-company-id': String(who.company_id) }),
  ...(key && { 'idempotency-key': key }),
})

async function statOf(read: (file: string) => Promise<string>) {
  const stat = await read('stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), spent: Number(fields[11]) + Number(fields[12]), since: Number(fields[19]) }
}

/** At once, without a word. */
export function kill(pids: (number | undefined)[]) {
  for (const pid of pids) {
    try {
      if (pid) process.kill(pid, 'SIGKILL')
    } catch {
      // Gone already.
    }
  }
}

/** Of the resident memory, in MB. */
export async function memoryOf(pids: (number | undefined)[]): Promise<number> {
  let kilobytes = 0
  for (const pid of pids) {
    const status = pid ? await fs.readFile(`/proc/${pid}/status`, 'utf8').catch(() => '') : ''
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  }
  return Math.round(kilobytes / 1024)
}

/** People of a company of the demonstration, without the cost of a login, at a warehouse with plenty of everything. */
export async function staff(product: Product, owner: pg.Pool, company_id: number, many: number): Promise<Person[]> {
  const { rows } = await owner.query<Omit<Person, 'token' | 'truck_id'> & { trucks: number[] }>(
    `select w.company_id::int, w.workshop_id::int, w.id::int as warehouse_id,
       array(select id::int from trucks t where t.company_id = w.company_id and t.workshop_id = w.workshop_id
             and t.state = 'active') as trucks,
       (select min(id)::int from providers p where p.company_id = w.company_id
          and p.state = 'active' and (p.workshop_id is null or p.workshop_id = w.workshop_id)) as provider_id,
       array(select id::int from supplies s where s.company_id = w.company_id and s.workshop_id = w.workshop_id
             and s.state = 'active' order by id limit 60) as supplies
     from warehouses w where w.company_id = $1 order by w.id limit 1`,
    [company_id],
  )
  const { trucks, ...place } = rows[0]!
  const people: Person[] = []
  for (let i = 0; i < many; i++) {
    const token = randomBytes(32).toString('base64url')
    await owner.query(
      `with person as (
         insert into users (email, name, password_hash) values ($1, $2, 'none') returning id),
       member as (
         insert into memberships (company_id, user_id, role) select $3, id, 'super-admin' from person)
       insert into sessions (token_hash, user_id, expires_at, agent, address)
       select $4, id, now() + interval '1 day', '', '' from person`,
      [
        `${randomBytes(6).toString('hex')}@prueba.cl`,
        `Cliente ${i + 1}`,
        company_id,
        createHash('sha256').update(token).digest(),
      ],
    )
    people.push({ token, truck_id: trucks[i % trucks.length]!, ...place })
  }
  const [who] = people
  const { status, text } = await product.ask({
    method: 'POST',
    path: '/v1/transaction',
    who: who!,
    body: {
      ...entryOf(who!, 'A'),
      supplies: who!.supplies.map((supply_id) => ({ supply_id, quantity: 90_000, unit_cost: 1990 })),
    },
  })
  if (status !== 201) throw new Error(`the first entry answered ${status}: ${text}`)
  return people
}

/* What they write bears a mark, which is found again in the database. */

export const twoOf = ({ supplies }: Person) => {
  const first = Math.floor(Math.random() * supplies.length)
  return [supplies[first]!, supplies[(first + 1) % supplies.length]!]
}

export const entryOf = (who: Person, mark: string) => ({
  warehouse_id: who.warehouse_id,
  type: 'entry',
  transaction: { typeTrasactionId: 3, document: mark },
  supplies: twoOf(who).map((supply_id, i) => ({ supply_id, quantity: 2 + i, unit_cost: 1500.5 })),
})

export const exitOf = (who: Person, mark: string) => ({
  warehouse_id: who.warehouse_id,
  type: 'exit',
  transaction: { typeTrasactionId: 5, document: mark },
  supplies: twoOf(who).map((supply_id) => ({ supply_id, quantity: 0.5 })),
})

export const orderOf = (who: Person, mark: string) => ({
  workshop_id: who.workshop_id,
  warehouse_id: who.warehouse_id,
  has_warehouse: true,
  truck_id: who.truck_id,
  request: mark,
  works: [{ description: 'Revisar' }],
  supplies: twoOf(who).map((supply_id) => ({ supply_id, count: 1 })),
})

const MARKED = `
  select t.document as mark, case when r.transaction_id is null then t.type else 'receipt' end || ' ' ||
    (select count(*) from transaction_lines l where l.company_id = t.company_id and l.transaction_id = t.id) as holds
  from transactions t
  left join purchase_receipts r on r.company_id = t.company_id and r.transaction_id = t.id
  where t.document like 'K%'
  union all
  select o.request, 'order ' ||
    (select count(*) from work_order_supplies l where l.company_id = o.company_id and l.work_order_id = o.id)
  from work_orders o where o.request like 'K%'
  union all
  select o.document, 'purchase ' ||
    (select count(*) from purchase_order_lines l where l.company_id = o.company_id and l.purchase_order_id = o.id)
  from purchase_orders o where o.document like 'K%'`

/** What was answered and is not there exactly once and whole, and what is there and was never answered. */
export async function differences(owner: pg.Pool, acknowledged: Map<string, string>): Promise<string[]> {
  const { rows } = await owner.query<{ mark: string; holds: string }>(MARKED)
  const found = new Map<string, string>()
  for (const { mark, holds } of rows) found.set(mark, found.has(mark) ? `${found.get(mark)} and ${holds}` : holds)
  return [...new Set([...acknowledged.keys(), ...found.keys()])]
    .filter((mark) => found.get(mark) !== acknowledged.get(mark))
    .map(
      (mark) =>
        `${mark}: ${acknowledged.get(mark) ?? 'nothing'} was answered, ${found.get(mark) ?? 'nothing'} is there`,
    )
}
