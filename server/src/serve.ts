import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { type App, createApp } from './app.ts'
import { giveSetUpCode } from './identity/set-up.ts'
import { type Database, isUnavailable } from './platform/database/db.ts'
import { currentRequest } from './platform/http/requests.ts'
import { ignore } from './platform/ignore.ts'
import { StartProblem } from './platform/problems.ts'
import { stopAbandoned } from './platform/running/embedded-postgres.ts'
import type { News, Order, Told } from './platform/running/supervisor.ts'

/**
 * The process that serves. `main.ts` starts it, tells it when to listen and when to stop, and replaces it. All that needs
 * no database is done before it is told to listen.
 */

const ALIVE_EVERY = 1000
/** Milliseconds for calls under way once main is gone. */
const CLOSING_PATIENCE = 10_000
// What was alive when garbage was last looked for would be put where it is seldom looked for, and all like it: here that is
// whatever the calls under way had in hand, which is gone a moment later.
setFlagsFromString('--no-allocation-site-pretenuring')

let app: App | undefined
let order: Order | undefined
let stopping = false

const say = (news: News) => process.connected && process.send?.(news)

async function begin(begun: Order) {
  order = begun
  app = await createApp({ ...order, prepared: true, byClock: true, log: true, closed: true, leaveDemo })
  say({ type: 'ready' })
}

async function listen() {
  // It may have ended together with the one that we replace; then it is on its way back.
  while (!(await isThere(app!.database))) await sleep(50)
  await app!.open()
  const address = await app!.listen(order!.host, order!.port)
  say({ type: 'listening', address, code: await app!.database.write(null, giveSetUpCode) })
  setInterval(() => say({ type: 'alive' }), ALIVE_EVERY)
}

/** Main does it, since it has the owner's address. */
function leaveDemo(code: string | null): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  process.on('message', function hear(told: Told) {
    if (told.type !== 'leaving') return
    process.off('message', hear)
    resolve(told.problem)
  })
  say({ type: 'leave demo', code })
  return promise
}

const isThere = ({ pool }: Database) =>
  pool.query('select 1').then(
    () => true,
    (error: unknown) => {
      if (!isUnavailable(error)) throw error
      return false
    },
  )

async function stop() {
  stopping = true
  await app?.close().catch(ignore('The process ends anyway.'))
  process.exit(0)
}

/** Main was killed: nobody else is left to stop the database that it opened. */
async function endAlone() {
  stopping = true
  await Promise.race([app?.close().catch(ignore('The process ends anyway.')), sleep(CLOSING_PATIENCE)])
  if (order?.embedded) await stopAbandoned(order.embedded, order.databaseUrl).catch(ignore('The process ends anyway.'))
  process.exit(0)
}

function crash(error: unknown) {
  // What breaks because we are stopping is of no interest.
  if (stopping) return
  if (error instanceof StartProblem) console.error(error.message)
  else console.error('Error inesperado:', currentRequest() ?? 'fuera de una solicitud', error)
  process.exit(1)
}

process.on('uncaughtException', crash)
process.on('unhandledRejection', crash)
// A signal to the terminal is for main.ts, which tells us.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, ignore('Main hears it and tells us.'))
process.on('disconnect', () => void endAlone())
process.on('message', (told: Told) => {
  if (told.type === 'begin') begin(told.order).catch(crash)
  else if (told.type === 'listen') listen().catch(crash)
  else if (told.type === 'stop') void stop()
})
