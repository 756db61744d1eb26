import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import pg from 'pg'
import { showNumber } from '#contract/base/money.ts'
import { noteBackup } from '#server/identity/backup-note.ts'
import { StartProblem } from '#server/platform/problems.ts'
import { stopArchiving } from '#server/platform/running/archiver.ts'
import { restoreBackup, writeBackup } from '#server/platform/running/backup.ts'
import { startEmbeddedPostgres } from '#server/platform/running/embedded-postgres.ts'
import { explain, withDatabase } from './database.ts'

/**
 * `npm run backup [file] [-- --unchecked]`: one file with everything, taken while the product works, and checked by
 * restoring it into a database of its own and comparing every table.
 * `npm run backup -- --continuous DIR|S3 [--days N]`: copies the embedded database as it works, until it is stopped;
 * `npm run backup -- --continuous off` is the end of that.
 */

const stamp = new Date().toISOString().slice(0, 16).replace(/[:T]/g, '-')
const args = process.argv.slice(2)
const optionOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
const passphrase = process.env.BACKUP_PASSPHRASE || undefined
const file = resolve(args.find((arg) => !arg.startsWith('--')) ?? `maestranza-${stamp}.backup`)

async function check() {
  const folder = await mkdtemp(join(tmpdir(), 'maestranza-check-'))
  const database = await startEmbeddedPostgres(folder, { fsync: false })
  try {
    await restoreBackup(database.url, file, { passphrase })
  } finally {
    await database.stop('immediate')
    await rm(folder, { recursive: true, force: true })
  }
}

async function note(url: string, detail: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await noteBackup(client, detail).finally(() => client.end())
}

async function continuous(to: string | undefined) {
  if (to === 'off') {
    await withDatabase(stopArchiving)
    console.log('No hay copia continua; lo copiado sigue en su lugar.')
    process.exit(0)
  }
  if (!to || to.startsWith('--'))
    throw new StartProblem('Uso: npm run backup -- --continuous CARPETA|https://… [--days N]')
  process.env.ARCHIVE_TO = to
  const days = optionOf('--days')
  if (days) process.env.ARCHIVE_DAYS = days
  await import('#server/archive.ts')
}

try {
  if (args.includes('--continuous')) await continuous(optionOf('--continuous'))
  if (existsSync(file)) throw new StartProblem(`${file} ya existe: elija otro nombre.`)
  let lost: string[] = []
  await withDatabase(async (url, store) => {
    const { tables, rows, files, ...missing } = await writeBackup(url, store, file, passphrase)
    lost = missing.lost
    const megabytes = ((await stat(file)).size / 1024 / 1024).toFixed(1)
    await note(url, `${basename(file)}${passphrase ? ', cifrado' : ''}`)
    console.log(
      `${file}: ${showNumber(rows)} filas de ${tables} tablas, ${showNumber(files)} archivos, ${megabytes} MB`,
    )
  })
  if (!args.includes('--unchecked')) {
    await check()
    console.log('Comprobado: restaurado aparte, cada tabla y cada archivo es igual.')
  }
  if (lost.length > 0)
    throw new StartProblem(`Se respaldó lo demás, pero estos archivos faltan o están dañados:\n${lost.join('\n')}`)
} catch (error) {
  explain(error)
}
