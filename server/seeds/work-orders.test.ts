import { expect, it } from 'vitest'
import { openHouse } from '../test/house.ts'
import { brokenInvariants } from '../test/invariants.ts'

const house = openHouse({ demo: 'full' })

it('makes eighteen months of orders that agree with stock and meters, and a board for today', {
  timeout: 180_000,
}, async () => {
  expect(await brokenInvariants(house.owner)).toEqual([])
  const { rows } = await house.owner.query<Record<string, number>>(
    `select count(*)::int as orders, count(*) filter (where status <> 'FINALIZED')::int as open,
       count(*) filter (where waiting_for_parts)::int as waiting,
       count(*) filter (where status <> 'FINALIZED' and deadline_at < now())::int as overdue,
       (select count(*) from movements m where m.company_id = 1 and origin = 'work_order')::int as movements,
       (select count(*) from work_order_supplies l where l.company_id = 1)::int as supplies,
       (select count(*) from invoices i where i.company_id = 1)::int as invoices,
       extract(day from now() - min(created_at))::int as days,
       count(*) filter (where workshop_entry_at > now())::int as later,
       count(distinct status)::int as columns
     from work_orders where company_id = 1`,
  )
  const made = rows[0]!
  expect(made.orders).toBeGreaterThan(1900)
  expect(made.open).toBeGreaterThanOrEqual(20)
  // Those of the plan that an hour of the day leaves open, and one of a truck that another workshop repairs.
  expect(made.open).toBeLessThanOrEqual(26)
  expect(made.columns).toBe(4)
  expect(made.later).toBe(0)
  expect(made.waiting).toBeGreaterThan(0)
  expect(made.overdue).toBeGreaterThan(0)
  expect(made.supplies).toBeGreaterThan(3000)
  expect(made.movements).toBe(made.supplies)
  expect(made.invoices).toBeGreaterThan(100)
  expect(made.days).toBeGreaterThan(500)
})

it('gives the mechanic who logs in something to do', async () => {
  const { rows } = await house.owner.query<{ works: number }>(
    `select count(*)::int as works from works w
     join work_orders o on o.company_id = w.company_id and o.id = w.work_order_id and o.status <> 'FINALIZED'
     join memberships m on m.company_id = w.company_id and m.specialist_id = w.specialist_id
     join users u on u.id = m.user_id
     where u.email = 'mecanico@maestranza.demo' and w.state <> 'done'`,
  )
  expect(rows[0]!.works).toBeGreaterThanOrEqual(4)
})
