import { appendFileSync, existsSync } from 'node:fs'
import type { News, Told } from '../src/platform/running/supervisor.ts'

/** Stands for the serving process: the first ends as soon as it serves, and those after it take long to get ready. */
const diary = process.env.SLOW_DIARY!
const isFirst = !existsSync(diary)
appendFileSync(diary, 'begun ')
const say = (news: News) => process.send!(news)

process.on('disconnect', () => process.exit(0))
process.on('message', ({ type }: Told) => {
  if (type === 'begin') setTimeout(() => say({ type: 'ready' }), isFirst ? 0 : 1000)
  else if (type === 'stop') process.exit(0)
  else {
    appendFileSync(diary, 'listening ')
    say({ type: 'listening', address: '', code: undefined })
    setInterval(() => say({ type: 'alive' }), 20)
    if (isFirst) setTimeout(() => process.exit(1), 50)
  }
})
