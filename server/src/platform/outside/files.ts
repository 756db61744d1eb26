import { sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { FileContent } from '#contract/base/wire.ts'
import { type Database, type Db, execute, row, rows, surroundingsOf } from '../database/db.ts'
import { filesTable } from '../database/tables.ts'
import type { CompanyJob } from '../operations/jobs.ts'
import { NAMING } from '../running/named-files.ts'
import { decodeImage } from './images.ts'
import { type Files, fromStore, hashOf, type Kept, openChecked, readChecked, type Store } from './store.ts'

/**
 * The files of each company. A file is announced in a row of its own, then kept, and only then named by the row that
 * needs it: whatever ends in between leaves at most a file that no row names, and the sweep finds it by the first.
 */
export class CompanyFiles implements Files {
  readonly #database: Database
  readonly store: Store

  constructor(database: Database, store: Store) {
    this.#database = database
    this.store = store
  }

  /** Outside every transaction: neither a slow disk nor a slow line holds a connection. */
  async keep(company_id: number, content: Blob | Uint8Array<ArrayBuffer>, type: string): Promise<Kept> {
    const blob = content instanceof Blob ? content : new Blob([content])
    const hash = await hashOf(blob.stream() as unknown as AsyncIterable<Uint8Array>)
    const { size } = blob
    // Waits for a sweep that is about to delete the same, and keeps the next one away.
    await this.#database.write(company_id, (db) =>
      rows(
        db,
        sql`insert into ${filesTable} (company_id, hash, size, type, unused_since)
            values (${company_id}, ${hash}, ${size}, ${type}, now())
            on conflict (company_id, hash) do update set unused_since = excluded.unused_since, type = excluded.type`,
      ),
    )
    await this.store.put({ company_id, hash }, blob).catch((error: unknown) => {
      throw fromStore(error)
    })
    return { hash, size, type }
  }

  open = (company_id: number, file: Omit<Kept, 'type'>) => openChecked(this.store, { company_id, ...file })
  read = (company_id: number, file: Omit<Kept, 'type'>) => readChecked(this.store, { company_id, ...file })
}

/** Where a row has its file: in the store, or still in a column of its own. */
export interface Where {
  hash: string | null
  size: number | null
  /** Of before files left the database; where there is one, it is the newer. */
  content: Buffer | null
}

const filesOf = (db: Db) => {
  const { files } = surroundingsOf(db)
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
  const { files } = database.surroundings
  if (!files) return false
  const kept = await files.keep(company_id, new Uint8Array(content), type)
  // One that cannot be decoded any more is shown as it is.
  const small = thumb ? await thumbnailOf(content, type).catch(() => undefined) : undefined
  const smallKept = small && (await files.keep(company_id, new Uint8Array(small.content), small.type))
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
  const { files } = database.surroundings
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
  const naming = await database.read(company_id, (db) =>
    rows<{ table: string; columns: string[] }>(db, sql.raw(NAMING)),
  )
  const named = sql.join(
    naming.map(
      ({ table, columns: [company, hash] }) =>
        sql`exists (select from ${sql.identifier(table)} n where n.${sql.identifier(company!)} = ${company_id}
              and n.${sql.identifier(hash!)} = f.hash)`,
    ),
    sql` or `,
  )
  await database.write(company_id, async (db) => {
    const mine = sql`f.company_id = ${company_id}`
    await execute(
      db,
      sql`update ${filesTable} f set unused_since = null where ${mine} and unused_since is not null and (${named})`,
    )
    await execute(
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
