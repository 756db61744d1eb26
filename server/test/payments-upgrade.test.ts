import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { MIGRATIONS, migrateDatabase } from '../src/platform/database/migrate.ts'
import { databaseUrl } from './global-setup.ts'
import { brokenInvariants } from './invariants.ts'

/* Migration 0054 on documents that were paid before there were payments. */

const UPGRADE = '0054_payments'

/** Documents as the release before left them; states of `payables` say what is paid. */
const RECORDED = `
  insert into companies (id, name) values (1, 'Transportes');
  insert into workshops (company_id, id, name) values (1, 1, 'Central');
  insert into trucks (company_id, id, workshop_id, code, patent, state) values (1, 1, 1, 'C-1', 'AAAA11', 'active');
  insert into providers (company_id, id, name) values (1, 1, 'Frenos Sur'), (1, 2, 'Repuestos Norte');
  insert into provider_services (company_id, id, provider_id, code, name, unit_price) values (1, 1, 1, 'S-1', 'Rectificar', 1000);
  insert into warehouses (company_id, id, workshop_id, code, name) values (1, 1, 1, 'B', 'Bodega');
  insert into work_orders (company_id, id, workshop_id, number, status, position, truck_id, has_warehouse, planned, place, priority)
    select 1, n, 1, n, 'PENDING', n, 1, false, false, 'WORKSHOP', 'medium' from generate_series(1, 9) n;
  insert into work_order_services (company_id, work_order_id, provider_id, service_id, quantity, unit_price, amount, day)
    select 1, n, 1, 1, 1, 1000, 1000, '2026-05-02' from generate_series(1, 9) n;
  insert into invoices (company_id, id, work_order_id, workshop_id, provider_id, bill_invoice, date, document, payment_type,
      tax_type, net, follows_services, payment_said, updated_at)
    select 1, n, n, 1, 1, 'bill', '2026-05-02', 'F-' || n, case when n in (8, 9) then 'Cash' else 'Credit' end,
      case n when 7 then 'exempt' else '19' end, 1000, n <> 4, n <> 8, '2026-05-03' from generate_series(1, 9) n;
  insert into invoice_shares (company_id, work_order_id, invoice_id, provider_id, amount)
    select 1, n, n, 1, 1000 from generate_series(1, 9) n;
  -- 1 as it was paid; 2 nobody said when; 3 its services changed since; 4 a note came before; 5 it was edited since;
  -- 6 is only approved; 7 has no tax, and its order changed without its services; 8 in cash; 9 in cash, and said to be paid.
  update invoices set updated_at = '2026-06-20' where id = 5;
  insert into invoice_notes (company_id, id, invoice_id, provider_id, kind, date, document, amount, created_at, updated_at)
    values (1, 1, 4, 1, 'credit', '2026-05-05', 'NC-1', 250, '2026-05-05', '2026-05-05');
  insert into service_adjustments (company_id, work_order_id, invoice_id, note_id, provider_id, day, amount)
    values (1, 4, 4, 1, 1, '2026-05-05', -250);
  insert into activity (company_id, at, entity, entity_id, action, changes) values
    (1, '2026-06-20', 'work_order', 3, 'updated', '{"services": ["Rectificar × 2", "Rectificar × 1"]}'),
    (1, '2026-06-20', 'work_order', 7, 'updated', '{"description": ["a", "b"]}');
  insert into transactions (company_id, id, workshop_id, warehouse_id, type, number, "typeTrasactionId", "typeInvoice", document,
      "providerId", payment_type, date, subtotal, tax, total, payment_said, created_at, returns_id, voided_at) values
    (1, 1, 1, 1, 'entry', 1, 1, 'bill', 'C-1', 2, 'Credit', '2026-05-02', 1000, 190, 1190, true, '2026-05-02', null, null),
    (1, 2, 1, 1, 'entry', 2, 1, 'bill', 'C-2', 2, 'Credit', '2026-05-02', 1000, 190, 1190, true, '2026-05-02', null, null),
    (1, 3, 1, 1, 'entry', 3, 1, 'bill', 'C-3', 2, 'Credit', '2026-05-02', 1000, 190, 1190, true, '2026-05-02', null, '2026-05-09'),
    (1, 4, 1, 1, 'exit', 1, 7, null, 'D-1', 2, null, '2026-06-20', 300, 0, 300, false, '2026-06-20', 2, null);
  insert into payables (company_id, invoice_id, transaction_id, state, state_at, user_name, paid_on) values
    (1, 1, null, 'paid', '2026-06-02T02:00:00Z', 'Rosa', null), (1, 2, null, 'paid', null, null, null),
    (1, 3, null, 'paid', '2026-06-02', 'Rosa', '2026-05-30'), (1, 4, null, 'paid', '2026-06-02', 'Rosa', '2026-05-30'),
    (1, 5, null, 'paid', '2026-06-02', 'Rosa', '2026-05-30'), (1, 6, null, 'approved', '2026-06-02', 'Rosa', null),
    (1, 7, null, 'paid', '2026-06-02', 'Rosa', '2026-05-30'), (1, 9, null, 'paid', '2026-06-02', 'Rosa', '2026-05-30'),
    (1, null, 1, 'paid', '2026-06-02', 'Rosa', '2026-05-30'), (1, null, 2, 'paid', '2026-06-02', 'Rosa', '2026-05-30'),
    (1, null, 3, 'paid', '2026-05-05', 'Rosa', '2026-05-05');`

let server: pg.Client
let owner: pg.Pool
let url: string
let folder: string
beforeAll(async () => {
  server = new pg.Client({ connectionString: inject('serverUrl') })
  await server.connect()
  const name = `payments_${randomUUID().replaceAll('-', '')}`
  await server.query(`create database ${name}`)
  url = databaseUrl(inject('serverUrl'), name)
  owner = new pg.Pool({ connectionString: url, max: 2 })
  folder = await mkdtemp(join(tmpdir(), 'maestranza-upgrade-'))
  await cp(MIGRATIONS, folder, { recursive: true })
  const journal = join(folder, 'meta', '_journal.json')
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'))
  const before = entries.slice(
    0,
    entries.findIndex(({ tag }: { tag: string }) => tag === UPGRADE),
  )
  await writeFile(journal, JSON.stringify({ ...rest, entries: before }))
  await migrateDatabase(url, folder)
  await owner.query(RECORDED)
  await migrateDatabase(url)
})
afterAll(async () => {
  await owner.end()
  await server.end()
  await rm(folder, { recursive: true })
})

describe('the upgrade that begins to keep payments', () => {
  it('makes one for each document that somebody said is paid, and tells which amounts are doubtful', async () => {
    const { rows } = await owner.query({
      text: `select coalesce(i.document, t.document) as document, k.amount::int, k.paid_on::text, k.user_name, k.is_doubtful from payments k
        left join invoices i on i.company_id = k.company_id and i.id = k.invoice_id
        left join transactions t on t.company_id = k.company_id and t.id = k.transaction_id order by document`,
      rowMode: 'array',
    })
    expect(rows).toEqual([
      ['C-1', 1190, '2026-05-30', 'Rosa', false],
      ['C-2', 890, '2026-05-30', 'Rosa', true],
      // Late in the evening of the day before, where the company is.
      ['F-1', 1190, '2026-06-01', 'Rosa', false],
      ['F-2', 1190, '2026-05-02', null, true],
      ['F-3', 1190, '2026-05-30', 'Rosa', true],
      ['F-4', 892, '2026-05-30', 'Rosa', false],
      ['F-5', 1190, '2026-05-30', 'Rosa', true],
      ['F-7', 1000, '2026-05-30', 'Rosa', false],
      ['F-9', 1190, '2026-05-30', 'Rosa', false],
    ])
  })

  it('leaves nothing of payments that does not agree', async () => {
    const broken = (await brokenInvariants(owner)).filter((one) => /payments|payment is/.test(one))
    expect(broken).toEqual([])
  })

  it('is followed by `npm run verify`, which names the doubtful ones until they are registered again', async () => {
    const { stdout, lines } = await verify()
    expect(stdout).toContain('monto dudoso')
    expect(lines).toEqual([
      'Empresa 1, Frenos Sur, documento F-2: 1190 pesos, pagados el 02-05-2026',
      'Empresa 1, Frenos Sur, documento F-3: 1190 pesos, pagados el 30-05-2026',
      'Empresa 1, Frenos Sur, documento F-5: 1190 pesos, pagados el 30-05-2026',
      'Empresa 1, Repuestos Norte, documento C-2: 890 pesos, pagados el 30-05-2026',
    ])
    await owner.query('update payments set is_doubtful = false where amount = 1190')
    expect((await verify()).lines).toEqual([
      'Empresa 1, Repuestos Norte, documento C-2: 890 pesos, pagados el 30-05-2026',
    ])
  })

  it('is held to what payments come to: `npm run verify` finds a document that is wrongly paid', async () => {
    const NAME = '✗ a document with payments is paid when they are what it comes to, or more, and owed otherwise: 1'
    expect((await verify()).stdout).not.toContain(NAME)
    await owner.query(`update payments set amount = 1000 where invoice_id = 1`)
    expect((await verify()).stdout).toContain(NAME)
    await owner.query(`update payments set amount = 1190 where invoice_id = 1`)
  })
})

/** Runs the command; `lines` are those about documents. It exits with 1, because the rows above are no whole company. */
async function verify() {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/verify.ts'], {
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: folder },
  }).catch((error: { stdout: string }) => error)
  const lines = stdout.split('\n').flatMap((line) => (/^ +Empresa/.test(line) ? [line.trim()] : []))
  return { stdout, lines }
}
