import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareDatabase } from '../src/platform/database/prepare.ts'
import { startEmbeddedPostgres } from '../src/platform/running/embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    template: string
  }
}

/** One server and one migrated database for the whole run; each test file works on a clone of it. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'maestranza-test-'))
  const postgres = await startEmbeddedPostgres(folder, { fsync: false, connections: 300 })
  const template = 'template_maestranza'
  const owner = new pg.Client({ connectionString: postgres.url })
  await owner.connect()
  await owner.query(`create database ${template}`)
  await owner.end()
  await prepareDatabase(databaseUrl(postgres.url, template))
  project.provide('serverUrl', postgres.url)
  project.provide('template', template)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export function databaseUrl(serverUrl: string, database: string) {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.toString()
}
