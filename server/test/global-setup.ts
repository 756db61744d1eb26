import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../src/platform/running/embedded-postgres.ts'
import { prepareDatabase } from '../src/platform/running/prepare-database.ts'
import { startPooler } from './pooler.ts'
import { EXCUSED } from './spread-excuses.ts'
import { databaseUrl, dropDatabases, joinNodes, makeDatabase, nodesOf } from './test-server.ts'

export { databaseUrl }

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    /** Of the server, or of every node of the cluster, the coordinator first. */
    nodes: string[]
    template: string
    /** Where each worker writes which excuses it needed. */
    records: string
    /** Of the pooler before the server, where the tests run behind one. */
    poolerUrl: string | null
  }
}

const MADE_HERE = '^(\\w+_[0-9a-f]{32}|template_maestranza|template_demo_\\w+)$'

/**
 * One server and one migrated database for the whole run; each test file works on a clone of it. With `TEST_POOLER` (the
 * path of a PgBouncer) the product reaches them through it; with `TEST_DATABASE_URL` they are made on that server, or on
 * the cluster whose coordinator it is.
 */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'maestranza-test-'))
  const { TEST_POOLER, TEST_DATABASE_URL } = process.env
  // The server then runs as a user of its own, as the pooler does.
  if (TEST_POOLER) await chmod(folder, 0o755)
  const postgres = TEST_DATABASE_URL
    ? { url: TEST_DATABASE_URL, stop: async () => {} }
    : await startEmbeddedPostgres(folder, { fsync: false, connections: 300 })
  const nodes = await nodesOf(postgres.url)
  const template = 'template_maestranza'
  if (TEST_DATABASE_URL) await dropDatabases(nodes, MADE_HERE)
  await makeDatabase(nodes, template)
  await joinNodes(nodes, template)
  await prepareDatabase(databaseUrl(postgres.url, template), Boolean(TEST_POOLER))
  const pooler = TEST_POOLER ? await startPooler(TEST_POOLER, postgres.url) : undefined
  project.provide('serverUrl', postgres.url)
  project.provide('nodes', nodes)
  project.provide('template', template)
  project.provide('records', folder)
  project.provide('poolerUrl', pooler?.url ?? null)
  return async () => {
    await pooler?.stop()
    if (TEST_DATABASE_URL) await dropDatabases(nodes, MADE_HERE)
    await postgres.stop()
    const idle = process.env.WHOLE_SUITE ? await idleExcuses(folder) : []
    await rm(folder, { recursive: true, force: true })
    if (idle.length > 0) throw new Error(`Excuses that no statement needs any more, to be removed:\n${idle.join('\n')}`)
  }
}

/** Those that nothing in the whole suite needed: what was mended stays mended. */
async function idleExcuses(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.startsWith('excuses-'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const used = new Set(texts.flatMap((text) => JSON.parse(text) as string[]))
  return [...EXCUSED.keys()].filter((what) => !used.has(what))
}
