import { type Leaving, leaveDemo } from '../seeds/leaving.ts'
import { ignore } from './platform/ignore.ts'

/** Takes the demonstration out, as the owner of the tables: `main.ts` runs it as a process of its own. */

for (const signal of ['SIGINT', 'SIGHUP'] as const)
  process.on(signal, ignore('It ends when it is done, not in the middle.'))
process.once('message', async (asked: Leaving) => {
  await leaveDemo(asked, (problem) => process.send?.({ problem }))
  if (process.connected) process.disconnect()
})
