import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** What the kernel counts in. */
const TICKS = 100

/** Of a line of /proc/PID/stat: the name may have anything in it, brackets too, so it is read from behind it. */
function parse(stat: string) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // User and system, of itself and of those it waited for.
  const sum = (places: number[]) => places.reduce((total, at) => total + Number(fields[at]), 0)
  return { parent: Number(fields[1]), ticks: sum([11, 12, 13, 14]), waited: sum([13, 14]) }
}

const isTold = process.platform === 'linux'
const statOf = (pid: number | string) => parse(readFileSync(`/proc/${pid}/stat`, 'utf8'))

/** Who started a process. */
export const parentOf = (pid: number) => (isTold ? statOf(pid).parent : undefined)

/** The process that all of a database's were started by. */
export async function postmasterOf(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = parentOf(rows[0]!.pid)
  await client.end()
  return pid
}

/**
 * Milliseconds of processor that some processes and all they started have used; only Linux tells. What a process used
 * that has ended is in its parent's.
 */
export function cpuOf(roots: number[]): number | undefined {
  if (!isTold) return undefined
  const found = new Map<number, ReturnType<typeof parse>>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      found.set(Number(name), statOf(name))
    } catch {
      // It has just ended.
    }
  }
  const isOurs = (pid: number): boolean => roots.includes(pid) || (found.has(pid) && isOurs(found.get(pid)!.parent))
  const ticks = [...found].reduce((sum, [pid, of]) => (isOurs(pid) ? sum + of.ticks : sum), 0)
  return (ticks * 1000) / TICKS
}

/** What a process has started that is there. */
export const childrenOf = (parent: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return statOf(name).parent === parent
      } catch {
        return false
      }
    })

/** Milliseconds to the nanosecond, of processes that have one thread each, as a database's have. */
export const eachOf = (processes: string[]) =>
  new Map(
    processes.flatMap((pid) => {
      try {
        return [[pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6] as const]
      } catch {
        return []
      }
    }),
  )

/** The same of all of them; they go on. */
export const exactlyOf = (processes: string[]) => [...eachOf(processes).values()].reduce((sum, spent) => sum + spent, 0)

/** Milliseconds, in ticks, of what a process started that has ended. */
export const endedOf = (parent: number) => (isTold ? (statOf(parent).waited * 1000) / TICKS : 0)

/** In MB, the largest of what was started and all it started: the process that serves. */
export function memoryOf(root: number) {
  const told = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n')
  const each = new Map(told.map((line) => line.trim().split(/\s+/).map(Number)).map(([pid, ...of]) => [pid!, of]))
  const isOurs = (pid: number): boolean => pid === root || (each.has(pid) && isOurs(each.get(pid)![0]!))
  return Math.max(...[...each].map(([pid, [, kilobytes]]) => (isOurs(pid) ? kilobytes! : 0))) / 1024
}
