import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareDatabase } from '../src/platform/database/prepare.ts'
import { startEmbeddedPostgres } from '../src/platform/running/embedded-postgres.ts'
import { startPooler } from './pooler.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    template: string
    /** Of the pooler before the server, where the tests run behind one. */
    poolerUrl: string | null
  }
}

/**
 * One server and one migrated database for the whole run; each test file works on a clone of it. With `TEST_POOLER` (the
 * path of a PgBouncer) the product reaches them through it.
 */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'maestranza-test-'))
  const { TEST_POOLER } = process.env
  // The server then runs as a user of its own, as the pooler does.
  if (TEST_POOLER) await chmod(folder, 0o755)
  const postgres = await startEmbeddedPostgres(folder, { fsync: false, connections: 300 })
  const template = 'template_maestranza'
  const owner = new pg.Client({ connectionString: postgres.url })
  await owner.connect()
  await owner.query(`create database ${template}`)
  await owner.end()
  await prepareDatabase(databaseUrl(postgres.url, template), Boolean(TEST_POOLER))
  const pooler = TEST_POOLER ? await startPooler(TEST_POOLER, postgres.url) : undefined
  project.provide('serverUrl', postgres.url)
  project.provide('template', template)
  project.provide('poolerUrl', pooler?.url ?? null)
  return async () => {
    await pooler?.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export function databaseUrl(serverUrl: string, database: string) {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.toString()
}
