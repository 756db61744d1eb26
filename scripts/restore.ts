import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { showNumber } from '#contract/base/money.ts'
import { openStore } from '#server/platform/outside/store.ts'
import { StartProblem } from '#server/platform/problems.ts'
import { Archive } from '#server/platform/running/archive.ts'
import { checkBackup, restoreBackup } from '#server/platform/running/backup.ts'
import { readConfig } from '#server/platform/running/config.ts'
import { readMoment, recover, showMoment } from '#server/platform/running/recover.ts'
import { explain, withDatabase } from './database.ts'

/**
 * `npm run restore file`: a backup into an empty database, with the product stopped.
 * `npm run restore -- [--at "2026-11-16 10:15:00"] DIR|S3`: out of a continuous copy, into a data folder without a
 * database, as it was at that second; without one, all there is.
 */

const args = process.argv.slice(2)
const at = args.includes('--at') ? (args.splice(args.indexOf('--at'), 2)[1] ?? '') : undefined
const [name] = args
const passphrase = process.env.BACKUP_PASSPHRASE || undefined

async function restoreFile(file: string) {
  if (!existsSync(file)) throw new StartProblem(`${file} no existe.`)
  // A damaged backup is refused before a data folder is made.
  await checkBackup(file, passphrase)
  await withDatabase(
    async (url, store) => {
      const { tables, rows, files, lost } = await restoreBackup(url, file, { store, passphrase, checked: true })
      console.log(
        `Restaurado: ${showNumber(rows)} filas de ${tables} tablas y ${showNumber(files)} archivos, iguales a los del respaldo.`,
      )
      if (lost.length > 0) throw new StartProblem(`El respaldo no trae estos archivos:\n${lost.join('\n')}`)
    },
    { alone: true },
  )
}

async function restoreMoment(place: string) {
  const moment = at === undefined ? undefined : readMoment(at)
  const { archive: from, databaseUrl, dataDir, files } = readConfig({ ...process.env, ARCHIVE_TO: place })
  if (databaseUrl)
    throw new StartProblem('La copia continua se restaura en la base de datos incluida: quite DATABASE_URL.')
  const began = Date.now()
  const archive = await Archive.open(from!.place, passphrase)
  const done = await recover(archive, join(dataDir, 'postgres'), openStore(files), moment)
  console.log(
    `Restaurado en ${dataDir} como estaba el ${showMoment(done.at)} (hora de Chile), en ${((Date.now() - began) / 1000).toFixed(1)} s: ` +
      `${showNumber(done.files)} archivos, ${showNumber(done.brought)} traídos de la copia.`,
  )
  if (done.lost.length > 0) throw new StartProblem(`No están ni en el almacén ni en la copia:\n${done.lost.join('\n')}`)
}

try {
  if (!name || at === '')
    throw new StartProblem(
      'Uso: npm run restore ARCHIVO, o npm run restore -- --at "2026-11-16 10:15:00" CARPETA|https://…',
    )
  const isArchive = at !== undefined || /^https?:/.test(name) || (existsSync(name) && statSync(name).isDirectory())
  await (isArchive ? restoreMoment(name) : restoreFile(resolve(name)))
} catch (error) {
  explain(error)
}
