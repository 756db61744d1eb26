import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { evaluate } from '../server/src/alerts/evaluation.ts'
import { createApp } from '../server/src/app.ts'
import { startEmbeddedPostgres } from '../server/src/platform/running/embedded-postgres.ts'
import { brokenInvariants } from '../server/test/invariants.ts'

/**
 * `node scripts/run.mjs bench/alerts.ts [trucks]`
 *
 * 2,000 trucks with a year and a half of weekly readings and 10 alerts each (every tenth on the unit it pulls), worked
 * out by the hourly job: the first time, when nothing changed, and when every meter moved.
 */

const TRUCKS = Number(process.argv[2] ?? 2000)
const LIMIT = 2000

const folder = await mkdtemp(join(tmpdir(), 'maestranza-alerts-'))
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'))
let slowest = 0
try {
  const app = await createApp({ databaseUrl: postgres.url, log: true })
  const owner = new pg.Client({ connectionString: postgres.url })
  owner.on('error', () => {})
  await owner.connect()
  await owner.query(`
    insert into companies (id, name) overriding system value values (1, 'Grande');
    insert into workshops (company_id, id, name) overriding system value values (1, 1, 'Taller');
    insert into trucks (company_id, id, workshop_id, code, patent, mileage) overriding system value
      select 1, n, 1, 'T' || n, 'AA' || n, 80 * 7 * 300 from generate_series(1, ${TRUCKS}) n;
    insert into truck_readings (company_id, truck_id, date, km, source)
      select 1, n, now() - (80 - w) * interval '7 days' - interval '1 hour', w * 7 * 300, 'manual'
      from generate_series(1, ${TRUCKS}) n, generate_series(0, 80) w;
    insert into coupled (company_id, id, workshop_id, patent) overriding system value
      select 1, n, 1, 'JJ' || n from generate_series(1, ${TRUCKS}) n;
    insert into couplings (company_id, truck_id, coupled_id, from_at) select 1, n, n, now() - interval '500 days'
      from generate_series(1, ${TRUCKS}) n;
    insert into alerts (company_id, truck_id, coupled_id, name, date, days, kilometers, kilometers_advance, emails)
      select 1, case when k < 10 then n end, case when k = 10 then n end, 'Alerta ' || k,
        case when k % 3 <> 1 then current_date + (n * 7 + k * 31) % 400 - 20 end, case when k % 3 <> 1 then 15 end,
        case when k % 3 <> 0 then 168000 + (n * 131 + k * 977) % 60000 - 3000 end, case when k % 3 <> 0 then 500 end,
        array['taller@x.cl', 'persona' || n % 50 || '@x.cl']
      from generate_series(1, ${TRUCKS}) n, generate_series(1, 10) k;
    analyze`)
  const company = { company_id: 1, time_zone: 'America/Santiago' }
  const measure = async (what: string, ms = 0) => {
    const began = performance.now()
    const { changed, fresh } = await app.database.write(1, (db) => evaluate(db, company, new Date(Date.now() + ms)))
    const took = Math.round(performance.now() - began)
    slowest = Math.max(slowest, took)
    console.log(`${what}: ${took} ms, ${changed} changed, ${fresh.length} events`)
  }
  console.log(`${TRUCKS} trucks, ${TRUCKS * 10} alerts`)
  await measure('first run')
  await measure('nothing changed')
  await owner.query(`
    insert into truck_readings (company_id, truck_id, date, km, source) select 1, id, now(), mileage + 700, 'manual' from trucks;
    update trucks set mileage = mileage + 700`)
  await measure('every meter moved')
  await measure('a month later', 30 * 86_400_000)
  const began = performance.now()
  await app.database.write(1, (db) => evaluate(db, company, new Date(), { trucks: [7] }))
  console.log(`one reading: ${Math.round(performance.now() - began)} ms`)
  console.log('broken invariants:', await brokenInvariants(owner as never))
  await owner.end()
  await app.close()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
console.log(slowest < LIMIT ? `under ${LIMIT} ms` : `SHORT: ${slowest} ms`)
process.exit(slowest < LIMIT ? 0 : 1)
