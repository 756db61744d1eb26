import pg from 'pg'
import { Database } from '../database/db.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { servingUrl } from '../database/roles.ts'
import { prepareJobs } from '../operations/jobs.ts'

/** Everything that only the owner of the tables may do, before anyone serves; gives the address to serve with. */
export async function prepareDatabase(ownerUrl: string, isPooled = false): Promise<string> {
  await migrateDatabase(ownerUrl)
  await prepareJobs(ownerUrl)
  return servingUrl(ownerUrl, isPooled)
}

/**
 * Writes rows that a release adds to those of the one before. `fill` gives the tables that it wrote to: they are vacuumed
 * and analyzed, so that the first reads can do without the rows behind an index, and are planned by the statistics.
 */
export async function fillTables(ownerUrl: string, fill: (database: Database) => Promise<string[]>) {
  const database = new Database(ownerUrl, { max: 1 })
  const tables = await fill(database).finally(() => database.close())
  if (tables.length === 0) return
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    for (const table of tables) await owner.query(`vacuum (analyze) ${pg.escapeIdentifier(table)}`)
  } finally {
    await owner.end()
  }
}
