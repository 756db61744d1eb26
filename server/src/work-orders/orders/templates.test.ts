import { beforeAll, expect, it } from 'vitest'
import { maintenanceTemplates as templates } from '#contract/work-orders/templates.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'

/* Maintenance that comes again and again, shared by the workshops of a company. */

const house = openHouse()
let boss: Member
let chief: Member
let mechanic: Member

beforeAll(async () => {
  boss = await house.given.member({ role: 'super-admin' })
  const { company_id } = boss
  // Of another workshop.
  chief = await house.given.member({ role: 'admin', company_id })
  mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id: boss.workshop_id })
})

const create = (who: Member, body: object) => house.call(who, templates.createTemplate, { body: body as never })
const read = async (who: Member, id: number, workshop_id?: number) =>
  (await house.call(who, templates.getTemplate, { params: { id }, query: { workshop_id } })).body
const edit = (who: Member, id: number, body: object) =>
  house.call(who, templates.updateTemplate, { params: { id }, body: body as never })

it('keeps works and supplies in their order, and each workshop finds its own supplies by their codes', async () => {
  const task = await house.given.task(boss)
  const type = await house.given.maintenanceType(boss)
  const here = await house.given.supply(boss, { code: 'FIL-1', name: 'Filtro de aceite', cost: 9000 })
  await house.given.supply(boss, { code: 'ACE-1', name: 'Aceite' })
  const there = await house.given.supply(chief, { code: 'fil-1', name: 'Filtro de aceite corto' })
  const { status, body } = await create(boss, {
    name: 'Mantención 15.000 km',
    type_maintenance_id: type.id,
    works: [{ task_id: task.id, hours: 1.5 }, { description: 'Revisar niveles' }],
    supplies: [
      { code: 'ACE-1', count: 36 },
      { code: 'FIL-1', count: 1 },
    ],
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ type_maintenance: type.name, works_total: 2, supplies_total: 2, state: 'active' })
  expect(body.works).toEqual([
    { description: null, task_id: task.id, task: task.name, hours: 1.5 },
    { description: 'Revisar niveles', task_id: null, task: null, hours: null },
  ])
  const mine = await read(boss, body.id, boss.workshop_id)
  expect(mine.supplies).toMatchObject([
    { code: 'ACE-1', count: 36 },
    { code: 'FIL-1', count: 1, supply_id: here.id, cost: 9000 },
  ])
  // Of another workshop, whichever is asked for.
  const theirs = await read(chief, body.id, boss.workshop_id)
  expect(theirs.supplies).toMatchObject([
    { code: 'ACE-1', name: 'Aceite', supply_id: null },
    { code: 'FIL-1', name: 'Filtro de aceite corto', supply_id: there.id },
  ])
  expect((await read(mechanic, body.id)).supplies[1]).toMatchObject({ supply_id: here.id, cost: null })
  // What their workshop has none of stays in it.
  const { supplies } = theirs
  const changed = await edit(chief, body.id, { ...theirs, supplies: supplies.with(1, { ...supplies[1]!, count: 2 }) })
  expect(changed.status).toBe(200)
  expect((await read(boss, body.id)).supplies).toMatchObject([
    { code: 'ACE-1', count: 36 },
    { code: 'FIL-1', count: 2 },
  ])
  expect(changed.body.works.length).toBe(2)
})

it('refuses what is empty, unknown, there twice or read too long ago', async () => {
  await house.given.supply(boss, { code: 'BAL-1' })
  const name = 'Cambio de frenos'
  const works = [{ description: 'Cambiar balatas' }]
  const { body } = await create(boss, { name, works })
  const wrong = async (what: object, field: string, message: string) => {
    const answer = await create(boss, { name: 'Otra', works, ...what })
    expect(answer.status).toBe(422)
    expect((answer.body as never as { errors: object }).errors).toEqual({ [field]: [message] })
  }
  await wrong({ works: [] }, 'works', 'Agregue al menos un trabajo o un insumo.')
  await wrong({ works: [{ hours: 1 }] }, 'works.0.description', 'Describa el trabajo o elija una tarea.')
  await wrong({ works: [{ task_id: 99_999_999 }] }, 'works.0.task_id', 'Elija una tarea de la lista.')
  await wrong({ type_maintenance_id: 99_999_999 }, 'type_maintenance_id', 'Elija un tipo de la lista.')
  await wrong({ supplies: [{ code: 'NADA', count: 1 }] }, 'supplies.0.code', 'Elija un insumo de la lista.')
  await wrong({ name: 'cambio de FRENOS' }, 'name', 'Ya existe una plantilla con ese nombre.')
  const twice = ['BAL-1', 'bal-1'].map((code) => ({ code, count: 1 }))
  await wrong({ supplies: twice }, 'supplies', 'El insumo ya se encuentra en la lista')
  expect((await create(mechanic, { name: 'X', works })).status).toBe(403)

  await edit(boss, body.id, { name: 'Cambio de frenos traseros' })
  expect((await edit(boss, body.id, body)).status).toBe(409)
  const off = await edit(boss, body.id, { state: 'inactive' })
  expect(off.body).toMatchObject({ name: 'Cambio de frenos traseros', state: 'inactive', works_total: 1 })
  const listed = await house.call(boss, templates.listTemplates, {
    query: { sort: '-works_total', filter: { Search: 'frenos', State: ['inactive'] } },
  })
  expect(listed.body.data.map(({ id }) => id)).toEqual([body.id])
  expect((await house.call(chief, templates.deleteTemplate, { params: { id: body.id } })).status).toBe(204)
  expect((await house.call(boss, templates.getTemplate, { params: { id: body.id } })).status).toBe(404)
})
