import { setImmediate } from 'node:timers/promises'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A busy machine takes its time to load a screen.
configure({ asyncUtilTimeout: 10_000 })

afterEach(async () => {
  cleanup()
  // React runs what it has scheduled in the next turns of the event loop, and would do so after the window is gone.
  await setImmediate()
  await setImmediate()
})
