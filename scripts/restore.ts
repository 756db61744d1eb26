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
    async (url) => {
      const { tables, rows } = await restoreBackup(url, file, {
        passphrase: process.env.BACKUP_PASSPHRASE || undefined,
      })
      console.log(`Restaurado: ${showNumber(rows)} filas de ${tables} tablas, iguales a las del respaldo.`)
    },
    { alone: true },
  )
} catch (error) {
  explain(error)
}
