import { expect, it } from 'vitest'
import { type NewView, views } from '#contract/identity/views.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()
const viewOf = (more: Partial<NewView> = {}): NewView => ({
  list: 'trucks',
  name: house.given.next('Vista '),
  query: 'filter[State]=active&sort=-code',
  hidden: ['brand_name'],
  shared: false,
  roles: [],
  ...more,
})
const save = async (who: Member, more: Partial<NewView> = {}) =>
  house.call(who, views.createView, { body: viewOf(more) })
const seen = async (who: Member) => (await house.call(who, views.listViews, {})).body.data.map(({ id }) => id)

it('a view is of the person who saved it, until it is shared', async () => {
  const chief = await house.given.member()
  const { company_id, workshop_id } = chief
  const mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
  const { body: own } = await save(mechanic)
  expect(own).toMatchObject({
    mine: true,
    shared: false,
    hidden: ['brand_name'],
    query: expect.stringContaining('sort'),
  })
  expect(await seen(chief)).not.toContain(own.id)
  const { body: shared } = await save(chief, { shared: true })
  expect(await seen(mechanic)).toEqual(expect.arrayContaining([own.id, shared.id]))
  expect(await seen(await house.given.member())).toEqual([])

  const { list: _, ...edit } = viewOf({ name: 'Otra' })
  expect((await house.call(mechanic, views.updateView, { params: { id: shared.id }, body: edit })).status).toBe(403)
  expect((await house.call(mechanic, views.deleteView, { params: { id: shared.id } })).status).toBe(403)
  expect((await save(mechanic, { shared: true })).status).toBe(403)
  expect((await save(mechanic, { roles: ['admin'] })).status).toBe(403)
  expect((await house.call(mechanic, views.deleteView, { params: { id: own.id } })).status).toBe(204)
  expect(await seen(mechanic)).not.toContain(own.id)
})

it('a role begins a list with one view, the last that was said; such a view is shared', async () => {
  const chief = await house.given.member()
  const { body: first } = await save(chief, { roles: ['specialist', 'warehouse'] })
  expect(first).toMatchObject({ shared: true, roles: ['specialist', 'warehouse'] })
  const { body: second } = await save(chief, { roles: ['warehouse'] })
  const { body: board } = await save(chief, { list: 'board', roles: ['warehouse'] })
  const found = (await house.call(chief, views.listViews, {})).body.data
  const rolesOf = (id: number) => found.find((view) => view.id === id)?.roles
  expect([rolesOf(first.id), rolesOf(second.id), rolesOf(board.id)]).toEqual([
    ['specialist'],
    ['warehouse'],
    ['warehouse'],
  ])
})

it('two of one person on one list have different names', async () => {
  const chief = await house.given.member()
  await save(chief, { name: 'Por vencer' })
  const again = await save(chief, { name: 'POR VENCER' })
  expect([again.status, again.failure.errors]).toEqual([422, { name: ['Ya tiene una vista con este nombre.'] }])
  expect((await save(chief, { name: 'Por vencer', list: 'supplies' })).status).toBe(201)
  expect((await save(chief, { name: '  ' })).failure.errors).toHaveProperty('name')
})
