import { describe, expect, it } from 'vitest'
import { imports } from '#contract/imports/imports.ts'
import { providers } from '#contract/providers/providers.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { workbook } from '../../test/workbooks.ts'

const house = openHouse()
/** As the list's own file calls them. */
const HEADERS = ['Nombre', 'RUT', 'Teléfono', 'Correo', 'Dirección', 'Servicios', 'Taller', 'Estado', 'ID']
type Row = (string | number | null)[]

const fileOf = (rows: Row[]) => workbook([HEADERS, ...rows], { name: 'proveedores.xlsx' })
const importRows = async (who: Member, rows: Row[]) =>
  house.call(who, imports.importProviders, { body: { file: await fileOf(rows) } })
const undo = (who: Member, hash_import: string) => house.call(who, imports.undoImport, { query: { hash_import } })
const stored = async ({ company_id }: Member) =>
  (await house.owner.query('select * from providers where company_id = $1 order by id', [company_id])).rows
const exported = async (who: Member): Promise<Row[]> => {
  const { body } = await house.call(who, providers.listProviders, { query: { per_page: 100 } })
  return body.data.map((p) => [
    p.name,
    p.dni,
    p.phone,
    p.email,
    p.address,
    p.services_count,
    p.workshop_name ?? 'Todos los talleres',
    p.state === 'active' ? 'Activo' : 'Inactivo',
    p.id,
  ])
}

describe('an import of providers', () => {
  it('takes its own list back without touching anything, and only what was edited otherwise', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    await house.given.provider(boss, { name: 'De todos SpA', dni: '76.543.210-3', workshop_id: null })
    await house.given.provider(ana, { name: 'Del taller', dni: null, phone: '+56 2 2345 6789' })
    await house.given.provider(ana, { name: 'Extranjero', dni: 'PE 45678912', email: 'a@b.cl' })
    const before = await stored(boss)
    const list = await exported(boss)
    const same = await importRows(boss, list)
    expect([same.status, same.body.same_count]).toEqual([200, 3])
    expect(await stored(boss)).toEqual(before)

    const edited = list.map((row) => [...row])
    const own = edited.find(([name]) => name === 'Del taller')!
    own[0] = 'Del taller Ltda.'
    own[1] = '77.123.456-9'
    own[7] = 'inactivo'
    const { body } = await importRows(boss, [...edited, ['Nuevo', null, null, 'X@Y.CL', null, null, null, null, null]])
    expect(body).toMatchObject({ new_count: 1, updated_count: 1, same_count: 2 })
    const now = await stored(boss)
    expect(now[1]).toMatchObject({
      name: 'Del taller Ltda.',
      dni: '77123456-9',
      phone: '+56 2 2345 6789',
      state: 'inactive',
    })
    expect(now[3]).toMatchObject({ name: 'Nuevo', email: 'x@y.cl', workshop_id: null })
    expect([now[0], now[2]]).toEqual([before[0], before[2]])

    expect((await undo(boss, body.unique_key)).body).toMatchObject({ deleted_count: 1, restored_count: 1, kept: [] })
    expect(await stored(boss)).toEqual(before)
  })

  it('knows a provider by its RUT, and by its name where one of the two has none', async () => {
    const ana = await house.given.member()
    await house.given.provider(ana, { name: 'Frenos Sur', dni: '76.543.210-3' })
    await house.given.provider(ana, { name: 'Sin Rut', dni: null })
    const { body } = await importRows(ana, [
      ['Frenos Sur SpA', '76543210-3', null, null, null, null, null, null, null],
      ['SIN RUT', '77.123.456-9', null, null, null, null, null, null, null],
    ])
    expect(body).toMatchObject({ new_count: 0, updated_count: 2 })
    expect((await stored(ana)).map(({ name, dni }) => [name, dni])).toEqual([
      ['Frenos Sur SpA', '76543210-3'],
      ['SIN RUT', '77123456-9'],
    ])
  })

  it('refuses what the provider form would refuse, row by row, and writes nothing', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    const bob = await house.given.member({ company_id: boss.company_id })
    const shared = await house.given.provider(boss, { name: 'Compartido', dni: '76.543.210-3', workshop_id: null })
    const theirs = await house.given.provider(bob, { name: 'Ajeno', dni: '77.123.456-9' })
    await house.given.provider(ana, { name: 'Doble', dni: null })
    await house.given.provider(ana, { name: 'Doble', dni: null })
    const before = await stored(boss)
    const { status, failure } = await importRows(ana, [
      ['Compartido', '76.543.210-3', '123', null, null, null, null, null, null],
      ['Otro', '77.123.456-9', null, null, null, null, null, null, null],
      ['Doble', null, null, null, null, null, null, null, null],
      ['Perdido', null, null, null, null, null, null, null, theirs.id],
      ['Para todos', null, null, null, null, null, 'Todos los talleres', null, null],
    ])
    expect(status).toBe(422)
    expect(failure.rows?.map(({ row, column, reason }) => [row, column, reason.slice(0, 30)])).toEqual([
      [2, 'Nombre', 'Este proveedor atiende a todos'],
      [3, 'RUT', 'Este RUT ya está registrado en'],
      [4, 'Nombre', 'Hay varios proveedores con est'],
      [5, 'ID', 'No existe un proveedor con est'],
      [6, 'Taller', 'Solo quien administra toda la '],
    ])
    const cells = await importRows(ana, [
      ['', '12.345.678-0', null, 'no es correo', null, null, 'Otro taller', 'Quizás', null],
    ])
    expect(cells.failure.rows?.map(({ column }) => column)).toEqual(['Nombre', 'RUT', 'Correo', 'Taller', 'Estado'])
    const moved = await importRows(boss, [
      ['Compartido', null, null, null, null, null, await nameOf(ana), null, shared.id],
    ])
    expect(moved.failure.rows).toMatchObject([
      { column: 'Taller', reason: 'El taller de un proveedor se cambia en su ficha.' },
    ])
    expect(await stored(boss)).toEqual(before)
  })

  it('keeps what is used or was changed since, and says so', async () => {
    const ana = await house.given.member()
    const { body } = await importRows(ana, [
      ['Usado', null, null, null, null, null, null, null, null],
      ['Libre', null, null, null, null, null, null, null, null],
    ])
    const [used] = await stored(ana)
    await house.given.service(ana, { provider_id: Number(used.id) })
    expect((await undo(ana, body.unique_key)).body).toMatchObject({
      deleted_count: 1,
      kept: [{ code: 'Usado', reason: 'Ya se usó en compras, servicios u órdenes de trabajo.' }],
    })
    const second = await importRows(ana, [['Usado', null, '111', null, 'Calle 1', null, null, null, null]])
    await house.owner.query(`update providers set phone = '222' where id = $1`, [used.id])
    expect((await undo(ana, second.body.unique_key)).body.kept).toEqual([
      { code: 'Usado', reason: 'Cambió después de la importación: teléfono.' },
    ])
    expect((await stored(ana))[0]).toMatchObject({ phone: '222', address: null })
  })

  it('is for chiefs, and its example comes in as it is', async () => {
    const ana = await house.given.member()
    const keeper = await house.given.member({
      role: 'warehouse',
      company_id: ana.company_id,
      workshop_id: ana.workshop_id,
    })
    expect((await importRows(keeper, [['X']])).status).toBe(403)
    const { body } = await house.call(ana, imports.downloadExample, { query: { type: 'providers' } })
    const file = new File([new Uint8Array(body)], 'ejemplo.xlsx')
    expect((await house.call(ana, imports.importProviders, { body: { file } })).body.new_count).toBe(3)
  })
})

const nameOf = async (who: Member) =>
  (await house.owner.query('select name from workshops where id = $1', [who.workshop_id])).rows[0].name as string
