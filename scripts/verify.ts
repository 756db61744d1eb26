import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { brokenSeals } from '#server/platform/operations/seals.ts'
import { StartProblem } from '#server/platform/problems.ts'
import { restoreBackup } from '#server/platform/running/backup.ts'
import { readConfig } from '#server/platform/running/config.ts'
import { startEmbeddedPostgres } from '#server/platform/running/embedded-postgres.ts'
import { lostFiles } from '#server/platform/running/named-files.ts'
import { sealKeyOf } from '#server/platform/running/seal-key.ts'
import { fillLedger } from '#server/upgrade.ts'
import { answersTo, invariants, NOTICES } from '../server/test/invariants.ts'
import { explain, withDatabase } from './database.ts'

/**
 * `npm run verify [backup]`, with the environment the product runs with: asks the data every question whose answer must
 * be empty, whether the files are there and the activity is what was sealed, and lists what is not. It changes nothing; a backup is brought back
 * into a database of its own that is thrown away.
 */

const SHOWN = 20
const [backup] = process.argv.slice(2)
let broken = 0

async function verify(url: string, lost: (client: pg.Client) => Promise<string[]>) {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=on' })
  await client.connect()
  try {
    for (const { name, question } of invariants) tell(name, await answersTo(question, (text) => client.query(text)))
    for (const [name, question] of Object.entries(NOTICES)) {
      const { rows } = await client.query<{ sentence: string }>(question)
      list(
        '!',
        name,
        rows.map(({ sentence }) => sentence),
      )
    }
    tell('los archivos están y son los que se guardaron', await lost(client))
    const key = await sealKeyOf(readConfig(process.env), { existing: true })
    if (key) tell('la actividad es la que se selló', await brokenSeals(client, key))
    else console.log('No se revisó la actividad sellada: falta SEAL_KEY, o seal.key en la carpeta de datos.')
  } finally {
    await client.end()
  }
}

function tell(name: string, found: unknown[]) {
  if (found.length > 0) broken += 1
  list('✗', name, found)
}

/** `mark`: ✗ for what is broken, ! for what somebody should only look at. */
function list(mark: '✗' | '!', name: string, found: unknown[]) {
  if (found.length === 0) return
  console.log(`${mark} ${name}: ${found.length}`)
  for (const one of found.slice(0, SHOWN)) console.log(`    ${typeof one === 'string' ? one : JSON.stringify(one)}`)
  if (found.length > SHOWN) console.log(`    … y ${found.length - SHOWN} más`)
}

async function verifyBackup(file: string) {
  if (!existsSync(file)) throw new StartProblem(`${file} no existe.`)
  const folder = await mkdtemp(join(tmpdir(), 'maestranza-verify-'))
  try {
    const { url, stop } = await startEmbeddedPostgres(join(folder, 'postgres'))
    try {
      const { lost } = await restoreBackup(url, file, { passphrase: process.env.BACKUP_PASSPHRASE || undefined })
      await fillLedger(url)
      await verify(url, async () => lost)
    } finally {
      await stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

await (backup
  ? verifyBackup(resolve(backup))
  : withDatabase((url, store) => verify(url, (client) => lostFiles(client, store)))
).catch(explain)
const asked = invariants.length + 2
console.log(broken === 0 ? `Todo cuadra: ${asked} preguntas.` : `${broken} de ${asked} no cuadran.`)
process.exit(broken === 0 ? 0 : 1)
