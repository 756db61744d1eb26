import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { providers } from '#contract/providers/providers.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { type Member, times } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'

const house = openHouse()

let chief: Member
let mechanic: Member
let truck: { id: number }
beforeAll(async () => {
  chief = await house.given.member({ role: 'admin' })
  const { company_id, workshop_id } = chief
  mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
  truck = await house.given.truck(chief)
})

type Body = Record<string, unknown>
const bodyOf = (more: Body = {}) => ({ workshop_id: chief.workshop_id, truck_id: truck.id, request: 'Frenos', ...more })
const create = (who: Member, body: Body) => house.call(who, workOrders.createWorkOrder, { body })
const save = (order: { id: number }, body: Body, who = chief) =>
  house.call(who, workOrders.updateWorkOrder, { params: { id: order.id }, body })
const read = async (who: Member, id: number) =>
  (await house.call(who, workOrders.getWorkOrder, { params: { id } })).body
const activityOf = async (id: number) =>
  (await house.call(chief, workOrders.workOrderActivity, { params: { id } })).body.data
/** An order as a form sends it back. */
const sent = (order: WorkOrder): Body => ({
  ...order,
  supplies: order.supplies.map(({ id, supply_id, count }) => ({ id, supply_id, count })),
})

describe('a new order', () => {
  it('has a number of its company, waits on top of the first column, and says who wrote it', async () => {
    const first = await house.given.workOrder(chief)
    const second = await house.given.workOrder(chief)
    expect(first.code).toMatch(/^OT-\d{6}$/)
    expect(Number(second.code.slice(3))).toBe(Number(first.code.slice(3)) + 1)
    expect(second).toMatchObject({ status: 'PENDING', place: 'WORKSHOP', priority: 'medium', user_name: chief.name })
    expect(second.position).toBeLessThan(first.position)
  })

  it('starts at one in every company, and leaves no gap though twenty arrive at once and some are refused', async () => {
    const ana = await house.given.member()
    const { id: truck_id } = await house.given.truck(ana)
    const answers = await Promise.all(
      times(24, (i) =>
        create(ana, {
          workshop_id: ana.workshop_id,
          truck_id,
          // Refused after the number was taken.
          ...(i % 6 === 5 && { services: [{ service_id: 999_999, quantity: 1 }] }),
        }),
      ),
    )
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.code)
    expect(made.sort()).toEqual(times(20, (i) => `OT-${String(i + 1).padStart(6, '0')}`))
  })

  it('keeps every field, and reads back with the names behind the ids', async () => {
    const [coupled, box, luis, eva, ana, joe] = [
      await house.given.coupled(chief),
      await house.given.box(chief),
      await house.given.specialist(chief),
      await house.given.specialist(chief),
      await house.given.driver(chief),
      await house.given.driver(chief),
    ]
    const fields = {
      planned: true,
      box_id: box.id,
      coupled_id: coupled.id,
      applicant: 'Operaciones',
      applicant_driver_id: ana.id,
      responsible_specialist_id: luis.id,
      reviewed_by_specialist_id: eva.id,
      delivered_to_driver_id: joe.id,
      kilometer: 900,
      request: 'Ruido al frenar',
      description_of_requeriment: 'Solo en bajada, con carga',
      date_estimed: '2026-12-04',
      hour_estimed: '14:30',
      place: 'WORKSHOP',
      priority: 'high',
      waiting_for_parts: true,
      codes: 'P0420',
      observation: 'Revisar también el compresor',
      deadline_at: '2026-12-05T21:00:00.000Z',
      workshop_entry_at: '2026-11-01T12:00:00.000Z',
      workshop_departure_at: '2026-11-02T12:00:00.000Z',
    }
    const { body } = await create(chief, bodyOf(fields))
    expect(body).toMatchObject({
      ...fields,
      box_name: box.name,
      coupled_patent: coupled.patent,
      applicant_driver: `${ana.names} Gatica Muñoz`,
      responsible_specialist: `${luis.names} Gatica Muñoz`,
      reviewed_by_specialist: `${eva.names} Gatica Muñoz`,
      delivered_to_driver: `${joe.names} Gatica Muñoz`,
    })
    const unseen = { supplies_cost: null, services_cost: null, total_cost: null }
    expect(await read(mechanic, body.id)).toEqual({ ...body, ...unseen })
    const saved = await save(body, sent(body))
    expect({ ...saved.body, updated_at: '' }).toEqual({ ...body, updated_at: '' })
    expect((await activityOf(body.id)).map(({ action }) => action)).toEqual(['created'])
  })

  it('may begin further on: a column other than the first means what moving there means', async () => {
    const { body } = await create(chief, bodyOf({ status: 'FINALIZED' }))
    expect(body).toMatchObject({ status: 'FINALIZED', finalized_at: expect.any(String) })
    expect(body.workshop_departure_at).not.toBeNull()
    expect((await activityOf(body.id)).map(({ action }) => action)).toEqual(['finalized', 'created'])
  })

  it('names the type of maintenance by id or by code', async () => {
    const boss = await house.given.member({ role: 'super-admin', company_id: chief.company_id })
    await house.owner.query(
      `insert into maintenance_types (company_id, code, name) values ($1, 'PREVENTIVE', 'Preventiva')`,
      [boss.company_id],
    )
    const made = await create(chief, bodyOf({ type_of_maintenance: 'PREVENTIVE' }))
    expect(made.body).toMatchObject({ type_of_maintenance: 'PREVENTIVE', type_maintenance: 'Preventiva' })
    const unknown = await create(chief, bodyOf({ type_of_maintenance: 'MAGICAL' }))
    expect(unknown.failure.errors).toEqual({ type_of_maintenance: ['Elija un tipo de la lista.'] })
  })

  it('cannot leave before it enters', async () => {
    const { status, failure } = await create(
      chief,
      bodyOf({ workshop_entry_at: '2026-11-02T12:00:00Z', workshop_departure_at: '2026-11-01T12:00:00Z' }),
    )
    expect([status, failure.errors]).toEqual([
      422,
      { workshop_departure_at: ['La salida no puede ser anterior al ingreso.'] },
    ])
  })

  it('is made once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'ot-1' }
    const answers = await Promise.all(
      times(5, () => house.call(chief, workOrders.createWorkOrder, { body: bodyOf(), headers })),
    )
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })
})

describe('what an order names', () => {
  it('is of its workshop: anything of another one, or of another company, is refused under its field', async () => {
    const neighbours = [await house.given.member({ company_id: chief.company_id }), await house.given.member()]
    for (const other of neighbours) {
      const specialist = (await house.given.specialist(other)).id
      const driver = (await house.given.driver(other)).id
      const wrong = {
        truck_id: (await house.given.truck(other)).id,
        coupled_id: (await house.given.coupled(other)).id,
        box_id: (await house.given.box(other)).id,
        applicant_driver_id: driver,
        delivered_to_driver_id: driver,
        responsible_specialist_id: specialist,
        reviewed_by_specialist_id: specialist,
        works: [{ description: 'x', specialist_id: specialist, task_id: 999_999 }],
      }
      const { status, failure } = await create(chief, bodyOf(wrong))
      expect(status).toBe(422)
      expect(Object.keys(failure.errors!).sort()).toEqual(
        [...Object.keys(wrong).filter((field) => field !== 'works'), 'works.0.specialist_id', 'works.0.task_id'].sort(),
      )
      expect(failure.errors!.truck_id).toEqual(['Elija un equipo de la lista.'])
      const warehouse_id = (await house.given.warehouse(other)).id
      expect(Object.keys((await create(chief, bodyOf({ warehouse_id }))).failure.errors!)).toEqual(['warehouse_id'])
      const services = [{ service_id: (await house.given.service(other)).id, quantity: 1 }]
      expect(Object.keys((await create(chief, bodyOf({ services }))).failure.errors!)).toEqual([
        'services.0.service_id',
      ])
      const supplies = [{ supply_id: (await house.given.supply(other)).id, count: 1 }]
      expect(Object.keys((await create(chief, bodyOf({ supplies, has_warehouse: false }))).failure.errors!)).toEqual([
        'supplies.0.supply_id',
      ])
    }
  })

  it('is of the workshop of the person, unless they work in all', async () => {
    const other = await house.given.workshop(chief.company_id)
    expect(Object.keys((await create(chief, bodyOf({ workshop_id: other }))).failure.errors!)).toEqual(['workshop_id'])
    const boss = await house.given.member({ role: 'super-admin', company_id: chief.company_id })
    const lorry = await house.given.truck(boss, { workshop_id: other })
    expect((await create(boss, { workshop_id: other, truck_id: lorry.id })).status).toBe(201)
  })

  it('is in use, or was already named', async () => {
    const luis = await house.given.specialist(chief)
    const { body: order } = await create(chief, bodyOf({ responsible_specialist_id: luis.id }))
    const body = { ...house.given.newSpecialist(chief), names: luis.names, state: 'inactive' }
    await house.call(chief, rosters.updateSpecialist, { params: { id: luis.id }, body })
    expect((await save(order, sent(order))).status).toBe(200)
    const again = await create(chief, bodyOf({ responsible_specialist_id: luis.id }))
    expect(again.failure.errors).toEqual({ responsible_specialist_id: ['Elija un especialista de la lista.'] })
  })
})

describe('a change', () => {
  it('is refused where somebody else changed the order meanwhile, and nothing is saved', async () => {
    const { body: order } = await create(chief, bodyOf())
    const first = await save(order, { ...sent(order), request: 'Frenos y luces' })
    expect(first.status).toBe(200)
    const stale = await save(order, { ...sent(order), request: 'Frenos y motor' })
    expect(stale.status).toBe(409)
    expect((await read(chief, order.id)).request).toBe('Frenos y luces')
    expect((await save(order, { ...sent(order), updated_at: first.body.updated_at })).status).toBe(200)
  })

  it('without the moment it was read changes what it carries and nothing else, down to the fields of a line', async () => {
    const { warehouse_id, supplies } = await house.given.entry(chief)
    const service = await house.given.service(chief)
    const specialist = await house.given.specialist(chief)
    const [was, becomes] = [await house.given.maintenanceType(chief), await house.given.maintenanceType(chief)]
    const order = await house.given.workOrder(chief, {
      warehouse_id,
      has_warehouse: true,
      priority: 'high',
      kilometer: 1000,
      type_maintenance_id: was.id,
      works: [{ description: 'Desmontar', hours: 2, specialist: specialist.id }, { description: 'Montar' }],
      supplies: [{ supply_id: supplies[0]!.supply_id, count: 1 }],
      services: [{ service_id: service.id, quantity: 1 }],
    })
    const { updated_at: _, ...before } = order
    const after = await save(order, { observation: 'Llega de noche' })
    expect(after.body).toMatchObject({ ...before, observation: 'Llega de noche' })

    const [first, second] = order.works
    const typed = await save(order, { type_of_maintenance: becomes.code, works: [{ id: first!.id, hours: 3 }] })
    expect(typed.body).toMatchObject({ type_maintenance_id: becomes.id, works: [{ ...first, hours: 3, duration: 3 }] })
    expect(typed.body.works).toHaveLength(1)
    expect(second).toBeDefined()
    expect((await save(order, { truck_id: 0 })).failure.errors).toHaveProperty('truck_id')
  })

  it('of what a card shows leaves works, supplies and all else alone, and is for chiefs', async () => {
    const ana = await house.given.specialist(chief)
    const order = await house.given.workOrder(chief, { works: [{ description: 'Balatas', hours: 2 }], codes: 'E-7' })
    const quick = {
      responsible_specialist_id: ana.id,
      priority: 'high',
      deadline_at: '2026-12-01T02:59:00.000Z',
      waiting_for_parts: true,
    }
    const { status, body } = await save(order, quick)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...quick, codes: 'E-7', request: order.request, status: order.status })
    expect(body.works.map(({ id }) => id)).toEqual(order.works.map(({ id }) => id))
    // Taken back, it is as it was.
    await save(order, {
      responsible_specialist_id: null,
      priority: 'medium',
      deadline_at: null,
      waiting_for_parts: false,
    })
    expect({ ...(await read(chief, order.id)), updated_at: '' }).toEqual({ ...order, updated_at: '' })
    expect((await save(order, { priority: 'low' }, mechanic)).status).toBe(403)
    await house.call(chief, workOrders.moveWorkOrder, { params: { id: order.id }, body: { status: 'FINALIZED' } })
    expect((await save(order, { priority: 'low' })).status).toBe(409)
  })

  it('of different fields by five people at once keeps them all', async () => {
    const order = await house.given.workOrder(chief)
    const fields = ['request', 'observation', 'codes', 'applicant', 'description_of_requeriment']
    const answers = await Promise.all(fields.map((field) => save(order, { [field]: `Nuevo ${field}` })))
    expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200))
    expect(await read(chief, order.id)).toMatchObject(Object.fromEntries(fields.map((f) => [f, `Nuevo ${f}`])))
  })

  it('names a field that nobody knows, wherever it is, and takes back whatever was read', async () => {
    const order = await house.given.workOrder(chief, { works: [{ description: 'Desmontar' }] })
    const wrong = await save(order, { prioridad: 'high', works: [{ description: 'Otro', horas: 2 }] })
    expect([wrong.status, Object.keys(wrong.failure.errors!)]).toEqual([422, ['prioridad', 'works.0.horas']])
    expect(wrong.failure.message).toBe('No se conocen los campos «prioridad», «works.0.horas».')
    expect((await create(chief, { ...bodyOf(), id: 7, code: 'OT-9' })).status).toBe(201)
    expect((await save(order, { ...order })).status).toBe(200)
  })

  it('leaves a line in the timeline: who, and what from and to, lines included', async () => {
    await house.given.setting(chief.company_id, 'has_warehouse', false)
    const luis = await house.given.specialist(chief)
    const [filter, oil] = [
      await house.given.supply(chief, { cost: 5000 }),
      await house.given.supply(chief, { cost: 3000 }),
    ]
    const { body: order } = await create(
      chief,
      bodyOf({
        has_warehouse: false,
        works: [{ description: 'Engrase', hours: 2 }],
        supplies: [{ supply_id: filter.id, count: 1 }],
      }),
    )
    await save(order, {
      ...sent(order),
      priority: 'high',
      responsible_specialist_id: luis.id,
      works: [{ id: order.works[0]!.id, description: 'Engrase', hours: 3 }, { description: 'Lavado' }],
      supplies: [{ supply_id: oil.id, count: 2.5 }],
    })
    const [updated, created] = await activityOf(order.id)
    expect(created).toMatchObject({ user_name: chief.name, action: 'created' })
    expect(created?.changes).toMatchObject({
      works: [null, 'Engrase · 2 h'],
      supplies: [null, `${filter.name} × 1 ($5.000)`],
    })
    expect(updated).toMatchObject({ user_name: chief.name, action: 'updated' })
    expect(updated?.changes).toEqual({
      priority: ['medium', 'high'],
      responsible_specialist: [null, `${luis.names} Gatica Muñoz`],
      works: ['Engrase · 2 h', 'Engrase · 3 h; Lavado'],
      supplies: [`${filter.name} × 1 ($5.000)`, `${oil.name} × 2,5 ($7.500)`],
    })
  })

  it('moves the card where it says another column, and leaves it where it says none', async () => {
    const { body: order } = await create(chief, bodyOf())
    const { status: _, ...rest } = sent(order)
    const moved = await save(order, { ...rest, status: 'IN_PROCESS' })
    expect(moved.body).toMatchObject({ status: 'IN_PROCESS', workshop_entry_at: expect.any(String) })
    const { updated_at } = moved.body
    const stayed = await save(order, { ...rest, updated_at, workshop_entry_at: moved.body.workshop_entry_at })
    expect(stayed.body.status).toBe('IN_PROCESS')
    expect((await activityOf(order.id)).map(({ action }) => action)).toEqual(['moved', 'created'])
  })
})

it('refuses a workshop entry in the future, and leaves one that was accepted before alone', async () => {
  const entry = '2082-11-01T12:00:00Z'
  const sentence = ['El ingreso no puede estar en el futuro. Para planificarla use el día y la hora estimados.']
  const refused = await create(chief, bodyOf({ workshop_entry_at: entry }))
  expect([refused.status, refused.failure.errors]).toEqual([422, { workshop_entry_at: sentence }])
  const { body: order } = await create(chief, bodyOf())
  expect((await save(order, { workshop_entry_at: entry })).failure.errors).toEqual({ workshop_entry_at: sentence })
  await house.owner.query('update work_orders set workshop_entry_at = $2 where id = $1', [order.id, entry])
  expect((await save(order, { observation: 'Sigue' })).status).toBe(200)
  expect((await save(order, { workshop_entry_at: new Date().toISOString() })).status).toBe(200)
})

describe('kilometres', () => {
  const mileageOf = async (id: number) => (await house.call(chief, fleet.getTruck, { params: { id } })).body.mileage
  const DAY = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString()
  const lorryRead = async (readings: [days: number, km: number][]) => {
    const lorry = await house.given.truck(chief, { mileage: 0 })
    await house.owner.query(`update truck_readings set date = now() - interval '400 days' where truck_id = $1`, [
      lorry.id,
    ])
    for (const [days, km] of readings)
      await house.call(chief, fleet.recordReading, { params: { id: lorry.id }, body: { km, date: ago(days) } })
    return lorry
  }

  it('of a paper of weeks ago fit between their neighbours, and leave the mileage of today alone', async () => {
    const lorry = await lorryRead([
      [40, 10_000],
      [1, 20_000],
    ])
    const entry = ago(21)
    const paper = bodyOf({ truck_id: lorry.id, kilometer: 15_000, workshop_entry_at: entry })
    const { body: order } = await create(chief, paper)
    expect(order.kilometer).toBe(15_000)
    expect(await mileageOf(lorry.id)).toBe(20_000)
    const { body } = await house.call(chief, fleet.listReadings, { params: { id: lorry.id } })
    expect(body.data.find(({ work_order_id }) => work_order_id === order.id)).toMatchObject({ date: entry, km: 15_000 })
    const tooHigh = await create(chief, { ...paper, kilometer: 21_000 })
    expect(tooHigh.failure.errors?.kilometer?.[0]).toMatch(/el equipo tenía 20\.000 km: no puede ser mayor/)
  })

  it('follow the truck of the order and the correction of its entry, and go with the order', async () => {
    const [wrong, right] = [await lorryRead([[40, 1000]]), await lorryRead([[40, 1000]])]
    const written = bodyOf({ truck_id: wrong.id, kilometer: 5000, workshop_entry_at: ago(5) })
    const { body: order } = await create(chief, written)
    expect(await mileageOf(wrong.id)).toBe(5000)
    await save(order, { truck_id: right.id })
    expect([await mileageOf(wrong.id), await mileageOf(right.id)]).toEqual([1000, 5000])
    const entry = ago(3)
    await save(order, { workshop_entry_at: entry })
    const readings = async () =>
      (await house.call(chief, fleet.listReadings, { params: { id: right.id } })).body.data.filter(
        ({ work_order_id }) => work_order_id === order.id,
      )
    expect(await readings()).toMatchObject([{ date: entry, km: 5000, note: order.code }])
    await save(order, { kilometer: null })
    expect([await readings(), await mileageOf(right.id)]).toEqual([[], 1000])
    await save(order, { kilometer: 6000 })
    await house.call(chief, workOrders.deleteWorkOrder, { params: { id: order.id } })
    expect([await readings(), await mileageOf(right.id)]).toEqual([[], 1000])
  })

  it('belong to the day they were typed for: entering the workshop later neither redates them nor asks', async () => {
    const lorry = await lorryRead([[40, 490_000]])
    const { body: order } = await create(chief, bodyOf({ truck_id: lorry.id, kilometer: 500_100 }))
    const day = ago(4)
    for (const table of ['work_orders', 'work_order_costs'])
      await house.owner.query(`update ${table} set created_at = $2 where id = $1`, [order.id, day])
    await house.owner.query('update truck_readings set date = $2 where work_order_id = $1', [order.id, day])
    const body = { km: 503_000, date: ago(1), confirm_lower: false }
    expect((await house.call(chief, fleet.recordReading, { params: { id: lorry.id }, body })).status).toBe(201)
    const readings = async () =>
      (await house.call(chief, fleet.listReadings, { params: { id: lorry.id } })).body.data
        .slice(0, 2)
        .map(({ km, date, superseded }) => [km, date, superseded])
    const before = await readings()
    expect(before).toEqual([
      [503_000, body.date, false],
      [500_100, day, false],
    ])
    const moved = await house.call(chief, workOrders.moveWorkOrder, {
      params: { id: order.id },
      body: { status: 'IN_PROCESS' } as never,
    })
    expect(moved.status).toBe(200)
    expect([await readings(), await mileageOf(lorry.id)]).toEqual([before, 503_000])
    await save(order, { observation: 'Llegó después', workshop_entry_at: ago(2) })
    expect([await readings(), await mileageOf(lorry.id)]).toEqual([before, 503_000])
  })

  it('that were voided stay so until the order says another figure', async () => {
    const lorry = await lorryRead([[40, 1000]])
    const { body: order } = await create(chief, bodyOf({ truck_id: lorry.id, kilometer: 5000 }))
    const { body } = await house.call(chief, fleet.listReadings, { params: { id: lorry.id } })
    await house.call(chief, fleet.voidReading, { params: { id: body.data[0]!.id } })
    await save(order, { observation: 'Nada cambia' })
    expect(await mileageOf(lorry.id)).toBe(1000)
    await save(order, { kilometer: 4000 })
    expect(await mileageOf(lorry.id)).toBe(4000)
  })

  const readingsOf = async (id: number) =>
    (await house.call(chief, fleet.listReadings, { params: { id } })).body.data
      .filter(({ source }) => source === 'work_order')
      .map(({ km, correction, note }) => [km, correction, note])

  it('move the truck when they are higher, once, and ask when they are lower', async () => {
    const lorry = await house.given.truck(chief)
    const { body: order } = await create(chief, bodyOf({ truck_id: lorry.id, kilometer: 1500 }))
    expect(await readingsOf(lorry.id)).toEqual([[1500, false, order.code]])
    const same = await save(order, { ...sent(order), observation: 'Nada nuevo' })
    expect(await readingsOf(lorry.id)).toHaveLength(1)
    const lower = await save(order, { ...sent(same.body), kilometer: 900 })
    expect([lower.status, Object.keys(lower.failure.errors!)]).toEqual([422, ['kilometer']])
    const meant = await save(order, { ...sent(same.body), kilometer: 900, confirm_lower: true })
    expect(meant.body.kilometer).toBe(900)
    expect(await readingsOf(lorry.id)).toEqual([[900, true, order.code]])
    const { mileage } = (await house.call(chief, fleet.getTruck, { params: { id: lorry.id } })).body
    expect(mileage).toBe(900)
  })

  it('that are refused leave nothing of the order behind', async () => {
    const lorry = await house.given.truck(chief, { mileage: 9000 })
    const refused = await create(chief, bodyOf({ truck_id: lorry.id, kilometer: 10 }))
    expect(refused.failure.errors).toEqual({
      kilometer: ['Es menor al último kilometraje conocido (9.000 km). Confirme la corrección.'],
    })
    const { body } = await house.call(chief, workOrders.listWorkOrders, { query: { filter: { Truck: lorry.id } } })
    expect(body.total).toBe(0)
  })
})

describe('works', () => {
  it('last what their times say, or what was noted, and stay, change, come and go by their id', async () => {
    const { body: order } = await create(
      chief,
      bodyOf({
        works: [
          { description: 'A', start_time: '2026-11-01T12:00:00Z', end_time: '2026-11-01T13:30:00Z', hours: 9 },
          { description: 'B', start_time: '2026-11-01T12:00:00Z', hours: 9 },
          { description: 'C', hours: 2.5 },
        ],
      }),
    )
    expect(order.works.map(({ duration, state }) => [duration, state])).toEqual([
      [1.5, 'done'],
      [null, 'running'],
      [2.5, 'pending'],
    ])
    const [a, b, c] = order.works
    const after = await save(order, { ...sent(order), works: [{ ...a, priority: 'high' }, { description: 'D' }, c] })
    expect(after.body.works.map(({ id, description, priority }) => [id, description, priority])).toEqual([
      [a!.id, 'A', 'high'],
      [c!.id, 'C', 'medium'],
      [expect.any(Number), 'D', 'medium'],
    ])
    const gone = await save(order, { ...sent(after.body), works: [b] })
    expect([gone.status, Object.keys(gone.failure.errors!)]).toEqual([422, ['works.0.id']])
  })

  it('keep what a mechanic pressed when the order is saved, unless other times are written', async () => {
    const { body: order } = await create(chief, bodyOf({ works: [{ description: 'A', hours: 1 }] }))
    const { id } = order.works[0]!
    const press = (action: string) =>
      house.call(chief, workOrderParts.progressWork, { params: { id }, body: { action } })
    await press('finish')
    const done = await read(chief, order.id)
    const saved = await save(order, { ...sent(done), observation: 'Listo' })
    expect(saved.body.works[0]).toMatchObject({ state: 'done', hours: 1 })
    const retimed = await save(order, {
      ...sent(saved.body),
      works: [{ ...saved.body.works[0], start_time: '2026-11-01T12:00:00Z' }],
    })
    expect(retimed.body.works[0]?.state).toBe('running')
  })

  it('name task, specialist and type as the reads call them, by their number', async () => {
    const [task, specialist] = [await house.given.task(chief), await house.given.specialist(chief)]
    const type = await house.given.maintenanceType(chief)
    const work = { task: task.id, specialist: specialist.id, type_maintenance: type.id }
    const { body } = await create(chief, bodyOf({ works: [work] }))
    expect(body.works).toMatchObject([
      { task_id: task.id, task: task.name, specialist_id: specialist.id, type_maintenance: type.name },
    ])
    const other = await house.given.specialist(chief)
    const [line] = (await save(body, { works: [{ ...body.works[0], specialist: other.id }] })).body.works
    expect(line).toMatchObject({ task_id: task.id, specialist_id: other.id })
    const { id } = body.works[0]!
    const [cleared] = (await save(body, { works: [{ id, specialist: null }] })).body.works
    expect(cleared).toMatchObject({ task_id: task.id, specialist_id: null, specialist: null })
    const named = await create(chief, bodyOf({ works: [{ description: 'X', specialist: 'Luis Gatica' }] }))
    expect(named.failure.errors).toHaveProperty(['works.0.specialist'])
  })

  it('are described, or name a task', async () => {
    const { failure } = await create(chief, bodyOf({ works: [{ hours: 1 }] }))
    expect(failure.errors).toEqual({ 'works.0.description': ['Describa el trabajo o elija una tarea.'] })
  })
})

describe('services', () => {
  it('cost their own price unless another is said, and add up', async () => {
    const tow = await house.given.service(chief, { unit_price: 45_000 })
    const weld = await house.given.service(chief, { unit_price: 10_000.5 })
    const { body: order } = await create(
      chief,
      bodyOf({
        services: [
          { service_id: tow.id, quantity: 2 },
          { service_id: weld.id, quantity: 1.5, unit_price: 3333.3333 },
        ],
      }),
    )
    expect(order.services).toMatchObject([
      { provider_id: tow.provider_id, unit_price: 45_000, amount: 90_000, name: tow.name },
      { provider_id: weld.provider_id, unit_price: 3333.3333, amount: 5000 },
    ])
    expect(order).toMatchObject({ supplies_cost: 0, services_cost: 95_000, total_cost: 95_000 })
    const [first] = order.services
    const after = await save(order, { ...sent(order), services: [{ ...first, quantity: 1 }] })
    expect(after.body).toMatchObject({ services_cost: 45_000, services: [{ id: first!.id, amount: 45_000 }] })
  })

  it('keep the price they were agreed at when the catalogue changes', async () => {
    const tow = await house.given.service(chief, { unit_price: 1000 })
    const { body: order } = await create(chief, bodyOf({ services: [{ service_id: tow.id, quantity: 1 }] }))
    await house.call(chief, providers.updateService, {
      params: { id: tow.id },
      body: { code: tow.code, name: tow.name, unit_price: 9000 },
    })
    const { id, service_id } = order.services[0]!
    const after = await save(order, { ...sent(order), services: [{ id, service_id, quantity: 2 }] })
    expect(after.body.services_cost).toBe(2000)
  })

  it('of an invoiced provider stay as long as the invoice does', async () => {
    const tow = await house.given.service(chief)
    const { body: order } = await create(chief, bodyOf({ services: [{ service_id: tow.id, quantity: 1 }] }))
    const invoice = await house.call(chief, workOrderParts.createInvoice, {
      body: {
        work_order_id: order.id,
        provider_id: tow.provider_id,
        bill_invoice: 'bill',
        date: dayOf(new Date()),
        document: '1234',
        payment_type: 'Credit',
      },
    })
    expect(invoice.body.amount).toBe(1000)
    const current = await read(chief, order.id)
    const refused = await save(order, { ...sent(current), services: [] })
    expect([refused.status, Object.keys(refused.failure.errors!)]).toEqual([422, ['services']])
    expect((await read(chief, order.id)).services).toHaveLength(1)
  })
})

describe('deleting', () => {
  it('the newest does not free its number', async () => {
    const { body: gone } = await create(chief, bodyOf())
    await house.call(chief, workOrders.deleteWorkOrder, { params: { id: gone.id } })
    const { body: next } = await create(chief, bodyOf())
    expect(Number(next.code.slice(3))).toBe(Number(gone.code.slice(3)) + 1)
  })

  it('is for chiefs, and takes everything of the order with it', async () => {
    const { body: order } = await create(chief, bodyOf({ works: [{ description: 'A' }] }))
    const params = { id: order.id }
    expect((await house.call(mechanic, workOrders.deleteWorkOrder, { params })).status).toBe(403)
    expect((await house.call(chief, workOrders.deleteWorkOrder, { params })).status).toBe(204)
    expect((await house.call(chief, workOrders.getWorkOrder, { params })).status).toBe(404)
    expect((await house.call(chief, workOrders.deleteWorkOrder, { params })).status).toBe(404)
  })
})
