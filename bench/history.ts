import pg from 'pg'

/** As many work orders as a carrier has after many years: those that are there, again and again, further back. */
export async function growHistory(url: string, company_id: number, orders: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ there: number }>(
      'select count(*)::int as there from work_orders where company_id = $1',
      [company_id],
    )
    const missing = orders - rows[0]!.there
    if (missing <= 0) return
    const columns = `company_id, workshop_id, status, truck_id, coupled_id, warehouse_id, has_warehouse, planned, box_id,
      applicant, applicant_driver_id, responsible_specialist_id, reviewed_by_specialist_id, delivered_to_driver_id, kilometer,
      request, description_of_requeriment, date_estimed, hour_estimed, place, type_maintenance_id, priority,
      waiting_for_parts, codes, observation, deadline_at, user_id, user_name`
    // They are as sound as what they are copied from: neither checked row by row, nor indexed one after the other.
    const { rows: indexes } = await client.query<{ name: string; made: string }>(
      `select indexname as name, indexdef as made from pg_indexes
       where tablename = 'work_orders' and indexdef not like 'CREATE UNIQUE%'`,
    )
    await client.query("set session_replication_role = replica; set maintenance_work_mem = '512MB'")
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    // The oldest have the lowest numbers.
    await client.query('update work_orders set number = number + $2 where company_id = $1', [company_id, missing])
    await client.query(
      `insert into work_orders (${columns}, number, position, workshop_entry_at, workshop_departure_at, finalized_at, created_at, updated_at)
       select ${columns}, 1 + $3::int - n, last_position + n * 65536, workshop_entry_at - back, workshop_departure_at - back,
         finalized_at - back, created_at - back, updated_at - back
       from (
         select o.*, last_position, times * interval '548 days' as back,
           row_number() over (order by times, o.finalized_at desc, o.id) as n
         from work_orders o, generate_series(1, $2::int) times, (
           select max(position) as last_position from work_orders where company_id = $1) last
         where o.company_id = $1 and o.status = 'FINALIZED' order by n limit $3) o`,
      [company_id, Math.ceil(missing / rows[0]!.there) + 1, missing],
    )
    await client.query(
      `update counters set last = (select max(number) from work_orders where company_id = $1)
       where company_id = $1 and kind = 'work_order'`,
      [company_id],
    )
    for (const { made } of indexes) await client.query(made)
    await client.query(
      `insert into work_order_costs (company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost, type_maintenance_id, planned, place, priority)
       select o.company_id, o.id, o.workshop_id, o.truck_id, o.created_at, 1000 * (o.id % 700), 1000 * (o.id % 300),
         o.type_maintenance_id, o.planned, o.place, o.priority from work_orders o
       where not exists (select from work_order_costs c where c.company_id = o.company_id and c.id = o.id)`,
    )
    await client.query('vacuum analyze work_orders')
    await client.query('vacuum analyze work_order_costs')
  } finally {
    await client.end()
  }
}
