import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import { PERMISSIONS, type Permission } from '#contract/base/permissions.ts'
import { isUnavailable } from '../database/db.ts'
import { ignore } from '../ignore.ts'
import type { Actor } from '../operations/actor.ts'
import type { LiveEvent } from '../operations/happenings.ts'
import { Problem } from '../problems.ts'
import type { Authenticate } from './binder.ts'

const CHANNEL = 'maestranza_live'
const HEARTBEAT = 15_000
/** What follows something told sooner than this waits, and is told together: where much happens, telling it costs the most. */
const PAUSE = 250
const MOST_TOGETHER = 30
/** And what follows something sent to the other servers sooner than this is sent together. */
const GATHER = 50
/** What the line of each server to the others is called in the database. */
export const LINE = 'maestranza live'
const LOOK_AROUND = 3000
/** What may wait for a slow reader. One further behind is cut off: it asks again, and gets everything. */
const MAX_BACKLOG = 256 * 1024
const MAX_PER_PERSON = 20
/** A stream that ends gets this long to take what is on its way. */
const LAST_WORDS = 2000

/** The browsers on this instance, and the line to the other instances. */
export class Live {
  readonly #url: string
  readonly #log: (error: unknown) => void
  readonly #lookEvery: number
  readonly #listeners = new Map<FastifyReply, Actor>()
  #untold: { company_id: number; event: LiveEvent; text: string }[] = []
  #pause: NodeJS.Timeout | undefined
  #unsent: string[] = []
  #sending = false
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false
  /** Lines of every server, ours too. */
  #peers = new Set<number>()
  /** Those that said goodbye: a look that began before may still see them. */
  #left = new Set<number>()
  #looks: NodeJS.Timeout | undefined

  constructor(url: string, log: (error: unknown) => void, lookEvery = LOOK_AROUND) {
    this.#url = url
    this.#log = log
    this.#lookEvery = lookEvery
  }

  async start() {
    await this.#connect()
    this.#timer = setInterval(() => {
      for (const reply of this.#listeners.keys()) this.#write(reply, ': still here\n\n')
    }, HEARTBEAT)
    this.#looks = setInterval(() => void this.#lookAround(), this.#lookEvery)
  }

  /** A server that ended without a word took along what it had done and not announced: browsers here ask again too. */
  async #lookAround() {
    const client = this.#client
    const found = await client
      ?.query<{ pid: number }>(
        'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
        [LINE],
      )
      .catch(ignore('The next look asks again.'))
    if (!found || this.#client !== client) return
    const seen = new Set(found.rows.map(({ pid }) => pid))
    for (const pid of this.#left) if (!seen.delete(pid)) this.#left.delete(pid)
    const gone = [...this.#peers].some((pid) => !seen.has(pid))
    this.#peers = seen
    if (gone) this.#endAll()
  }

  async #connect() {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      application_name: LINE,
      // A message lost in a crash is one that the browsers' reconnection makes up for: it need not wait for the disk.
      options: '-c synchronous_commit=off',
    })
    client.on('notification', ({ payload }) => this.#deliver(payload ?? ''))
    const lost = () => {
      if (this.#client !== client) return
      this.#client = undefined
      this.#peers.clear()
      // What was announced meanwhile is unknown: browsers reconnect, and ask for everything they show again.
      this.#endAll()
      if (!this.#closed) setTimeout(() => this.#reconnect(), 500)
    }
    client.on('error', lost)
    client.on('end', lost)
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    this.#client = client
    void this.#flush()
  }

  async #reconnect(): Promise<void> {
    if (this.#closed) return
    await this.#connect().catch((error) => {
      if (!isUnavailable(error)) this.#log(error)
      setTimeout(() => this.#reconnect(), 2000)
    })
  }

  publish(company_id: number, event: object) {
    this.#unsent.push(JSON.stringify({ company_id, ...event }))
    void this.#flush()
  }

  /** All that one call announces leaves together, and what gathers meanwhile with the next. */
  async #flush() {
    if (this.#sending) return
    this.#sending = true
    await Promise.resolve()
    while (this.#client && this.#unsent.length > 0) {
      const payloads = this.#unsent.splice(0, 100)
      await this.#client
        .query({
          name: 'announce',
          text: 'select pg_notify($1, payload) from unnest($2::text[]) payload',
          values: [CHANNEL, payloads],
        })
        // Browsers that miss what a lost line took with it ask for everything again.
        .catch((error) => isUnavailable(error) || this.#log(error))
      if (!this.#closed) await sleep(GATHER)
    }
    this.#sending = false
  }

  #deliver(payload: string) {
    const { company_id, left, ...event } = JSON.parse(payload) as LiveEvent & { company_id: number; left?: number }
    if (left !== undefined) {
      this.#peers.delete(left)
      this.#left.add(left)
      return
    }
    const { may: _, ...said } = event
    this.#untold.push({ company_id, event, text: `data: ${JSON.stringify(said)}\n\n` })
    if (!this.#pause || this.#untold.length >= MOST_TOGETHER) this.#tell()
  }

  #tell() {
    const untold = this.#untold
    this.#untold = []
    clearTimeout(this.#pause)
    this.#pause = untold.length > 0 && !this.#closed ? setTimeout(() => this.#tell(), PAUSE) : undefined
    for (const [reply, actor] of this.#listeners) {
      let text = ''
      for (const each of untold)
        if (actor.company_id === each.company_id && mayHear(actor, each.event)) text += each.text
      if (text) this.#write(reply, text)
    }
  }

  #write(reply: FastifyReply, text: string) {
    if (reply.raw.writableLength + text.length > MAX_BACKLOG) this.#end(reply, 0)
    else reply.raw.write(text)
  }

  /** Off the list first: nothing is ever written after the end. */
  #end(reply: FastifyReply, patience = LAST_WORDS) {
    this.#listeners.delete(reply)
    reply.raw.end()
    // A browser that does not read does not notice the end either.
    setTimeout(() => reply.raw.destroy(), patience).unref()
  }

  #endAll() {
    for (const reply of [...this.#listeners.keys()]) this.#end(reply)
  }

  /** How many browsers listen here. */
  get size() {
    return this.#listeners.size
  }

  /** GET /api/v1/live: server-sent events, for as long as the session lasts. */
  route(app: FastifyInstance, authenticate: Authenticate) {
    app.get('/api/v1/live', async (request, reply) => {
      const actor = await authenticate(request)
      const theirs = [...this.#listeners.values()].filter(({ user_id }) => user_id === actor.user_id)
      if (theirs.length >= MAX_PER_PERSON)
        throw new Problem(429, 'Tiene demasiadas ventanas abiertas. Cierre algunas.', { retryAfter: 30 })
      reply.hijack()
      // The line may break at any moment, and says so here.
      reply.raw.on('error', ignore('Whoever listened is gone.'))
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      reply.raw.write('retry: 1000\n\n')
      this.#listeners.set(reply, actor)
      // All come back at once when a server starts: each is looked at in a moment of its own.
      const recheck = () => {
        next = setTimeout(recheck, HEARTBEAT)
        void this.#recheck(request, reply, authenticate)
      }
      let next = setTimeout(recheck, Math.random() * HEARTBEAT)
      reply.raw.on('close', () => {
        clearTimeout(next)
        this.#listeners.delete(reply)
      })
    })
  }

  /** A session that was closed, or a role that changed, ends or narrows what is heard. */
  async #recheck(request: FastifyRequest, reply: FastifyReply, authenticate: Authenticate) {
    const actor = await authenticate(request).catch((error: unknown) => {
      // A database out of breath says nothing about the session.
      return error instanceof Problem && error.status === 429 ? this.#listeners.get(reply) : undefined
    })
    if (!this.#listeners.has(reply)) return
    if (actor) this.#listeners.set(reply, actor)
    else this.#end(reply)
  }

  /** Nobody hears anything here any more; what is still done here is still announced to the others. */
  hangUp() {
    this.#closed = true
    clearInterval(this.#timer)
    clearInterval(this.#looks)
    this.#tell()
    this.#endAll()
  }

  async close() {
    this.hangUp()
    for (let tries = 0; this.#client && (this.#sending || this.#unsent.length > 0) && tries < 100; tries++)
      await sleep(10)
    const client = this.#client as (pg.Client & { processID?: number }) | undefined
    // What ends in good order has said all it had to.
    await client
      ?.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify({ left: client.processID })])
      .catch(ignore('The connection is gone already.'))
    await client?.end()
  }
}

function mayHear(actor: Actor, event: LiveEvent) {
  const reads = `${event.topic}.read`
  const needed = event.may ?? (reads in PERMISSIONS ? (reads as Permission) : undefined)
  const allowed = needed === undefined || actor.may.has(needed)
  if (event.user_id !== undefined && event.user_id !== actor.user_id) return false
  return (
    allowed && (actor.workshop_id === null || event.workshop_id === null || actor.workshop_id === event.workshop_id)
  )
}
