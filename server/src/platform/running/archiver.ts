import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { ignore } from '../ignore.ts'
import { pathOf, type Store } from '../outside/store.ts'
import { StartProblem } from '../problems.ts'
import {
  type Archive,
  type Base,
  baseJson,
  parseJson,
  parseLsn,
  pieceName,
  reach,
  segmentName,
  segmentStart,
  sha256,
  showLsn,
  stampOf,
} from './archive.ts'
import { ARCHIVE_SLOT } from './archive-slot.ts'
import { clusterOf, runningPostgres } from './embedded-postgres.ts'
import { isDiskLow } from './health.ts'

/** What is lost with the machine is not older than this. */
const EVERY = 10_000
const DAY = 86_400_000
const PART = 4 * 1024 * 1024
/** Then the segment is closed, so that its many pieces become one. */
const MOST_PIECES = 360
const PAUSES = [2000, 5000, 10_000, 30_000]
const LOCK = 7_236_118_205
/** A file is announced before it is there. */
const FILE_PATIENCE = 3_600_000

interface Archiving {
  /** Of the embedded database. */
  folder: string
  archive: Archive
  days: number
  /** Photos and documents, where they are on this machine. */
  store: Store | null
  /** For people: where it goes. */
  place: string
  say(text: string): void
  /** A chain begins. */
  began?(owner: pg.ClientBase): Promise<void>
  signal: AbortSignal
  every?: number
  baseEvery?: number
}

type CopiedAll = Pick<Base, 'folder' | 'from' | 'to' | 'parts'> & { began: number }

/** The log went on without us: what comes next is another chain. */
class Gap extends Error {}

/**
 * Copies the database as it works, for as long as it is let: all of it once a day, and what it writes every few seconds.
 * Nothing waits for it. While the copy cannot be reached PostgreSQL keeps the log for it, up to a limit; past that, or
 * where the disk runs full, the log goes and the next copy begins anew.
 */
export async function archiveContinuously(what: Archiving) {
  const { folder, say, signal } = what
  let failures = 0
  let waiting = false
  while (!signal.aborted) {
    const url = await runningPostgres(folder).catch(ignore('It is asked again a second later.'))
    if (!url) {
      if (!waiting) say('Maestranza está detenida: la copia continua espera.')
      waiting = true
      await pause(1000, signal)
      continue
    }
    waiting = false
    const following = new Following(what, url)
    try {
      await following.run(() => {
        if (failures > 0) say('La copia continua avanza de nuevo.')
        failures = 0
      })
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof StartProblem) throw error
      // The product was stopped under us.
      if (!(await runningPostgres(folder).catch(ignore('It counts as stopped.')))) continue
      if (error instanceof Gap) say('La copia continua perdió el hilo: empieza de nuevo.')
      else if (failures === 0) say(`La copia continua no avanza y se reintenta: ${(error as Error).message}`)
      await following.spareDisk().catch(ignore('The next round tries again.'))
      await pause(PAUSES[Math.min(failures++, PAUSES.length - 1)]!, signal)
    } finally {
      await following.end()
    }
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal }).catch(ignore('The pause ends early when the process does.'))

/** One connection to the database, from where the last one ended. */
class Following {
  readonly #what: Archiving
  readonly #url: string
  readonly #client: pg.Client
  readonly #files: FilesCopy | undefined
  #slot = ''
  #timeline = 0
  #size = 0
  /** Everything before it is in the copy, and all that was done up to then. */
  #position = 0n
  #at = new Date(0)
  /** Of the segment that is being written. */
  #pieces: string[] = []
  #lastBase = 0
  #base: Promise<void> | undefined
  #copiedAll: CopiedAll | undefined
  #baseClient: pg.Client | undefined

  constructor(what: Archiving, url: string) {
    this.#what = what
    this.#url = url
    this.#client = new pg.Client({ connectionString: url, application_name: 'maestranza archive' })
    this.#client.on('error', ignore('The query that runs fails with it.'))
    if (what.store) this.#files = new FilesCopy(what.archive, what.store, this.#client)
  }

  get #chain() {
    return `chains/${this.#slot.slice(ARCHIVE_SLOT.length).toUpperCase()}`
  }

  async run(moved: () => void) {
    const { every = EVERY, baseEvery = DAY, signal } = this.#what
    await this.#client.connect()
    const { rows } = await this.#client.query(
      `select pg_try_advisory_lock($1) as mine, pg_size_bytes(current_setting('wal_segment_size'))::int as size,
         (select timeline_id from pg_control_checkpoint()) as timeline`,
      [LOCK],
    )
    if (!rows[0].mine) throw new StartProblem('Ya hay una copia continua de estos datos en marcha.')
    this.#size = rows[0].size
    this.#timeline = rows[0].timeline
    if (!(await this.#resume())) await this.#begin()
    await this.#files?.begin()
    let failed: Error | undefined
    while (!signal.aborted) {
      if (failed) throw failed
      await this.#copyLog()
      await this.#files?.copyNew()
      moved()
      if (this.#copiedAll) {
        await this.#finishBase(this.#copiedAll)
        this.#copiedAll = this.#base = undefined
      }
      if (!this.#base && Date.now() - this.#lastBase > baseEvery)
        this.#base = this.#copyAll().then(
          (copied) => {
            this.#copiedAll = copied
          },
          (error: Error) => {
            failed = error
          },
        )
      await pause(every, signal)
    }
  }

  async end() {
    await this.#baseClient?.end().catch(ignore('The connection is gone already.'))
    await this.#base
    await this.#client.end().catch(ignore('The connection is gone already.'))
  }

  /** Where the last one ended, if the log from there on is still there and so is its copy. */
  async #resume(): Promise<boolean> {
    const { rows } = await this.#client.query<{ slot_name: string; restart: string | null; wal_status: string | null }>(
      `select slot_name, restart_lsn as restart, wal_status from pg_replication_slots where starts_with(slot_name, $1)`,
      [ARCHIVE_SLOT],
    )
    const [slot] = rows
    if (rows.length !== 1 || !slot?.restart || slot.wal_status === 'lost') return false
    this.#slot = slot.slot_name
    const chain = (await this.#what.archive.chains()).find(({ name }) => `chains/${name}` === this.#chain)
    const base = chain?.bases.at(-1)
    const reached = base && reach(chain!, base)
    const last = reached?.pieces.at(-1)
    if (!last || last.timeline !== this.#timeline || last.to < parseLsn(slot.restart)) return false
    this.#position = last.to
    this.#at = last.at
    this.#lastBase = base!.at.getTime()
    const open = segmentStart(last.to, this.#size)
    this.#pieces = reached!.pieces.filter(({ from }) => from >= open).map(({ path }) => path)
    return true
  }

  async #begin() {
    await this.#client.query(
      `select pg_drop_replication_slot(slot_name) from pg_replication_slots where starts_with(slot_name, $1)`,
      [ARCHIVE_SLOT],
    )
    this.#slot = `${ARCHIVE_SLOT}${stampOf(new Date()).toLowerCase()}`
    await this.#client.query('select pg_create_physical_replication_slot($1, true)', [this.#slot])
    const { rows } = await this.#client.query('select restart_lsn from pg_replication_slots where slot_name = $1', [
      this.#slot,
    ])
    this.#position = segmentStart(parseLsn(rows[0].restart_lsn), this.#size)
    this.#at = new Date(0)
    this.#pieces = []
    this.#lastBase = 0
    await this.#what.began?.(this.#client)
    this.#what.say(`Copia continua en ${this.#what.place}, ${this.#what.days} días hacia atrás.`)
  }

  /** What was written since the last time. The commit of our own is what a restore to this moment stops at. */
  async #copyLog() {
    const { rows: before } = await this.#client.query('select clock_timestamp() as now')
    await this.#client.query(`select pg_logical_emit_message(true, 'maestranza', '')`)
    const { rows } = await this.#client.query('select pg_current_wal_flush_lsn() as lsn')
    // A commit has its time a moment before its place in the log.
    const at = new Date(before[0].now.getTime() - 1000)
    const to = parseLsn(rows[0].lsn)
    while (this.#position < to) {
      const start = segmentStart(this.#position, this.#size)
      const end = start + BigInt(this.#size)
      // One that is finished becomes one piece, instead of its many.
      const isWhole = to >= end
      const upTo = isWhole ? end : to
      const from = isWhole ? start : this.#position
      const bytes = await this.#readLog(from, upTo)
      const segment = segmentName(this.#timeline, start, this.#size)
      // Only the last of them has all that was done until now.
      const name = pieceName(segment, Number(from - start), Number(upTo - start), upTo === to ? at : this.#at)
      const path = `${this.#chain}/wal/${name}`
      await this.#what.archive.put(path, bytes, { packed: true })
      if (isWhole) {
        for (const piece of this.#pieces) if (piece !== path) await this.#what.archive.shelf.delete(piece)
        this.#pieces = []
      } else this.#pieces.push(path)
      this.#position = upTo
    }
    this.#at = at
    await this.#client.query('select pg_replication_slot_advance($1, $2)', [this.#slot, showLsn(to)])
    if (this.#pieces.length >= MOST_PIECES) await this.#client.query('select pg_switch_wal()')
  }

  /** What is flushed does not change any more, so its file can be read as it is. */
  async #readLog(from: bigint, to: bigint): Promise<Buffer> {
    const name = segmentName(this.#timeline, from, this.#size)
    const file = await fs
      .open(join(clusterOf(this.#what.folder).data, 'pg_wal', name))
      .catch(ignore('The next line says that the file is gone.'))
    if (!file) throw new Gap(`${name} is gone`)
    const bytes = Buffer.alloc(Number(to - from))
    try {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, Number(from % BigInt(this.#size)))
      if (bytesRead < bytes.length) throw new Gap(`${name} is short`)
    } finally {
      await file.close()
    }
    const { rows } = await this.#client.query('select wal_status from pg_replication_slots where slot_name = $1', [
      this.#slot,
    ])
    if (!rows[0] || rows[0].wal_status === 'lost') throw new Gap('the log was not kept')
    return bytes
  }

  /** All of the database, by PostgreSQL's own hand, in parts. Beside the log, which goes on being copied. */
  async #copyAll(): Promise<CopiedAll> {
    const { archive } = this.#what
    const began = Date.now()
    this.#baseClient = new pg.Client({ connectionString: this.#url, replication: 'true' } as pg.ClientConfig)
    this.#baseClient.on('error', ignore('The copy that runs fails with it.'))
    await this.#baseClient.connect()
    const place = `${this.#chain}/base/${stampOf(new Date(began))}`
    const parts: Base['parts'] = []
    let held: Buffer[] = []
    let size = 0
    const flush = async () => {
      const bytes = Buffer.concat(held)
      const name = String(parts.length).padStart(6, '0')
      await archive.put(`${place}/${name}`, bytes)
      parts.push({ name, hash: sha256(bytes) })
      held = []
      size = 0
    }
    const backup = new BaseBackup(stampOf(new Date(began)))
    const told = backup.run(this.#baseClient)
    told.catch(ignore('Its error is thrown where it is awaited below.'))
    const packed = backup.content.pipe(createGzip({ level: 3 }))
    backup.content.on('error', (error) => packed.destroy(error))
    for await (const chunk of packed) {
      held.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size >= PART) await flush()
    }
    await flush()
    const copied = { folder: place, began, parts, ...(await told) }
    await this.#baseClient.end()
    return copied
  }

  /** With this it counts; what is too old goes. */
  async #finishBase({ began, ...copied }: CopiedAll) {
    const { archive, folder, days } = this.#what
    const { rows } = await this.#client.query('select clock_timestamp() as now')
    const password = (await fs.readFile(clusterOf(folder).password, 'utf8')).trim()
    const base: Base = { ...copied, at: rows[0].now, timeline: this.#timeline, segmentSize: this.#size, password }
    await archive.put(`${base.folder}/whole.json`, baseJson(base))
    this.#lastBase = began
    const before = new Date(Date.now() - days * DAY)
    await prune(archive, before, this.#chain)
    await this.#files?.prune(before)
    this.#what.say(`Copia completa en ${((Date.now() - began) / 1000).toFixed(1)} s.`)
  }

  /** The product comes first: where its disk runs full, the log is not kept for us any longer. */
  async spareDisk() {
    if (!this.#slot || !(await isDiskLow(dirname(this.#what.folder)))) return
    const client = new pg.Client({ connectionString: this.#url })
    client.on('error', ignore('The query that runs fails with it.'))
    await client.connect()
    try {
      await this.#client.end().catch(ignore('The connection is gone already.'))
      await client.query('select pg_drop_replication_slot($1)', [this.#slot])
      // One that keeps nothing, by which the product sees that there is no copy.
      await client.query('select pg_create_physical_replication_slot($1, false)', [this.#slot])
    } finally {
      await client.end()
    }
  }
}

export async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as made', [`public.${name}`])
  return rows[0].made
}

/** Ends the copying for good: PostgreSQL keeps nothing for it any longer. The copies stay. */
export async function stopArchiving(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `select pg_drop_replication_slot(slot_name) from pg_replication_slots where starts_with(slot_name, $1)`,
      [ARCHIVE_SLOT],
    )
  } finally {
    await client.end()
  }
}

/** BASE_BACKUP, which answers with two rows, a tar as it is made, and another row. */
class BaseBackup {
  readonly content = new PassThrough({ highWaterMark: 4 * 1024 * 1024 })
  readonly #text: string
  readonly #positions: string[] = []
  #end: () => void = ignore('Nobody waits yet.')
  #fail: (error: Error) => void = ignore('Nobody waits yet.')

  constructor(label: string) {
    this.#text = `BASE_BACKUP (LABEL '${label}', CHECKPOINT 'fast', WAIT false)`
  }

  async run(client: pg.Client) {
    const ended = new Promise<void>((resolve, reject) => {
      this.#end = resolve
      this.#fail = reject
    })
    client.query(this as unknown as pg.Submittable)
    await ended
    const [from, to] = [this.#positions[0], this.#positions.at(-1)]
    if (!from || !to) throw new Error('The base backup does not say where it began')
    return { from: parseLsn(from), to: parseLsn(to) }
  }

  submit(connection: { query(text: string): void }) {
    connection.query(this.#text)
  }
  handleRowDescription() {
    // The columns are known.
  }
  handleDataRow({ fields }: { fields: (string | null)[] }) {
    const [first] = fields
    if (first && /^[0-9A-F]+\/[0-9A-F]+$/i.test(first)) this.#positions.push(first)
  }
  handleCommandComplete() {
    // The end of the copy says the same.
  }
  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: { stream: NodeJS.ReadableStream }) {
    if (chunk[0] !== 'd'.charCodeAt(0)) return
    // The chunk is a window on what is read next.
    if (this.content.write(Buffer.from(chunk.subarray(1))) || stream.isPaused()) return
    stream.pause()
    this.content.once('drain', () => stream.resume())
  }
  handleError(error: Error) {
    this.content.destroy(error)
    this.#fail(error)
  }
  handleReadyForQuery() {
    this.content.end()
    this.#end()
  }
}

/** What nothing from `before` on needs. */
export async function prune(archive: Archive, before: Date, current?: string) {
  for (const chain of await archive.chains()) {
    const isCurrent = `chains/${chain.name}` === current
    const last = chain.bases.at(-1)
    const until = (last && reach(chain, last)?.until) ?? chain.pieces.at(-1)?.at
    const isOver = !isCurrent && (!until || until < before)
    const needed = isOver ? chain.bases.length : chain.bases.findLastIndex(({ at }) => at <= before)
    for (const { folder } of chain.bases.slice(0, Math.max(0, needed))) {
      // Without this one the rest is none.
      await archive.shelf.delete(`${folder}/whole.json`)
      for (const path of await archive.paths(`${folder}/`)) await archive.shelf.delete(path)
    }
    const first = chain.bases[Math.max(0, needed)]
    const from = first && segmentStart(first.from, first.segmentSize)
    for (const { path, to } of chain.pieces)
      if (isOver || (from !== undefined && to <= from)) await archive.shelf.delete(path)
    if (isOver) for (const path of await archive.paths(`chains/${chain.name}/`)) await archive.shelf.delete(path)
    // What was begun and never became whole.
    const whole = chain.bases.map(({ folder }) => `${folder}/`)
    if (isCurrent)
      for (const path of await archive.paths(`chains/${chain.name}/base/`))
        if (!whole.some((folder) => path.startsWith(folder))) await archive.shelf.delete(path)
  }
}

/** Photos and documents beside the copy of the rows that name them. */
class FilesCopy {
  readonly #archive: Archive
  readonly #store: Store
  readonly #client: pg.Client
  readonly #copied = new Set<string>()
  /** Announced and not yet there. */
  readonly #awaited = new Map<string, { company_id: number; hash: string; since: number }>()
  #since = new Date(0)

  constructor(archive: Archive, store: Store, client: pg.Client) {
    this.#archive = archive
    this.#store = store
    this.#client = client
  }

  async begin() {
    for (const path of await this.#archive.paths('files/')) this.#copied.add(path)
  }

  async copyNew() {
    if (!(await hasTable(this.#client, 'files'))) return
    const { rows } = await this.#client.query<{ company_id: string; hash: string; now: Date }>(
      `select company_id, hash, now() from files where created_at > $1`,
      [this.#since],
    )
    for (const { company_id, hash, now } of rows) {
      const key = { company_id: Number(company_id), hash }
      if (!this.#copied.has(copyOf(key))) this.#awaited.set(copyOf(key), { ...key, since: Date.now() })
      // What commits late has an earlier time.
      this.#since = new Date(now.getTime() - 600_000)
    }
    for (const [path, { since, ...key }] of this.#awaited) {
      const there = await this.#store.get(key)
      if (there) {
        const bytes = Buffer.from(await new Response(there.content).arrayBuffer())
        // One that is damaged is for `npm run verify` to tell.
        if (sha256(bytes) === key.hash) await this.#archive.put(path, bytes)
        this.#copied.add(path)
      }
      if (there || Date.now() - since > FILE_PATIENCE) this.#awaited.delete(path)
    }
  }

  /** A file that the product swept stays as long as a moment can be gone back to. */
  async prune(before: Date) {
    if (!(await hasTable(this.#client, 'files'))) return
    const { rows } = await this.#client.query<{ company_id: string; hash: string }>(
      'select company_id, hash from files',
    )
    const held = new Set(rows.map(({ company_id, hash }) => copyOf({ company_id: Number(company_id), hash })))
    const known = parseJson<Record<string, string>>(await this.#archive.get(GONE)) ?? {}
    const gone: Record<string, string> = {}
    for (const path of this.#copied) {
      if (held.has(path)) continue
      const since = known[path] ?? new Date().toISOString()
      if (new Date(since) < before) {
        await this.#archive.shelf.delete(path)
        this.#copied.delete(path)
      } else gone[path] = since
    }
    await this.#archive.put(GONE, Buffer.from(JSON.stringify(gone)))
  }
}

const GONE = 'files-gone.json'
export const copyOf = (key: { company_id: number; hash: string }) => `files/${pathOf(key)}`
