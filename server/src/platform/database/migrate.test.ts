import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '../../../test/global-setup.ts'
import { openStore } from '../outside/store.ts'
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
/** Orders, readings, documents and services as they were kept then. */
const RECORDED = `
  insert into workshops (company_id, id, name) values (1, 1, 'Central');
  insert into trucks (company_id, id, workshop_id, code, patent, state) values
    (1, 1, 1, 'C-1', 'AAAA11', 'active'), (1, 2, 1, 'C-2', 'AAAA22', 'inactive');
  insert into supplies (company_id, id, workshop_id, code, name, cost) values (1, 1, 1, 'I-1', 'Aceite', 100);
  insert into supply_costs (company_id, supply_id, cost, source) values (1, 1, 100, 'manual');
  insert into providers (company_id, id, name) values (1, 1, 'Uno'), (1, 2, 'Dos');
  insert into provider_services (company_id, id, provider_id, code, name, unit_price) values
    (1, 1, 1, 'S-1', 'Soldar', 10), (1, 2, 2, 'S-2', 'Pintar', 10);
  insert into warehouses (company_id, id, workshop_id, code, name) values (1, 1, 1, 'B', 'Bodega');
  insert into work_orders (company_id, id, workshop_id, number, status, position, truck_id, has_warehouse, planned, place,
    priority, waiting_for_parts, kilometer, finalized_at) values
    (1, 1, 1, 11, 'FINALIZED', 1, 1, false, false, 'WORKSHOP', 'medium', true, 1500, now()),
    (1, 2, 1, 12, 'PENDING', 2, 1, false, false, 'WORKSHOP', 'medium', true, null, null);
  insert into truck_readings (company_id, id, truck_id, date, km, source, note) values
    (1, 1, 1, '2026-05-01', 1000, 'work_order', 'OT-000011'), (1, 2, 1, '2026-05-02', 1500, 'work_order', 'OT-000011'),
    (1, 3, 2, '2026-05-02', 900, 'manual', null);
  insert into work_order_services (company_id, id, work_order_id, provider_id, service_id, quantity, unit_price, amount, created_at)
    values (1, 1, 1, 1, 1, 1, 10, 10, '2026-06-01T02:00:00Z'), (1, 2, 1, 2, 2, 1, 10, 10, '2026-06-01T02:00:00Z');
  insert into invoices (company_id, work_order_id, workshop_id, provider_id, bill_invoice, date, document, payment_type)
    values (1, 1, 1, 2, 'bill', '2026-06-20', 'F-1', 'Cash');
  insert into transactions (company_id, id, workshop_id, warehouse_id, type, "typeTrasactionId", date, subtotal, tax, total)
    values (1, 7, 1, 1, 'entry', 1, '2026-05-01', 0, 0, 0), (1, 9, 1, 1, 'exit', 5, '2026-05-01', 0, 0, 0);
  insert into movements (company_id, id, warehouse_id, supply_id, at, quantity, valued, unit_cost, posted_value,
    "typeTrasactionId", origin, origin_id, value, balance, balance_value, average_cost) values
    (1, 1, 1, 1, '2026-05-01', 1, true, 1, 1, 1, null, null, 1, 1, 1, 1),
    (1, 2, 1, 1, '2026-05-02', 1, true, 1, 1, 2, 'work_order', 1, 1, 2, 2, 1);`

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
  // On a cluster the new one is spread.
  it.skipIf(inject('nodes').length > 1)(
    'is taken over as it stands, and is then like a new one',
    async () => {
      const url = await oldDatabase()
      const file = join(tmpdir(), `maestranza-${randomUUID()}`)
      await writeBackup(url, openStore({ folder: tmpdir() }), file)
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
    },
    60_000,
  )

  it('keeps what was recorded in it, and what is new of that is filled in', async () => {
    const url = await oldDatabase()
    const after = await at(url, async (client) => {
      await client.query(RECORDED)
      await migrateDatabase(url)
      const list = async (query: string) => (await client.query({ text: query, rowMode: 'array' })).rows
      return {
        counters: await list('select kind, last from counters order by 1'),
        numbers: await list('select type, number from transactions order by id'),
        retired: await list('select code, retired_at = updated_at from trucks order by id'),
        readings: await list('select km::int, work_order_id::int from truck_readings order by id'),
        waits: await list('select work_order_id::int, until_at from work_order_waits'),
        services: await list('select id::int, day::text from work_order_services order by id'),
        follows: await list('select id::int, follows from movements order by id'),
      }
    })
    expect(after).toEqual({
      counters: [
        ['entry', 7],
        ['exit', 9],
        ['work_order', 12],
      ],
      numbers: [
        ['entry', 7],
        ['exit', 9],
      ],
      retired: [
        ['C-1', null],
        ['C-2', true],
      ],
      // Of two that an order brought, the last is what it says.
      readings: [
        [1000, null],
        [1500, 1],
        [900, null],
      ],
      waits: [[2, null]],
      // Late in the evening it is tomorrow already in UTC; an invoice has its own day.
      services: [
        [1, '2026-05-31'],
        [2, '2026-06-20'],
      ],
      follows: [
        [1, false],
        [2, true],
      ],
    })
  })

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

// A cluster keeps few companies in each part of a table.
describe.skipIf(inject('nodes').length > 1)('the statistics of a table', () => {
  it('let the planner expect many rows of a company that came later', async () => {
    const url = await newDatabase()
    await migrateDatabase(url)
    const expected = await at(url, async (client) => {
      const addCompany = (id: number) =>
        client.query(`insert into companies (id, name) overriding system value values (${id}, 'Empresa ${id}');
          insert into providers (company_id, id, name) select ${id}, n, 'Proveedor ' || n from generate_series(1, 1000) n`)
      for (const id of [1, 2, 3]) await addCompany(id)
      await client.query('analyze providers')
      await addCompany(4)
      const { rows } = await client.query('explain (format json) select from providers where company_id = 4')
      return rows[0]['QUERY PLAN'][0].Plan['Plan Rows']
    })
    expect(expected).toBeGreaterThan(500)
  })

  it('list one company alone in every table', async () => {
    const others = await at(databaseUrl(inject('serverUrl'), inject('template')), (client) =>
      client.query(`select attrelid::regclass::text as name from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and attname = 'company_id'
          and attstattarget is distinct from 1`),
    )
    expect(others.rows).toEqual([])
  })
})
