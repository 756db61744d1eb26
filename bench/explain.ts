import { readFileSync } from 'node:fs'
import pg from 'pg'
import { identity } from '#contract/identity/identity.ts'
import { CALLS } from './calls.ts'
import { CARRIER, openData } from './data.ts'
import { known, record } from './record.ts'
import { UNIQUE } from './statement.ts'

/**
 * `node scripts/run.mjs bench/explain.ts [filter,…|/v1/path?query] --data folder [--size 36] [--plan]`
 *
 * What each statement of a call costs the database: processor time (Linux), buffers, rows; and how it goes about it. The
 * product takes part only to say what it asks.
 */

const said = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const FILTER = process.argv[2]?.startsWith('--') ? '' : (process.argv[2] ?? '')
const TIMES = 5
const chosen = FILTER.startsWith('/')
  ? [{ name: FILTER, endpoint: { ...identity.me, path: FILTER } }]
  : CALLS.filter(({ name }) => FILTER.split(',').some((part) => name.includes(part)))

const data = await openData(Number(said('size') ?? CARRIER), 500_000, said('data'))
try {
  const calls = await known(data.url, chosen)
  const statements = (await record(data.url, calls)).map((call) => call.statements)
  const client = new pg.Client({
    connectionString: data.url,
    options: '-c role=maestranza_app -c timezone=UTC -c app.company_id=1',
  })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const cpu = () =>
    process.platform === 'linux'
      ? Number(readFileSync(`/proc/${rows[0]!.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
      : 0
  for (const [i, call] of calls.entries()) {
    let sum = 0
    const told: string[] = []
    for (const { text, values: recorded } of statements[i]!) {
      if (!/^\s*\(*\s*(select|with|insert|update|delete)/i.test(text)) continue
      const values = recorded?.map((value) => (value === UNIQUE ? 'explained' : value))
      try {
        await client.query('begin')
        await client.query({ name: `s${i}-${told.length}`, text, values })
        await client.query('rollback')
        const before = cpu()
        for (let n = 0; n < TIMES; n++) {
          await client.query('begin')
          await client.query({ name: `s${i}-${told.length}`, text, values })
          await client.query('rollback')
        }
        const each = (cpu() - before) / TIMES
        await client.query('begin')
        const plan = await client.query<{ 'QUERY PLAN': string }>({
          text: `explain (analyze, buffers) ${text}`,
          values,
        })
        await client.query('rollback')
        const lines = plan.rows.map((row) => row['QUERY PLAN'])
        const buffers = lines.find((line) => line.includes('Buffers:'))?.trim() ?? ''
        sum += each
        told.push(`  ${each.toFixed(2).padStart(8)} ms  ${buffers}  ${text.replace(/\s+/g, ' ').slice(0, 110)}`)
        if (process.argv.includes('--plan') && each > 0.5) told.push(text, ...lines.map((line) => `      ${line}`))
      } catch (error) {
        await client.query('rollback')
        told.push(`         – ${(error as Error).message}  ${text.replace(/\s+/g, ' ').slice(0, 110)}`)
      }
    }
    console.log(`${sum.toFixed(1).padStart(8)} ms  ${call.name} (${statements[i]!.length} statements)`)
    for (const line of told) console.log(line)
  }
  await client.end()
} finally {
  await data.close()
}
process.exit(0)
