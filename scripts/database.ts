import { join } from 'node:path'
import { openStore, type Store } from '#server/platform/outside/store.ts'
import { StartProblem } from '#server/platform/problems.ts'
import { readConfig } from '#server/platform/running/config.ts'
import { lockInstance, startEmbeddedPostgres } from '#server/platform/running/embedded-postgres.ts'

/** The database and the store that the product uses, opened with the environment it runs with; the embedded one is stopped again where nobody else has it open. */
export async function withDatabase(work: (url: string, store: Store) => Promise<void>, { alone = false } = {}) {
  const { databaseUrl, dataDir, files } = readConfig(process.env)
  const store = openStore(files)
  if (databaseUrl) return work(databaseUrl, store)
  const embedded = await startEmbeddedPostgres(join(dataDir, 'postgres'))
  const lock = await lockInstance(embedded.url, dataDir).catch((error: unknown) => {
    if (!(error instanceof StartProblem)) throw error
    if (alone) throw new StartProblem('Maestranza está funcionando con estos datos: deténgala primero.')
    return undefined
  })
  try {
    await work(embedded.url, store)
  } finally {
    if (lock) await embedded.stop().then(lock.release)
  }
}

/** One sentence for what a person can put right. */
export function explain(error: unknown) {
  console.error(error instanceof StartProblem ? error.message : error)
  process.exit(1)
}
