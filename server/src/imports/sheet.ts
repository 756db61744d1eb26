import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { WrongCell } from '#contract/base/wire.ts'
import { BAD_FILE } from '#contract/base/workbook.ts'
import { Limiter, POLICIES } from '../platform/limiter.ts'
import { limitWork } from '../platform/outside/work-limit.ts'
import { invalid } from '../platform/problems.ts'
import type { Said, Task } from './reader.ts'

/** A spreadsheet as it was understood: rows as chunks of JSON, or what is wrong with them. */
export interface Sheet {
  chunks: string[]
  read: number
  matched: Record<string, string>
  wrong: WrongCell[]
  wrong_total: number
  wrong_rows: number
}

/** Seconds of its processor. */
const LONGEST = 30
const MEMORY_MB = 384
/** One that read a small file well waits this long for the next: starting it takes longer than reading most files. */
const KEPT = 30_000
const SMALL = 2 * 1024 * 1024
const READER = fileURLToPath(new URL('./reader.ts', import.meta.url))

const limiter = new Limiter(POLICIES.imports)
const idle: ChildProcess[] = []

/** It gets neither the environment nor the database. */
function openReader() {
  const known = idle.pop()
  if (known) return known
  const reader = fork(READER, {
    execArgv: [`--max-old-space-size=${MEMORY_MB}`, '--max-semi-space-size=16'],
    env: { NODE_ENV: 'production' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  if (reader.pid) setPriority(reader.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return reader
}

function keepReader(reader: ChildProcess) {
  reader.removeAllListeners()
  const end = () => {
    const at = idle.indexOf(reader)
    if (at < 0) return
    idle.splice(at, 1)
    reader.kill('SIGKILL')
  }
  reader.once('exit', end).once('error', end)
  setTimeout(end, KEPT).unref()
  // Nobody waits for it to end.
  reader.unref()
  reader.channel?.unref()
  idle.push(reader)
}

/** Bounded in time and memory: a file made to exhaust either ends its process, and gets a sentence. */
export async function readSheet(task: Task, onProgress: (read: number) => void): Promise<Sheet> {
  const leave = await limiter.enter()
  const { promise, resolve, reject } = Promise.withResolvers<Sheet>()
  const chunks: string[] = []
  const reader = openReader().removeAllListeners()
  let isWell = false
  const unlimited = limitWork(reader, LONGEST, () => reject(invalid({ file: BAD_FILE.slow })))
  reader.on('message', (said: Said) => {
    if (said.type === 'progress') onProgress(said.read)
    else if (said.type === 'rows') chunks.push(said.json)
    else if (said.type === 'wrong file') reject(invalid({ [said.field]: said.message }))
    else if (said.type === 'failed') reject(new Error(said.message))
    else {
      isWell = task.bytes.length < SMALL
      resolve({ chunks, ...said })
    }
  })
  reader.on('error', reject)
  reader.on('exit', () => reject(invalid({ file: BAD_FILE.expands })))
  try {
    reader.send(task, (error) => error && reject(error))
    return await promise
  } finally {
    unlimited()
    if (isWell) keepReader(reader)
    else reader.kill('SIGKILL')
    leave()
  }
}
