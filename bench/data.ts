import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadDemo } from '../server/seeds/demo.ts'
import { migrateDatabase } from '../server/src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../server/src/platform/running/embedded-postgres.ts'
import { fillLedger } from '../server/src/upgrade.ts'
import { growHistory } from './history.ts'

/** So many times the demonstration is a carrier with 2,160 trucks, 1,440 coupled units and 900 open orders. */
export const CARRIER = 36

/**
 * A database of a size, running. Where `kept` names a folder, it is made there once and stays: making the large one takes
 * most of a run.
 */
export async function openData(factor: number, orders: number, kept?: string) {
  const folder = kept ? join(resolve(kept), `size-${factor}`) : await mkdtemp(join(tmpdir(), 'maestranza-bench-'))
  await mkdir(folder, { recursive: true })
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'))
  const close = async () => {
    await postgres.stop()
    if (!kept) await rm(folder, { recursive: true, force: true })
  }
  try {
    const began = Date.now()
    await migrateDatabase(postgres.url)
    const whole = join(folder, 'whole')
    if (!existsSync(whole)) {
      await loadDemo(postgres.url, { factor })
      if (factor > 1) await growHistory(postgres.url, 1, { orders: orders, years: 8.5 })
      await writeFile(whole, '')
    }
    // Data kept from a version without the ledger, and the orders that were grown, have no rows in it yet.
    await fillLedger(postgres.url)
    console.log(`\nsize ${factor}: data ready in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  } catch (error) {
    await close()
    throw error
  }
  return { folder, url: postgres.url, close }
}
