import { type ChildProcess, fork } from 'node:child_process'

/** What the serving process is told to begin with. */
export interface Order {
  databaseUrl: string
  host: string
  port: number
  smtpUrl: string | null
  /** How people reach the product. */
  address: string
}
export type Told = { type: 'begin'; order: Order } | { type: 'listen' } | { type: 'stop' }
export type News =
  | { type: 'ready' }
  | { type: 'listening'; address: string; code: string | undefined }
  | { type: 'alive' }

/** Before the replacement of one that ended soon after its own start; the first is at once. */
const PAUSES = [0, 500, 1000, 2000, 5000, 10_000, 30_000]
const STEADY_AFTER = 60_000
/** One that says nothing for this long hangs, and is replaced as one that ended. */
const SILENT_FOR = 30_000
const LOOK_EVERY = 5000

/**
 * Runs the process that serves, and another one whenever it ends by itself: what one request breaks is back within
 * a second or two, on a database that never noticed. One that ends before it ever served is a failure to start.
 */
export function supervise(
  program: string,
  order: Order,
  hears: {
    /** Just before it listens, the first time. */
    ready(): Promise<void>
    listening(news: Extract<News, { type: 'listening' }>): void
    failed(): void
  },
) {
  let child: ChildProcess
  let served = false
  let stopping = false
  let begun = 0
  let heard = 0
  let soon = 0
  let pause: NodeJS.Timeout | undefined
  const tell = (told: Told) => child.connected && child.send(told, () => {})

  const hear = async (news: News) => {
    heard = Date.now()
    if (news.type === 'ready') {
      if (!served) await hears.ready()
      tell({ type: 'listen' })
    } else if (news.type === 'listening') {
      if (!served) hears.listening(news)
      served = true
    }
  }

  const start = () => {
    begun = heard = Date.now()
    // What opens the database as its owner stays here.
    const { DATABASE_URL: _, PGPASSWORD: __, ...env } = process.env
    child = fork(program, [], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.on('message', (news: News) => void hear(news))
    child.on('error', () => {})
    child.once('exit', (code, signal) => {
      if (stopping) return
      if (!served) return hears.failed()
      soon = Date.now() - begun < STEADY_AFTER ? soon + 1 : 0
      console.error(`El servidor terminó sin aviso (${signal ?? code}); se reemplaza.`)
      pause = setTimeout(start, PAUSES[Math.min(soon, PAUSES.length - 1)])
    })
    tell({ type: 'begin', order })
  }

  start()
  const watch = setInterval(() => {
    if (served && Date.now() - heard > SILENT_FOR) child.kill('SIGKILL')
  }, LOOK_EVERY)

  return {
    /** Lets it finish what it is at, for so long. */
    async stop(patience: number) {
      stopping = true
      clearTimeout(pause)
      clearInterval(watch)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      tell({ type: 'stop' })
      const clock = setTimeout(() => child.kill('SIGKILL'), patience)
      await ended
      clearTimeout(clock)
    },
    kill: () => child.kill('SIGKILL'),
  }
}
