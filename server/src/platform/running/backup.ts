import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { FOLDED_AT, FOLDED_INTO, MIGRATIONS, migrateDatabase, TOO_OLD } from '../database/migrate.ts'
import { hashOf, type Key, Lost, openChecked, pathOf, type Store } from '../outside/store.ts'
import { StartProblem } from '../problems.ts'
import { namedFiles } from './named-files.ts'
import { seal, unseal, WRONG } from './sealed.ts'

/**
 * A backup is one file of gzipped lines: what it is, then each table by its name and its rows as JSON, then each file
 * that a row names, in base64, then the hash of each table's rows. It is read in one snapshot, so that the product goes on
 * working meanwhile; a file outlives the last row that named it by far.
 */

const FORMAT = 2
const AT_ONCE = 500
/** Keys to the house as it was: who restores it logs in again. */
const LEFT_OUT = [
  'sessions',
  'devices',
  'challenges',
  'api_tokens',
  'oidc_flows',
  'one_time_links',
  'login_attempts',
  'setup',
]

interface Header {
  maestranza: typeof FORMAT
  taken_at: string
  /** When the last migration that its tables have had was made. */
  migrated: number
}
/** From before the migrations were folded, when they were counted. */
interface OldHeader {
  maestranza: 1
  migrations: number
}
const FOLDED_FROM = 22
export interface Taken {
  tables: number
  rows: number
  files: number
  /** Files that a row names and that were not there, or not what they were. */
  lost: string[]
}

interface Table {
  name: string
  columns: string[]
  key: string[]
}

/** Every table, those that others refer to first; columns that the database works out itself are left out. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table & { needs: string[] }>(
    `select c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum)) from pg_index i
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as key,
       array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
             where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  )
  const sorted: typeof tables = []
  while (sorted.length < tables.length) {
    const ready = tables.filter(
      (table) => !sorted.includes(table) && table.needs.every((name) => sorted.some((done) => done.name === name)),
    )
    if (ready.length === 0) throw new Error('Tables refer to each other in a circle')
    sorted.push(...ready)
  }
  return sorted
}

const quoted = (names: string[]) => names.map((name) => pg.escapeIdentifier(name)).join(', ')

/** The rows of a table as JSON text, in the order of its key. */
async function* rowsOf(client: pg.Client, { name, columns, key }: Table): AsyncGenerator<string[]> {
  await client.query(
    // Ordered outside too: a cluster brings together what its nodes have, each in its own order.
    `declare backup_rows cursor for select row_to_json(t)::text as row
     from (select ${quoted(columns)} from ${pg.escapeIdentifier(name)} order by ${quoted(key)} offset 0) t
     order by ${quoted(key)}`,
  )
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${AT_ONCE} from backup_rows`)
    if (rows.length === 0) break
    yield rows.map(({ row }) => row)
  }
  await client.query('close backup_rows')
}

async function inSnapshot<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c datestyle=ISO' })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** With a passphrase nobody reads it without. */
export async function writeBackup(url: string, store: Store, file: string, passphrase?: string): Promise<Taken> {
  const part = `${file}.part`
  try {
    const taken = await inSnapshot(url, async (client) => {
      const taken: Taken = { tables: 0, rows: 0, files: 0, lost: [] }
      const { rows } = await client.query('select max(created_at) as last from drizzle.__drizzle_migrations')
      async function* lines() {
        const header: Header = {
          maestranza: FORMAT,
          taken_at: new Date().toISOString(),
          migrated: Number(rows[0].last),
        }
        yield `${JSON.stringify(header)}\n`
        const hashes: Record<string, string> = {}
        for (const table of await tablesOf(client)) {
          if (LEFT_OUT.includes(table.name)) continue
          yield `${JSON.stringify({ table: table.name, columns: table.columns })}\n`
          const hash = createHash('sha256')
          for await (const rows of rowsOf(client, table)) {
            for (const row of rows) hash.update(row).update('\n')
            taken.rows += rows.length
            yield `${rows.join('\n')}\n`
          }
          hashes[table.name] = hash.digest('hex')
          taken.tables += 1
        }
        yield* filesOf(client, store, taken)
        yield `${JSON.stringify({ hashes })}\n`
      }
      const closed = (plain: AsyncIterable<Buffer>) => (passphrase ? seal(plain, passphrase) : plain)
      await pipeline(Readable.from(lines()), createGzip(), closed, createWriteStream(part, { mode: 0o600 }))
      return taken
    })
    await rename(part, file)
    return taken
  } finally {
    await rm(part, { force: true })
  }
}

async function* filesOf(client: pg.Client, store: Store, taken: Taken) {
  for (const { name, ...file } of await namedFiles(client)) {
    yield `${JSON.stringify({ file })}\n`
    try {
      for await (const part of await openChecked(store, file)) yield `${Buffer.from(part).toString('base64')}\n`
      taken.files += 1
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      taken.lost.push(name)
    }
  }
}

/** The hash of every table as it is now, to be held against a backup's. */
export const hashTables = (url: string): Promise<Record<string, string>> =>
  inSnapshot(url, async (client) => {
    const hashes: Record<string, string> = {}
    for (const table of await tablesOf(client)) {
      const hash = createHash('sha256')
      for await (const rows of rowsOf(client, table)) for (const row of rows) hash.update(row).update('\n')
      hashes[table.name] = hash.digest('hex')
    }
    return hashes
  })

const DAMAGED = 'El respaldo está dañado: su contenido no es el que se guardó. Use otro respaldo.'
const NOT_OURS = 'El archivo no es un respaldo de Maestranza, o está cortado.'

type Lines = AsyncIterator<string, unknown>

/** Reads a backup line by line. A file that cannot be read as one is refused with a sentence for people. */
async function readBackup<T>(file: string, passphrase: string | undefined, work: (lines: Lines) => Promise<T>) {
  const input = createReadStream(file)
  const unpacked = createGunzip()
  const lines = createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })
  // Whatever breaks on the way, the reader of lines meets it.
  void pipeline(input, (plain: AsyncIterable<Buffer>) => unseal(plain, passphrase), unpacked).catch((error: Error) =>
    unpacked.destroy(error),
  )
  try {
    return await work(lines[Symbol.asyncIterator]())
  } catch (error) {
    const unreadable = String((error as { code?: unknown }).code).startsWith('Z_')
    throw unreadable ? new StartProblem(passphrase ? WRONG : NOT_OURS) : error
  } finally {
    input.destroy()
  }
}

/**
 * Reads a backup to its end and writes nothing: refuses what is no backup, is cut off, was changed since or opens with
 * another passphrase. Only the end of the file says whether the rest is as it was taken.
 */
export const checkBackup = (file: string, passphrase?: string): Promise<void> =>
  readBackup(file, passphrase, async (lines) => {
    headerOf((await lines.next()).value as string | undefined)
    const rows: Record<string, ReturnType<typeof createHash>> = {}
    let hashes: Record<string, string> | undefined
    let table: string | undefined
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const line = next.value
      // Nothing comes after the hashes.
      if (hashes) throw new StartProblem(NOT_OURS)
      if (line.startsWith('{"table":')) {
        table = parse<{ table: string }>(line)?.table
        if (table === undefined) throw new StartProblem(NOT_OURS)
        rows[table] = createHash('sha256')
      } else if (line.startsWith('{"file":')) table = undefined
      else if (line.startsWith('{"hashes":')) hashes = parse<{ hashes: Record<string, string> }>(line)?.hashes
      else if (table !== undefined) rows[table]!.update(line).update('\n')
    }
    if (!hashes) throw new StartProblem(NOT_OURS)
    for (const [name, hash] of Object.entries(hashes))
      if (rows[name]?.digest('hex') !== hash) throw new StartProblem(DAMAGED)
  })

function headerOf(line: string | undefined): Header | OldHeader {
  const header = parse<Header | OldHeader>(line)
  if (header?.maestranza !== FORMAT && header?.maestranza !== 1) throw new StartProblem(NOT_OURS)
  return header
}

/**
 * Brings back what a backup holds into a database without companies, all of it or nothing, and compares every table
 * with what was taken. The file is read to its end before anything is written (`checkBackup`), unless the caller did
 * that: `checked`. A backup of an older version is brought up to date afterwards. Files go into the store before the
 * rows that name them are there for anybody; without one they are only held against their hashes.
 */
export async function restoreBackup(
  url: string,
  file: string,
  {
    folder = MIGRATIONS,
    passphrase,
    store,
    checked = false,
  }: { folder?: string; passphrase?: string | undefined; store?: Store; checked?: boolean } = {},
): Promise<Taken> {
  if (!checked) await checkBackup(file, passphrase)
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c datestyle=ISO' })
  await client.connect()
  try {
    return await readBackup(file, passphrase, (lines) => restoreLines(lines, { client, url, folder, store }))
  } finally {
    await client.end()
  }
}

async function restoreLines(
  reader: Lines,
  { client, url, folder, store }: { client: pg.Client; url: string; folder: string; store: Store | undefined },
): Promise<Taken> {
  const header = headerOf((await reader.next()).value as string | undefined)
  await emptyAt(client, url, folder, await journalOf(header, folder))

  await client.query('begin')
  const known = await tablesOf(client)
  const taken: Taken = { tables: 0, rows: 0, files: 0, lost: [] }
  const came = new Set<string>()
  let file: Incoming | undefined
  let hashes: Record<string, string> | undefined
  let into: { name: string; columns: string[] } | undefined
  let waiting: string[] = []
  const flush = async () => {
    if (file && (await keepIncoming(file, store))) came.add(pathOf(file))
    file = undefined
    if (!into || waiting.length === 0) return
    const columns = quoted(into.columns)
    await client.query(
      `insert into ${pg.escapeIdentifier(into.name)} (${columns})
         select ${columns} from jsonb_populate_recordset(null::${pg.escapeIdentifier(into.name)}, $1::jsonb)`,
      [`[${waiting.join(',')}]`],
    )
    taken.rows += waiting.length
    waiting = []
  }
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    const line = next.value
    if (line.startsWith('{"table":')) {
      await flush()
      const { table, columns } = parse<{ table: string; columns: string[] }>(line) ?? {}
      if (!columns || !known.some(({ name }) => name === table)) throw new StartProblem(NOT_OURS)
      into = { name: table!, columns }
      taken.tables += 1
    } else if (line.startsWith('{"file":')) {
      await flush()
      file = { ...parse<{ file: Key }>(line)!.file, parts: [] }
    } else if (line.startsWith('{"hashes":')) {
      await flush()
      hashes = parse<{ hashes: Record<string, string> }>(line)?.hashes
    } else if (file) {
      file.parts.push(Buffer.from(line, 'base64'))
    } else {
      waiting.push(line)
      if (waiting.length >= AT_ONCE) await flush()
    }
  }
  if (!hashes) throw new StartProblem(NOT_OURS)
  taken.files = came.size
  if (known.some(({ name }) => name === 'files'))
    taken.lost = (await namedFiles(client)).filter((each) => !came.has(pathOf(each))).map(({ name }) => name)
  await resumeNumbers(client)
  await client.query('commit')
  const now = await hashTables(url)
  const different = Object.keys(hashes).filter((table) => hashes[table] !== now[table])
  if (different.length > 0)
    throw new StartProblem(`Lo restaurado difiere del respaldo en: ${different.join(', ')}. No lo use.`)
  await migrateDatabase(url, folder)
  return taken
}

interface Incoming extends Key {
  parts: Buffer<ArrayBuffer>[]
}
/** Whether it is what it was. */
async function keepIncoming({ parts, ...key }: Incoming, store: Store | undefined): Promise<boolean> {
  if ((await hashOf(Readable.from(parts))) !== key.hash) return false
  await store?.put(key, new Blob(parts))
  return true
}

function parse<T>(line: string | undefined): T | undefined {
  try {
    return JSON.parse(line ?? '') as T
  } catch {
    return undefined
  }
}

interface Journal {
  entries: { when: number }[]
}
/** The migrations that a backup's tables have had. */
async function journalOf(header: Header | OldHeader, folder: string): Promise<Journal> {
  const journal = JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8')) as Journal
  const { entries } = journal
  const migrated =
    header.maestranza === FORMAT ? header.migrated : header.migrations === FOLDED_FROM ? FOLDED_AT : undefined
  if (migrated === FOLDED_AT) return { ...journal, entries: entries.slice(0, FOLDED_INTO) }
  if (migrated === undefined || migrated < entries[0]!.when)
    throw new StartProblem(`El respaldo no se puede restaurar. ${TOO_OLD}`)
  if (migrated > entries.at(-1)!.when)
    throw new StartProblem('El respaldo es de una versión más nueva de Maestranza: actualícela y vuelva a intentar.')
  return { ...journal, entries: entries.filter(({ when }) => when <= migrated) }
}

/** No tables but those of these migrations, and nothing in them. */
async function emptyAt(client: pg.Client, url: string, migrations: string, journal: Journal) {
  const { rows: found } = await client.query(`select to_regclass('public.companies') is not null as began`)
  if (found[0].began && (await client.query('select from companies limit 1')).rows.length > 0)
    throw new StartProblem(
      'La base de datos ya tiene empresas: restaure en una vacía (otra carpeta en DATA_DIR u otra base en DATABASE_URL).',
    )
  if (found[0].began) await dropOurs(client)
  const folder = await mkdtemp(join(tmpdir(), 'maestranza-restore-'))
  try {
    await cp(migrations, folder, { recursive: true })
    await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify(journal))
    await migrateDatabase(url, folder, { spreading: false })
    // Migrations may write rows of their own.
    const names = (await tablesOf(client)).map(({ name }) => name)
    await client.query(`truncate ${quoted(names)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** All that migrations made; not the schema itself, in which a cluster keeps things of its own. */
async function dropOurs(client: pg.Client) {
  const { rows } = await client.query<{ what: string }>(
    `select format('drop table %s cascade', string_agg(oid::regclass::text, ', ')) as what from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
     union all
     select format('drop function %s cascade', oid::regprocedure) from pg_proc p where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  for (const { what } of rows) await client.query(what)
  await client.query('drop schema drizzle cascade')
}

/** New rows are numbered after those brought back. */
async function resumeNumbers(client: pg.Client) {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  for (const { table, column, sequence } of rows)
    await client.query(
      `select setval($1, greatest((select max(${pg.escapeIdentifier(column)}) from ${pg.escapeIdentifier(table)}), 1),
         exists (select from ${pg.escapeIdentifier(table)}))`,
      [sequence],
    )
}
