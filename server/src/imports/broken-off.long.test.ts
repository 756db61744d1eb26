import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { formOf } from '#contract/base/wire.ts'
import { imports } from '#contract/imports/imports.ts'
import { times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { until } from '../../test/listen.ts'
import { sized } from '../../test/sized.ts'
import { SUPPLY_HEADERS, workbook } from '../../test/workbooks.ts'

const house = openHouse()
const ROWS = sized(1_000, 20_000)

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

it('killed while it writes, an import leaves nothing behind and says that it broke off', async () => {
  const ana = await house.given.member()
  const at = (await house.owner.query('select name from workshops where id = $1', [ana.workshop_id])).rows[0].name
  const file = await workbook([
    SUPPLY_HEADERS,
    ...times(ROWS, (i) => [`K-${i}`, at, `Insumo ${i}`, i, 'Caja', 'Varios']),
  ])
  const folder = await mkdtemp(join(tmpdir(), 'maestranza-killed-'))
  const port = await freePort()
  const product = spawn(process.execPath, [fileURLToPath(new URL('../main.ts', import.meta.url))], {
    env: { ...process.env, PORT: String(port), DATABASE_URL: house.url, DATA_DIR: folder },
    // It ends with this process. A group of its own, so that what watches over the server and the server end at once.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  })
  const kill = () => product.exitCode ?? product.signalCode ?? process.kill(-product.pid!, 'SIGKILL')
  const lock = await house.owner.connect()
  try {
    const base = `http://127.0.0.1:${port}/api`
    await until(async () => (await fetch(`${base}/health`).catch(() => undefined))?.ok === true)
    // Prices are written after the supplies: behind this lock the import stays in the middle of its writes.
    await lock.query('begin; lock table supply_costs in share mode')
    const sent = fetch(`${base}${imports.importSupplies.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ana.token}` },
      body: formOf({ file }),
    }).then(
      ({ status }) => status,
      () => 'broken off',
    )
    const waiting = `select from imports where company_id = $1 and phase = 'writing' and exists (
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`
    await until(async () => (await house.owner.query(waiting, [ana.company_id])).rowCount === 1)
    kill()
    expect(await sent).toBe('broken off')
  } finally {
    kill()
    await lock.query('rollback')
    lock.release()
    await rm(folder, { recursive: true, force: true })
  }
  // The database notices that nobody is there any more, and rolls back.
  const writing = `select from pg_stat_activity where datname = current_database() and state <> 'idle' and query like '%incoming%' and pid <> pg_backend_pid()`
  await until(async () => (await house.owner.query(writing)).rows.length === 0)
  for (const table of ['supplies', 'supply_costs', 'categories', 'measurement_units', 'import_rows'])
    expect((await house.owner.query(`select count(*)::int as count from ${table}`)).rows).toEqual([{ count: 0 }])

  await house.owner.query(`update imports set updated_at = now() - interval '3 minutes'`)
  expect((await house.call(ana, imports.currentImport)).body).toMatchObject({
    state: 'failed',
    message: 'La importación se interrumpió y no se guardó nada. Puede subir el archivo de nuevo.',
  })
  const again = await house.call(ana, imports.importSupplies, { body: { file } })
  expect(again.body).toMatchObject({ new_count: ROWS })
})
