import { idle, pause } from '../ui/calm.ts'
import { firstDrawn } from '../ui/lazy-screen.tsx'
import { queryClient } from './queries.ts'

/** Nothing waits longer than this for the first screen. */
const LATEST = 8_000

async function settled() {
  await firstDrawn
  do {
    await idle()
    while (queryClient.isFetching() > 0) await pause(100)
    await idle()
  } while (queryClient.isFetching() > 0)
}

/** Once the first screen shows what it is about: what nobody looks at yet comes after it. */
export const calm = Promise.race([settled(), pause(LATEST)])
