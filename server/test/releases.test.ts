import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { openStore } from '../src/platform/outside/store.ts'
import { restoreBackup } from '../src/platform/running/backup.ts'
import { databaseUrl } from './global-setup.ts'
import { broken, type Call, Caller, shapeOfReply, type Tables, tablesOf } from './releases.ts'

/*
 * Old and new run side by side for the length of a deploy, on one database, and pages of the old one stay open: whatever
 * the last releases answered is answered still, and their code finds the columns it knows (decision 0024).
 */

const RELEASES = join(import.meta.dirname, 'releases')
const versions = existsSync(RELEASES) ? readdirSync(RELEASES) : []
const read = <T>(version: string, name: string) => JSON.parse(readFileSync(join(RELEASES, version, name), 'utf8')) as T

/** The second step of a change, as the test tells it: what no release that may still run uses, and why that is so. */
const CONTRACTED: Record<string, string> = {
  'work_times(company_id, work_id where (from_at IS NULL)) is not there once only any more':
    'No conflict clause of 0.1.0 names this index. While it runs beside a newer server it may delete the reversal of typed hours when it saves an order; the next save of the newer one writes it again.',
}

describe.each(versions)('what %s answered', (version) => {
  it('is answered still, field by field', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'maestranza-release-'))
    const name = `release_${randomUUID().replaceAll('-', '')}`
    const server = new pg.Client({ connectionString: inject('serverUrl') })
    await server.connect()
    await server.query(`create database ${name}`)
    await server.end()
    const url = databaseUrl(inject('serverUrl'), name)
    const store = openStore({ folder: join(folder, 'files') })
    await restoreBackup(url, join(RELEASES, version, 'demo.backup'), { store })
    const app = await createApp({ databaseUrl: url, dataDir: folder, checkReplies: true })
    const differences: string[] = []
    try {
      const caller = new Caller(app)
      for (const call of read<Call[]>(version, 'calls.json')) {
        const { status, shape } = await caller.ask(call)
        differences.push(...broken(call, status, shape).map((what) => `${call.method} ${call.path}: ${what}`))
      }
    } finally {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    }
    expect(differences).toEqual([])
  }, 300_000)

  it('finds its tables and columns, and may leave out those it does not know', async () => {
    const client = new pg.Client({ connectionString: databaseUrl(inject('serverUrl'), inject('template')) })
    await client.connect()
    const now = await tablesOf(client).finally(() => client.end())
    const offences = Object.entries(read<Tables>(version, 'tables.json')).flatMap(([table, then]) => {
      const today = now[table]
      if (!today) return [`${table} is gone`]
      const lost = Object.entries(then.columns).flatMap(([column, { type, required }]) => {
        const found = today.columns[column]
        if (!found) return [`${table}.${column} is gone`]
        if (found.type !== type) return [`${table}.${column} is ${found.type} instead of ${type}`]
        return found.required && !required ? [`${table}.${column} must be filled now`] : []
      })
      const added = Object.entries(today.columns).filter(([column, { required }]) => required && !then.columns[column])
      // What it inserts `on conflict` needs them.
      const loose = then.once.filter((of) => !today.once.includes(of))
      return [
        ...lost,
        ...added.map(([column]) => `${table}.${column} must be filled, and ${version} does not know it`),
        ...loose.map((of) => `${table}(${of}) is not there once only any more`),
      ]
    })
    expect(offences.filter((offence) => !(offence in CONTRACTED))).toEqual([])
  })
})

it('tells what would break a client from what would not', () => {
  const then = {
    method: 'GET',
    path: '/',
    status: 200,
    shape: shapeOfReply({ a: 1, b: [{ c: 'x', d: null }, { c: 'y' }] }),
  }
  const now = (status: number, reply: unknown) => broken(then, status, shapeOfReply(reply))
  expect(then.shape).toEqual({
    '': 'object',
    a: 'number',
    b: 'array',
    'b[]': 'object',
    'b[].c': 'string',
    'b[].d': 'null?',
  })
  expect(now(200, { a: 2, b: [{ c: 'z', e: 1 }], more: true })).toEqual([])
  expect(now(200, { a: 2, b: [] })).toEqual([])
  expect(now(404, {})).toEqual(['answers 404 instead of 200'])
  expect(now(200, { a: '2', b: [{ c: 'x' }, {}] })).toEqual([
    'a is string instead of number',
    'b[].c is not always there',
  ])
  expect(now(200, { b: [{}] })).toEqual(['a is gone', 'b[].c is gone'])
})
