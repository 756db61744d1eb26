import { createHash } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { loadDemo } from '../server/seeds/demo.ts'
import { CARRIER, PASSWORD, QUARRY } from '../server/seeds/people.ts'
import { type App, createApp } from '../server/src/app.ts'
import { rows } from '../server/src/platform/database/db.ts'
import { openStore } from '../server/src/platform/outside/store.ts'
import { restoreBackup, writeBackup } from '../server/src/platform/running/backup.ts'
import { startEmbeddedPostgres } from '../server/src/platform/running/embedded-postgres.ts'
import { prepareDatabase } from '../server/src/platform/running/prepare-database.ts'
import { answersTo, invariants } from '../server/test/invariants.ts'
import { startPooler } from '../server/test/pooler.ts'
import { pathFinder, queryOf, recordable } from '../server/test/releases.ts'
import { dropDatabases, joinNodes, makeDatabase, nodesOf } from '../server/test/test-server.ts'
import { CALLS } from './calls.ts'
import { cpuOf, postmasterOf } from './cpu.ts'
import { variantsOf } from './reads.ts'
import { known, LOGIN, pathTo } from './record.ts'

/**
 * `node scripts/run.mjs bench/databases.ts [--cluster DATABASE_URL] [--pooler /usr/sbin/pgbouncer] [--rounds 20] [--only compare|measure] [--calls filter,…]`: the
 * same data on one PostgreSQL, behind a pooler, and on the cluster whose coordinator that is. Every read, with what may follow its
 * `?`, has to answer the same bytes; then what the calls of the bench cost on each, one after the other.
 */

const said = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const cluster = said('cluster')
const program = said('pooler')
const rounds = Number(said('rounds') ?? 20)
const NAME = 'compared'
const BEGAN = new Date().toISOString()

interface Side {
  name: string
  app: App
  url: string
  /** What it has asked its database since. */
  sent: number
  /** Of its databases. */
  processes: number[]
}

async function logIn({ app }: Side, email: string): Promise<string> {
  const answer = await app.http.inject({ method: 'POST', url: '/api/v1/login', payload: { email, password: PASSWORD } })
  if (answer.statusCode !== 200) throw new Error(`${email}: ${answer.statusCode} ${answer.body}`)
  return answer.json<{ token: string }>().token
}

/** Of files, which say when they were made, only what they are; of the rest all but what tells the time. */
const asked = async ({ app }: Side, token: string, path: string) => {
  const { statusCode, headers, rawPayload } = await app.http.inject({
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}` },
  })
  const type = String(headers['content-type'] ?? '')
  const text = rawPayload.toString().replace(/,?"request_id":"[^"]*"/, '')
  // Until now, and the hours until then: a thousandth of an hour aside.
  const timeless = text
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, (instant) => (instant.slice(1) >= BEGAN ? '"now"' : instant))
    .replace(/\d+\.\d{4,}/g, (hours) => Number(hours).toFixed(3))
  return { status: statusCode, same: `${statusCode} ${type} ${/json|csv/.test(type) ? timeless : ''}`, text }
}

async function compare(sides: Side[]) {
  let reads = 0
  const different: string[] = []
  const failing: string[] = []
  for (const { email } of [...CARRIER.people, ...QUARRY.people]) {
    const tokens = await Promise.all(sides.map((side) => logIn(side, email)))
    const [first] = sides
    const fill = pathFinder({
      ask: async ({ path }) => {
        const { status, text } = await asked(first!, tokens[0]!, path)
        return { status, reply: status === 200 && text.startsWith('{') ? JSON.parse(text) : undefined, shape: {} }
      },
    })
    for (const e of recordable.filter(({ method }) => method === 'GET')) {
      const path = await fill(e)
      if (!path) continue
      const queries = email === LOGIN ? variantsOf(e) : [queryOf(e)]
      for (const query of queries) {
        const whole = query ? `${path}?${query}` : path
        // What tells the time is asked again.
        for (let tries = 0; ; tries++) {
          const answers = await Promise.all(sides.map((side, i) => asked(side, tokens[i]!, whole)))
          const hashes = new Set(answers.map(({ same }) => createHash('sha256').update(same).digest('hex')))
          if (hashes.size > 1 && tries < 2) continue
          reads += 1
          if (hashes.size > 1) different.push(`${email} ${whole}\n  ${differenceOf(answers.map(({ same }) => same))}`)
          if (answers.some(({ status }) => status >= 500))
            failing.push(`${whole} ${answers.map((a) => a.text.slice(0, 200))}`)
          break
        }
      }
    }
  }
  console.log(`${reads} reads compared: ${different.length} differ, ${failing.length} fail`)
  for (const line of [...different, ...failing]) console.log(line)
}

function differenceOf([one = '', other = '']: string[]) {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return `${one.slice(Math.max(0, at - 60), at + 60)}\n  ${other.slice(Math.max(0, at - 60), at + 60)}`
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** What `npm run verify` asks. */
async function verify({ name, url }: Side) {
  const owner = new pg.Pool({ connectionString: url, max: 1 })
  const began = Date.now()
  for (const { name: asking, question } of invariants) {
    const found = await answersTo(question, (text) => owner.query(text)).catch((error: Error) => [error.message])
    if (found.length > 0) console.log(`${name}, ${asking}: ${JSON.stringify(found.slice(0, 3))}`)
  }
  console.log(`${name}: ${invariants.length} questions of verify in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  await owner.end()
}

/** Milliseconds of processor: of this process and its databases, and of the first of these. */
function usedBy({ processes }: Side) {
  const { user, system } = process.cpuUsage()
  return [(user + system) / 1000 + (cpuOf(processes) ?? 0), cpuOf(processes.slice(0, 1)) ?? 0]
}

/** How long one statement takes there and back through the product's own connection: one that asks nothing, and one that asks a node for a row. */
async function roundTrips({ app, url }: Side) {
  const owner = new pg.Pool({ connectionString: url, max: 1 })
  const { rows: found } = await owner.query<{ company_id: number; id: number }>(
    'select company_id::int, id::int from trucks limit 1',
  )
  await owner.end()
  const { company_id, id } = found[0]!
  const texts = [sql`select 1`, sql`select id from trucks where company_id = ${company_id} and id = ${id}`]
  return app.database.read(company_id, async (db) => {
    const medians: number[] = []
    for (const text of texts) {
      const times: number[] = []
      for (let n = -20; n < 300; n++) {
        const began = performance.now()
        await rows(db, text)
        if (n >= 0) times.push(performance.now() - began)
      }
      medians.push(median(times))
    }
    return medians as [number, number]
  })
}

async function measure(sides: Side[]) {
  const trips: [number, number][] = []
  for (const side of sides) trips.push(await roundTrips(side))
  for (const [i, [nothing, aRow]] of trips.entries())
    console.log(
      `${sides[i]!.name}: a statement there and back ${nothing.toFixed(2)} ms, for a row ${aRow.toFixed(2)} ms`,
    )
  const above: { name: string; trips: number }[] = []
  const { query } = pg.Client.prototype
  let counting: Side | undefined
  pg.Client.prototype.query = function (this: pg.Client, ...of: unknown[]) {
    if (counting) counting.sent += 1
    return Reflect.apply(query, this, of)
  } as typeof query
  const names = sides.flatMap(({ name }) => [`${name}: ms`, 'CPU ms', 'of its first database', 'statements'])
  console.log(`\n| call | ${names.join(' | ')} |\n|---|${'---|'.repeat(names.length)}`)
  const filter = said('calls') ?? ''
  const calls = await known(
    sides[0]!.url,
    CALLS.filter(({ name }) => filter.split(',').some((part) => name.includes(part))),
  )
  const tokens = await Promise.all(sides.map((side) => logIn(side, LOGIN)))
  for (const call of calls) {
    const figures = []
    for (const [i, side] of sides.entries()) {
      const times: number[] = []
      let before = usedBy(side)
      for (let n = -3; n < rounds; n++) {
        if (n === 0) {
          before = usedBy(side)
          side.sent = 0
          counting = side
        }
        const began = performance.now()
        const { statusCode, body } = await side.app.http.inject({
          method: call.endpoint.method,
          url: pathTo(call),
          headers: { authorization: `Bearer ${tokens[i]}` },
          ...(call.body && { payload: call.body(`${side.name} ${n}`) }),
        })
        if (statusCode >= 300) throw new Error(`${side.name} ${call.name}: ${statusCode} ${body}`)
        if (n >= 0) times.push(performance.now() - began)
      }
      counting = undefined
      const [all, first] = usedBy(side).map((used, i) => (used - before[i]!) / rounds)
      figures.push([median(times), all!, first!, side.sent / rounds])
    }
    const cells = figures.flat().map((figure) => figure.toFixed(1))
    console.log(`| ${[call.name, ...cells].join(' | ')} |`)
    for (const [i, [ms]] of figures.entries())
      if (i > 0) above.push({ name: `${sides[i]!.name}, ${call.name}`, trips: (ms! - figures[0]![0]!) / trips[i]![1] })
  }
  console.log('\nAbove one PostgreSQL, in round trips for a row (asked: 2.5):')
  for (const { name, trips } of above.sort((a, b) => b.trips - a.trips)) console.log(`${trips.toFixed(1)} ${name}`)
}

const folder = await mkdtemp(join(tmpdir(), 'maestranza-compared-'))
// The database and the pooler run as users of their own.
await chmod(folder, 0o755)
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), { fsync: false })
const nodes = cluster ? await nodesOf(cluster) : []
const pooler = program ? await startPooler(program, postgres.url) : undefined
const at = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).toString()
const sides: Side[] = []
try {
  const store = openStore({ folder: join(folder, 'files') })
  const backup = join(folder, 'all.backup')
  await prepareDatabase(postgres.url, false)
  await loadDemo(postgres.url)
  await writeBackup(postgres.url, store, backup)
  const places = [
    { name: 'one', nodes: [postgres.url], poolUrl: null },
    ...(pooler ? [{ name: 'pooler', nodes: [postgres.url], poolUrl: pooler.url }] : []),
    ...(cluster ? [{ name: 'cluster', nodes, poolUrl: null }] : []),
  ]
  for (const { name, nodes, poolUrl } of places) {
    const database = `${NAME}_${name}`
    await dropDatabases(nodes, `^${database}$`)
    await makeDatabase(nodes, database)
    await joinNodes(nodes, database)
    const url = at(nodes[0]!, database)
    const began = Date.now()
    const { rows } = await restoreBackup(url, backup, { store })
    console.log(`${name}: ${rows} rows restored in ${((Date.now() - began) / 1000).toFixed(1)} s`)
    const app = await createApp({ databaseUrl: url, dataDir: folder, poolUrl: poolUrl && at(poolUrl, database) })
    const processes = [
      ...(await Promise.all(nodes.map(async (url) => (await postmasterOf(url)) ?? 0))),
      ...(poolUrl ? pooler!.processes : []),
    ]
    sides.push({ name, app, url, sent: 0, processes })
  }
  if (said('only') !== 'measure') {
    await compare(sides)
    for (const side of sides) await verify(side)
  }
  if (said('only') !== 'compare') await measure(sides)
} finally {
  for (const { app } of sides) await app.close()
  await pooler?.stop()
  await dropDatabases(nodes, `^${NAME}_`)
  await postgres.stop('immediate')
  await rm(folder, { recursive: true, force: true })
}
process.exit()
