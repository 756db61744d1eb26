import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { z } from 'zod'
import type { Role } from '#contract/base/permissions.ts'
import { type Endpoint, type Failure, formatQuery, formOf, pathOf } from '#contract/base/wire.ts'
import { loadDemo } from '../seeds/demo.ts'
import { type App, createApp, type LogStream } from '../src/app.ts'
import { guessLimiter } from '../src/platform/limiter.ts'
import { Secrets } from '../src/platform/operations/secrets.ts'
import { Given, type Member } from './given.ts'
import { brokenInvariants } from './invariants.ts'
import { judgeSaid } from './recorder.ts'
import { databaseUrl, makeDatabase, renameDatabase } from './test-server.ts'

export interface Answer<E extends Endpoint> {
  status: number
  /** Of a file, its bytes. */
  body: z.output<E['reply']> extends File ? Buffer : z.output<E['reply']>
  failure: Failure
  headers: Record<string, unknown>
}

type Input<S> = NonNullable<S> extends z.ZodType<infer _O, infer I> ? I : never
export interface Args<E extends Endpoint> {
  params?: Record<string, number | string>
  query?: Partial<Input<E['query']>> | Record<string, unknown>
  body?: Input<E['body']> | Record<string, unknown>
  headers?: Record<string, string>
}

/** The product on a database of its own, and people to use it. */
export interface House {
  app: App
  url: string
  /** Where its files are. */
  dataDir: string
  given: Given
  owner: pg.Pool
  call<E extends Endpoint>(who: Member | undefined, endpoint: E, args?: Args<E>): Promise<Answer<E>>
}

/** Vitest captures the console for the test that runs, and prints it only when that one fails. */
export const testLog: LogStream = { write: (line) => console.log(line.trimEnd()) }

/** `small` has the same kinds of things as the demonstration, and a tenth of its orders. */
export type Demo = 'small' | 'full'

/** A database of its own, empty or with the demonstration. */
export async function newDatabase({ demo }: { demo?: Demo } = {}): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const server = new pg.Client({ connectionString: inject('serverUrl') })
  await server.connect()
  try {
    // Copies of one database wait for each other, or on a cluster would not let each other be.
    if (inject('nodes').length > 1) await server.query('select pg_advisory_lock(2)')
    const template = demo ? await makeDemo(server, demo) : inject('template')
    await makeDatabase(inject('nodes'), name, template)
  } finally {
    await server.end()
  }
  return databaseUrl(inject('serverUrl'), name)
}

export const DEMO_FACTORS: Record<Demo, number> = { small: 0.1, full: 1 }

/** It is loaded once in a run, by the first test file that needs it; the others wait for it. */
async function makeDemo(server: pg.Client, demo: Demo) {
  const template = `template_demo_${demo}`
  await server.query('select pg_advisory_lock(1)')
  const { rowCount } = await server.query('select from pg_database where datname = $1', [template])
  if (rowCount === 0) {
    const making = `${template}_making`
    await makeDatabase(inject('nodes'), making, inject('template'))
    await loadDemo(databaseUrl(inject('serverUrl'), making), { factor: DEMO_FACTORS[demo] })
    await renameDatabase(inject('nodes'), making, template)
  }
  await server.query('select pg_advisory_unlock(1)')
  return template
}

/** As if fifteen minutes had passed since the last wrong password. */
export function forgetGuesses({ owner }: House) {
  guessLimiter.clear()
  return owner.query('delete from login_attempts')
}

/** A table of a test's own, where a company's are. */
export async function makeTable({ owner }: House, name: string, columns: string) {
  await owner.query(`create table ${name} (company_id bigint, ${columns}); grant all on ${name} to maestranza_app`)
  if (inject('nodes').length > 1)
    await owner.query(`select create_distributed_table('${name}', 'company_id', colocate_with => 'supplies')`)
}

/** Opens a house for a test file; after its tests the invariants must hold, and a cluster could do all that was asked. */
export function openHouse(filled: { demo?: Demo } = {}): House {
  const house = {} as House
  beforeAll(async () => {
    house.url = await newDatabase(filled)
    house.owner = new pg.Pool({ connectionString: house.url, max: 4 })
    house.dataDir = await mkdtemp(join(tmpdir(), 'maestranza-house-'))
    const poolerUrl = inject('poolerUrl')
    const poolUrl = poolerUrl && databaseUrl(poolerUrl, new URL(house.url).pathname.slice(1))
    const { url, dataDir } = house
    house.app = await createApp({ databaseUrl: url, poolUrl, dataDir, checkReplies: true, log: testLog })
    // As where it runs; the activity is sealed by the tests that ask for it.
    house.app.database.context.secrets = new Secrets('una clave de pruebas, no un secreto')
    house.call = (who, endpoint, args) => send(house.app, who, endpoint, args)
    house.given = new Given(house)
  }, 180_000)
  afterAll(() => closeHouse(house), 180_000)
  return house
}

/** Closes a house in which the invariants must hold, and of which a cluster could do all that was sent. */
export async function closeHouse(house: House) {
  const refused = await judgeSaid(inject('records'), house.owner)
  const broken = await brokenInvariants(house.owner)
  await house.app?.close()
  await house.owner?.end()
  await rm(house.dataDir, { recursive: true, force: true })
  expect(broken).toEqual([])
  expect(refused).toEqual([])
}

export async function send<E extends Endpoint>(
  app: App,
  who: Member | undefined,
  endpoint: E,
  args: Args<E> = {},
): Promise<Answer<E>> {
  const response = await app.http.inject({
    method: endpoint.method,
    url: `/api${pathOf(endpoint, args.params)}${formatQuery(args.query ?? {})}`,
    headers: {
      ...(who && { authorization: `Bearer ${who.token}`, 'x-company-id': String(who.company_id) }),
      ...args.headers,
    },
    ...(args.body !== undefined && { payload: endpoint.upload ? formOf(args.body as object) : (args.body as object) }),
  })
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  const body = response.body === '' ? undefined : isJson ? response.json() : response.rawPayload
  // Whatever is refused says under which id the log has it; no test is about which one.
  if (response.statusCode >= 400) {
    expect(body.request_id).toBe(response.headers['x-request-id'])
    delete body.request_id
  }
  return { status: response.statusCode, body, failure: body, headers: response.headers }
}

export type { Role }
