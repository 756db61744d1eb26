import { DEMO_LOGINS, holdsDemo, loadDemo } from '../seeds/demo.ts'
import { ignore } from './platform/ignore.ts'
import { StartProblem } from './platform/problems.ts'
import { stopAbandoned } from './platform/running/embedded-postgres.ts'
import { upgradeDatabase } from './upgrade.ts'

/**
 * What comes before anyone serves: tables, roles and the demonstration. `main.ts` runs it as a process of its own, so
 * that the memory it takes is given back.
 */

export interface Asked {
  ownerUrl: string
  /** Folder of the embedded database; null for a database of one's own. */
  embedded: string | null
  isPooled: boolean
  /** Whether it is loaded where there is no company yet, or must not be there. */
  demo: 'load' | 'leave' | 'refuse'
}
/** The address to serve with, and how to enter the demonstration; or why nothing can be served. */
export type Prepared = { databaseUrl: string; logins: string[] } | { problem: string }
/** How far it is, for the page that people see meanwhile. */
export interface Progress {
  progress: string
}

/** Its passwords are in the README. */
const DEMO_REFUSED =
  'Estos datos son los de la demostración, con contraseñas que todos conocen, y HOST o PUBLIC_URL los abre a otros: ' +
  'use sus propios datos (otra carpeta en DATA_DIR), o MAESTRANZA_DEMO=public si eso es lo que quiere.'

async function prepare({ ownerUrl, isPooled, demo }: Asked): Promise<Prepared> {
  const databaseUrl = await upgradeDatabase(ownerUrl, isPooled, (progress) => {
    console.log(progress)
    process.send?.({ progress } satisfies Progress)
  })
  if (demo === 'refuse' && (await holdsDemo(ownerUrl))) return { problem: DEMO_REFUSED }
  return { databaseUrl, logins: demo === 'load' && (await loadDemo(ownerUrl)) ? DEMO_LOGINS : [] }
}

// A signal to the terminal is for main.ts, which ends us, as it does when it has heard.
for (const signal of ['SIGINT', 'SIGHUP'] as const)
  process.on(signal, ignore('It ends when it is done, not in the middle.'))
let asked: Asked | undefined
let isDone = false
// Main lets go once it has the answer; before that it was killed, and nobody else stops the database it opened.
process.on('disconnect', async () => {
  if (!isDone && asked?.embedded) await stopAbandoned(asked.embedded, asked.ownerUrl)
  process.exit()
})
process.once('message', async (message: Asked) => {
  asked = message
  const prepared = await prepare(asked).catch((error: unknown) => {
    if (error instanceof StartProblem) return { problem: error.message }
    throw error
  })
  isDone = true
  process.send?.(prepared)
})
