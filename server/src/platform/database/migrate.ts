import { fileURLToPath } from 'node:url'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { StartProblem } from '../problems.ts'
import { isCluster } from './db.ts'
import { forMigrations, spread } from './spread.ts'

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))
/** Any number will do, as long as every instance takes the same. */
export const START_LOCK = 7_214_903

/** The first two migrations are 22 older ones folded together: when the last of those was made. */
export const FOLDED_AT = 1_794_734_434_118
export const FOLDED_INTO = 2
export const TOO_OLD =
  'Viene de una versión de prueba de Maestranza, anterior a la 0.1.0, y esta no sabe ponerla al día: ' +
  'restaure un respaldo de la 0.1.0 o posterior, o empiece con una base de datos nueva.'

/**
 * Brings the tables up to date, as their owner, and on a cluster spreads those that are new; instances that start together
 * go one after the other.
 */
export async function migrateDatabase(url: string, folder = MIGRATIONS, { spreading = true } = {}) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [START_LOCK])
    await takeOver(client, readMigrationFiles({ migrationsFolder: folder }))
    await migrate(drizzle(await forMigrations(client)), { migrationsFolder: folder })
    if (spreading) await spread(client)
    await keepStatisticsOfCompaniesShort(client)
  } finally {
    await client.end()
  }
}

/**
 * The planner takes a list of the commonest values for all there are when the table has few of them, and expects one row of
 * a company that came after the statistics were gathered: pages of that company then take seconds. With a list of one value
 * it expects of any other company its share of the rest. See decision 0030.
 */
async function keepStatisticsOfCompaniesShort(client: pg.Client) {
  // The parts of a spread table are on the nodes, with few companies each, and a cluster does not let them be changed.
  if (await isCluster(client)) return
  const { rows } = await client.query<{ table: string }>(
    `select c.oid::regclass::text as table from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'company_id'
       and not a.attisdropped and a.attstattarget is distinct from 1`,
  )
  for (const { table } of rows) {
    await client.query(`alter table ${table} alter column company_id set statistics 1`)
    await client.query(`analyze ${table} (company_id)`)
  }
}

/** A database at the end of the folded migrations has their tables: from here on it counts as one made by the two. */
async function takeOver(client: pg.Client, migrations: MigrationMeta[]) {
  const { rows: found } = await client.query(`select to_regclass('drizzle.__drizzle_migrations') is not null as began`)
  if (!found[0].began) return
  const { rows } = await client.query('select max(created_at) as last from drizzle.__drizzle_migrations')
  const { last } = rows[0]
  if (last === null || Number(last) >= migrations[0]!.folderMillis) return
  if (Number(last) !== FOLDED_AT) throw new StartProblem(`La base de datos no se puede abrir. ${TOO_OLD}`)
  const folded = migrations.slice(0, FOLDED_INTO)
  await client.query('begin')
  await client.query('delete from drizzle.__drizzle_migrations')
  for (const { hash, folderMillis } of folded)
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      folderMillis,
    ])
  await client.query('commit')
}
