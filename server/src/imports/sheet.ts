import { Worker } from 'node:worker_threads'
import type { WrongCell } from '#contract/base/wire.ts'
import { BAD_FILE } from '#contract/base/workbook.ts'
import { invalid, Problem } from '../platform/operations/problems.ts'
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

/** Reading takes a core and some memory each: few at a time, the rest wait for their turn. */
const AT_ONCE = 2
const MAX_WAITING = 20
const LONGEST = 30_000
const MEMORY_MB = 384

let reading = 0
const waiting: (() => void)[] = []

async function takeTurn() {
  if (reading < AT_ONCE) reading += 1
  else {
    if (waiting.length >= MAX_WAITING)
      throw new Problem(429, 'Hay muchas importaciones en curso. Intente en un minuto.', { retryAfter: 60 })
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return () => {
    const next = waiting.shift()
    if (next) next()
    else reading -= 1
  }
}

/** Bounded in time and memory: a file made to exhaust either ends its thread, and gets a sentence. */
export async function readSheet(task: Task, onProgress: (read: number) => void): Promise<Sheet> {
  const giveTurn = await takeTurn()
  const { promise, resolve, reject } = Promise.withResolvers<Sheet>()
  const chunks: string[] = []
  const worker = new Worker(new URL('./reader.ts', import.meta.url), {
    workerData: task,
    transferList: [task.bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 64 },
  })
  const clock = setTimeout(() => reject(invalid({ file: BAD_FILE.slow })), LONGEST)
  worker.on('message', (said: Said) => {
    if (said.type === 'progress') onProgress(said.read)
    else if (said.type === 'rows') chunks.push(said.json)
    else if (said.type === 'wrong file') reject(invalid({ [said.field]: said.message }))
    else resolve({ chunks, ...said })
  })
  worker.on('error', (error: Error & { code?: string }) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? invalid({ file: BAD_FILE.expands }) : error),
  )
  worker.on('exit', () => reject(new Error('The reader ended without an answer')))
  try {
    return await promise
  } finally {
    clearTimeout(clock)
    await worker.terminate()
    giveTurn()
  }
}
