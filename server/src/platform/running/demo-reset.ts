/** Begins a public demonstration anew by the clock: at the same moments on every instance, and whatever restarts between. */

const HOUR = 3_600_000

/** Milliseconds since 1970 of the next reset: a multiple of the hours, so that a restart does not move it. */
export const nextReset = (now: number, hours: number) => (Math.floor(now / (hours * HOUR)) + 1) * hours * HOUR

/** Resets until `stop` is called; `reset` gives a sentence where it could not be done. */
export function resetByClock(hours: number, reset: () => Promise<string | undefined>): { stop(): void } {
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(run, nextReset(Date.now(), hours) - Date.now())
    timer.unref()
  }
  const run = async () => {
    wait()
    const problem = await reset()
    if (problem) console.error(`La demostración no se reinició: ${problem}`)
  }
  wait()
  return { stop: () => clearTimeout(timer) }
}
