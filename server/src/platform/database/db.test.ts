import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { times } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { within } from '../../../test/listen.ts'
import {
  afterCommit,
  batch,
  Database,
  type Db,
  defer,
  isUnavailable,
  one,
  orElse,
  row,
  rows,
  rowsUnprepared,
} from './db.ts'

const house = openHouse()

describe('a connection', () => {
  it('is the only one that its work can have, and there are others again afterwards', async () => {
    const { database } = house.app
    const inside = () => database.read(null, async () => 'second')
    await expect(database.write(null, inside)).rejects.toThrow('there is no second connection')
    await expect(database.read(null, inside)).rejects.toThrow('there is no second connection')
    await expect(
      database.write(null, async () => {
        await new Promise(setImmediate)
        await Promise.all([inside(), inside()])
      }),
    ).rejects.toThrow('there is no second connection')
    // What waits for the commit is no longer on it.
    const after = Promise.withResolvers<string>()
    await database.write(null, async (db) => afterCommit(db, () => after.resolve(inside())))
    expect(await within('the work after the commit runs', after.promise)).toBe('second')
  })

  it('that dies on its way to whoever asked for it ends one call, not the process', async () => {
    // What PostgreSQL says to somebody who comes as it is killed: welcome, ready, and the end, all at once.
    const said = (type: string, body: string) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(4 + body.length)
      return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
    }
    const farewell = [said('R', '\0\0\0\0'), said('Z', 'I'), said('E', 'SFATAL\0C57P01\0Mthe postmaster is gone\0\0')]
    const server = createServer((socket) => {
      socket.once('data', () => socket.end(Buffer.concat(farewell)))
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const database = new Database(`postgres://anyone@127.0.0.1:${port}/any`)
    const failed = await database.read(1, async () => 'never').catch((error: unknown) => error)
    expect(isUnavailable(failed)).toBe(true)
    await database.close()
    server.close()
  })

  it('runs the statements of a batch in their order, names their results, and fails with the first error', async () => {
    const { database } = house.app
    const asks = (db: Db, text: string) => rows<{ n: number }>(db, sql.raw(text))
    await database.write(null, async (db) => {
      const next = `select nextval('batch') as n`
      await rows(db, sql`create temp sequence batch`)
      expect(await batch([asks(db, next), asks(db, next)])).toEqual([[{ n: 1 }], [{ n: 2 }]])
      expect(await batch({ third: asks(db, next), fourth: asks(db, next) })).toEqual({
        third: [{ n: 3 }],
        fourth: [{ n: 4 }],
      })
    })
    const refusal = database.write(null, async (db) =>
      batch([
        (async () => {
          await asks(db, 'select 1 as n')
          // Comes behind what fails, and is told only that.
          await asks(db, 'select 2 as n')
        })(),
        asks(db, 'select 1 / 0 as n'),
        Promise.reject(new Error('later')),
      ]),
    )
    await expect(refusal).rejects.toThrow('division by zero')
  })

  it('waits for what was written later before it ends, and says why that was refused', async () => {
    const { database } = house.app
    const fails = (db: Db) => defer(db, rows(db, sql`select 1 / 0`))
    let committed = false
    const ended = database.write(null, async (db) => {
      afterCommit(db, () => {
        committed = true
      })
      await fails(db)
    })
    await expect(ended).rejects.toThrow('division by zero')
    expect(committed).toBe(false)
    // Comes behind it, and is told only that something failed.
    const behind = database.write(null, async (db) => {
      await fails(db)
      return rows(db, sql`select 1 as n`)
    })
    await expect(behind).rejects.toThrow('division by zero')
    const tried = database.write(null, (db) =>
      orElse(
        db,
        (error) => /division by zero/.test(String(error)),
        async () => {
          await fails(db)
          return 'first'
        },
        async () => 'second',
      ),
    )
    expect(await tried).toBe('second')
    // Outside a transaction there is no end to wait for.
    await expect(database.read(null, fails)).rejects.toThrow('division by zero')
  })

  it('prepares what is asked by rows, and not what is asked unprepared', async () => {
    const database = new Database(house.url, { max: 1 })
    const select = (query: typeof rows, text: string) =>
      database.write(null, (db) => query(db, sql.raw(`select '${text}' as n`)))
    try {
      expect(await select(rows, 'prepared')).toEqual([{ n: 'prepared' }])
      expect(await select(rowsUnprepared, 'unprepared')).toEqual([{ n: 'unprepared' }])
      const { rows: statements } = await database.read(null, (db) =>
        db.$client.query(`select statement from pg_prepared_statements where statement like '%as n'`),
      )
      expect(statements).toEqual([{ statement: `select 'prepared' as n` }])
    } finally {
      await database.close()
    }
  })

  it('prepares each statement once, and is replaced when it has prepared too many', async () => {
    const database = new Database(house.url, { max: 1 })
    const prepared = () =>
      database.read(null, async (db) => {
        const result = await db.$client.query<{ pid: number; count: number }>(
          'select pg_backend_pid() as pid, (select count(*)::int from pg_prepared_statements) as count',
        )
        return one(result.rows)
      })
    const select = (count: number) =>
      database.write(null, async (db) => {
        for (const i of times(count, (n) => n)) await rows(db, sql.raw(`select ${i} as n`))
      })
    try {
      for (const _ of ['first', 'again']) await select(200)
      const before = await prepared()
      expect(before.count).toBe(200)
      await select(400)
      const after = await prepared()
      expect(after.pid).not.toBe(before.pid)
      expect(after.count).toBe(0)
      expect(await database.read(null, (db) => row(db, sql.raw('select 0 as n')))).toEqual({ n: 0 })
    } finally {
      await database.close()
    }
  })

  it('gives what it was asked before as it gave it first, also after it was refused or gave nothing', async () => {
    const ask = (db: Db, n: number) =>
      rows(
        db,
        sql`select n, 10 / n as tenth, null as none, '2026-12-04 14:30+00'::timestamptz as at, array[n] as list
        from unnest(array[${n}]::int[]) n where n < 9`,
      )
    const row = (n: number, tenth: number) => ({ n, tenth, none: null, at: '2026-12-04T14:30:00.000Z', list: [n] })
    const { database } = house.app
    await database.write(null, async (db) => {
      expect(await ask(db, 9)).toEqual([])
      expect(await ask(db, 2)).toEqual([row(2, 5)])
      expect(await batch([ask(db, 1), ask(db, 9), ask(db, 5)])).toEqual([[row(1, 10)], [], [row(5, 2)]])
    })
    const refused = await database.write(null, (db) => ask(db, 0)).catch((error: Error) => error)
    expect(refused).toMatchObject({ message: 'division by zero', stack: expect.stringContaining('query.ts') })
    expect(await database.read(null, (db) => ask(db, 2))).toEqual([row(2, 5)])
  })

  it('that is lost is known for one', async () => {
    const database = new Database(house.url, { max: 1 })
    const lost = database.read(null, async (db) => {
      const { pid } = one(await rows<{ pid: number }>(db, sql`select pg_backend_pid() as pid`))
      // Both are waited for from the start: whichever ends first, nobody's error is left unheard.
      await Promise.all([
        rows(db, sql`select pg_sleep(20)`),
        house.owner.query('select pg_terminate_backend($1::int)', [pid]),
      ])
    })
    expect(isUnavailable(await lost.catch((error) => error))).toBe(true)
    expect(isUnavailable(await database.read(null, (db) => rows(db, sql`select 1 / 0`)).catch((error) => error))).toBe(
      false,
    )
    await database.close()
    const nowhere = new Database('postgres://x:x@127.0.0.1:1/x', { max: 1 })
    expect(isUnavailable(await nowhere.read(null, async () => {}).catch((error) => error))).toBe(true)
    await nowhere.close()
  })
})

it('a row that must be there is there, or it is an error', () => {
  expect(one([{ id: 3 }])).toEqual({ id: 3 })
  expect(() => one([])).toThrow('gave none')
})
