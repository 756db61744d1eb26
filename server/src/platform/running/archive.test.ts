import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { Given, type Member } from '../../../test/given.ts'
import { type House, send } from '../../../test/house.ts'
import { until } from '../../../test/listen.ts'
import { startS3 } from '../../../test/s3.ts'
import { sized } from '../../../test/sized.ts'
import { type App, createApp } from '../../app.ts'
import { sweepFiles } from '../outside/files.ts'
import { openStore, type Store, type StorePlace } from '../outside/store.ts'
import { StartProblem } from '../problems.ts'
import { Archive, type Chain, pieceName, reach, segmentName } from './archive.ts'
import { ARCHIVE_SLOT, archiveAge } from './archive-slot.ts'
import { archiveContinuously, prune } from './archiver.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { copyProblem } from './health.ts'
import { lostFiles } from './named-files.ts'
import { readMoment, recover, wayTo } from './recover.ts'

const root = await fs.mkdtemp(join(tmpdir(), 'maestranza-archive-'))
await fs.chmod(root, 0o755)
const folder = join(root, 'postgres')
let postgres: EmbeddedPostgres
let app: App
let owner: pg.Pool
let given: Given
let boss: Member
let store: Store
let s3: Awaited<ReturnType<typeof startS3>>

beforeAll(async () => {
  s3 = await startS3()
  postgres = await startEmbeddedPostgres(folder, { fsync: false })
  app = await createApp({ databaseUrl: postgres.url, dataDir: root, checkReplies: true })
  owner = new pg.Pool({ connectionString: postgres.url, max: 2 })
  const call: House['call'] = (who, endpoint, args) => send(app, who, endpoint, args)
  given = new Given({ app, owner, call } as House)
  boss = await given.member({ role: 'super-admin' })
  store = app.database.context.files!.store
})
afterAll(async () => {
  await app?.close()
  await owner?.end()
  await postgres?.stop('immediate')
  await s3?.stop()
  await fs.rm(root, { recursive: true, force: true })
})

/** As the process does it, only oftener. */
function archiving(archive: Archive, more: { baseEvery?: number } = {}) {
  const ending = new AbortController()
  const said: string[] = []
  const ended = archiveContinuously({
    folder,
    archive,
    store,
    days: 7,
    place: 'la copia',
    say: (text) => said.push(text),
    signal: ending.signal,
    every: 100,
    ...more,
  })
  ended.catch(() => {})
  return {
    said,
    ended,
    async stop() {
      ending.abort()
      await ended
    },
  }
}

const lastMoment = async (archive: Archive) => {
  const chain = (await archive.chains()).at(-1)
  const base = chain?.bases.at(-1)
  return (base && reach(chain!, base)?.until.getTime()) ?? 0
}
const now = async (): Promise<Date> => (await owner.query('select clock_timestamp() as now')).rows[0].now
const copied = async (archive: Archive, moment: Date) => {
  await until(async () => (await lastMoment(archive)) > moment.getTime())
}
const inRestored = async <T>(where: string, ask: (client: pg.Client) => Promise<T>): Promise<T> => {
  const restored = await startEmbeddedPostgres(where)
  const client = new pg.Client({ connectionString: restored.url })
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
    await restored.stop()
  }
}

const BUCKET = 'a bucket, closed with a passphrase'

describe.each(sized([BUCKET], ['a folder', BUCKET]))('a continuous copy in %s', (kind) => {
  const sealed = kind !== 'a folder'
  const passphrase = sealed ? 'una frase que nadie más sabe' : undefined
  const place = (): StorePlace => (sealed ? s3.place : { folder: join(root, 'copy') })

  it('goes back to the second before a deletion, photos included, and to the end', async () => {
    const archive = await Archive.open(place(), passphrase, { create: true })
    const copying = archiving(archive)
    const truck = await given.truck(boss)
    const order = await given.workOrder(boss)
    const content = `%PDF-1.4 ${randomBytes(20).toString('hex')}`
    const file = new File([content], 'informe.pdf')
    const added = await send(app, boss, workOrderParts.addFile, { params: { id: order.id }, body: { file } })
    expect(added.status).toBe(201)
    const committed = await now()
    await copied(archive, committed)
    // Moments are read in milliseconds: this one is of none of the commits.
    await until(async () => (await now()).getTime() > committed.getTime() + 1)
    const before = await now()
    await until(async () => (await now()).getTime() > before.getTime() + 1)

    expect((await send(app, boss, workOrderParts.deleteFile, { params: { id: added.body.id } })).status).toBe(204)
    expect((await send(app, boss, fleet.deleteTruck, { params: { id: truck.id } })).status).toBe(204)
    // The product has thrown the file away for good.
    await sweepFiles(app.database, boss.company_id, 0, new Date(Date.now() + 60_000))
    await sweepFiles(app.database, boss.company_id, 0, new Date(Date.now() + 120_000))
    await copied(archive, await now())
    await copying.stop()

    const there = join(root, `before-${sealed}`)
    const elsewhere = openStore({ folder: join(there, 'files') })
    const done = await recover(await Archive.open(place(), passphrase), join(there, 'postgres'), elsewhere, before)
    expect(done).toMatchObject({ files: 1, brought: 1, lost: [] })
    const seen = await inRestored(join(there, 'postgres'), async (client) => ({
      files: (await client.query('select name from work_order_files where id = $1', [added.body.id])).rows,
      lost: await lostFiles(client, elsewhere),
      trucks: (await client.query('select code from trucks where id = $1', [truck.id])).rows,
      later: (await client.query('select max(at) > $1 as later from activity', [before])).rows[0].later,
      slots: (await client.query('select from pg_replication_slots')).rowCount,
    }))
    const trucks = [{ code: truck.code }]
    expect(seen).toEqual({ files: [{ name: 'informe.pdf' }], trucks, lost: [], later: false, slots: 0 })

    const end = join(root, `end-${sealed}`)
    const all = await recover(await Archive.open(place(), passphrase), join(end, 'postgres'), elsewhere, undefined)
    expect(all).toMatchObject({ files: 0, lost: [] })
    await expect(recover(archive, join(end, 'postgres'), elsewhere, undefined)).rejects.toThrow(
      'ya hay una base de datos',
    )
    await expect(recover(archive, join(root, 'x'), elsewhere, new Date(0))).rejects.toThrow(
      /^La copia continua no llega a ese momento\. Cubre de \d{4}-/,
    )
  })
})

it('goes on where it was, makes one of many pieces, and begins anew where the log was not kept', async () => {
  const archive = await Archive.open({ folder: join(root, 'again') }, undefined, { create: true })
  const first = archiving(archive)
  await copied(archive, await now())
  await expect(archiving(archive).ended).rejects.toThrow('Ya hay una copia continua')
  await first.stop()
  await owner.query('select pg_switch_wal()')
  await given.truck(boss)
  const second = archiving(archive)
  await copied(archive, await now())
  await second.stop()
  const chains = await archive.chains()
  expect(chains.length).toBe(1)
  const wholes = chains[0]!.pieces.filter(({ from, to }) => to - from === 16n * 1024n * 1024n)
  expect(wholes.length).toBeGreaterThan(0)
  expect(await archiveAge(owner)).toBeLessThan(60)

  await owner.query(`select pg_drop_replication_slot(slot_name) from pg_replication_slots`)
  await owner.query(`select pg_create_physical_replication_slot($1, false)`, [`${ARCHIVE_SLOT}x`])
  expect(await copyProblem(owner, true)).toBe('La copia continua se cortó y debe empezar de nuevo.')
  const third = archiving(archive)
  await copied(archive, await now())
  await third.stop()
  expect((await archive.chains()).length).toBe(2)
  expect(await copyProblem(owner, true)).toBeUndefined()
})

it('is tried again while its place is away, and the product does not notice', async () => {
  const where = join(root, 'away')
  const archive = await Archive.open({ folder: where }, undefined, { create: true })
  const copying = archiving(archive)
  await copied(archive, await now())
  const real = archive.shelf.put
  archive.shelf.put = async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  await until(() => copying.said.some((text) => text.includes('no avanza y se reintenta: no space left')))
  const truck = await given.truck(boss)
  archive.shelf.put = real
  await copied(archive, await now())
  await until(() => copying.said.includes('La copia continua avanza de nuevo.'))
  await copying.stop()
  expect((await archive.chains()).length).toBe(1)
  expect(truck.id).toBeGreaterThan(0)
})

it('tells health how it stands', async () => {
  const pool = (rows: object[]) => ({ query: async () => ({ rows }) }) as unknown as pg.Pool
  expect(await copyProblem(pool([]), false)).toBeUndefined()
  expect(await copyProblem(pool([]), true)).toBe('La copia continua no ha empezado.')
  expect(await copyProblem(pool([{ lost: false, age: 12 }]), true)).toBeUndefined()
  expect(await copyProblem(pool([{ lost: false, age: 1500 }]), true)).toBe(
    'La copia continua no avanza desde hace 25 minutos.',
  )
  // The role that serves may see it too.
  expect(await archiveAge(app.database.pool)).toBeGreaterThanOrEqual(0)
})

it('is refused without its passphrase, and where it is none', async () => {
  await expect(Archive.open({ folder: join(root, 'nothing') }, undefined)).rejects.toThrow('no hay una copia continua')
  const closed = { folder: join(root, 'closed') }
  const archive = await Archive.open(closed, 'frase', { create: true })
  await archive.put('chains/a/base/b/000000', Buffer.from('hola'))
  await expect(Archive.open(closed, undefined)).rejects.toThrow('indique su frase en BACKUP_PASSPHRASE')
  const other = await Archive.open(closed, 'otra')
  await expect(other.get('chains/a/base/b/000000')).rejects.toThrow(StartProblem)
  const open = { folder: join(root, 'open') }
  await Archive.open(open, undefined, { create: true })
  await expect(Archive.open(open, 'frase')).rejects.toThrow('no está cifrada')
})

describe('what is kept', () => {
  const SIZE = 16 * 1024 * 1024
  const day = (n: number) => new Date(Date.UTC(2026, 0, n))
  /** A chain with a copy of all at each of these days, at the start of a segment of its own, and the log until a day. */
  const make = async (archive: Archive, name: string, days: number[], last: number) => {
    for (const n of days) {
      const lsn = `0/${(n * SIZE).toString(16)}`
      const told = { at: day(n), from: lsn, to: lsn, timeline: 1, segmentSize: SIZE, password: 'x', parts: [] }
      await archive.put(`chains/${name}/base/${n}/whole.json`, Buffer.from(JSON.stringify(told)))
      await archive.put(`chains/${name}/base/${n}/000000`, Buffer.from('x'))
    }
    for (let n = days[0]!; n <= last; n++) {
      const segment = segmentName(1, BigInt(n * SIZE), SIZE)
      await archive.put(`chains/${name}/wal/${pieceName(segment, 0, SIZE, day(n + 1))}`, Buffer.from(''))
    }
  }
  const daysOf = (chain: Chain | undefined) => chain?.bases.map(({ at }) => at.getUTCDate())

  it('is what the days asked for need, and no more', async () => {
    const archive = await Archive.open({ folder: join(root, 'pruned') }, undefined, { create: true })
    await make(archive, 'A', [1, 2, 3], 4)
    await make(archive, 'B', [6, 7, 8, 9], 10)
    expect(wayTo(await archive.chains(), new Date(day(3).getTime() + 1000)).base.at).toEqual(day(3))
    await prune(archive, new Date(day(8).getTime() + 1000), 'chains/B')
    const [left, ...more] = await archive.chains()
    expect([left?.name, daysOf(left), more]).toEqual(['B', [8, 9], []])
    expect(left?.pieces.map(({ at }) => at.getUTCDate())).toEqual([9, 10, 11])
    expect((await archive.paths('chains/A/')).length).toBe(0)
    expect(wayTo(await archive.chains(), new Date(day(8).getTime() + 1000)).base.at).toEqual(day(8))
  })

  it('has no gap: what comes after one does not count', async () => {
    const archive = await Archive.open({ folder: join(root, 'gap') }, undefined, { create: true })
    await make(archive, 'A', [1], 4)
    const [chain] = await archive.chains()
    await archive.shelf.delete(chain!.pieces[2]!.path)
    const [broken] = await archive.chains()
    expect(reach(broken!, broken!.bases[0]!)?.until).toEqual(day(3))
    await expect(async () => wayTo([broken!], day(5))).rejects.toThrow('no llega a ese momento')
  })
})

it('reads moments as clocks in Chile show them', () => {
  expect(readMoment('2026-11-16 10:15:00').toISOString()).toBe('2026-11-16T13:15:00.000Z')
  expect(readMoment('2026-07-16 10:15:30').toISOString()).toBe('2026-07-16T14:15:30.000Z')
  expect(readMoment('2026-07-16T10:15:30Z').toISOString()).toBe('2026-07-16T10:15:30.000Z')
  expect(readMoment('2026-07-16 10:15-03:00').toISOString()).toBe('2026-07-16T13:15:00.000Z')
  for (const text of ['ayer', '2026-13-40 10:00:00', '']) expect(() => readMoment(text)).toThrow('no es un momento')
})
