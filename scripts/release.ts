import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createApp } from '#server/app.ts'
import { openStore } from '#server/platform/outside/store.ts'
import { restoreBackup, writeBackup } from '#server/platform/running/backup.ts'
import { startEmbeddedPostgres } from '#server/platform/running/embedded-postgres.ts'
import { prepareDatabase } from '#server/platform/running/prepare-database.ts'
import { loadDemo } from '../server/seeds/demo.ts'
import { Caller, record, tablesOf } from '../server/test/releases.ts'
import { releaseProblem } from './release-problem.ts'

/**
 * `npm run release`: records the answers of this version in server/test/releases/<version>, which later versions are tested
 * against, commits them and writes the git tag v<version>. It needs a clean working tree, the version in package.json, and
 * a dated section of the changelog.
 */

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(await fs.readFile(join(root, 'package.json'), 'utf8')) as { version: string }
const into = join(root, 'server/test/releases', version)
const tag = `v${version}`
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const refusal = releaseProblem({
  version,
  changelog: await fs.readFile(join(root, 'CHANGELOG.md'), 'utf8'),
  changes: git('status', '--porcelain'),
  tags: git('tag').split('\n'),
})
if (refusal) {
  console.error(refusal)
  process.exit(1)
}
const folder = await fs.mkdtemp(join(tmpdir(), 'maestranza-release-'))
await fs.chmod(folder, 0o755)
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), { fsync: false })
const backup = join(folder, 'demo.backup')
try {
  const store = openStore({ folder: join(folder, 'files') })
  await prepareDatabase(postgres.url, false)
  await loadDemo(postgres.url, { factor: 0.1 })
  await writeBackup(postgres.url, store, backup)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const tables = await tablesOf(client)
  await client.query('create database played')
  await client.end()
  const url = Object.assign(new URL(postgres.url), { pathname: '/played' }).toString()
  await restoreBackup(url, backup, { store })
  const app = await createApp({ databaseUrl: url, dataDir: folder })
  const calls = await record(new Caller(app)).finally(() => app.close())
  await fs.mkdir(into, { recursive: true })
  const lines = calls.map((call) => JSON.stringify(call)).join(',\n')
  await fs.writeFile(join(into, 'calls.json'), `[\n${lines}\n]\n`)
  await fs.writeFile(join(into, 'tables.json'), `${JSON.stringify(tables)}\n`)
  await fs.copyFile(backup, join(into, 'demo.backup'))
  const many = calls.reduce((sum, { shape }) => sum + Object.keys(shape).length, 0)
  const answered = calls.filter(({ status }) => status < 300).length
  git('add', into)
  git('commit', '--quiet', '-m', `release: record the answers of ${version}`, '-m', 'Written by npm run release.')
  git('tag', '--annotate', tag, '-m', `Maestranza ${version}`)
  console.log(`${tag}: ${calls.length} calls, ${answered} of them answered with what was asked for, ${many} fields`)
} finally {
  await postgres.stop('immediate')
  await fs.rm(folder, { recursive: true, force: true })
}
process.exit(0)
