import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '../../../test/global-setup.ts'
import { restoreBackup, writeBackup } from '../running/backup.ts'
import { migrateDatabase } from './migrate.ts'

/** The 22 migrations that were folded into two, as one script, with what drizzle noted of them. */
const BEFORE_THE_FOLD = gunzipSync(
  readFileSync(new URL('../../../test/fixtures/before-the-fold.sql.gz', import.meta.url)),
).toString()

let server: pg.Client
beforeAll(async () => {
  server = new pg.Client({ connectionString: inject('serverUrl') })
  await server.connect()
})
afterAll(() => server.end())

const at = async <T>(url: string, work: (client: pg.Client) => Promise<T>) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const companiesOf = (url: string) =>
  at(url, async (client) => (await client.query({ text: 'select name from companies', rowMode: 'array' })).rows)
async function newDatabase() {
  const name = `fold_${randomUUID().replaceAll('-', '')}`
  await server.query(`create database ${name}`)
  return databaseUrl(inject('serverUrl'), name)
}
/** As the old migrations left it, with a company in it. */
async function oldDatabase() {
  const url = await newDatabase()
  await at(url, async (client) => {
    await client.query(BEFORE_THE_FOLD)
    await client.query(`insert into companies (name) values ('De antes')`)
  })
  return url
}
/** What drizzle noted, and all that the catalogue says about the tables. */
const schemaOf = (url: string) =>
  at(url, async (client) => {
    const list = async (query: string) => (await client.query({ text: query, rowMode: 'array' })).rows
    return {
      applied: await list('select hash, created_at from drizzle.__drizzle_migrations order by created_at'),
      columns: await list(
        `select c.relname, c.relacl::text, c.reloptions, c.relrowsecurity, a.attname, a.attacl::text,
           format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid)
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') order by c.relname, a.attnum`,
      ),
      constraints: await list(
        `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
         where connamespace = 'public'::regnamespace order by 1, 2`,
      ),
      indexes: await list(`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
      policies: await list('select tablename, policyname, qual from pg_policies order by 1, 2'),
      views: await list(`select viewname, definition from pg_views where schemaname = 'public' order by 1`),
      functions: await list(
        `select oid::regprocedure::text, pg_get_functiondef(oid), proacl::text from pg_proc
         where pronamespace = 'public'::regnamespace and prokind = 'f' order by 1`,
      ),
    }
  })

describe('a database from before the migrations were folded', () => {
  it('is taken over as it stands, and is then like a new one', async () => {
    const url = await oldDatabase()
    const file = join(tmpdir(), `maestranza-${randomUUID()}`)
    await writeBackup(url, file)
    await migrateDatabase(url)
    const fresh = await schemaOf(databaseUrl(inject('serverUrl'), inject('template')))
    expect(await schemaOf(url)).toEqual(fresh)
    expect(await companiesOf(url)).toEqual([['De antes']])
    // A backup of the old database, told as new ones are and as old ones were.
    const [first = '', ...lines] = gunzipSync(await readFile(file))
      .toString()
      .split('\n')
    const older = { ...JSON.parse(first), maestranza: 1, migrations: 22, migrated: undefined }
    for (const header of [first, JSON.stringify(older)]) {
      await writeFile(file, gzipSync([header, ...lines].join('\n')))
      const restored = await newDatabase()
      await restoreBackup(restored, file)
      expect(await schemaOf(restored)).toEqual(fresh)
      expect(await companiesOf(restored)).toEqual([['De antes']])
    }
    await writeFile(file, gzipSync([JSON.stringify({ ...older, migrations: 21 }), ...lines].join('\n')))
    await expect(restoreBackup(await newDatabase(), file)).rejects.toThrow('anterior a la 0.1.0')
    await rm(file)
  }, 60_000)

  it('is refused when it stood before their end, and nothing is touched', async () => {
    const url = await oldDatabase()
    await at(url, (client) =>
      client.query(`delete from drizzle.__drizzle_migrations
        where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`),
    )
    const before = await schemaOf(url)
    await expect(migrateDatabase(url)).rejects.toThrow('anterior a la 0.1.0')
    expect(await schemaOf(url)).toEqual(before)
  })
})
