import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

const LOOK_EVERY = 250
/** On a busy machine a second of work takes several; how many are waited for. */
const PATIENCE = 6

/** Calls `end` once the process has worked for so long: not while it waits for its turn behind others. */
export function limitWork({ pid }: ChildProcess, seconds: number, end: () => void): () => void {
  const began = performance.now()
  const before = workedBy(pid)
  const clock = setInterval(() => {
    const waited = (performance.now() - began) / 1000
    const now = workedBy(pid)
    const worked = before === undefined || now === undefined ? waited : now - before
    if (worked > seconds || waited > seconds * PATIENCE) end()
  }, LOOK_EVERY)
  return () => clearInterval(clock)
}

/** In seconds, where the system tells. */
function workedBy(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Behind its name, which may hold anything: user and system time, in hundredths.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    // It ended.
    return undefined
  }
}
