import { describe, expect, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { imports } from '#contract/imports/imports.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { workbook } from '../../test/workbooks.ts'

const house = openHouse()
const HEADERS = ['Código', 'Ubicación', 'Patente', 'Kilometraje', 'Acoplado', 'Marca', 'Tipo']

const workshopName = async (who: Member) =>
  (await house.owner.query('select name from workshops where id = $1', [who.workshop_id])).rows[0].name as string
const fileOf = async (rows: (string | number | null)[][]) => workbook([HEADERS, ...rows], { name: 'equipos.xlsx' })
const importRows = async (who: Member, rows: (string | number | null)[][], more: { confirm_leaps?: boolean } = {}) =>
  house.call(who, imports.importTrucks, { body: { file: await fileOf(rows), ...more } })
const undo = (who: Member, hash_import: string) => house.call(who, imports.undoImport, { query: { hash_import } })
const snapshot = async ({ company_id }: Member) => {
  const of = async (table: string) =>
    (await house.owner.query(`select * from ${table} where company_id = $1 order by 1, 2`, [company_id])).rows
  return Object.fromEntries(
    await Promise.all(
      [
        'trucks',
        'truck_readings',
        'coupled',
        'couplings',
        'brands',
        'truck_types',
        'truck_cost_centers',
        'truck_workshops',
      ].map(async (t) => [t, await of(t)]),
    ),
  )
}
const listed = async (who: Member) => (await house.call(who, fleet.listTrucks, { query: { per_page: 100 } })).body.data

describe('an import of trucks', () => {
  it('creates and changes them with their meter, their unit, brands and types', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const known = await house.given.truck(ana, { code: 'T-1', patent: 'KRTX41', mileage: 1000 })
    const { status, body } = await importRows(
      ana,
      [
        ['t-1', at, 'krtx-41', '182.340 km', 'JA-2041', 'Volvo', null],
        ['T-2', at, 'BBBB·12', null, null, 'VOLVO', 'Tractocamión'],
      ],
      { confirm_leaps: true },
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      new_count: 1,
      updated_count: 1,
      new_brand_count: 1,
      new_type_count: 1,
      new_coupled_count: 1,
      new_category_count: 0,
    })
    expect(await listed(ana)).toMatchObject([
      { id: known.id, code: 't-1', mileage: 182340, coupled_patent: 'JA2041', brand_name: 'Volvo' },
      { code: 'T-2', patent: 'BBBB12', mileage: 0, brand_name: 'Volvo', type_name: 'Tractocamión' },
    ])
    const { body: readings } = await house.call(ana, fleet.listReadings, { params: { id: known.id } })
    expect(readings.data.map((r) => [r.km, r.source])).toEqual([
      [182340, 'import'],
      [1000, 'manual'],
    ])
  })

  it('takes a file that names no workshop for one that was chosen, and keeps how its columns were read', async () => {
    const ana = await house.given.member()
    const stranger = await house.given.member()
    const file = () =>
      workbook([['Flota 2026'], [], ['Placa única', 'Recorrido'], ['KRTX-41', 1200], ['BBBB·12', null]], {
        name: 'flota.xlsx',
      })
    const matched = { code: 'Placa única', patent: 'Placa única', mileage: 'Recorrido' }
    const send = async (workshop_id: number | undefined) =>
      house.call(ana, imports.importTrucks, {
        body: { file: await file(), matched, confirm_leaps: true, ...(workshop_id && { workshop_id }) },
      })
    expect((await send(undefined)).body).toMatchObject({
      errors: { 'matched.location': ['Falta elegir la columna de Ubicación.'] },
    })
    expect((await send(stranger.workshop_id!)).body).toMatchObject({
      errors: { workshop_id: ['No existe este taller, o no es el suyo.'] },
    })
    expect((await send(ana.workshop_id!)).body).toMatchObject({ new_count: 2 })
    expect(await listed(ana)).toMatchObject([
      { code: 'BBBB·12', patent: 'BBBB12', workshop_id: ana.workshop_id },
      { code: 'KRTX-41', patent: 'KRTX41', mileage: 1200 },
    ])
    const { body } = await house.call(ana, imports.listImports, { query: { filter: { Kind: 'trucks' } } })
    expect(body.data.find(({ state }) => state === 'done')).toMatchObject({ matched })
  })
  it('refuses what the fleet would refuse, row by row, and writes nothing', async () => {
    const ana = await house.given.member()
    const bob = await house.given.member({ company_id: ana.company_id })
    const at = await workshopName(ana)
    const [one, two] = [await house.given.truck(ana, { mileage: 5000 }), await house.given.truck(ana)]
    const theirs = await house.given.truck(bob)
    const unit = await house.given.coupled(ana)
    await house.call(ana, fleet.updateTruck, { params: { id: two.id }, body: { ...two, coupled_id: unit.id } })
    const before = await snapshot(ana)
    const { status, failure } = await importRows(ana, [
      [one.code, at, two.patent, 4000, unit.patent, null, null],
      [theirs.code, at, theirs.patent, null, null, null, null],
    ])
    expect(status).toBe(422)
    expect(failure.rows).toEqual([
      { row: 2, column: 'Patente', value: two.patent, reason: 'Ya existe otro equipo con esta patente.' },
      { row: 2, column: 'Kilometraje', value: '4000', reason: 'Es menor al último kilometraje conocido (5000 km).' },
      { row: 2, column: 'Acoplado', value: unit.patent, reason: `El acoplado está con el equipo ${two.code}.` },
      { row: 3, column: 'Código', value: theirs.code, reason: 'Ya existe un equipo con este código en otro taller.' },
    ])
    const bad = await importRows(ana, [['N', at, '??', 'mucho', null, null, null]])
    expect(bad.failure.rows?.map((r) => r.column)).toEqual(['Patente', 'Kilometraje'])
    expect(await snapshot(ana)).toEqual(before)
  })

  it('swaps the units of two trucks, and undone gives trucks, meters and units back row for row', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const [one, two] = [await house.given.truck(ana, { code: 'A' }), await house.given.truck(ana, { code: 'B' })]
    const [left, right] = [await house.given.coupled(ana), await house.given.coupled(ana)]
    await house.call(ana, fleet.updateTruck, { params: { id: one.id }, body: { ...one, coupled_id: left.id } })
    await house.call(ana, fleet.updateTruck, { params: { id: two.id }, body: { ...two, coupled_id: right.id } })
    const before = await snapshot(ana)
    const { body } = await importRows(
      ana,
      [
        ['A', at, one.patent, 9000, right.patent, 'Scania', 'Tolva'],
        ['B', at, 'ZZZZ99', null, left.patent, null, null],
        ['C', at, 'CCCC11', 50, 'JZ9999', 'Scania', null],
      ],
      { confirm_leaps: true },
    )
    expect(body).toMatchObject({ new_count: 1, updated_count: 2 })
    expect((await listed(ana)).map((t) => t.coupled_patent)).toEqual([right.patent, left.patent, 'JZ9999'])
    const undone = await undo(ana, body.unique_key)
    expect(undone.body).toMatchObject({ deleted_count: 1, restored_count: 2, kept: [] })
    expect(await snapshot(ana)).toEqual(before)
  })

  it('takes its own list back, with centre, state and code, and undone leaves no trace', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const [one, two] = [await house.given.truck(ana, { code: 'A' }), await house.given.truck(ana, { code: 'B' })]
    const center = await house.given.costCenter(ana, 'Norte')
    await house.call(ana, fleet.updateTruck, { params: { id: two.id }, body: { ...two, state: 'inactive' } })
    const headers = ['Código', 'Patente', 'Taller', 'Centro de costo', 'Estado', 'ID']
    const send = async (rows: (string | number | null)[][]) =>
      house.call(ana, imports.importTrucks, { body: { file: await workbook([headers, ...rows]) } })
    const same = await send([
      ['A', one.patent, at, null, 'Activo', one.id],
      ['B', two.patent, at, null, 'Inactivo', two.id],
    ])
    expect(same.body).toMatchObject({ same_count: 2, updated_count: 0 })
    const before = await snapshot(ana)
    const { body } = await send([
      ['A-1', one.patent, at, 'norte', 'Inactivo', one.id],
      ['B', two.patent, at, null, 'activo', two.id],
    ])
    expect(body).toMatchObject({ new_count: 0, updated_count: 2 })
    expect(await listed(ana)).toMatchObject([
      { id: one.id, code: 'A-1', state: 'inactive', cost_center_id: center.id, cost_center_from: expect.any(String) },
      { id: two.id, code: 'B', state: 'active', retired_at: null },
    ])
    expect((await undo(ana, body.unique_key)).body).toMatchObject({ restored_count: 2, kept: [] })
    expect(await snapshot(ana)).toEqual(before)
    const bad = await send([['A', one.patent, at, 'Ninguno', 'Roto', one.id]])
    expect(bad.failure.rows?.map(({ column }) => column)).toEqual(['Estado'])
    const unknown = await send([['A', one.patent, at, 'Ninguno', null, one.id]])
    expect(unknown.failure.rows).toMatchObject([{ column: 'Centro de costo' }])
  })

  it('asks about kilometres that no truck drives in that time', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const truck = await house.given.truck(ana, { code: 'L-1', mileage: 1000 })
    const far = [['L-1', at, truck.patent, 9000, null, null, null]]
    const { body: preview } = await house.call(ana, imports.previewTrucks, { body: { file: await fileOf(far) } })
    expect(preview).toMatchObject({ rows_total: 0, leaps: [{ row: 2, value: '9000' }] })
    const refused = await importRows(ana, far)
    expect([refused.status, refused.failure.rows?.[0]]).toMatchObject([422, { row: 2, value: '9000' }])
    expect((await importRows(ana, far, { confirm_leaps: true })).status).toBe(200)
    expect((await listed(ana))[0]?.mileage).toBe(9000)
  })

  it('keeps what has a history by now, and says so', async () => {
    const ana = await house.given.member()
    const at = await workshopName(ana)
    const { body } = await importRows(ana, [
      ['N-1', at, 'NNNN11', 100, null, null, null],
      ['N-2', at, 'NNNN22', 100, null, null, null],
    ])
    const driven = (await listed(ana)).find(({ code }) => code === 'N-1')!
    await house.call(ana, fleet.recordReading, { params: { id: driven.id }, body: { km: 200 } })
    expect((await undo(ana, body.unique_key)).body).toMatchObject({
      deleted_count: 1,
      kept: [{ code: 'N-1', reason: 'Ya tiene historial (lecturas, acoplados u órdenes).' }],
    })
  })

  it('is for chiefs: a storekeeper may import supplies, and may not undo trucks', async () => {
    const ana = await house.given.member()
    const keeper = await house.given.member({
      role: 'warehouse',
      company_id: ana.company_id,
      workshop_id: ana.workshop_id,
    })
    const { body } = await importRows(ana, [['K-1', await workshopName(ana), 'KKKK11', 1, null, null, null]])
    expect((await importRows(keeper, [])).status).toBe(403)
    expect((await undo(keeper, body.unique_key)).status).toBe(404)
    expect((await house.call(keeper, imports.downloadExample, { query: { type: 'trucks' } })).status).toBe(403)
  })
})
