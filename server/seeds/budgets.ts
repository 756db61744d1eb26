import { DEFAULT_ZONE } from '#contract/base/dates.ts'
import type { World } from './world.ts'

/** Of this year and the last, near what each cost centre came to: some months are over it. */
export async function budgetsPart(world: World) {
  await world.client.query(
    `insert into budgets (company_id, cost_center_id, month, amount)
     select $1, c.cost_center_id, to_char(m, 'YYYY-MM'), round(c.usual * 1.08, -5)
     from (
       select t.cost_center_id, sum(l.amount) / 12 as usual from (
         select company_id, work_order_id, amount, (created_at at time zone $3)::date as day from work_order_supplies
         where company_id = $1
         union all select company_id, work_order_id, amount, day from work_order_services where company_id = $1) l
       join work_orders o on o.company_id = l.company_id and o.id = l.work_order_id
       join trucks t on t.company_id = o.company_id and t.id = o.truck_id
       where l.company_id = $1 and t.cost_center_id is not null
         and l.day > ($2::timestamptz at time zone $3)::date - 365 group by 1) c
     cross join generate_series(date_trunc('year', $2::timestamptz) - interval '1 year',
       date_trunc('year', $2::timestamptz) + interval '11 months', interval '1 month') m
     where c.usual > 0 on conflict do nothing`,
    [world.company.id, world.now, DEFAULT_ZONE],
  )
}
