import { describe, expect, it } from 'vitest'
import { imports } from '#contract/imports/imports.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { workbook } from '../../test/workbooks.ts'

const house = openHouse()
const HEADERS = ['Código', 'Insumo', 'Stock', 'Mínimo', 'Máximo', 'Bodega', 'Taller']
type Row = (string | number | null)[]

const importRows = async (who: Member, rows: Row[]) =>
  house.call(who, imports.importLimits, { body: { file: await workbook([HEADERS, ...rows]) } })
const undo = (who: Member, hash_import: string) => house.call(who, imports.undoImport, { query: { hash_import } })
const stored = async ({ company_id }: Member) =>
  (
    await house.owner.query(
      'select supply_id, on_hand, minimum::float, maximum::float from stock where company_id = $1 order by supply_id',
      [company_id],
    )
  ).rows
const limitsOf = async (who: Member) => (await stored(who)).map(({ minimum, maximum }) => [minimum, maximum])

async function someStock() {
  const ana = await house.given.member()
  const [one, two] = [await house.given.supply(ana, { code: 'A-1' }), await house.given.supply(ana, { code: 'B-2' })]
  const warehouse = await house.given.warehouse(ana, {
    stock: [
      [one, 10],
      [two, 5],
    ],
  })
  await house.call(ana, warehouses.setLimits, {
    params: { warehouse: warehouse.id },
    body: { levels: [{ supply_id: one.id, minimum: 2, maximum: 20 }] },
  })
  return { ana, one, two, warehouse, at: warehouse.workshop_name }
}

describe('an import of minimum and maximum stock', () => {
  it('takes its own list back unchanged, changes what was edited, and gives it back', async () => {
    const { ana, warehouse, at } = await someStock()
    const before = await stored(ana)
    const list: Row[] = [
      ['A-1', 'x', 10, 2, 20, warehouse.code, at],
      ['B-2', 'y', 5, null, null, warehouse.name, at],
    ]
    expect((await importRows(ana, list)).body).toMatchObject({ new_count: 0, updated_count: 0, same_count: 2 })
    const { body } = await importRows(ana, [
      ['a-1', 'x', 99, 3, null, warehouse.code, at],
      ['B-2', 'y', 5, '1,5', 8, warehouse.code, at],
    ])
    expect(body).toMatchObject({ updated_count: 2 })
    expect(await limitsOf(ana)).toEqual([
      [3, 20],
      [1.5, 8],
    ])
    expect((await undo(ana, body.unique_key)).body).toMatchObject({ restored_count: 2, kept: [] })
    expect(await stored(ana)).toEqual(before)
  })

  it('refuses, row by row, what is not there and what cannot be', async () => {
    const { ana, warehouse, at } = await someStock()
    await house.given.supply(ana, { code: 'C-3' })
    const before = await stored(ana)
    const { status, failure } = await importRows(ana, [
      ['A-1', null, null, 30, null, warehouse.code, at],
      ['C-3', null, null, 1, null, warehouse.code, at],
      ['Z-9', null, null, 1, null, warehouse.code, at],
      ['B-2', null, null, 1, null, 'Ninguna', at],
    ])
    expect(status).toBe(422)
    expect(failure.rows?.map(({ row, column, reason }) => [row, column, reason])).toEqual([
      [2, 'Máximo', 'El máximo no puede ser menor que el mínimo.'],
      [3, 'Código', 'El insumo no está en la bodega.'],
      [4, 'Código', 'No existe un insumo con este código en el taller.'],
      [5, 'Bodega', 'No existe una bodega con este código o nombre en el taller.'],
    ])
    const cells = await importRows(ana, [
      ['A-1', null, null, -1, 'mucho', warehouse.code, at],
      ['A-1', null, null, 1, null, warehouse.code, at],
    ])
    expect(cells.failure.rows?.map(({ row, column }) => [row, column])).toEqual([
      [2, 'Mínimo'],
      [2, 'Máximo'],
      [3, 'Código'],
    ])
    expect(await stored(ana)).toEqual(before)
  })

  it('leaves what was changed since, and what is of another workshop', async () => {
    const { ana, one, warehouse, at } = await someStock()
    const bob = await house.given.member({ company_id: ana.company_id })
    expect((await importRows(bob, [['A-1', null, null, 1, null, warehouse.code, at]])).failure.rows).toMatchObject([
      { column: 'Taller' },
    ])
    const { body } = await importRows(ana, [['A-1', null, null, 5, 50, warehouse.code, at]])
    await house.call(ana, warehouses.setLimits, {
      params: { warehouse: warehouse.id },
      body: { levels: [{ supply_id: one.id, minimum: 6, maximum: 50 }] },
    })
    expect((await undo(ana, body.unique_key)).body.kept).toEqual([
      { code: 'A-1', reason: 'Cambió después de la importación: mínimo.' },
    ])
    expect((await limitsOf(ana))[0]).toEqual([6, 20])
  })

  it('has an example of real levels that changes nothing', async () => {
    const { ana } = await someStock()
    const { body } = await house.call(ana, imports.downloadExample, { query: { type: 'limits' } })
    const file = new File([new Uint8Array(body)], 'ejemplo.xlsx')
    const sent = await house.call(ana, imports.importLimits, { body: { file } })
    expect(sent.body).toMatchObject({ updated_count: 0, same_count: 2 })
  })
})
