import { describe, expect, it } from 'vitest'
import { providers } from '#contract/providers/providers.ts'
import type { Member } from '../../test/given.ts'
import { times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()

const createService = (who: Member, body: Record<string, unknown>) => house.call(who, providers.createService, { body })
const createCategory = (who: Member, body: Record<string, unknown>) =>
  house.call(who, providers.createServiceCategory, { body })

describe('a service', () => {
  it('has a code, a name, a description, a unit cost and a category', async () => {
    const ana = await house.given.member()
    const provider = await house.given.provider(ana)
    const { body: category } = await createCategory(ana, { name: 'Neumáticos' })
    const { status, body } = await createService(ana, {
      provider_id: provider.id,
      code: 'REC-01',
      name: 'Recauchaje 295/80',
      description: 'Por neumático',
      unit_price: 98_500.5,
      category_id: category.id,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      code: 'REC-01',
      unit_price: 98_500.5,
      provider_id: provider.id,
      provider_name: provider.name,
      category_name: 'Neumáticos',
      workshop_id: ana.workshop_id,
      company_id: ana.company_id,
      state: 'active',
    })
    expect((await house.call(ana, providers.getService, { params: { id: body.id } })).body).toEqual(body)
  })

  it('says under each field what is wrong with it', async () => {
    const ana = await house.given.member()
    const { failure } = await createService(ana, { code: ' ', name: 'X', unit_price: -1 })
    expect(failure.errors).toEqual({
      provider_id: ['Este campo es obligatorio.'],
      code: ['Este campo es obligatorio.'],
      unit_price: ['El costo no puede ser negativo.'],
    })
  })

  it('has a code that its provider uses once, also when two arrive at once', async () => {
    const ana = await house.given.member()
    const { id } = await house.given.provider(ana)
    const answers = await Promise.all(
      times(5, (i) =>
        createService(ana, { provider_id: id, code: i % 2 ? 'a-1' : 'A-1', name: 'Alineación', unit_price: 1 }),
      ),
    )
    expect(answers.map((a) => a.status).sort()).toEqual([201, 422, 422, 422, 422])
    expect(answers.find((a) => a.status === 422)?.failure.errors).toEqual({
      code: ['Este proveedor ya tiene un servicio con este código.'],
    })
    expect((await house.given.service(ana, { code: 'A-1' })).code).toBe('A-1')
  })

  it('is only of a provider, and only takes a category, of its own workshop or shared', async () => {
    const ana = await house.given.member()
    const bob = await house.given.member({ company_id: ana.company_id })
    const his = await house.given.provider(bob)
    const hers = await house.given.provider(ana)
    const { body: category } = await createCategory(bob, { name: 'Grúas' })
    const what = { code: 'X', name: 'X', unit_price: 1 }
    expect((await createService(ana, { ...what, provider_id: his.id })).failure.errors).toEqual({
      provider_id: ['Elija un proveedor de la lista.'],
    })
    expect(
      (await createService(ana, { ...what, provider_id: hers.id, category_id: category.id })).failure.errors,
    ).toEqual({ category_id: ['Elija una categoría de la lista.'] })
  })

  it('changes without changing hands; a stale edit gets 409', async () => {
    const ana = await house.given.member()
    const service = await house.given.service(ana)
    const edit = (more: object) =>
      house.call(ana, providers.updateService, { params: { id: service.id }, body: { ...service, ...more } })
    const { body } = await edit({ unit_price: 2500, provider_id: 1, state: 'inactive' })
    expect(body).toMatchObject({ unit_price: 2500, provider_id: service.provider_id, state: 'inactive' })
    expect((await edit({ unit_price: 3000 })).status).toBe(409)
    expect((await edit({ unit_price: 3000, updated_at: body.updated_at, state: undefined })).body).toMatchObject({
      unit_price: 3000,
      state: 'inactive',
    })
  })

  it('is deleted while nothing uses it', async () => {
    const ana = await house.given.member()
    const { id } = await house.given.service(ana)
    expect((await house.call(ana, providers.deleteService, { params: { id } })).status).toBe(204)
    expect((await house.call(ana, providers.getService, { params: { id } })).status).toBe(404)
  })
})

describe('the services of a provider', () => {
  it('come ten at a time, are searched by code, name and category, and sorted', async () => {
    const ana = await house.given.member()
    const { id } = await house.given.provider(ana)
    const { body: category } = await createCategory(ana, { name: 'Hidráulica' })
    for (const i of times(12, (n) => n))
      await house.given.service(ana, {
        provider_id: id,
        code: `S-${String(i).padStart(2, '0')}`,
        name: i === 3 ? 'Cilindro de tolva' : 'Lavado de chasis',
        unit_price: 100 - i,
        category_id: i === 5 ? category.id : null,
      })
    const ask = async (query: object = {}) =>
      (await house.call(ana, providers.listServices, { params: { id }, query })).body
    expect(await ask()).toMatchObject({ total: 12, page: 1, per_page: 10 })
    expect((await ask()).data).toHaveLength(10)
    expect((await ask({ page: 2, perPage: 5 })).data.map((s) => s.code)).toEqual([
      'S-05',
      'S-06',
      'S-07',
      'S-08',
      'S-09',
    ])
    const codes = async (query: object) => (await ask(query)).data.map((s) => s.code)
    expect(await codes({ filter: { Search: 'tolva' } })).toEqual(['S-03'])
    expect(await codes({ filter: { Search: 'hidraulica' } })).toEqual(['S-05'])
    expect(await codes({ filter: { Category: String(category.id) } })).toEqual(['S-05'])
    expect(await codes({ sort: 'unit_price', per_page: 2 })).toEqual(['S-11', 'S-10'])
  })
})

it('leaves who changed what in its activity', async () => {
  const ana = await house.given.member()
  const { id, ...service } = await house.given.service(ana, { name: 'Balanceo', unit_price: 1000 })
  await house.call(ana, providers.updateService, { params: { id }, body: { ...service, unit_price: 1500 } })
  const { body } = await house.call(ana, providers.serviceActivity, { params: { id } })
  expect(body.data.map(({ action, user_name }) => [action, user_name])).toEqual([
    ['updated', ana.name],
    ['created', ana.name],
  ])
  expect(body.data[0]?.changes).toMatchObject({ unit_price: [1000, 1500] })
})

describe('service categories', () => {
  it('are the workshop’s own and those of all, each name once', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    const bob = await house.given.member({ company_id: boss.company_id })
    const shared = await createCategory(boss, { name: 'Neumáticos', description: 'Recauchaje y montaje' })
    expect(shared.status).toBe(201)
    expect(shared.body).toMatchObject({ workshop_id: null, company_id: boss.company_id })
    expect((await createCategory(ana, { name: 'NEUMATICOS' })).failure.errors).toEqual({
      name: ['Ya existe una categoría con este nombre.'],
    })
    expect((await createCategory(ana, { name: 'Pintura' })).status).toBe(201)
    expect((await createCategory(bob, { name: 'Pintura' })).status).toBe(201)
    expect((await createCategory(ana, { name: 'pintura' })).status).toBe(422)
    const { body } = await house.call(ana, providers.listServiceCategories)
    expect(body.data.map((c) => c.name)).toEqual(['Neumáticos', 'Pintura'])
  })
})
