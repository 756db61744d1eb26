import { migrateDatabase } from '../database/migrate.ts'
import { servingUrl } from '../database/roles.ts'
import { prepareJobs } from '../operations/jobs.ts'

/** Everything that only the owner of the tables may do, before anyone serves; gives the address to serve with. */
export async function prepareDatabase(ownerUrl: string, isPooled = false): Promise<string> {
  await migrateDatabase(ownerUrl)
  await prepareJobs(ownerUrl)
  return servingUrl(ownerUrl, isPooled)
}
