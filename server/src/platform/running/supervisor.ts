import { type ChildProcess, fork } from 'node:child_process'
import { ignore } from '../ignore.ts'
import type { StorePlace } from '../outside/store.ts'

/** What the serving process is told to begin with. */
export interface Order {
  databaseUrl: string
  poolUrl: string | null
  host: string
  port: number
  smtpUrl: string | null
  /** How people reach the product. */
  address: string
  dataDir: string
  trustProxy: false | number | string
  metricsToken: string | null
  tracesUrl: string | null
  sealKey: string
  files: StorePlace
  filesDays: number
  filesQuota: number | null
  archived: boolean
  publicDemo: { resetHours: number | null } | null
  /** Folder of the embedded database, which the process stops if main is killed; null for a database of one's own. */
  embedded: string | null
}
export type Told =
  | { type: 'begin'; order: Order }
  | { type: 'listen' }
  | { type: 'stop' }
  /** The house is closed to take the demonstration out; or why not. */
  | { type: 'leaving'; problem: string | undefined }
export type News =
  | { type: 'ready' }
  | { type: 'listening'; address: string; code: string | undefined }
  | { type: 'alive' }
  /** Somebody asked to take the demonstration out, and to set the house up with this code or to load it anew. */
  | { type: 'leave demo'; code: string | null }

/** Before the replacement of one that ended soon after its own start; the first is at once. */
const PAUSES = [0, 500, 1000, 2000, 5000, 10_000, 30_000]
const STEADY_AFTER = 60_000
/**
 * Of what a process that serves keeps in JavaScript. Left to itself the runtime lets garbage lie until it fills a share
 * of the machine's memory.
 */
const HEAP = ['--max-old-space-size=384', '--max-semi-space-size=8']
/** One that says nothing for this long hangs, and is replaced as one that ended; to get ready it has longer. */
const PATIENCE = { silentFor: 30_000, readyIn: 300_000, lookEvery: 5000 }

/**
 * Runs the process that serves, and another one whenever it ends by itself. The next one stands ready, since getting
 * there takes longer than people should wait: what one request breaks is back within two seconds, on a database that
 * never noticed. One that ends before it ever served is a failure to start.
 */
export function supervise(
  program: string,
  order: Order,
  hears: {
    /** Just before it listens, the first time. */
    ready(): Promise<void>
    listening(news: Extract<News, { type: 'listening' }>): void
    failed(): void
    /** What is wrong, or nothing once it is under way. */
    leaveDemo(code: string | null): Promise<string | undefined>
  },
  { silentFor, readyIn, lookEvery } = PATIENCE,
) {
  let serving: ChildProcess
  let next: ChildProcess | undefined
  let served = false
  let listens = false
  let stopping = false
  let begun = 0
  let heard = 0
  let soon = 0
  let pause: NodeJS.Timeout | undefined
  const ready = new WeakSet<ChildProcess>()
  // A step of the wall clock (NTP, a resumed virtual machine) must not look like silence: this one only moves forward.
  const now = () => performance.now()
  const tell = (child: ChildProcess, told: Told) =>
    child.connected && child.send(told, ignore('The end of the child is what is acted on.'))

  const listen = async () => {
    if (!served) await hears.ready()
    tell(serving, { type: 'listen' })
  }

  const hear = (child: ChildProcess, news: News) => {
    if (news.type === 'ready') ready.add(child)
    if (child !== serving) return
    heard = now()
    if (news.type === 'ready') void listen()
    else if (news.type === 'listening') {
      if (!served) hears.listening(news)
      served = listens = true
      next ??= load()
    } else if (news.type === 'leave demo')
      void hears.leaveDemo(news.code).then((problem) => tell(child, { type: 'leaving', problem }))
  }

  const load = () => {
    // What opens the database as its owner stays here.
    const { DATABASE_URL: _, PGPASSWORD: __, ...env } = process.env
    env.MALLOC_ARENA_MAX ??= '2'
    const execArgv = [...process.execArgv, ...HEAP]
    const child = fork(program, [], { env, execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.on('message', (news: News) => hear(child, news))
    child.on('error', ignore('The end of the child is what is acted on.'))
    child.once('exit', (code, signal) => {
      if (child === next) next = undefined
      if (child !== serving || stopping) return
      if (!served) return hears.failed()
      soon = now() - begun < STEADY_AFTER ? soon + 1 : 1
      console.error(`El servidor terminó sin aviso (${signal ?? code}); se reemplaza.`)
      pause = setTimeout(start, PAUSES[Math.min(soon, PAUSES.length) - 1])
    })
    tell(child, { type: 'begin', order })
    return child
  }

  const start = () => {
    begun = heard = now()
    listens = false
    serving = next ?? load()
    next = undefined
    if (ready.has(serving)) void listen()
  }

  start()
  const watch = setInterval(() => {
    if (served && now() - heard > (listens ? silentFor : readyIn)) serving.kill('SIGKILL')
  }, lookEvery)

  return {
    /** Lets it finish what it is at, for so long. */
    async stop(patience: number) {
      stopping = true
      clearTimeout(pause)
      clearInterval(watch)
      next?.kill('SIGKILL')
      if (serving.exitCode !== null || serving.signalCode !== null) return
      const ended = new Promise((resolve) => serving.once('exit', resolve))
      tell(serving, { type: 'stop' })
      const clock = setTimeout(() => serving.kill('SIGKILL'), patience)
      await ended
      clearTimeout(clock)
    },
    kill() {
      next?.kill('SIGKILL')
      serving.kill('SIGKILL')
    },
  }
}
