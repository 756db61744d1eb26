import { beforeAll, describe, expect, it } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { workOrders } from '#contract/work-orders.ts'
import { type Member, times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()

let chief: Member
let mechanic: Member
beforeAll(async () => {
  chief = await house.given.member({ role: 'admin' })
  const { company_id, workshop_id } = chief
  mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
})

const save = (who: Member, order: { id: number }, body: object) =>
  house.call(who, workOrders.updateWorkOrder, { params: { id: order.id }, body })
const read = async (who: Member, id: number) =>
  (await house.call(who, workOrders.getWorkOrder, { params: { id } })).body
const activityOf = async (id: number) =>
  (await house.call(chief, workOrders.workOrderActivity, { params: { id } })).body.data

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
    const truck = await house.given.truck(ana)
    const answers = await Promise.all(
      times(24, (i) =>
        house.call(ana, workOrders.createWorkOrder, {
          body: {
            workshop_id: ana.workshop_id,
            truck_id: truck.id,
            // Refused after the number was taken.
            ...(i % 6 === 5 && { services: [{ service_id: 999_999, quantity: 1 }] }),
          },
        }),
      ),
    )
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.code)
    expect(made.sort()).toEqual(times(20, (i) => `OT-${String(i + 1).padStart(6, '0')}`))
  })
})

it('is read by everyone of the workshop, and written by who may', async () => {
  const order = await house.given.workOrder(chief)
  expect(await read(mechanic, order.id)).toEqual(order)
  const body = await house.given.newWorkOrder(chief, { truck_id: order.truck_id })
  expect((await save(mechanic, order, body)).status).toBe(403)
  expect((await save(chief, order, body)).status).toBe(200)
  expect(fleet.listTrucks.may).toBe('fleet.read')
  expect((await activityOf(order.id)).map(({ action }) => action)).toEqual(['updated', 'created'])
})
