import pg from 'pg'

interface Size {
  /** Orders that the company has in the end. */
  orders: number
  years: number
}

/** Supply lines of an order, and lines of an entry. */
const LINES = 8
/** One entry of goods for so many orders. */
const ORDERS_PER_ENTRY = 3
/** Ids of what is made here begin above those that the product gave. */
const FIRST_ID = 10_000_000

/**
 * Gives the demonstration's company as many orders, lines and movements as a carrier has after years, before those that are
 * there. The orders repeat its finalized ones; a movement's balances are made up. Each step is one transaction, with its
 * indexes dropped and created again inside it, so that a run that is broken off leaves whole steps and goes on after them.
 */
export async function growHistory(url: string, company_id: number, { orders, years }: Size) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create table if not exists bench_steps (name text primary key)')
    const { rows } = await client.query<{ there: number }>(
      `select count(*)::int as there from work_orders where company_id = $1 and id < $2`,
      [company_id, FIRST_ID],
    )
    const missing = orders - rows[0]!.there
    if (missing <= 0) return
    for (const step of stepsOf(company_id, missing, years)) await runOnce(client, step)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

interface Step {
  name: string
  tables: string[]
  text: string
}

async function runOnce(client: pg.Client, { name, tables, text }: Step) {
  const began = Date.now()
  await client.query('begin')
  try {
    const { rowCount } = await client.query('insert into bench_steps values ($1) on conflict do nothing', [name])
    if (rowCount) {
      await client.query(`set local session_replication_role = replica; set local maintenance_work_mem = '512MB'`)
      // Rows are as sound as what they are copied from, and indexing them one by one would take most of the time.
      const { rows: indexes } = await client.query<{ name: string; definition: string }>(
        `select i.indexname as name, i.indexdef as definition from pg_indexes i
         where i.schemaname = 'public' and i.tablename = any($1)
           and not exists (select from pg_constraint c where c.conname = i.indexname)`,
        [tables],
      )
      for (const index of indexes) await client.query(`drop index "${index.name}"`)
      await client.query(text)
      for (const { definition } of indexes) await client.query(definition)
    }
    await client.query('commit')
    console.log(`${name}: ${rowCount ? `${((Date.now() - began) / 1000).toFixed(1)} s` : 'made before'}`)
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const ORDER_COLUMNS = `company_id, workshop_id, status, truck_id, coupled_id, warehouse_id, has_warehouse, planned, box_id,
  applicant, applicant_driver_id, responsible_specialist_id, reviewed_by_specialist_id, delivered_to_driver_id, kilometer,
  request, description_of_requeriment, date_estimed, hour_estimed, place, type_maintenance_id, priority,
  waiting_for_parts, codes, observation, deadline_at, user_id, user_name`

/** Rows numbered from zero, and how many they are: those with `nth = n % many` spread evenly over any `n`. */
const numbered = (from: string, by = '') =>
  `select t.*, row_number() over (${by && `partition by ${by}`} order by t.id) - 1 as nth,
     count(*) over (${by && `partition by ${by}`}) as many from ${from} t`

function stepsOf(company: number, orders: number, years: number): Step[] {
  const mine = `company_id = ${company}`
  const made = `o.${mine} and o.id >= ${FIRST_ID}`
  const entries = Math.round(orders / ORDERS_PER_ENTRY)
  const samples = `select * from work_orders
    where ${mine} and id < ${FIRST_ID} and status = 'FINALIZED' and workshop_departure_at is not null`
  /** The moment of the n-th of many, before all that the product wrote. */
  const momentOf = (n: string, many: number) =>
    `cross join start cross join lateral (select start.at - (${many} - ${n} + 1) * (interval '${years} years' / ${many}) as at) x`
  const start = `create temp table start on commit drop as
    select min(created_at) as at, max(position) as last_position from work_orders where ${mine} and id < ${FIRST_ID};`
  // The supplies of a workshop, of which `supplyOf` picks one for each line.
  const supplies = `
    create temp table picked on commit drop as ${numbered(`(select id, workshop_id from supplies where ${mine})`, 'workshop_id')};
    create temp table counted on commit drop as select workshop_id, max(many) as many from picked group by 1;
    create unique index on picked (workshop_id, nth);
    analyze picked;
    analyze counted;`
  const supplyOf = (workshop: string, n: string) =>
    `join counted k on k.workshop_id = ${workshop}
     join picked p on p.workshop_id = k.workshop_id and p.nth = (${n} * 131 + l * 617) % k.many`
  return [
    {
      name: 'orders',
      tables: ['work_orders'],
      text: `${start}
        create temp table samples on commit drop as ${numbered(`(${samples})`)};
        update work_orders set number = number + ${orders} where ${mine};
        update counters set last = last + ${orders} where ${mine} and kind = 'work_order';
        insert into work_orders (${ORDER_COLUMNS}, id, number, position, created_at, workshop_entry_at, workshop_departure_at,
          finalized_at, updated_at) overriding system value
        select ${ORDER_COLUMNS}, ${FIRST_ID} + n, n, start.last_position + n * 65536, x.at, x.at + (workshop_entry_at - created_at),
          x.at + (workshop_departure_at - created_at), x.at + (finalized_at - created_at), x.at + (finalized_at - created_at)
        from generate_series(1::bigint, ${orders}) n
        join samples s on s.nth = n % (select max(many) from samples)
        ${momentOf('n', orders)}`,
    },
    {
      name: 'supply lines',
      tables: ['work_order_supplies'],
      text: `${supplies}
        insert into work_order_supplies (company_id, work_order_id, supply_id, count, cost, value, amount, created_at)
        select ${company}, o.id, p.id, 2, c.cost, c.cost * 2, c.cost * 2, o.created_at + l * interval '1 hour'
        from work_orders o cross join generate_series(1, ${LINES}) l ${supplyOf('o.workshop_id', 'o.id')}
        cross join lateral (select 500 + o.id % 9000 as cost) c where ${made}`,
    },
    {
      name: 'services and invoices',
      tables: ['work_order_services', 'invoices', 'invoice_shares'],
      text: `
        create temp table served on commit drop as ${numbered(`(select id, provider_id from provider_services where ${mine})`)};
        insert into work_order_services (company_id, work_order_id, provider_id, service_id, quantity, unit_price, amount, day,
          created_at)
        select ${company}, o.id, s.provider_id, s.id, 1, 30000 + o.id % 70000, 30000 + o.id % 70000,
          (o.created_at at time zone 'America/Santiago')::date, o.created_at
        from work_orders o join served s on s.nth = o.id % (select max(many) from served) where ${made} and o.id % 3 = 0;
        insert into invoices (company_id, work_order_id, workshop_id, provider_id, bill_invoice, date, document, payment_type)
        select ${company}, o.id, o.workshop_id, l.provider_id, 'bill', (o.created_at + interval '5 days')::date, 'F' || o.id, 'Credit'
        from work_order_services l join work_orders o on o.${mine} and o.id = l.work_order_id
        where l.${mine} and ${made} and o.id % 4 > 0;
        insert into invoice_shares (company_id, work_order_id, invoice_id, provider_id, amount)
        select ${company}, o.work_order_id, o.id, o.provider_id, l.amount from invoices o
        join work_order_services l on l.${mine} and l.work_order_id = o.work_order_id and l.provider_id = o.provider_id
        where o.${mine} and o.work_order_id >= ${FIRST_ID};
        update invoices i set net = s.amount from invoice_shares s
        where i.${mine} and s.${mine} and s.invoice_id = i.id and i.work_order_id >= ${FIRST_ID};
        update work_order_services l set day = i.date from invoices i
        where l.${mine} and i.${mine} and i.work_order_id = l.work_order_id and i.provider_id = l.provider_id
          and l.work_order_id >= ${FIRST_ID}`,
    },
    {
      name: 'costs',
      tables: ['work_order_costs'],
      text: `insert into work_order_costs (company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost,
          type_maintenance_id, planned, place, priority)
        select ${company}, o.id, o.workshop_id, o.truck_id, o.created_at, ${LINES} * (500 + o.id % 9000) * 2,
          case when o.id % 3 = 0 then 30000 + o.id % 70000 else 0 end, o.type_maintenance_id, o.planned, o.place, o.priority
        from work_orders o where ${made}`,
    },
    {
      name: 'entries',
      tables: ['transactions', 'transaction_lines'],
      text: `${start} ${supplies}
        create temp table stores on commit drop as ${numbered(`(select id, workshop_id from warehouses where ${mine})`)};
        create temp table sellers on commit drop as ${numbered(`(select id from providers where ${mine})`)};
        update transactions set number = number + ${entries} where ${mine} and type = 'entry';
        update counters set last = last + ${entries} where ${mine} and kind = 'entry';
        insert into transactions (company_id, id, workshop_id, warehouse_id, type, number, "typeTrasactionId", document, date,
          "providerId", subtotal, tax, total) overriding system value
        select ${company}, ${FIRST_ID} + n, w.workshop_id, w.id, 'entry', n, 1, 'F-' || n, x.at::date, s.id, 100000, 19000, 119000
        from generate_series(1::bigint, ${entries}) n
        join stores w on w.nth = n % (select max(many) from stores)
        join sellers s on s.nth = n % (select max(many) from sellers)
        ${momentOf('n', entries)};
        insert into transaction_lines (company_id, transaction_id, supply_id, quantity, unit_cost, tax_type, net_cost, tax, total_cost)
        select ${company}, o.id, p.id, 10, 1250, '19', 12500, 2375, 14875
        from transactions o cross join generate_series(1, ${LINES}) l ${supplyOf('o.workshop_id', 'o.id')} where ${made}`,
    },
    {
      name: 'movements',
      tables: ['movements'],
      text: `
        create temp table stores on commit drop as select workshop_id, min(id) as id from warehouses where ${mine} group by 1;
        insert into movements (company_id, warehouse_id, supply_id, at, quantity, valued, unit_cost, posted_value,
          "typeTrasactionId", origin, origin_id, document, value, balance, balance_value, average_cost)
        select ${company}, w.id, l.supply_id, l.created_at, -l.count, false, l.cost, -l.value, 5, 'work_order', o.id,
          'OT-' || lpad(o.number::text, 6, '0'), -l.value, 1, 1, l.cost
        from work_order_supplies l join work_orders o on o.${mine} and o.id = l.work_order_id
        join stores w on w.workshop_id = o.workshop_id where l.${mine} and ${made};
        insert into movements (company_id, warehouse_id, supply_id, at, quantity, valued, unit_cost, posted_value,
          "typeTrasactionId", transaction_id, document, value, balance, balance_value, average_cost)
        select ${company}, o.warehouse_id, l.supply_id, o.date, l.quantity, true, l.unit_cost, l.net_cost, 1, o.id, o.document,
          l.net_cost, 1, 1, 1
        from transaction_lines l join transactions o on o.${mine} and o.id = l.transaction_id where l.${mine} and ${made}`,
    },
  ]
}
