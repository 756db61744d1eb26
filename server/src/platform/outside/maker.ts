import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setImmediate as breathe } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ignore } from '../ignore.ts'
import { Limiter, POLICIES } from '../limiter.ts'
import type { Asked, Said } from './maker-process.ts'
import { limitWork } from './work-limit.ts'

/** It took too long or too much memory, or the process ended: nothing was made. */
export class Broke extends Error {}
/** What was sent cannot be used; the message is for the person. */
export class Refused extends Error {}

/** Rows that are handed over a lot at a time, as they are asked for. */
export type Rows = AsyncIterable<unknown[]> | Iterable<unknown[]>

interface Limits {
  /** How many at once; the rest wait for their turn. */
  atOnce: number
  /** Of its processor. */
  seconds: number
  memoryMb: number
}
interface Running {
  feed: AsyncIterator<unknown[]> | Iterator<unknown[]> | undefined
  resolve(result: unknown): void
  reject(error: Error): void
}

const PROCESS = fileURLToPath(new URL('./maker-process.ts', import.meta.url))
const LOT = 100
const LOOK_EVERY = 100

/**
 * A process of its own for work that could break this one: decoding what strangers send, laying out documents,
 * compressing files. It gets neither the environment nor the database; whatever happens to it is answered to one call,
 * and the next call finds a new one.
 */
export class Maker {
  readonly #limits: Limits
  #child: ChildProcess | undefined
  #last = 0
  readonly #limiter: Limiter
  readonly #running = new Map<number, Running>()

  constructor(limits: Limits) {
    this.#limits = limits
    this.#limiter = new Limiter({ ...POLICIES.rendering, atOnce: { total: limits.atOnce } })
  }

  get waiting() {
    return this.#limiter.waiting
  }

  async make<T>(task: Asked['task'], input: unknown, rows?: Rows): Promise<T> {
    const leave = await this.#limiter.enter()
    this.#child ??= this.#fork()
    const child = this.#child
    const id = ++this.#last
    const feed = rows && (Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]())
    const unlimited = limitWork(child, this.#limits.seconds, () => this.#kill(child))
    const looks = setInterval(() => this.#look(child), LOOK_EVERY)
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#running.set(id, { feed, resolve: resolve as (result: unknown) => void, reject })
        send(child, { id, task, input })
      })
    } finally {
      unlimited()
      clearInterval(looks)
      this.#running.delete(id)
      await feed?.return?.()
      leave()
    }
  }

  #fork(): ChildProcess {
    const child = fork(PROCESS, [], {
      execArgv: [
        `--max-old-space-size=${Math.round(this.#limits.memoryMb / 2)}`,
        '--max-semi-space-size=8',
        '--disable-warning=ExperimentalWarning',
      ],
      // With an arena per thread, what images leave behind is never given back.
      env: { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // Whoever waits for a list goes before whoever waits for a file.
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    child.on('message', (said: Said) => void this.#hear(child, said))
    child.on('error', () => this.#gone(child))
    child.on('exit', () => this.#gone(child))
    // It is no reason to stay: it ends when we do.
    child.unref()
    child.channel?.unref()
    return child
  }

  #gone(child: ChildProcess) {
    if (this.#child !== child) return
    this.#child = undefined
    for (const { reject } of this.#running.values()) reject(new Broke('The maker ended'))
  }

  #kill(child: ChildProcess) {
    child.kill('SIGKILL')
    this.#gone(child)
  }

  /** The heap has its own limit; what libraries take beside it is seen here, where the system tells. */
  #look(child: ChildProcess) {
    if (process.platform !== 'linux' || this.#child !== child) return
    try {
      const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1')) ?? []
      if (Number(kb) > this.#limits.memoryMb * 1024) this.#kill(child)
    } catch {
      // It ended between two looks.
    }
  }

  async #hear(child: ChildProcess, said: Said) {
    const running = this.#running.get(said.id)
    if (!running) return
    if (said.type === 'done') running.resolve(said.result)
    else if (said.type === 'refused') running.reject(new Refused(said.message))
    else if (said.type === 'failed') running.reject(new Error(said.message))
    else {
      try {
        const rows = await lotOf(running.feed!)
        send(child, { id: said.id, task: 'rows', input: rows })
      } catch (error) {
        send(child, { id: said.id, task: 'rows', input: null })
        running.reject(error as Error)
      }
    }
  }
}

/** One that ended meanwhile is heard of by its exit. */
const send = (child: ChildProcess, asked: Asked) =>
  child.connected && child.send(asked, ignore('The end of the child is what is acted on.'))

/** The next rows; fewer than a lot are the last. */
async function lotOf(feed: AsyncIterator<unknown[]> | Iterator<unknown[]>) {
  const rows: unknown[][] = []
  while (rows.length < LOT) {
    const { done, value } = await feed.next()
    if (done) return { rows, last: true }
    rows.push(value)
  }
  // Whoever else waits for this process goes first.
  await breathe()
  return { rows, last: false }
}

/** Images and documents, one after the other. */
export const papers = new Maker({ atOnce: 1, seconds: 15, memoryMb: 640 })
/** Spreadsheets are written as their rows arrive, several at once. */
export const sheets = new Maker({ atOnce: 4, seconds: 300, memoryMb: 512 })
