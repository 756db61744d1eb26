import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { Given } from '../../../test/given.ts'
import { databaseUrl } from '../../../test/global-setup.ts'
import { type House, newDatabase, send } from '../../../test/house.ts'
import { sized } from '../../../test/sized.ts'
import { type App, createApp } from '../../app.ts'
import { MIGRATIONS } from '../database/migrate.ts'
import { openStore, type Store } from '../outside/store.ts'
import { StartProblem } from '../problems.ts'
import { hashTables, restoreBackup, writeBackup } from './backup.ts'

let folder: string
let server: pg.Client
let demo: string
let small: string
let store: Store

const emptyDatabase = async () => {
  const name = `backup_${randomUUID().replaceAll('-', '')}`
  await server.query(`create database ${name}`)
  return databaseUrl(inject('serverUrl'), name)
}
const fileNamed = (name: string) => join(folder, name)
/** The house as tests know it, on a database of our own. */
const houseOn = (app: App, owner: pg.Pool) =>
  ({ app, owner, call: (who, endpoint, args) => send(app, who, endpoint, args) }) as House

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maestranza-backup-test-'))
  store = openStore({ folder: join(folder, 'files') })
  server = new pg.Client({ connectionString: inject('serverUrl') })
  await server.connect()
  demo = await newDatabase({ demo: sized('small', 'full') })
  small = await newDatabase()
  const client = new pg.Client({ connectionString: small })
  await client.connect()
  await client.query(`insert into companies (name) values ('De antes')`)
  await client.query(`insert into users (email, name, password_hash) values ('ana@x.cl', 'Ana', 'x')`)
  await client.end()
})
afterAll(async () => {
  await server.end()
  await rm(folder, { recursive: true, force: true })
})

describe('a backup', () => {
  it('brings back every table as it was, and work goes on from there', async () => {
    const taken = await writeBackup(demo, store, fileNamed('demo'))
    expect(taken.rows).toBeGreaterThan(sized(1000, 5000))
    const url = await emptyDatabase()
    expect(await restoreBackup(url, fileNamed('demo'))).toEqual(taken)
    // Ways in stay behind.
    const { api_tokens: _, ...kept } = await hashTables(demo)
    expect(await hashTables(url)).toMatchObject(kept)

    const app = await createApp({ databaseUrl: url, checkReplies: true })
    const owner = new pg.Pool({ connectionString: url, max: 2 })
    try {
      const house = houseOn(app, owner)
      const given = new Given(house)
      const boss = await given.member({ role: 'super-admin', company_id: 1, workshop_id: 1 })
      const made = await house.call(boss, fleet.createTruck, { body: given.newTruck(boss) })
      expect([made.status, made.body.id]).toEqual([201, expect.any(Number)])
    } finally {
      await app.close()
      await owner.end()
    }
  })

  it('is of one moment, whatever is written meanwhile', async () => {
    const writer = new pg.Client({ connectionString: demo })
    await writer.connect()
    let busy = true
    let written = 0
    const writing = (async () => {
      for (; busy; written++)
        await writer.query(
          `with made as (insert into brands (company_id, name) values (1, 'Marca ${written}') returning id)
           insert into truck_types (company_id, name) select 1, 'Tipo ' || id from made`,
        )
    })()
    await writeBackup(demo, store, fileNamed('busy'))
    busy = false
    await writing
    await writer.end()
    expect(written).toBeGreaterThan(0)
    const url = await emptyDatabase()
    await restoreBackup(url, fileNamed('busy'))
    const restored = new pg.Client({ connectionString: url })
    await restored.connect()
    const { rows } = await restored.query(
      `select (select count(*) from brands where name like 'Marca %') = (select count(*) from truck_types where name like 'Tipo %') as agree`,
    )
    await restored.end()
    expect(rows).toEqual([{ agree: true }])
  })

  it('of an older version is brought up to date', async () => {
    // The tables of today are one migration older than those of this folder.
    const newer = fileNamed('newer-migrations')
    await cp(MIGRATIONS, newer, { recursive: true })
    const journal = JSON.parse(await readFile(join(newer, 'meta', '_journal.json'), 'utf8'))
    const last = journal.entries.at(-1)
    journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_later' })
    await writeFile(join(newer, 'meta', '_journal.json'), JSON.stringify(journal))
    await writeFile(join(newer, '9999_later.sql'), `insert into companies (name) values ('De después')`)

    await writeBackup(small, store, fileNamed('old'))
    const url = await emptyDatabase()
    await restoreBackup(url, fileNamed('old'), { folder: newer })
    const restored = new pg.Client({ connectionString: url })
    await restored.connect()
    const { rows } = await restored.query('select name from companies order by id')
    await restored.end()
    expect(rows).toEqual([{ name: 'De antes' }, { name: 'De después' }])

    await writeBackup(url, store, fileNamed('newer'))
    await expect(restoreBackup(await emptyDatabase(), fileNamed('newer'))).rejects.toThrow('versión más nueva')
  })

  it('leaves the keys of the house out, and opens only with its passphrase', async () => {
    const client = new pg.Client({ connectionString: small })
    await client.connect()
    await client.query(
      `insert into sessions (token_hash, user_id, expires_at, agent, address)
       select sha256('x'), min(id), now() + interval '1 day', '', '' from users`,
    )
    await client.end()
    const passphrase = 'una frase que nadie más sabe'
    await writeBackup(small, store, fileNamed('sealed'), passphrase)
    const bytes = await readFile(fileNamed('sealed'))
    const url = await emptyDatabase()
    await expect(restoreBackup(url, fileNamed('sealed'))).rejects.toThrow('indique su frase en BACKUP_PASSPHRASE')
    await expect(restoreBackup(url, fileNamed('sealed'), { passphrase: 'otra' })).rejects.toThrow('La frase no es')
    bytes[bytes.length - 20]! ^= 1
    await writeFile(fileNamed('touched'), bytes)
    await expect(restoreBackup(url, fileNamed('touched'), { passphrase })).rejects.toThrow('La frase no es')
    await restoreBackup(url, fileNamed('sealed'), { passphrase })
    const restored = new pg.Client({ connectionString: url })
    await restored.connect()
    const { rows } = await restored.query(
      `select (select count(*) from users) > 0 as people, (select count(*)::int from sessions) as sessions`,
    )
    await restored.end()
    expect(rows).toEqual([{ people: true, sessions: 0 }])
  })

  it('is refused before anything is written when it is damaged', async () => {
    const passphrase = 'una frase que nadie más sabe'
    await writeBackup(demo, store, fileNamed('intact'))
    await writeBackup(demo, store, fileNamed('intact-sealed'), passphrase)
    const [plain, sealed] = await Promise.all(['intact', 'intact-sealed'].map((name) => readFile(fileNamed(name))))
    const flipped = (bytes: Buffer, at: number) => {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      return changed
    }
    const packed = (lines: string[]) => gzipSync(`${lines.join('\n')}\n`)
    const lines = gunzipSync(plain!).toString().trimEnd().split('\n')
    const [first, last] = [lines.findIndex((line) => line.startsWith('{"table":"companies"')) + 1, lines.length - 1]
    const damages: [string, Buffer, string?][] = [
      ['not a backup', Buffer.from('hola')],
      ['empty', Buffer.alloc(0)],
      ['another gzip', gzipSync('hola')],
      ['cut in half', plain!.subarray(0, plain!.length / 2)],
      ['without its last byte', plain!.subarray(0, -1)],
      ['a byte in the middle', flipped(plain!, plain!.length >> 1)],
      ['a byte of the checksum', flipped(plain!, plain!.length - 6)],
      ['a row changed', packed(lines.with(first, lines[first]!.replace('"name":"', '"name":"X')))],
      ['a row missing', packed(lines.toSpliced(first, 1))],
      ['without its end', packed(lines.slice(0, last))],
      ['sealed, half', sealed!.subarray(0, sealed!.length / 2), passphrase],
      ['sealed, a byte', flipped(sealed!, sealed!.length >> 1), passphrase],
      ['sealed, a byte of the tag', flipped(sealed!, sealed!.length - 1), passphrase],
      ['sealed, another passphrase', sealed!, 'otra frase'],
      ['sealed, no passphrase', sealed!],
    ]
    const url = await emptyDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const kept: string[] = []
    const watched: Store = { ...store, put: async ({ hash }) => void kept.push(hash) }
    for (const [name, bytes, phrase] of damages) {
      await writeFile(fileNamed('damaged'), bytes)
      const refused = restoreBackup(url, fileNamed('damaged'), { store: watched, passphrase: phrase })
      await expect(refused, name).rejects.toThrow(/respaldo/)
      await expect(refused, name).rejects.toBeInstanceOf(StartProblem)
      const { rows } = await client.query(`select count(*)::int as tables from pg_class where relname = 'companies'`)
      expect([name, rows[0].tables, kept]).toEqual([name, 0, []])
    }
    await client.end()
  })

  it('is refused where there is something to lose, and when it is none or is cut off', async () => {
    await writeBackup(small, store, fileNamed('whole'))
    await expect(restoreBackup(small, fileNamed('whole'))).rejects.toThrow('La base de datos ya tiene empresas')
    const url = await emptyDatabase()
    const { size } = await stat(fileNamed('whole'))
    await writeFile(fileNamed('cut'), (await readFile(fileNamed('whole'))).subarray(0, size / 2))
    await writeFile(fileNamed('other'), 'hola')
    for (const name of ['cut', 'other'])
      await expect(restoreBackup(url, fileNamed(name))).rejects.toThrow('no es un respaldo de Maestranza')
    await expect(writeBackup(small, store, join(folder, 'nowhere', 'file'))).rejects.toThrow('ENOENT')
    await restoreBackup(url, fileNamed('whole'))
  })
})
