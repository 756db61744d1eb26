import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Leaving } from '../seeds/leaving.ts'
import { ignore } from './platform/ignore.ts'
import { StartProblem } from './platform/problems.ts'
import { type Config, isPrivate, readConfig, requireArchivable } from './platform/running/config.ts'
import { resetByClock } from './platform/running/demo-reset.ts'
import {
  lockInstance,
  NotStarted,
  startEmbeddedPostgres,
  writableFolder,
} from './platform/running/embedded-postgres.ts'
import { sealKeyOf } from './platform/running/seal-key.ts'
import { supervise } from './platform/running/supervisor.ts'
import type { Asked, Prepared, Progress } from './prepare.ts'

/**
 * The life of the house: checks, database, the process that serves, and everything closed again in the opposite order.
 * Nothing a request does runs here: what it breaks ends the serving process, and this one starts another.
 */

interface Database {
  url: string
  stop(how?: 'fast' | 'immediate'): Promise<void>
}

/** A signal to a terminal reaches us both directly and through npm: what comes this soon after is the same one. */
const SAME_SIGNAL = 1000
const CLOSING_PATIENCE = 10_000
const SERVE = fileURLToPath(new URL('./serve.ts', import.meta.url))
const ARCHIVE = fileURLToPath(new URL('./archive.ts', import.meta.url))
const ARCHIVE_PAUSE = 30_000
/** At most, between attempts to open a database that does not open. */
const REOPEN_PAUSE = 15_000
const LEAVE_DEMO = fileURLToPath(new URL('./leave-demo.ts', import.meta.url))
const PREPARE = fileURLToPath(new URL('./prepare.ts', import.meta.url))

let preparing: ChildProcess | undefined
let archiving: ChildProcess | undefined
let opening: Promise<Database> | undefined
let serving: ReturnType<typeof supervise> | undefined
let stopAsked = 0
/** The sentence that the page shows until the application serves. */
let starting = 'Espere un momento.'

async function start() {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 24) throw new StartProblem(`Maestranza necesita Node 24 o más nuevo; este es ${process.versions.node}.`)
  const config = readConfig(process.env)
  requireArchivable(config)
  const waiting = await takePort(config)
  await writableFolder(config.dataDir)
  opening = config.databaseUrl ? openOwn(config.databaseUrl) : openEmbedded(config)
  const { url } = await opening
  if (stopAsked) return
  const mayDemo = isPrivate(config) || config.publicDemo
  const demo = !mayDemo ? 'refuse' : config.empty ? 'leave' : 'load'
  const { databaseUrl, logins } = await prepare({
    ownerUrl: url,
    embedded: config.databaseUrl ? null : folderOf(config),
    isPooled: config.poolUrl !== null,
    demo,
  })
  if (stopAsked) return
  if (config.archive) archive()
  serving = supervise(
    SERVE,
    {
      databaseUrl,
      poolUrl: config.poolUrl,
      host: config.host,
      port: config.port,
      smtpUrl: config.smtpUrl,
      dataDir: config.dataDir,
      trustProxy: config.trustProxy,
      metricsToken: config.metricsToken,
      tracesUrl: config.tracesUrl,
      sealKey: await sealKeyOf(config),
      files: config.files,
      filesDays: config.filesDays,
      filesQuota: config.filesQuota,
      archived: config.archive !== null,
      publicDemo: config.publicDemo ? { resetHours: config.demoResetHours } : null,
      embedded: config.databaseUrl ? null : folderOf(config),
      address:
        config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`,
    },
    {
      ready: () => givePort(waiting),
      listening({ address, code }) {
        console.log(`\nMaestranza está lista en ${address}`)
        if (code) console.log(`Falta crear la empresa. Abra ${address}/configurar e ingrese el código ${code}`)
        if (logins.length > 0) console.log(['Para entrar a la demostración:', ...logins].join('\n  '))
      },
      failed: () => void stop(1),
      leaveDemo: (code) => leaveDemo(config, { ownerUrl: url, code, files: config.files }),
    },
  )
  const { demoResetHours: hours } = config
  if (hours) resetByClock(hours, () => replaceDemo({ ownerUrl: url, code: null, files: config.files }))
}

/** Copies the database as it works (decision 0024); what breaks there is tried again, and nobody waits for it. */
function archive() {
  archiving = fork(ARCHIVE, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  archiving.on('error', ignore('Its end is what is acted on.'))
  archiving.once('exit', () => {
    if (!stopAsked) setTimeout(() => stopAsked || archive(), ARCHIVE_PAUSE).unref()
  })
}

let leaving: ChildProcess | undefined

/** Says what is wrong, or nothing once the house is closed; the rest is done behind closed doors. */
async function leaveDemo(config: Config, asked: Leaving): Promise<string | undefined> {
  if (!isPrivate(config) || config.publicDemo) return 'Una demostración abierta a otros no se deja desde aquí.'
  return replaceDemo(asked)
}

/** In a process of its own; says what is wrong, or nothing once the house is closed. */
async function replaceDemo(asked: Leaving): Promise<string | undefined> {
  if (leaving) return 'La demostración ya se está preparando.'
  const child = fork(LEAVE_DEMO, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  leaving = child
  let isDone = false
  child.once('exit', () => {
    leaving = undefined
    if (isDone && asked.code)
      console.log(`La demostración se dejó. Falta crear la empresa: /configurar, código ${asked.code}`)
  })
  child.send(asked)
  return new Promise((resolve) => {
    child.once('message', ({ problem }: { problem?: string }) => {
      isDone = !problem
      resolve(problem)
    })
    child.once('exit', () => resolve('No se pudo dejar la demostración.'))
  })
}

async function prepare(asked: Asked) {
  const child = fork(PREPARE, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  preparing = child
  child.send(asked)
  const prepared = await new Promise<Prepared>((resolve) => {
    child.on('message', (message: Prepared | Progress) => {
      if ('progress' in message) starting = message.progress
      else resolve(message)
    })
    child.once('exit', () => resolve({ problem: 'No se pudo preparar la base de datos.' }))
  })
  if (child.connected) child.disconnect()
  if ('problem' in prepared) throw new StartProblem(prepared.problem)
  return prepared
}

/**
 * Takes the port before anything slow, and answers 503 until the application can serve. A previous instance that is
 * closing gets a moment.
 */
async function takePort(config: Config): Promise<Server> {
  for (const giveUp = Date.now() + 2000; ; await sleep(100)) {
    const server = createServer((request, response) => {
      const message = `Maestranza está partiendo. ${starting}`
      const isPage = request.headers.accept?.includes('text/html')
      response.writeHead(503, {
        'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
        'retry-after': '2',
      })
      response.end(isPage ? `<meta http-equiv="refresh" content="2"><p>${message}` : JSON.stringify({ message }))
    })
    const error = await new Promise<Error | null>((resolve) => {
      server.once('error', resolve)
      server.listen(config.port, config.host, () => resolve(null))
    })
    if (!error) return server
    const problem = listenProblem(error, config)
    if (!problem) throw error
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > giveUp) throw problem
  }
}

async function givePort(server: Server) {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

function listenProblem(error: Error, { host, port }: Config): StartProblem | null {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartProblem(
        `El puerto ${port} está ocupado: cierre lo que lo usa o elija otro, por ejemplo PORT=3001.`,
      )
    case 'EACCES':
      return new StartProblem(`No hay permiso para usar el puerto ${port}: elija uno mayor, por ejemplo PORT=3000.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartProblem(`HOST=${host} no es una dirección de este equipo.`)
    default:
      return null
  }
}

const folderOf = ({ dataDir }: Config) => join(dataDir, 'postgres')

async function openEmbedded(config: Config): Promise<Database> {
  const folder = folderOf(config)
  if (!existsSync(join(folder, 'cluster'))) console.log('Creando la base de datos; tarda menos de un minuto…')
  for (let attempt = 1; ; attempt++) {
    const { url, stop } = await startEmbeddedPostgres(folder)
    try {
      const lock = await lockInstance(url, config.dataDir, () => void reopen(config, url))
      // The lock goes with the database: released earlier, a newcomer could adopt a database about to stop.
      return { url, stop: (how) => stop(how).then(lock.release) }
    } catch (error) {
      if (error instanceof StartProblem || attempt === 5) throw error
      // An instance that was closing took the database with it.
      await sleep(200)
    }
  }
}

/**
 * The application's pool reconnects by itself, as long as the database comes back where it was. What keeps it from that,
 * a full disk above all, is put right by people: it is tried until then.
 */
async function reopen(config: Config, url: string) {
  if (!stopAsked) console.error('La base de datos se detuvo sin aviso; se abre de nuevo.')
  for (let pause = 1000; !stopAsked; pause = Math.min(2 * pause, REOPEN_PAUSE)) {
    opening = openEmbedded(config)
    const reopened = await opening.catch((error: unknown) => (error instanceof NotStarted ? report : crash)(error))
    if (reopened && reopened.url !== url) crash(new Error('The database came back at another address'))
    if (reopened) return
    await sleep(pause, undefined, { ref: false })
  }
}

async function openOwn(url: string): Promise<Database> {
  const { hostname, port, pathname } = new URL(url)
  const place = `${hostname || 'localhost'}:${port || 5432}`
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 })
  client.on('error', ignore('The query that runs fails with it.'))
  try {
    await client.connect()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === '28P01' || code === '28000' || /SASL|password/i.test(message))
      throw new StartProblem(`La base de datos de DATABASE_URL (${place}) no acepta ese usuario y contraseña.`)
    if (code === '3D000')
      throw new StartProblem(`En ${place} no existe la base de datos «${pathname.slice(1)}» que indica DATABASE_URL.`)
    throw new StartProblem(`No hay conexión con la base de datos de DATABASE_URL en ${place} (${code ?? message}).`)
  } finally {
    await client.end().catch(ignore('The connection is gone already.'))
  }
  return { url, stop: async () => undefined }
}

async function stop(exitCode: number) {
  const sinceFirst = Date.now() - stopAsked
  if (stopAsked) {
    if (sinceFirst < SAME_SIGNAL) return
    serving?.kill()
    archiving?.kill('SIGKILL')
    void opening?.then((database) => database.stop('immediate'))
    setTimeout(() => process.exit(1), 200)
    return
  }
  stopAsked = Date.now()
  preparing?.kill('SIGKILL')
  leaving?.kill('SIGKILL')
  await serving?.stop(CLOSING_PATIENCE)
  // What it had not copied yet is still there at the next start.
  archiving?.kill('SIGKILL')
  const database = await opening?.catch(ignore('It did not start, and says so itself.'))
  await database?.stop().catch(report)
  process.exit(exitCode)
}

function report(error: unknown) {
  if (error instanceof StartProblem) console.error(error.message)
  else console.error('Error inesperado:', error)
}

function crash(error: unknown): undefined {
  // What breaks because we are stopping is of no interest.
  if (stopAsked) return
  report(error)
  void stop(1)
}

// The terminal may be gone before us.
process.stdout.on('error', ignore('Nobody reads the output any more.'))
process.stderr.on('error', ignore('Nobody reads the output any more.'))
process.on('uncaughtException', crash)
process.on('unhandledRejection', crash)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
if (process.channel) process.on('disconnect', () => void stop(0))

start().catch(crash)
