import { timingSafeEqual } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Database, rows } from '../database/db.ts'
import { apiNotFound } from '../http/binder.ts'
import type { Live } from '../http/live.ts'
import type { Limiter } from '../limiter.ts'
import { bytesOf } from '../outside/files.ts'
import { papers, sheets } from '../outside/maker.ts'
import { mailsTable } from '../outside/tables.ts'
import { Problem } from '../problems.ts'
import { archiveAge } from './archive-slot.ts'

/**
 * GET /metrics, for Prometheus: how long calls take, and how full everything is that can be. With a token, since
 * through a proxy everybody seems to call from this machine; without one set up it is not there.
 */
export function serveMetrics(
  http: FastifyInstance,
  { token, database, live, heavyQueue }: { token: string | null; database: Database; live: Live; heavyQueue: Limiter },
) {
  if (!token) {
    // Not even the page that stands at every other address.
    http.get('/metrics', (_request, reply) => apiNotFound(reply))
    return
  }
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const took = new Histogram({
    name: 'maestranza_request_seconds',
    help: 'How long calls took, by endpoint',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  })
  http.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    took.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })

  const gauge = (name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => unknown) =>
    new Gauge({
      name: `maestranza_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset()
        await collect(this)
      },
    })
  gauge('connections', 'Database connections of this process', ['state'], (g) => {
    const { totalCount, idleCount, waitingCount } = database.pool
    g.set({ state: 'used' }, totalCount - idleCount)
    g.set({ state: 'idle' }, idleCount)
    g.set({ state: 'waited_for' }, waitingCount)
  })
  gauge('heavy_calls', 'Downloads, documents, imports and reports', ['state'], (g) => {
    g.set({ state: 'running' }, heavyQueue.running)
    g.set({ state: 'waiting' }, heavyQueue.waiting)
  })
  gauge('makers_waiting', 'What waits for the processes that make files', ['maker'], (g) => {
    g.set({ maker: 'papers' }, papers.waiting)
    g.set({ maker: 'sheets' }, sheets.waiting)
  })
  gauge('live_streams', 'Browsers that listen', [], (g) => g.set(live.size))
  const counted = (g: Gauge, question: ReturnType<typeof sql>) =>
    database.read(null, async (db) => {
      for (const { state, many } of await rows<{ state: string; many: number }>(db, question)) g.set({ state }, many)
    })
  // Mails and files are of a company, and nobody here is: each is asked for its own.
  const companies = () => database.read(undefined, (db) => rows<{ id: number }>(db, sql`select id from companies`))
  gauge('files_bytes', 'Photos, documents, signatures and logos of each company', ['company'], async (g) => {
    for (const { id } of await companies()) g.set({ company: id }, await database.read(id, (db) => bytesOf(db, id)))
  })
  gauge('files_quota_bytes', 'How much each company may have of them; 0 for no limit', [], (g) =>
    g.set(database.context.files?.quota ?? 0),
  )
  gauge('mails', 'Mails by state', ['state'], async (g) => {
    const totals: Record<string, number> = {}
    for (const { id } of await companies())
      for (const { state, many } of await database.read(id, (db) =>
        rows<{ state: string; many: number }>(
          db,
          sql`select state, count(*) as many from ${mailsTable} where company_id = ${id} group by state`,
        ),
      ))
        totals[state] = (totals[state] ?? 0) + many
    for (const [state, many] of Object.entries(totals)) g.set({ state }, many)
  })
  gauge('jobs', 'Jobs by state', ['state'], (g) =>
    counted(g, sql`select state::text as state, count(*) as many from jobs.job group by state`),
  )

  gauge('archive_age_seconds', 'Since the continuous copy last moved', [], async (g) => {
    const age = await archiveAge(database.pool)
    if (age !== null) g.set(age)
  })

  const expected = Buffer.from(`Bearer ${token}`)
  http.get('/metrics', async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new Problem(401, 'Falta el token de METRICS_TOKEN.')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
