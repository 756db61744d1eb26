import { DEFAULT_ZONE } from '#contract/base/dates.ts'
import type { World } from './world.ts'

/** Since when mechanics have clocked what they do; before that, hours were typed. */
const CLOCKED_DAYS = 120

/** What an hour of each specialist costs, and what their works took. Labour counts once the company says so. */
export async function labourPart(world: World) {
  const company = world.company.id
  // Who logs in as a mechanic begins the day with nothing running.
  await world.client.query(
    `update works set state = 'paused', start_time = null,
       hours = round(extract(epoch from $2::timestamptz - start_time) / 3600, 2)
     where company_id = $1 and specialist_id = $3 and state = 'running'`,
    [company, world.now, world.specialists[0]?.id ?? 0],
  )
  await world.client.query(
    `insert into hourly_costs (company_id, specialist_id, from_day, amount)
     select company_id, id, d.from_day, round((8500 + 500 * (row_number() over (partition by d.from_day order by id) % 5)) * d.more)
     from specialists, (values
       (($2::timestamptz - interval '3 years')::date, 1.0), (date_trunc('year', $2::timestamptz)::date, 1.06)) d (from_day, more)
     where company_id = $1`,
    [company, world.now],
  )
  await world.client.query(
    `with n as materialized (
       select w.*, coalesce((select amount from hourly_costs h where h.company_id = $1
         and h.specialist_id = w.specialist_id and h.from_day <= w.day order by h.from_day desc limit 1), 0) as rate
       from (
         select w.work_order_id, w.id, w.specialist_id, w.start_time, w.end_time, coalesce(w.end_time, w.created_at) as created_at,
           w.end_time > $2::timestamptz - make_interval(days => $4) as clocked,
           (coalesce(w.start_time, w.created_at) at time zone $3)::date as day,
           round(case when w.end_time is not null then extract(epoch from w.end_time - w.start_time) / 60
             when w.start_time is null then w.hours * 60 end, 2) as minutes
         from works w where w.company_id = $1 and w.specialist_id is not null and w.state = 'done') w
       where w.minutes > 0)
     insert into work_times (company_id, work_order_id, work_id, specialist_id, from_at, until_at, day, minutes, rate, amount, created_at)
     select $1::bigint, work_order_id, id, specialist_id, case when clocked then start_time end, case when clocked then end_time end,
       day, minutes, rate, round(minutes * rate / 60), created_at
     from n`,
    [company, world.now, DEFAULT_ZONE, CLOCKED_DAYS],
  )
  // Each at one work.
  await world.client.query(
    `insert into work_times (company_id, work_order_id, work_id, specialist_id, from_at, day, created_at)
     select distinct on (specialist_id) company_id, work_order_id, id, specialist_id, start_time,
       (start_time at time zone $3)::date, start_time
     from works where company_id = $1 and state = 'running' and specialist_id is not null and specialist_id <> $2
     order by specialist_id, start_time desc`,
    [company, world.specialists[0]?.id ?? 0, DEFAULT_ZONE],
  )
  await world.client.query(
    `update work_order_costs c set labour_cost = n.amount from (
       select work_order_id, sum(amount) as amount from work_times where company_id = $1 group by 1) n
     where c.company_id = $1 and c.id = n.work_order_id`,
    [company],
  )
}
