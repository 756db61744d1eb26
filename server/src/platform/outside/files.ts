import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { showBytes } from '#contract/base/bytes.ts'
import type { FileContent } from '#contract/base/wire.ts'
import { appContext, type Database, type Db, one, row, rows } from '../database/db.ts'
import { ignore } from '../ignore.ts'
import type { CompanyJob } from '../operations/jobs.ts'
import { Problem } from '../problems.ts'
import { decodeImage } from './images.ts'
import { type Files, fromStore, hashOf, type Kept, type Key, openChecked, readChecked, type Store } from './store.ts'
import { filesTable } from './tables.ts'

/** A query for the columns that refer to files: every foreign key to them, and the logo of a company, which can have none. */
export const NAMING = `select r.relname::text as "table",
  (select array_agg(a.attname::text order by k.place) from unnest(c.conkey) with ordinality as k (attnum, place)
   join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum) as columns
  from pg_constraint c join pg_class r on r.oid = c.conrelid
  where c.contype = 'f' and c.confrelid = to_regclass('public.files')
  union select 'companies', array['id', 'logo_hash'] where to_regclass('public.files') is not null order by 1, 2`

/**
 * The files of each company. A file is announced in a row of its own, then kept, and only then named by the row that
 * needs it: whatever ends in between leaves at most a file that no row names, and the sweep finds it by the first.
 */
export class CompanyFiles implements Files {
  readonly #database: Database
  readonly store: Store
  readonly quota: number | null

  constructor(database: Database, store: Store, quota: number | null = null) {
    this.#database = database
    this.store = store
    this.quota = quota
  }

  keep = (company_id: number, content: Content, type: string) => this.#keep(company_id, content, type, this.quota)
  keepMade = (company_id: number, content: Content, type: string) => this.#keep(company_id, content, type, null)

  /** Outside every transaction: neither a slow disk nor a slow line holds a connection. */
  async #keep(
    company_id: number,
    content: Content,
    type: string,
    quota: number | null,
    added?: (file: Key) => void,
  ): Promise<Kept> {
    const blob = content instanceof Blob ? content : new Blob([content])
    const hash = await hashOf(blob.stream() as unknown as AsyncIterable<Uint8Array>)
    const { size } = blob
    const isNew = await this.#database.write(company_id, (db) => announce(db, company_id, { hash, size, type }, quota))
    if (isNew) added?.({ company_id, hash })
    await this.store.put({ company_id, hash }, blob).catch((error: unknown) => {
      throw fromStore(error)
    })
    return { hash, size, type }
  }

  ofCall() {
    const news: Key[] = []
    const keep = (quota: number | null) => (company_id: number, content: Content, type: string) =>
      this.#keep(company_id, content, type, quota, (file) => news.push(file))
    const { store, quota, open, read } = this
    return {
      ...{ store, quota, open, read },
      keep: keep(quota),
      keepMade: keep(null),
      ofCall: () => this.ofCall(),
      discard: async () => {
        for (const file of news.splice(0)) await discard(this.#database, store, file)
      },
    }
  }

  open = (company_id: number, file: Omit<Kept, 'type'>) => openChecked(this.store, { company_id, ...file })
  read = (company_id: number, file: Omit<Kept, 'type'>) => readChecked(this.store, { company_id, ...file })
}

type Content = Blob | Uint8Array<ArrayBuffer>

/** Bytes that a company has, those included that no row names any more and that wait for the sweep. */
export async function bytesOf(db: Db, company_id: number): Promise<number> {
  const found = await rows<{ bytes: number }>(
    db,
    sql`select coalesce(sum(size), 0)::float8 as bytes from ${filesTable} where company_id = ${company_id}`,
  )
  return one(found).bytes
}

/**
 * Puts the file into `files`, so that the sweep finds it whatever happens next. Gives whether it is new; a file that the
 * company has already adds nothing, and fits any quota.
 */
async function announce(db: Db, company_id: number, { hash, size, type }: Kept, quota: number | null) {
  // Waits for a sweep that is about to delete the same, and keeps the next one away.
  const known = await rows(
    db,
    sql`update ${filesTable} set unused_since = now(), times_kept = times_kept + 1, type = ${type}
        where company_id = ${company_id} and hash = ${hash} returning hash`,
  )
  if (known.length > 0) return false
  if (quota !== null) {
    // One after the other: uploads at the same time would each find room for themselves.
    await rows(db, sql`select pg_advisory_xact_lock(hashtextextended(${`files:${company_id}`}, 16))`)
    if ((await bytesOf(db, company_id)) + size > quota) throw quotaReached(quota)
  }
  const [added] = await rows<{ times_kept: number }>(
    db,
    sql`insert into ${filesTable} as f (company_id, hash, size, type, unused_since)
        values (${company_id}, ${hash}, ${size}, ${type}, now())
        on conflict (company_id, hash) do update
        set unused_since = excluded.unused_since, times_kept = f.times_kept + 1, type = excluded.type
        returning times_kept`,
  )
  return added!.times_kept === 1
}

const quotaReached = (quota: number) =>
  new Problem(
    413,
    `La empresa llegó a su límite de ${showBytes(quota)} de archivos. Pida más espacio a quien administra Maestranza.`,
  )

/** Removes a file that a refused call kept, unless a row names it or another call has kept it since. */
async function discard(database: Database, store: Store, { company_id, hash }: Key) {
  const named = await namedIn(database, company_id)
  await database.write(company_id, async (db) => {
    const gone = await rows(
      db,
      sql`delete from ${filesTable} f where company_id = ${company_id} and hash = ${hash}
            and times_kept = 1 and not (${named}) returning hash`,
    )
    if (gone.length > 0) await store.delete({ company_id, hash })
  })
}

/** Whether any row names the file `f`, as SQL. */
async function namedIn(database: Database, company_id: number): Promise<SQL> {
  const naming = await database.read(company_id, (db) =>
    rows<{ table: string; columns: string[] }>(db, sql.raw(NAMING)),
  )
  return sql.join(
    naming.map(
      ({ table, columns: [company, hash] }) =>
        sql`exists (select from ${sql.identifier(table)} n where n.${sql.identifier(company!)} = ${company_id}
              and n.${sql.identifier(hash!)} = f.hash)`,
    ),
    sql` or `,
  )
}

/** Where a row has its file: in the store, or still in a column of its own. */
export interface Where {
  hash: string | null
  size: number | null
  /** Of before files left the database; where there is one, it is the newer. */
  content: Buffer | null
}

const filesOf = (db: Db) => {
  const { files } = appContext(db)
  if (!files) throw new Error('Nobody keeps files here')
  return files
}

/** To be sent once the connection is free again, as it is read. */
export function fileContent(
  db: Db,
  company_id: number,
  { content, hash, size }: Where,
): Pick<FileContent, 'content' | 'size'> {
  if (content) return { content: new Uint8Array(content), size: content.length }
  const files = filesOf(db)
  return { content: () => files.open(company_id, { hash: hash!, size: size! }), size: size! }
}

/** An image for a document, read when the document is made. */
export function imageContent(db: Db, company_id: number, { content, hash, size }: Where) {
  if (content) return async () => content
  const files = filesOf(db)
  return () => files.read(company_id, { hash: hash!, size: size! })
}

const SMALL = { width: 320, height: 320 }

/** A small one of a picture, where it is worth it. */
export async function thumbnailOf(bytes: Buffer, type: string) {
  if (!type.startsWith('image/') || bytes.length < 20_000) return undefined
  const made = await decodeImage('file', { bytes, maxPixels: 60e6, maxSide: 16_000, fit: SMALL })
  return made.content.length < bytes.length ? made : undefined
}

/** A column of contents, and the one beside it that names a file instead. */
export interface Moved {
  table: PgTable
  /** What company a row is of. */
  company?: string
  from: string
  to: string
  /** Another one that names a small picture. */
  thumb?: string
  /** What its content is, as a column says or as it is seen. */
  type: { column: string } | ((content: Buffer) => string)
}

const LOT = 50
/** The next one by the clock goes on from there. */
const LONGEST_MOVE = 8 * 60_000

/** Empties the columns that held files before, row by row: whatever ends it in between, the next goes on. */
export const movingJob = (moves: Moved[]): CompanyJob => ({
  name: 'files-move',
  schedule: '*/10 * * * *',
  async runFor(database, company_id) {
    const end = Date.now() + LONGEST_MOVE
    for (const moved of moves) while (Date.now() < end && (await moveLot(database, company_id, moved, end)));
  },
})

/** Whether there may be more. */
async function moveLot(database: Database, company_id: number, moved: Moved, end: number): Promise<boolean> {
  const { table, company = 'company_id', from, type } = moved
  const old = sql.identifier(from)
  const mine = sql`${sql.identifier(company)} = ${company_id} and ${old} is not null`
  const found = await database.read(company_id, (db) =>
    rows<{ at: string }>(db, sql`select ctid::text as at from ${table} where ${mine} limit ${LOT}`),
  )
  let done = 0
  for (const { at } of found) {
    if (Date.now() > end) return false
    // One at a time is in memory.
    const said = 'column' in type ? sql.identifier(type.column) : sql`null`
    const held = await database.read(company_id, (db) =>
      row<{ content: Buffer; type: string }>(
        db,
        sql`select ${old} as content, ${said} as type from ${table} where ctid = ${at}::tid and ${mine}`,
      ),
    )
    if (!held) continue
    const what = 'column' in type ? held : { ...held, type: type(held.content) }
    if (await moveOne(database, company_id, moved, { at, ...what })) done += 1
  }
  return found.length === LOT && done > 0
}

async function moveOne(
  database: Database,
  company_id: number,
  { table, company = 'company_id', from, to, thumb }: Moved,
  { at, content, type }: { at: string; content: Buffer; type: string },
): Promise<boolean> {
  const { files } = database.context
  if (!files) return false
  const kept = await files.keepMade(company_id, new Uint8Array(content), type)
  // One that cannot be decoded any more is shown as it is.
  const small = thumb
    ? await thumbnailOf(content, type).catch(ignore('A file without a small picture is shown by its name.'))
    : undefined
  const smallKept = small && (await files.keepMade(company_id, new Uint8Array(small.content), small.type))
  const set = thumb ? sql`, ${sql.identifier(thumb)} = ${smallKept?.hash ?? null}` : sql``
  // A row that changed meanwhile is at another place, or holds something else.
  const changed = await database.write(company_id, (db) =>
    rows(
      db,
      sql`update ${table} set ${sql.identifier(from)} = null, ${sql.identifier(to)} = ${kept.hash}${set}
          where ctid = ${at}::tid and ${sql.identifier(company)} = ${company_id}
            and sha256(${sql.identifier(from)}) = decode(${kept.hash}, 'hex') returning 1 as moved`,
    ),
  )
  return changed.length > 0
}

/** By night: what no row has named for so many days goes. Until then a backup or an older moment may still name it. */
export const sweepJob = (days: number): CompanyJob => ({
  name: 'files-sweep',
  schedule: '17 4 * * *',
  runFor: (database, company_id) => sweepFiles(database, company_id, days),
})

export async function sweepFiles(database: Database, company_id: number, days: number, now = new Date()) {
  const { files } = database.context
  if (!files) return
  const at = now.toISOString()
  // What is in the store and in no row came with a moment that was undone; it has its days as well.
  for await (const lot of files.store.list(company_id))
    if (lot.length > 0)
      await database.write(company_id, (db) =>
        rows(
          db,
          sql`insert into ${filesTable} (company_id, hash, size, type, unused_since)
              select ${company_id}, hash, size, 'application/octet-stream', ${at}::timestamptz
              from unnest(${sql.param(lot.map(({ hash }) => hash))}::text[], ${sql.param(lot.map(({ size }) => size))}::bigint[])
                as n (hash, size)
              on conflict (company_id, hash) do nothing`,
        ),
      )
  const named = await namedIn(database, company_id)
  await database.write(company_id, async (db) => {
    const mine = sql`f.company_id = ${company_id}`
    await rows(
      db,
      sql`update ${filesTable} f set unused_since = null where ${mine} and unused_since is not null and (${named})`,
    )
    await rows(
      db,
      sql`update ${filesTable} f set unused_since = ${at} where ${mine} and unused_since is null and not (${named})`,
    )
  })
  const before = new Date(now.getTime() - days * 86_400_000).toISOString()
  const old = await database.read(company_id, (db) =>
    rows<{ hash: string }>(
      db,
      sql`select hash from ${filesTable} where company_id = ${company_id} and unused_since < ${before}`,
    ),
  )
  // Whoever keeps the same now waits for the end of this, and then keeps it anew.
  for (const { hash } of old)
    await database.write(company_id, async (db) => {
      const gone = await rows(
        db,
        sql`delete from ${filesTable} f where company_id = ${company_id} and hash = ${hash} and unused_since < ${before}
              and not (${named}) returning hash`,
      )
      if (gone.length > 0) await files.store.delete({ company_id, hash })
    })
}
