import { describe, expect, it } from 'vitest'
import { supplies } from '#contract/supplies/supplies.ts'
import { times } from '../../test/given.ts'
import { makeTable, openHouse } from '../../test/house.ts'

const house = openHouse()

describe('creating a supply', () => {
  it('keeps the zeros of its code and the decimals of its cost', async () => {
    const ana = await house.given.member({ role: 'warehouse' })
    const category = await house.given.category(ana, 'Filtros')
    const unit = await house.given.measurementUnit(ana, 'Unidad')
    const { status, body } = await house.call(ana, supplies.createSupply, {
      body: {
        workshop_id: ana.workshop_id,
        code: ' 00123 ',
        name: 'Filtro de aceite',
        cost: 1234.5678,
        category_id: category.id,
        measurement_units_id: unit.id,
      },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      code: '00123',
      cost: 1234.5678,
      description: null,
      category_name: 'Filtros',
      measurement_unit_name: 'Unidad',
      state: 'active',
    })
  })

  it('says under each field what is wrong with it', async () => {
    const ana = await house.given.member()
    const { status, failure } = await house.call(ana, supplies.createSupply, {
      body: { workshop_id: ana.workshop_id, code: '', cost: 1.23456 },
    })
    expect(status).toBe(422)
    expect(failure.errors).toEqual({
      code: ['Este campo es obligatorio.'],
      name: ['Este campo es obligatorio.'],
      cost: ['El costo admite hasta 4 decimales.'],
    })
    const negative = await house.call(ana, supplies.createSupply, { body: house.given.newSupply(ana, { cost: -1 }) })
    expect(negative.failure.errors).toEqual({ cost: ['El costo no puede ser negativo.'] })
  })

  it('refuses a code the workshop already has, whatever its case, also when several arrive at once', async () => {
    const ana = await house.given.member()
    const answers = await Promise.all(
      times(6, (i) =>
        house.call(ana, supplies.createSupply, {
          body: house.given.newSupply(ana, { code: i % 2 ? 'flt-9' : 'FLT-9' }),
        }),
      ),
    )
    expect(answers.map((a) => a.status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    expect(answers.find((a) => a.status === 422)?.failure.errors).toEqual({
      code: ['Ya existe un insumo con este código en el taller.'],
    })
    const bob = await house.given.member({ company_id: ana.company_id })
    await house.given.supply(bob, { code: 'FLT-9' })
  })

  it('takes only categories and units of its own workshop or shared by all', async () => {
    const ana = await house.given.member()
    const chief = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
    const bob = await house.given.member({ company_id: ana.company_id })
    const shared = await house.call(chief, supplies.createCategory, { body: { name: 'Correas' } })
    const theirs = await house.given.category(bob)
    const refused = await house.call(ana, supplies.createSupply, {
      body: house.given.newSupply(ana, { category_id: theirs.id }),
    })
    expect(refused.failure.errors).toEqual({ category_id: ['Elija una opción de la lista.'] })
    expect((await house.given.supply(ana, { category_id: shared.body.id })).category_name).toBe('Correas')
    const again = await house.call(ana, supplies.createCategory, { body: { name: 'CORREAS' } })
    expect(again.failure.errors).toEqual({ name: ['Ya existe una categoría con este nombre.'] })
  })
})

describe('the list', () => {
  it('finds by parts of code and name, in any order, accents and case aside', async () => {
    const ana = await house.given.member()
    const pump = await house.given.supply(ana, { code: 'BMB-0042', name: 'Bomba de inyección Ñuble' })
    await house.given.supply(ana)
    for (const Search of ['inyeccion', 'BOMBA', 'nuble bomba', '0042', 'bmb 42', 'BMB-0042', 'inyección de bom']) {
      const { body } = await house.call(ana, supplies.listSupplies, { query: { filter: { Search } } })
      expect([Search, body.data.map((s) => s.id)]).toEqual([Search, [pump.id]])
    }
  })

  it('filters by category and by location, and holds everyone but the super-admin to their own workshop', async () => {
    const ana = await house.given.member({ role: 'warehouse' })
    const bob = await house.given.member({ company_id: ana.company_id })
    const chief = await house.given.member({ role: 'super-admin', company_id: ana.company_id })
    const category = await house.given.category(ana)
    const mine = await house.given.supply(ana, { category_id: category.id })
    await house.given.supply(ana)
    const theirs = await house.given.supply(bob)
    const ids = async (who: typeof ana, filter: object) =>
      (await house.call(who, supplies.listSupplies, { query: { filter } })).body.data.map((s) => s.id)
    expect(await ids(ana, { Categories: [category.id] })).toEqual([mine.id])
    expect(await ids(ana, { WorkshopId: [bob.workshop_id] })).not.toContain(theirs.id)
    expect(await ids(chief, { WorkshopId: [bob.workshop_id] })).toEqual([theirs.id])
    expect(await ids(chief, {})).toHaveLength(3)
  })
})

describe('changing a supply', () => {
  it('writes each cost into its history once', async () => {
    const ana = await house.given.member()
    const supply = await house.given.supply(ana, { cost: 100 })
    const change = (more: object) =>
      house.call(ana, supplies.updateSupply, {
        params: { id: supply.id },
        body: { ...supply, updated_at: undefined, ...more },
      })
    await change({ cost: 150.5 })
    await change({ cost: 150.5, name: 'Otro nombre' })
    const { body } = await house.call(ana, supplies.supplyCosts, { params: { id: supply.id } })
    expect(body.data.map((k) => [k.cost, k.source, k.user_name])).toEqual([
      [150.5, 'manual', ana.name],
      [100, 'manual', ana.name],
    ])
    const { body: activity } = await house.call(ana, supplies.supplyActivity, { params: { id: supply.id } })
    expect(activity.data.map((line) => line.changes)).toMatchObject([
      { name: [supply.name, 'Otro nombre'] },
      { cost: [100, 150.5] },
      { code: [null, supply.code] },
    ])
  })

  it('is refused when somebody else changed it meanwhile', async () => {
    const ana = await house.given.member()
    const supply = await house.given.supply(ana)
    const body = { ...supply, name: 'Primero' }
    expect((await house.call(ana, supplies.updateSupply, { params: { id: supply.id }, body })).status).toBe(200)
    expect((await house.call(ana, supplies.updateSupply, { params: { id: supply.id }, body })).status).toBe(409)
  })
})

describe('deleting', () => {
  it('removes a supply that was never used, with its costs', async () => {
    const ana = await house.given.member()
    const supply = await house.given.supply(ana)
    expect((await house.call(ana, supplies.deleteSupply, { params: { id: supply.id } })).status).toBe(204)
    expect((await house.call(ana, supplies.getSupply, { params: { id: supply.id } })).status).toBe(404)
  })

  it('refuses one that another table refers to, whichever that is, and says what to do', async () => {
    const ana = await house.given.member()
    const supply = await house.given.supply(ana)
    await makeTable(
      house,
      'uses_of_supplies',
      'supply_id bigint, foreign key (company_id, supply_id) references supplies',
    )
    await house.owner.query('insert into uses_of_supplies values ($1, $2)', [ana.company_id, supply.id])
    const refused = await house.call(ana, supplies.deleteSupply, { params: { id: supply.id } })
    expect(refused.status).toBe(409)
    expect(refused.failure.message).toContain('Puede desactivarlo')
  })
})
