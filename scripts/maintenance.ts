import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '#server/platform/config.ts'
import { lockInstance, StartProblem, startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'

/** `npm run maintenance on [message]`, `npm run maintenance off`: with the environment the product runs with. */

const [what, ...words] = process.argv.slice(2)
if (what !== 'on' && what !== 'off') {
  console.error('Uso: npm run maintenance on [mensaje] | npm run maintenance off')
  process.exit(1)
}
const message = words.join(' ').trim() || 'Estamos en mantención. El sistema vuelve en unos minutos.'

const { databaseUrl, dataDir } = readConfig(process.env)
const embedded = databaseUrl ? undefined : await startEmbeddedPostgres(join(dataDir, 'postgres'))
const url = databaseUrl ?? embedded!.url
// Where the product is not running, nobody else will stop the database that this command started.
const alone = embedded && (await lockInstance(url, dataDir).catch(onlyIfRunning))

const client = new pg.Client({ connectionString: url })
await client.connect()
try {
  await client.query('begin')
  await client.query('delete from maintenance')
  if (what === 'on') await client.query('insert into maintenance (message) values ($1)', [message])
  await client.query('commit')
} finally {
  await client.end()
  if (alone) await embedded.stop().then(alone.release)
}
console.log(what === 'on' ? `En mantención: «${message}»` : 'Abierto otra vez.')

function onlyIfRunning(error: unknown) {
  if (error instanceof StartProblem) return undefined
  throw error
}
