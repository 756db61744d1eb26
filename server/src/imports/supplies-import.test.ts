import { describe, expect, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { imports } from '#contract/imports/imports.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { type Member, times } from '../../test/given.ts'
import { makeTable, openHouse } from '../../test/house.ts'
import { listen, until } from '../../test/listen.ts'
import { SUPPLY_HEADERS, workbook } from '../../test/workbooks.ts'
import { findActor } from '../identity/sessions.ts'
import { Database, type Db } from '../platform/database/db.ts'
import { runImport } from './imports.ts'

const house = openHouse()

const workshopName = async (who: Member) =>
  (await house.owner.query('select name from workshops where id = $1', [who.workshop_id])).rows[0].name as string
const importFile = (who: Member, file: File, more: object = {}) =>
  house.call(who, imports.importSupplies, { body: { file, ...more } })
const preview = (who: Member, file: File, more: object = {}) =>
  house.call(who, imports.previewSupplies, { body: { file, ...more } })
const undo = (who: Member, hash_import: string) => house.call(who, imports.undoImport, { query: { hash_import } })
const all = async (who: Member) =>
  (await house.call(who, supplies.listSupplies, { query: { per_page: 500, sort: 'code' } })).body.data
const snapshot = async (company_id: number) => ({
  supplies: (await house.owner.query('select * from supplies where company_id = $1 order by id', [company_id])).rows,
  costs: (await house.owner.query('select * from supply_costs where company_id = $1 order by id', [company_id])).rows,
  categories: (await house.owner.query('select * from categories where company_id = $1 order by id', [company_id]))
    .rows,
})

describe('an import of supplies', () => {
  it('creates what is new, changes what is known by its code, and counts both', async () => {
    const ana = await house.given.member({ role: 'warehouse' })
    const at = await workshopName(ana)
    const known = await house.given.supply(ana, { code: 'FLT-1', name: 'Filtro', cost: 100 })
    const same = await house.given.supply(ana, { code: 'FLT-2', name: 'Igual', cost: 5 })
    const { status, body } = await importFile(
      ana,
      await workbook([
        SUPPLY_HEADERS,
        ['flt-1', at.toUpperCase(), 'Filtro de aceite', 150, 'Unidad', 'Filtros', null],
        ['FLT-2', at, 'Igual', 5, null, null, null],
        ['00123', at, 'Correa', '$ 12.990', 'UNIDAD', 'Correas', 'Larga'],
      ]),
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      new_count: 1,
      updated_count: 1,
      same_count: 1,
      new_category_count: 2,
      new_unit_count: 1,
    })
    expect(body.unique_key).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/)
    expect(body.channel).toBe(`imports.${ana.user_id}`)
    expect(await all(ana)).toMatchObject([
      {
        code: '00123',
        name: 'Correa',
        cost: 12990,
        category_name: 'Correas',
        measurement_unit_name: 'Unidad',
        description: 'Larga',
      },
      { id: known.id, code: 'flt-1', name: 'Filtro de aceite', cost: 150, category_name: 'Filtros' },
      { ...same },
    ])
    const { body: costs } = await house.call(ana, supplies.supplyCosts, { params: { id: known.id } })
    expect(costs.data.map((k) => [k.cost, k.source, k.reference])).toEqual([
      [150, 'import', body.unique_key],
      [100, 'manual', null],
    ])
    const { body: activity } = await house.call(ana, supplies.supplyActivity, { params: { id: known.id } })
    expect(activity.data[0]).toMatchObject({ action: 'imported', changes: { name: ['Filtro', 'Filtro de aceite'] } })
  })

  it('writes nothing when one cell is wrong, and says row, column, value and reason', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const { status, failure } = await importFile(
      ana,
      await workbook([
        SUPPLY_HEADERS,
        ['A-1', at, 'Bueno', 10],
        ['A-2', 'Taller Luna', 'Sin taller', 10],
        ['A-3', at, '', 'doce'],
        ['a-1', at, 'Repetido', -5],
      ]),
    )
    expect(status).toBe(422)
    expect(failure.message).toBe('Hay 5 errores en el archivo y no se guardó nada. Corríjalos y vuelva a subirlo.')
    expect(failure.rows).toEqual([
      {
        row: 3,
        column: 'Ubicación',
        value: 'Taller Luna',
        reason: 'No existe un taller con este nombre, o no es el suyo.',
      },
      { row: 4, column: 'Nombre', value: '', reason: 'Este campo es obligatorio.' },
      { row: 4, column: 'Costo unitario', value: 'doce', reason: 'No es un número.' },
      { row: 5, column: 'Costo unitario', value: '-5', reason: 'El costo no puede ser negativo.' },
      { row: 5, column: 'Código', value: 'a-1', reason: 'El código está repetido: también está en la fila 2.' },
    ])
    expect(failure.errors?.unit_cost).toEqual(['Fila 4: No es un número.', 'Fila 5: El costo no puede ser negativo.'])
    expect(await all(ana)).toEqual([])
    const { body } = await house.call(ana, imports.currentImport, { query: { user_id: ana.user_id } })
    expect(body).toMatchObject({ state: 'failed', message: failure.message })
  })

  it('stays in the workshop of the person who imports, unless they work in all', async () => {
    const ana = await house.given.member()
    const bob = await house.given.member({ company_id: ana.company_id })
    const chief = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
    const rows = [SUPPLY_HEADERS, ['X-1', await workshopName(bob), 'De Bob', 10]]
    expect((await importFile(ana, await workbook(rows))).status).toBe(422)
    expect((await importFile(chief, await workbook(rows))).status).toBe(200)
    expect((await all(bob)).map((s) => s.code)).toEqual(['X-1'])
  })

  it('knows a supply by its id where the file brings one, also when its code changes', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const [one, two] = [
      await house.given.supply(ana, { code: 'VIEJO' }),
      await house.given.supply(ana, { code: 'OTRO' }),
    ]
    const headers = ['ID', ...SUPPLY_HEADERS]
    const renamed = await importFile(ana, await workbook([headers, [one.id, 'NUEVO', at, 'Con otro código', 10]]))
    expect(renamed.body).toMatchObject({ new_count: 0, updated_count: 1 })
    const taken = await importFile(ana, await workbook([headers, [one.id, two.code, at, 'x', 10]]))
    expect(taken.failure.rows?.[0]?.reason).toBe('Ya existe otro insumo con este código en el taller.')
    const stranger = await importFile(ana, await workbook([headers, [999_999, 'Z', at, 'x', 10]]))
    expect(stranger.failure.rows?.[0]?.reason).toBe('No existe un insumo con este ID en el taller.')
  })

  it('leaves what is there where an optional cell is blank', async () => {
    const ana = await house.given.member()
    const category = await house.given.category(ana)
    const supply = await house.given.supply(ana, { description: 'Se queda', category_id: category.id })
    await importFile(
      ana,
      await workbook([SUPPLY_HEADERS, [supply.code, await workshopName(ana), 'Otro', 1, '', ' ', null]]),
    )
    expect((await all(ana))[0]).toMatchObject({ name: 'Otro', description: 'Se queda', category_id: category.id })
  })
})

describe('a dry run', () => {
  it('says what would be new, change, stay and be wrong, and writes nothing', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const known = await house.given.supply(ana, { code: 'K-1', name: 'Antes', cost: 10 })
    const rows = [SUPPLY_HEADERS, ['K-1', at, 'Después', 20, null, 'Filtros'], ['N-1', at, 'Nuevo', 5]]
    const before = await snapshot(ana.company_id)
    const { body } = await preview(ana, await workbook(rows))
    expect(body).toMatchObject({
      row_count: 2,
      new_count: 1,
      updated_count: 1,
      same_count: 0,
      wrong_count: 0,
      new_category_count: 1,
      changes: [
        {
          row: 2,
          code: 'K-1',
          fields: expect.arrayContaining([
            { field: 'Nombre', before: 'Antes', after: 'Después' },
            { field: 'Costo unitario', before: '10', after: '20' },
            { field: 'Categoría', before: '', after: 'Filtros' },
          ]),
        },
      ],
    })
    const wrong = await preview(ana, await workbook([...rows, ['', at, 'x', 1]]))
    expect(wrong.body).toMatchObject({ row_count: 3, wrong_count: 1, rows: [{ row: 4, column: 'Código' }] })
    expect(await snapshot(ana.company_id)).toEqual(before)
    expect(known.name).toBe('Antes')
  })
})

describe('undoing by code', () => {
  it('takes the code in the body as well', async () => {
    const chief = await house.given.member({ role: 'admin' })
    const gone = await house.call(chief, imports.undoImport, { body: { hash_import: 'NO-HAY' } })
    expect(gone.status).toBe(404)
    expect((await house.call(chief, imports.undoImport)).failure.errors).toHaveProperty('hash_import')
  })

  it('leaves supplies, costs and categories as they were, row for row', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    await Promise.all(times(20, (i) => house.given.supply(ana, { code: `U-${i}`, cost: i + 0.1234, description: 'x' })))
    const before = await snapshot(ana.company_id)
    const { body } = await importFile(
      ana,
      await workbook([
        SUPPLY_HEADERS,
        ...times(40, (i) => [`U-${i}`, at, `Importado ${i}`, i * 3.5, 'Caja', `Familia ${i % 3}`, `d ${i}`]),
      ]),
    )
    expect(body).toMatchObject({ new_count: 20, updated_count: 20, new_category_count: 3, new_unit_count: 1 })
    const undone = await undo(ana, body.unique_key.toLowerCase())
    expect(undone.body).toEqual({
      unique_key: body.unique_key,
      deleted_count: 20,
      restored_count: 20,
      kept_count: 0,
      kept: [],
    })
    expect(await snapshot(ana.company_id)).toEqual(before)
    const again = await undo(ana, body.unique_key)
    expect([again.status, again.failure.message]).toEqual([409, 'Esta importación ya fue deshecha.'])
  })

  it('keeps what was used or changed meanwhile, gives the rest back, and says why', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const edited = await house.given.supply(ana, { code: 'E-1', name: 'Antes', cost: 10 })
    const { body } = await importFile(
      ana,
      await workbook([
        SUPPLY_HEADERS,
        ['E-1', at, 'Importado', 20],
        ['N-1', at, 'Usado', 1],
        ['N-2', at, 'Sin usar', 1],
      ]),
    )
    const used = (await all(ana)).find(({ code }) => code === 'N-1')!
    await makeTable(
      house,
      'uses_meanwhile',
      'supply_id bigint, foreign key (company_id, supply_id) references supplies',
    )
    await house.owner.query('insert into uses_meanwhile values ($1, $2)', [ana.company_id, used.id])
    const now = (await all(ana)).find(({ code }) => code === 'E-1')!
    await house.call(ana, supplies.updateSupply, { params: { id: edited.id }, body: { ...now, cost: 99 } })

    const { body: undone } = await undo(ana, body.unique_key)
    expect(undone).toMatchObject({
      deleted_count: 1,
      restored_count: 0,
      kept_count: 2,
      kept: [
        { code: 'E-1', reason: 'Cambió después de la importación: costo.' },
        { code: 'N-1', reason: 'Ya se usó en bodegas, compras u órdenes de trabajo.' },
      ],
    })
    expect(await all(ana)).toMatchObject([
      { code: 'E-1', name: 'Antes', cost: 99 },
      { code: 'N-1', name: 'Usado' },
    ])

    await house.owner.query('delete from uses_meanwhile')
    const { body: rest } = await undo(ana, body.unique_key)
    expect(rest).toMatchObject({ deleted_count: 1, kept_count: 1 })
  })

  it('goes back step by step through imports of the same rows', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const file = async (cost: number) => workbook([SUPPLY_HEADERS, ['P-1', at, 'Pasos', cost]])
    const first = (await importFile(ana, await file(1))).body
    const second = (await importFile(ana, await file(2))).body
    const third = (await importFile(ana, await file(3))).body
    expect((await undo(ana, second.unique_key)).body.kept).toEqual([
      { code: 'P-1', reason: 'Cambió después de la importación: costo.' },
    ])
    await undo(ana, third.unique_key)
    expect((await all(ana))[0]?.cost).toBe(2)
    await undo(ana, second.unique_key)
    expect((await all(ana))[0]?.cost).toBe(1)
    await undo(ana, first.unique_key)
    expect(await all(ana)).toEqual([])
  })

  it('is for those who reach the import: not the neighbour, nor another company', async () => {
    const ana = await house.given.member()
    const { body } = await importFile(ana, await workbook([SUPPLY_HEADERS, ['V-1', await workshopName(ana), 'x', 1]]))
    for (const stranger of [await house.given.member(), await house.given.member({ company_id: ana.company_id })])
      expect((await undo(stranger, body.unique_key)).status).toBe(404)
    const chief = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
    expect((await undo(chief, body.unique_key)).status).toBe(200)
  })
})

describe('imports at the same time', () => {
  it('of the same codes go one after the other, and nothing is written twice or half', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const file = (mark: string) =>
      workbook([SUPPLY_HEADERS, ...times(300, (i) => [`S-${i}`, at, `${mark} ${i}`, i, null, `Cat ${mark}`])])
    const answers = await Promise.all(['uno', 'dos', 'tres'].map(async (mark) => importFile(ana, await file(mark))))
    expect(answers.map((a) => a.status)).toEqual([200, 200, 200])
    expect(answers.map((a) => a.body.new_count).sort((a, b) => a - b)).toEqual([0, 0, 300])
    const list = await all(ana)
    expect(list).toHaveLength(300)
    expect(new Set(list.map(({ name }) => name.split(' ')[0])).size).toBe(1)
  })

  it('and with codes made by hand, end as if one had waited for the other', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const file = await workbook([SUPPLY_HEADERS, ...times(200, (i) => [`H-${i}`, at, 'Importado', 1])])
    const [imported] = await Promise.all([
      importFile(ana, file),
      ...times(30, (i) =>
        house.call(ana, supplies.createSupply, { body: house.given.newSupply(ana, { code: `H-${i * 6}` }) }),
      ),
    ])
    expect(imported?.status).toBe(200)
    expect(await all(ana)).toHaveLength(200)
  })

  it('that waited for a change by hand come after it, in prices and in meters', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const supply = await house.given.supply(ana, { code: 'W-1', cost: 100 })
    const truck = await house.given.truck(ana, { code: 'W-1', mileage: 1000 })
    const trucks = await workbook([
      ['Código', 'Ubicación', 'Patente', 'Kilometraje'],
      ['W-1', at, truck.patent, 1200],
    ])
    const change = { params: { id: supply.id }, body: { ...supply, cost: 200 } }
    const reading = { params: { id: truck.id }, body: { km: 1100 } }
    const list = await workbook([SUPPLY_HEADERS, ['W-1', at, 'De la lista', 300]])
    const pairs = [
      [() => importFile(ana, list), () => house.call(ana, supplies.updateSupply, change)],
      [
        () => house.call(ana, imports.importTrucks, { body: { file: trucks } }),
        () => house.call(ana, fleet.recordReading, reading),
      ],
    ] as const
    for (const [send, byHand] of pairs) {
      const other = await house.owner.connect()
      await other.query('begin')
      await other.query(`select pg_advisory_xact_lock(hashtextextended('imports', $1))`, [ana.company_id])
      const sending = send()
      const waits = `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
      await until(async () => (await house.owner.query(waits)).rowCount === 1)
      expect([200, 201]).toContain((await byHand()).status)
      await other.query('commit')
      other.release()
      expect((await sending).status).toBe(200)
    }
    const { body } = await house.call(ana, fleet.listReadings, { params: { id: truck.id } })
    expect(body.data.map(({ km }) => km)).toEqual([1200, 1100, 1000])
    // And what the price is now is the newest in its history: an invariant of the house.
    expect((await all(ana))[0]?.cost).toBe(300)
  })

  it('tells the person who imports, and nobody else, how far it is', async () => {
    const ana = await house.given.member()
    const bob = await house.given.member({ company_id: ana.company_id, workshop_id: ana.workshop_id })
    const running = importFile(
      ana,
      await workbook([SUPPLY_HEADERS, ...times(6000, (i) => [`L-${i}`, 'x', 'Lento', 1])]),
    )
    await running
    const { body } = await house.call(ana, imports.currentImport)
    expect(body).toMatchObject({ state: 'failed', kind: 'supplies', file_name: 'insumos.xlsx' })
    expect((await house.call(bob, imports.currentImport)).body ?? null).toBeNull()
    expect((await house.call(bob, imports.currentImport, { query: { user_id: ana.user_id } })).status).toBe(404)
    const { body: list } = await house.call(bob, imports.listImports)
    expect(list.data.map((i) => i.user_name)).toEqual([ana.name])
  })

  it('need one connection at a time', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const database = new Database(house.url, { max: 1 })
    try {
      const actor = await database.read(undefined, (db) => findActor(db, ana.token, ana.company_id))
      const step = <T>(work: (db: Db) => Promise<T>) => database.write(ana.company_id, work)
      const files = await Promise.all(times(3, (i) => workbook([SUPPLY_HEADERS, [`M-${i}`, at, 'Uno', 1]])))
      await Promise.all(files.map((file) => runImport(step, actor, 'supplies', { file, sheet: undefined })))
      expect(await all(ana)).toHaveLength(3)
    } finally {
      await database.close()
    }
  })

  it('say on the channel of the answer how far they are, to the person who imports and nobody else', async () => {
    const ana = await house.given.member()
    const bob = await house.given.member({ company_id: ana.company_id, workshop_id: ana.workshop_id })
    const at = await workshopName(ana)
    await house.app.listen('127.0.0.1', 0)
    const [mine, others] = [await listen(house.app, ana), await listen(house.app, bob)]
    // What a page that follows would read at each event.
    const seen: string[] = []
    const following = setInterval(async () => {
      const { rows } = await house.owner.query('select phase, state from imports where company_id = $1', [
        ana.company_id,
      ])
      if (rows[0] && seen.at(-1) !== rows[0].phase) seen.push(rows[0].phase)
    }, 5)
    const { body } = await importFile(
      ana,
      await workbook([SUPPLY_HEADERS, ...times(5000, (i) => [`P-${i}`, at, 'Uno más', 1])]),
    )
    await until(() => mine.heard.filter(({ topic }) => topic === body.channel).length >= 4)
    clearInterval(following)
    for (const ears of [mine, others]) ears.close()
    expect(body.channel).toBe(`imports.${ana.user_id}`)
    // Begun, read in parts, checked, written, done.
    expect(mine.heard.filter(({ topic }) => topic === body.channel).length).toBeGreaterThanOrEqual(4)
    expect(others.heard.filter(({ topic }) => topic.startsWith('imports.'))).toEqual([])
    const inOrder = ['reading', 'checking', 'writing', 'done']
    expect(seen).toEqual(inOrder.filter((phase) => seen.includes(phase)))
    expect(seen).toContain('reading')
    expect((await house.call(ana, imports.currentImport)).body).toMatchObject({
      state: 'done',
      phase: 'done',
      progress: 5000,
      unique_key: body.unique_key,
      new_count: 5000,
    })
  })

  it('that broke off say so instead of running for ever', async () => {
    const ana = await house.given.member()
    await importFile(ana, await workbook([SUPPLY_HEADERS, ['B-1', await workshopName(ana), 'x', 1]]))
    await house.owner.query(
      `update imports set state = 'running', updated_at = now() - interval '5 minutes' where company_id = $1`,
      [ana.company_id],
    )
    const { body } = await house.call(ana, imports.currentImport)
    expect(body).toMatchObject({ state: 'failed', message: expect.stringContaining('se interrumpió') })
  })
})
