import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))
/** Any number will do, as long as every instance takes the same. */
export const START_LOCK = 7_214_903

/** Brings the tables up to date, as their owner; instances that start together go one after the other. */
export async function migrateDatabase(url: string, folder = MIGRATIONS) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [START_LOCK])
    await migrate(drizzle(client), { migrationsFolder: folder })
  } finally {
    await client.end()
  }
}
