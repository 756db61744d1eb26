import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'
import { type Statement, UNIQUE } from './statement.ts'

/**
 * The floor: the statements a call of the product sends, through the bare driver behind a bare `node:http`, and
 * nothing else. What the product adds on top (session, permissions, parsing, checks) is the difference. Under `/least`,
 * the rows of a page by their keys: what nobody could do with less.
 */

export interface Floor {
  url: string
  calls: { statements: Statement[]; ids: number[]; table: string | undefined }[]
}
const { url, calls } = JSON.parse(readFileSync(process.env.FLOOR!, 'utf8')) as Floor
// The company stands on the connection, as it does on the product's: some of what it asks for depends on it.
const pool = new pg.Pool({ connectionString: url, max: 20, options: '-c timezone=UTC -c app.company_id=1' })
let count = 0

/** A recorded value as this run has it: its own names, and the ids that its own inserts gave out. */
const fill = (value: unknown, unique: string, ids: Map<number, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((each) => fill(each, unique, ids))
  if (typeof value === 'number' && ids.has(value)) return ids.get(value)
  if (typeof value === 'string' && LIST.test(value))
    return value.replace(/\d+/g, (n) => String(ids.get(Number(n)) ?? n))
  return typeof value === 'string'
    ? value.replaceAll(UNIQUE, unique)
    : isBuffer(value)
      ? Buffer.from(value.data)
      : value
}
/** Whole numbers, as the product sends a list of them. */
const LIST = /^\{\d+(,\d+)*\}$/
const isBuffer = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  typeof value === 'object' && value !== null && (value as { type?: string }).type === 'Buffer'

createServer(async (request, response) => {
  request.resume()
  const [, which, least] = /^\/(\d+)(\/least)?/.exec(request.url!)!
  const { statements: sent, ids: those, table } = calls[Number(which)]!
  const byKey = `select * from ${table} where company_id = 1 and id = any($1::bigint[])`
  const statements: Statement[] = least ? [{ name: `least ${which}`, text: byKey, values: [those] }] : sent
  const unique = `floor ${++count}`
  const client = await pool.connect()
  try {
    let rows: unknown[] = []
    const ids = new Map<number, unknown>()
    for (const { text, values, name, made } of statements) {
      const filled = values?.map((value) => fill(value, unique, ids))
      const result = await client.query(name ? { name, text, values: filled } : { text, values: filled })
      if (!Array.isArray(result) && result.rows.length >= rows.length) rows = result.rows
      if (made !== undefined) ids.set(made, Number(result.rows[0].id))
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(rows))
  } catch (error) {
    await client.query('rollback').catch(() => {})
    response.statusCode = 500
    response.end(String(error))
  } finally {
    client.release()
  }
}).listen(Number(process.env.PORT), '127.0.0.1')
