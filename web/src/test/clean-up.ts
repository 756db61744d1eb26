import { setImmediate } from 'node:timers/promises'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { hush } from '../ui/snackbar.tsx'
import { drawAllAtOnce } from '../ui/turns.tsx'
import { endQueries } from './stage.tsx'

// A busy machine takes its time to load a screen.
configure({ asyncUtilTimeout: 10_000 })

// The files of a worker share one window and what they import; this file runs again for each of them.
afterEach(async () => {
  cleanup()
  endQueries()
  hush()
  drawAllAtOnce(false)
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  // React runs what it has scheduled in the next turns of the event loop, and would do so after the window is gone.
  await setImmediate()
  await setImmediate()
})
