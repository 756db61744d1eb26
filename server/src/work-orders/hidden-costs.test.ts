import { expect, it } from 'vitest'
import { workOrders } from '#contract/work-orders/orders.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()

it('refuses to sort orders by cost for those who may not see costs', async () => {
  const ana = await house.given.member()
  const { company_id, workshop_id } = ana
  const mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
  for (const list of [workOrders.listWorkOrders, workOrders.workOrderHistory])
    for (const sort of ['total_cost', '-total_cost', '-supplies_cost', 'services_cost'] as const) {
      const { status, failure } = await house.call(mechanic, list, { query: { sort } })
      expect([status, failure.errors]).toEqual([
        422,
        { sort: ['Su rol no permite ver costos: no puede ordenar ni filtrar por ellos.'] },
      ])
      expect((await house.call(ana, list, { query: { sort } })).status).toBe(200)
    }
  expect((await house.call(mechanic, workOrders.listWorkOrders, { query: { sort: '-created_at' } })).status).toBe(200)
})
