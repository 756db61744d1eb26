import { execFile } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/platform/running/config.ts'
import { linkLibraries } from '../src/platform/running/embedded-postgres.ts'
import { SETTINGS } from '../src/platform/running/settings.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => fs.readFile(join(ROOT, path), 'utf8')

/** Settings that the compose file leaves out, and why. */
const NOT_IN_COMPOSE: Record<string, string> = {
  PORT: 'the image sets it, and the published port is fixed',
  HOST: 'the image sets it',
  DATA_DIR: 'the image sets it',
  FILES_DIR: 'files stand in the volume of the data, or in S3',
  PGPASSWORD: 'DATABASE_URL has the password',
  ARCHIVE_TO: 'only for the embedded database, which the image does not have',
  ARCHIVE_DAYS: 'only with ARCHIVE_TO',
  CHROMIUM_PATH: 'only for tests',
  TEST_POOLER: 'only for tests',
}

describe('compose.yaml', () => {
  it('passes every setting but those that make no sense in a container', async () => {
    const service = /^ {2}maestranza:\n([\s\S]*?)^ {4}ports:/m.exec(await read('packaging/compose.yaml'))![1]!
    const passed = [...service.matchAll(/^ {6}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!)
    const names = SETTINGS.map(({ name }) => name)
    expect([...passed, ...Object.keys(NOT_IN_COMPOSE)].sort()).toEqual([...names].sort())
  })
  it('takes from .env only what env.example has, and all of that', async () => {
    const used = [...(await read('packaging/compose.yaml')).matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name!)
    const offered = [...(await read('packaging/env.example')).matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name!)
    expect(offered.sort()).toEqual([...new Set(used)].sort())
  })
  it('may pass an empty text, because that counts as not set', () => {
    const empty = Object.fromEntries(SETTINGS.map(({ name }) => [name, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })
})

describe('maestranza-run', () => {
  let folder: string
  beforeAll(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'maestranza-run-'))
    await fs.writeFile(join(folder, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
  })
  afterAll(() => fs.rm(folder, { recursive: true }))

  /** The words that systemd-run gets: its own options, and what runs after them. */
  async function wordsOf(...args: string[]) {
    const env = { PATH: `${folder}:${process.env.PATH}` }
    const { stdout } = await promisify(execFile)(join(ROOT, 'packaging/maestranza-run'), args, { env })
    const words = stdout.trimEnd().split('\n')
    const start = words.indexOf('/usr/bin/env')
    return { options: words.slice(0, start), command: words.slice(start + 1) }
  }
  const NODE = '/opt/maestranza/node_modules/.bin/node'

  it('runs a command as the user and with the environment of the service', async () => {
    const { options, command } = await wordsOf('restore', '--at', '2026-11-16 10:15:00', '/mnt/copy')
    expect(command).toEqual([NODE, 'scripts/restore.ts', '--at', '2026-11-16 10:15:00', '/mnt/copy'])
    expect(options).toEqual(expect.arrayContaining(['--uid=maestranza', 'EnvironmentFile=-/etc/maestranza.env']))
  })
  it('lets settings before the command win over the file', async () => {
    const { command } = await wordsOf('PORT=3001', 'start', 'PORT=3002')
    expect(command).toEqual(['PORT=3001', NODE, 'server/src/main.ts', 'PORT=3002'])
  })
  it('keeps a rehearsal away from people and from the copies of production', async () => {
    const { options, command } = await wordsOf('--rehearsal', 'start')
    expect(command).toEqual(expect.arrayContaining(['SMTP_URL=', 'ARCHIVE_TO=', 'S3_URL=', 'DATABASE_URL=']))
    expect(options).toContain('IPAddressDeny=any')
    expect((await wordsOf('--rehearsal', 'restore', 'https://s3/copy')).options).not.toContain('IPAddressDeny=any')
  })
  it('refuses a command that it does not know', async () => {
    await expect(wordsOf('PORT=3001', 'destroy', 'backup')).rejects.toMatchObject({ code: 2 })
    await expect(wordsOf()).rejects.toMatchObject({ code: 2 })
  })
  it('offers only commands that there are', async () => {
    const commands = /backup \|.*(?=\) command)/.exec(await read('packaging/maestranza-run'))![0].split(' | ')
    expect(commands.length).toBeGreaterThan(4)
    for (const name of commands) await expect(fs.access(join(ROOT, 'scripts', `${name}.ts`))).resolves.toBeUndefined()
  })
})

describe('the pages for administrators', () => {
  const PAGES = ['installing', 'operating', 'upgrading', 'es/instalar', 'es/operar', 'es/actualizar']
  const linesWith = async (text: string) =>
    (await Promise.all(PAGES.map((page) => read(`docs/${page}.md`)))).join('\n').match(new RegExp(`.*${text}.*`, 'g'))!

  it('give docker compose the file of settings each time', async () => {
    const lines = (await linesWith('docker compose [-a-z]')).filter((line) => !line.includes('--env-file .env'))
    expect(lines).toEqual([])
  })
  it('run through maestranza-run only what it offers', async () => {
    const offered = /(?<=\.\.\.?\] |…\] )[a-z|]+(?= \[argument)/
      .exec(await read('packaging/maestranza-run'))![0]
      .split('|')
    const lines = (await linesWith('maestranza-run ')).join('\n')
    const used = [...lines.matchAll(/maestranza-run (?:--rehearsal )?(?:[A-Z_]+=\S* )*([a-z]+)/g)].map(
      ([, name]) => name!,
    )
    expect(used.length).toBeGreaterThan(20)
    expect([...new Set(used)].filter((name) => !offered.includes(name))).toEqual([])
  })
})

describe('the library links of the embedded PostgreSQL', () => {
  it('are made by the build, so that the service need not write into its own program', async () => {
    const folder = await fs.mkdtemp(join(tmpdir(), 'maestranza-links-'))
    const native = join(folder, 'native')
    await fs.mkdir(join(native, 'lib'), { recursive: true })
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
    await fs.writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links))
    await linkLibraries(native)
    expect(await fs.readlink(join(native, 'lib/libpq.so.5'))).toBe('libpq.so.5.18')
    await linkLibraries(native)
    await fs.rm(folder, { recursive: true })
    expect(await read('scripts/build.mjs')).toContain("'link-postgres.ts'")
    expect(await read('scripts/link-postgres.ts')).toContain('binaries()')
  })
})
