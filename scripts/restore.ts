import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { showNumber } from '#contract/base/money.ts'
import { restoreBackup } from '#server/platform/running/backup.ts'
import { StartProblem } from '#server/platform/running/embedded-postgres.ts'
import { explain, withDatabase } from './database.ts'

/** `npm run restore file`: into an empty database, with the product stopped. */

const [name] = process.argv.slice(2)
try {
  if (!name) throw new StartProblem('Uso: npm run restore ARCHIVO')
  const file = resolve(name)
  if (!existsSync(file)) throw new StartProblem(`${file} no existe.`)
  await withDatabase(
    async (url, store) => {
      const { tables, rows, files, lost } = await restoreBackup(url, file, {
        store,
        passphrase: process.env.BACKUP_PASSPHRASE || undefined,
      })
      console.log(
        `Restaurado: ${showNumber(rows)} filas de ${tables} tablas y ${showNumber(files)} archivos, iguales a los del respaldo.`,
      )
      if (lost.length > 0) throw new StartProblem(`El respaldo no trae estos archivos:\n${lost.join('\n')}`)
    },
    { alone: true },
  )
} catch (error) {
  explain(error)
}
