import pg from 'pg'
import { formatQuery, pathOf } from '#contract/base/wire.ts'
import { PASSWORD } from '../server/seeds/people.ts'
import { createApp } from '../server/src/app.ts'
import { currentRequest } from '../server/src/platform/http/requests.ts'
import type { BenchCall, Row as Given } from './calls.ts'
import { type Statement, UNIQUE } from './statement.ts'

export const LOGIN = 'admin@maestranza.demo'

/** A call whose arguments are known. */
export type KnownCall = Omit<BenchCall, 'given' | 'params' | 'query' | 'body'> & {
  params?: object
  query?: object
  body?: (n: string) => object
}

export interface Recorded {
  statements: Statement[]
  /** Of the rows that came, those of one page. */
  ids: number[]
}
const PAGE = 50

/** The statements each call sends, recorded by calling the application inside this process once warm. */
export async function record(databaseUrl: string, calls: KnownCall[]): Promise<Recorded[]> {
  const app = await createApp({ databaseUrl })
  const sent: Statement[] = []
  const original = pg.Client.prototype.query
  const token = (
    await app.http.inject({ method: 'POST', url: '/api/v1/login', payload: { email: LOGIN, password: PASSWORD } })
  ).json().token
  const recorded: Recorded[] = []
  for (const call of calls) {
    const send = (n: string) =>
      app.http.inject({
        method: call.endpoint.method,
        url: pathTo(call),
        headers: { authorization: `Bearer ${token}` },
        ...(call.body && { payload: call.body(n) }),
      })
    await send('warm')
    sent.length = 0
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [what, values] = args as [string | Statement, unknown[]?]
      const statement: Statement =
        typeof what === 'string'
          ? { text: what, values, name: undefined }
          : { text: what.text, values: what.values ?? values, name: what.name }
      // Not what the house asks by itself meanwhile.
      if (currentRequest()) sent.push(statement)
      const answer = (original as (...args: unknown[]) => unknown).apply(this, args)
      if (/returning "?id"?/.test(statement.text))
        void (answer as Promise<pg.QueryArrayResult | pg.QueryResult>).then(({ rows: [first] }) => {
          statement.made = Number(Array.isArray(first) ? first[0] : first?.id)
        })
      return answer
    } as typeof original
    const { statusCode, body } = await send(UNIQUE)
    pg.Client.prototype.query = original
    if (statusCode >= 300) throw new Error(`${call.name}: ${statusCode} ${body}`)
    const { data, id } = JSON.parse(body || '{}') as { data?: unknown; id?: number }
    const ids = Array.isArray(data) ? data.map((row: { id?: number }) => row.id) : [id]
    recorded.push({
      statements: sent.filter(({ text }) => !/pg_notify|jobs\./.test(text)),
      ids: ids.flatMap((found) => found ?? []).slice(0, PAGE),
    })
  }
  await app.close()
  return recorded
}

export async function known(databaseUrl: string, chosen: BenchCall[]): Promise<KnownCall[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const found: KnownCall[] = []
  for (const { given, params, query, body, ...call } of chosen) {
    const row: Given = given ? (await client.query<Given>(given)).rows[0]! : {}
    const of = (what: object | ((row: Given) => object)) => (typeof what === 'function' ? what(row) : what)
    found.push({
      ...call,
      ...(params && { params: of(params) }),
      ...(query && { query: of(query) }),
      ...(body && { body: (n: string) => body(n, row) }),
    })
  }
  await client.end()
  return found
}

export const pathTo = ({ endpoint, params, query = {} }: KnownCall) =>
  `/api${pathOf(endpoint, params)}${formatQuery(query)}`
