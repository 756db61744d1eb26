import { join } from 'node:path'
import { noteBackup } from './identity/backup-note.ts'
import { openStore } from './platform/outside/store.ts'
import { StartProblem } from './platform/problems.ts'
import { Archive } from './platform/running/archive.ts'
import { archiveContinuously, hasTable } from './platform/running/archiver.ts'
import { readConfig, requireArchivable } from './platform/running/config.ts'

/**
 * The process that copies the embedded database as it works, to where ARCHIVE_TO says. `main.ts` starts it beside the one
 * that serves, `npm run backup -- --continuous` by itself.
 */
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
if (process.channel) process.on('disconnect', () => process.exit())

try {
  const config = readConfig(process.env)
  requireArchivable(config)
  const { archive: wanted, dataDir, files } = config
  if (!wanted) throw new StartProblem('Falta ARCHIVE_TO: la carpeta o el bucket de la copia continua.')
  const { place, days } = wanted
  const archive = await Archive.open(place, process.env.BACKUP_PASSPHRASE || undefined, { create: true })
  const where = 'folder' in place ? place.folder : place.s3.url
  await archiveContinuously({
    folder: join(dataDir, 'postgres'),
    archive,
    days,
    store: 'folder' in files ? openStore(files) : null,
    place: where,
    async began(owner) {
      if (await hasTable(owner, 'security_events')) await noteBackup(owner, `Copia continua en ${where}`)
    },
    say: (text) => console.log(text),
    signal: ending.signal,
  })
  process.exit(0)
} catch (error) {
  const said = error instanceof StartProblem ? error.message : `La copia continua no responde: ${String(error)}`
  console.error(said)
  process.exit(1)
}
