import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName } from 'drizzle-orm'
import pg from 'pg'
import { APP_ROLE } from '../src/platform/database/db.ts'
import { EXCUSED } from './spread-excuses.ts'
import { Functions } from './spread-functions.ts'
import { Judge } from './spread-statements.ts'
import { tables } from './tables.ts'

/** Every statement that the product sends, whatever test makes it, and that was not judged before. */
const said = new Set<string>()
const sound = new Set<string>()
const RECORDING = Symbol.for('recording')

const { query } = pg.Client.prototype
if (!(RECORDING in query)) {
  const recording = function (this: pg.Client, ...of: unknown[]) {
    const [what] = of
    const { options } = (this as unknown as { connectionParameters: { options?: string } }).connectionParameters
    const { text, values = of[1] } = (what ?? {}) as { text?: string; values?: unknown[] }
    // Not what the owner of the tables asks, nor what has no values: that is a test's own.
    if (text && Array.isArray(values) && values.length > 0 && options?.includes(APP_ROLE) && !sound.has(text))
      said.add(text)
    return Reflect.apply(query, this, of)
  }
  pg.Client.prototype.query = Object.assign(recording, { [RECORDING]: true }) as typeof query
}

const VIEWS = [
  'searched_work_orders',
  'searched_supplies',
  'searched_alerts',
  'searched_trucks',
  'searched_coupled',
  'searched_movements',
  'searched_transactions',
  'searched_purchase_orders',
  'alert_emails',
]
const judge = new Judge([...tables.map((table) => getTableName(table)), ...VIEWS])
const used = new Set<string>()

/** What a cluster would refuse, or would have to ask of every node, among what was said; and which excuses were needed. */
export async function judgeSaid(folder: string, owner: pg.Pool): Promise<string[]> {
  const wrong: string[] = []
  const functions = await Functions.open(owner, judge.isOfCompany)
  for (const text of said) {
    const before = wrong.length
    for (const { rule, where } of [...judge.offencesOf(text), ...(await functions.offencesOf(text))]) {
      const what = `${rule}: ${where}`
      if (EXCUSED.has(what)) used.add(what)
      else wrong.push(`${what} ← ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`)
    }
    if (wrong.length === before) sound.add(text)
  }
  functions.close()
  said.clear()
  if (used.size > 0) writeFileSync(join(folder, `excuses-${process.pid}.json`), JSON.stringify([...used]))
  return wrong
}
