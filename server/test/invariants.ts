import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { availabilityOf } from '../src/reports/availability/closed-hours.ts'
import { figuresOf } from '../src/reports/expenses/closed-figures.ts'

/** Where it stands in a question, that is asked of one company after the other. */
const EACH = ':company'
const company = { company_id: sql.raw(EACH), time_zone: sql.raw('c.time_zone') }
const keptAs = (figure: string) =>
  `select f.month from closed_figures f where f.company_id = ${EACH} and f.figure = '${figure}'`
// Its only values are `COMPANY`.
const FIGURES = new PgDialect()
  .sqlToQuery(
    sql`select n.* from (${figuresOf({ ...company, through: sql.raw('k.closed_through') })}) n
      where n.month in (${sql.raw(keptAs('month'))})
      union all ${availabilityOf({ ...company, months: sql.raw(keptAs('month of trucks')) })}`,
  )
  .sql.replaceAll(/\$\d+/g, EACH)

/** Documents of providers with what they come to, as the list of payables counts it. */
const OWED_DOCUMENTS = `(
  select i.company_id, i.id * 2 as payable_id, i.id as invoice_id, null::bigint as transaction_id, i.provider_id, i.document,
    i.net + round(i.net * x.percent / 100.0) + coalesce((
      select sum((n.amount + round(n.amount * x.percent / 100.0)) * case n.kind when 'credit' then -1 else 1 end)
      from invoice_notes n where n.company_id = i.company_id and n.invoice_id = i.id), 0) as total
  from invoices i cross join lateral (select case i.tax_type when '19' then 19 when '21' then 21 else 0 end as percent) x
  union all
  select t.company_id, t.id * 2 + 1, null, t.id, t."providerId", t.document, t.total - coalesce((
    select sum(case r.type when 'exit' then r.total else -r.total end) from transactions r
    where r.company_id = t.company_id and r.returns_id = t.id and r.voided_at is null), 0)
  from transactions t where t.type = 'entry' and t."typeTrasactionId" = 1 and t.voided_at is null)`

/** Questions whose answer must always be empty, whatever has run. Each domain adds its own. */
const INVARIANTS: Record<string, string> = {
  'mileage is the latest reading that counts': `
    select t.company_id, t.id from trucks t
    where t.mileage is distinct from
      (select max(km) from truck_readings r where r.company_id = t.company_id and r.truck_id = t.id and not r.superseded)`,
  'readings that count never go down': `
    select * from (
      select company_id, id, km, lag(km) over (partition by company_id, truck_id order by date, id) as before
      from truck_readings where not superseded) r
    where km < before`,
  'the reading of an order is what the order says': `
    select r.company_id, r.id from truck_readings r
    left join work_orders o on o.company_id = r.company_id and o.id = r.work_order_id
    where r.work_order_id is not null and (o.id is null or o.truck_id <> r.truck_id or o.kilometer is distinct from r.km)`,
  'a reading counts unless it was voided or a later one is lower': `
    select r.company_id, r.id from truck_readings r where r.superseded <> (r.voided_at is not null or exists (
      select from truck_readings l where l.company_id = r.company_id and l.truck_id = r.truck_id and l.voided_at is null
        and (l.date, l.id) > (r.date, r.id) and l.km < r.km))`,
  'a unit is pulled by one truck at a time': `
    select a.company_id, a.id from couplings a join couplings b on a.company_id = b.company_id and a.id < b.id
      and (a.coupled_id = b.coupled_id or a.truck_id = b.truck_id)
      and tstzrange(a.from_at, a.until_at) && tstzrange(b.from_at, b.until_at)`,
  'a service is of the workshop of its provider, unless that one serves all': `
    select s.company_id, s.id from provider_services s
    join providers p on p.company_id = s.company_id and p.id = s.provider_id
    where p.workshop_id is not null and s.workshop_id is distinct from p.workshop_id`,
  'the cost of a supply is the newest in its history': `
    select s.company_id, s.id from supplies s
    where s.cost is distinct from
      (select cost from supply_costs k where k.company_id = s.company_id and k.supply_id = s.id order by at desc, id desc limit 1)`,
  'stock is the sum of its movements, and so is its value': `
    select company_id, warehouse_id, supply_id, s.on_hand, m.quantity, s.value, m.value as moved
    from stock s full join (
      select company_id, warehouse_id, supply_id, sum(quantity) as quantity, sum(value) as value
      from movements group by 1, 2, 3) m using (company_id, warehouse_id, supply_id)
    where s.on_hand is distinct from coalesce(m.quantity, 0) or s.value is distinct from coalesce(m.value, 0)`,
  'each movement continues the one before it, and stock was never below zero': `
    select * from (
      select company_id, id, quantity, value, balance, balance_value, at, lag(at) over level as before_at,
        coalesce(lag(balance) over level, 0) as before, coalesce(lag(balance_value) over level, 0) as before_value
      from movements window level as (partition by company_id, warehouse_id, supply_id order by at, id)) m
    where balance <> before + quantity or balance_value <> before_value + value or balance < 0 or balance_value < 0`,
  'stock stands where its latest movement left it': `
    select s.company_id, s.warehouse_id, s.supply_id from stock s
    join lateral (select * from movements m where m.company_id = s.company_id and m.warehouse_id = s.warehouse_id
      and m.supply_id = s.supply_id order by at desc, id desc limit 1) m on true
    where s.on_hand <> m.balance or s.value <> m.balance_value or s.average_cost <> m.average_cost or s.last_at <> m.at`,
  'what brings its value keeps it, and what costs something else says why': `
    select m.company_id, m.id from movements m
    left join transactions t on t.company_id = m.company_id and t.id = m.transaction_id
    where (valued and not follows and value <> posted_value
        and not (m."typeTrasactionId" = 2 and not m.is_void and t.returns_id is not null)
        and not (m."typeTrasactionId" in (7, 10) and t."typeTrasactionId" is not distinct from 7))
      or (not valued and quantity >= 0)
      or (value <> posted_value and recosted_by is null)`,
  'what came back to stock is worth its share of what its exit is worth, to a ten-thousandth each': `
    select company_id, warehouse_id, supply_id, exit_id, taken, value, n, back, returns from (
      select m.company_id, m.warehouse_id, m.supply_id, e.id as exit_id,
        -sum(m.quantity) filter (where t.id = e.id) as taken, -sum(m.value) filter (where t.id = e.id) as value,
        sum(m.quantity) filter (where t.id <> e.id) as n, sum(m.value) filter (where t.id <> e.id) as back,
        count(*) filter (where t.id <> e.id) as returns, min(m.at) filter (where t.id <> e.id) as first_back,
        max(m.at) filter (where t.id = e.id and m.quantity <> 0) as left_at
      from transactions e
      join transactions t on t.company_id = e.company_id and (t.id = e.id or t.returns_id = e.id and t.voided_at is null)
      join movements m on m.company_id = t.company_id and m.transaction_id = t.id
      where e.type = 'exit' and e.voided_at is null group by 1, 2, 3, 4) x
    where returns > 0 and first_back >= left_at and abs(back - value * n / taken) > 0.0001 * (returns + 1)`,
  'what is marked as said to be paid, or not, was said': `
    select x.company_id, x.id from (
      select company_id, id, id as invoice_id, null::bigint as transaction_id from invoices where payment_said
      union all select company_id, id, null, id from transactions where payment_said) x
    where not exists (select from payables y where y.company_id = x.company_id and y.state is not null
      and (y.invoice_id = x.invoice_id or y.transaction_id = x.transaction_id))`,
  'a document with payments is paid when they are what it comes to, or more, and owed otherwise': `
    select d.company_id, d.payable_id, d.total, k.amount, y.state from ${OWED_DOCUMENTS} d
    join (select company_id, invoice_id, transaction_id, sum(amount) as amount from payments group by 1, 2, 3) k
      on k.company_id = d.company_id and (k.invoice_id = d.invoice_id or k.transaction_id = d.transaction_id)
    left join payables y on y.company_id = d.company_id
      and (y.invoice_id = d.invoice_id or y.transaction_id = d.transaction_id)
    where (y.state is not distinct from 'paid') <> (d.total <= k.amount)`,
  'no payment is of a document that was voided, or that is none of a provider': `
    select k.company_id, k.id from payments k join transactions t on t.company_id = k.company_id and t.id = k.transaction_id
    where t.voided_at is not null or t.type <> 'entry' or t."typeTrasactionId" <> 1 or t."providerId" is null
      or t."typeInvoice" is null or t.document is null`,
  'what was bought is what was used and what is there, per warehouse and supply': `
    select company_id, warehouse_id, supply_id, sum(bought) as bought, sum(used) as used, sum(there) as there from (
      select t.company_id, t.warehouse_id, l.supply_id, round(l.quantity * l.unit_cost, 4) as bought, 0 as used, 0 as there
      from transaction_lines l join transactions t on t.company_id = l.company_id and t.id = l.transaction_id
      where t.type = 'entry' and t."typeTrasactionId" not in (2, 4, 12) and t.voided_at is null and not (
        t."typeTrasactionId" = 3 and exists (select from movements m where m.company_id = l.company_id
          and m.transaction_id = l.transaction_id and m.supply_id = l.supply_id and m.follows and not m.is_void))
      union all
      select m.company_id, m.warehouse_id, m.supply_id, m.value, 0, 0 from movements m
      join transactions t on t.company_id = m.company_id and t.id = m.transaction_id
      where (m."typeTrasactionId" = 2 or m."typeTrasactionId" = 3 and m.follows) and t.voided_at is null
      union all
      select company_id, warehouse_id, supply_id, value, 0, 0 from movements where "typeTrasactionId" in (4, 9, 11, 12)
      union all
      select m.company_id, m.warehouse_id, m.supply_id, 0, -m.value, 0 from movements m
      left join transactions t on t.company_id = m.company_id and t.id = m.transaction_id
      where m.origin <> 'work_order' or m.origin is null and (m."typeTrasactionId" = 10
        or t.type = 'exit' and t.voided_at is null and m."typeTrasactionId" not in (9, 11))
      union all
      select company_id, warehouse_id, supply_id, 0, value, 0 from work_order_supplies where warehouse_id is not null
      union all select company_id, warehouse_id, supply_id, 0, value, 0 from work_order_adjustments
      union all select company_id, warehouse_id, supply_id, 0, 0, value from stock) x
    group by 1, 2, 3 having sum(bought) <> sum(used) + sum(there)`,
  'every line of a document has its movement, and its opposite once voided': `
    select l.company_id, l.transaction_id, l.supply_id from transaction_lines l
    join transactions t on t.company_id = l.company_id and t.id = l.transaction_id
    left join movements m on m.company_id = l.company_id and m.transaction_id = l.transaction_id and m.supply_id = l.supply_id
      and m."typeTrasactionId" <> 10
    group by l.company_id, l.transaction_id, l.supply_id, l.quantity, t.type, t."typeTrasactionId", t.voided_at
    having count(m.id) <> case when t.voided_at is null then 1 else 2 end
      or sum(m.quantity) <> case when t.voided_at is not null or t."typeTrasactionId" in (11, 12) then 0
        when t.type = 'entry' then l.quantity else -l.quantity end`,
  'documents that the ledger prices say what their movements are worth, within rounding': `
    select l.company_id, l.transaction_id, l.supply_id, l.quantity, l.unit_cost, m.value from transaction_lines l
    join transactions t on t.company_id = l.company_id and t.id = l.transaction_id
    join movements m on m.company_id = l.company_id and m.transaction_id = l.transaction_id and m.supply_id = l.supply_id
      and m.quantity <> 0 and not m.is_void
    where t."typeTrasactionId" in (2, 3, 4, 5, 6, 8, 9)
      and abs(l.quantity * l.unit_cost - abs(m.value)) > 0.001 + l.quantity * 0.0001`,
  'a return to a provider leaves what stays at what it was worth': `
    select x.company_id, x.warehouse_id, x.supply_id, x.transaction_id from (
      select m.*, lag(balance) over level as before, lag(balance_value) over level as worth,
        lag("typeTrasactionId") over level as previous, lag(transaction_id) over level as previous_document,
        lag(value) over level as adjusted
      from movements m window level as (partition by company_id, warehouse_id, supply_id order by at, id)) x
    where x."typeTrasactionId" = 7 and not x.is_void and x.previous = 10 and x.previous_document = x.transaction_id
      and abs((x.worth - x.adjusted) * x.balance / x.before - x.balance_value) > 0.0001`,
  'a note moves the value that it says, of an entry that stands': `
    select t.company_id, t.id, l.supply_id from transactions t
    join transaction_lines l on l.company_id = t.company_id and l.transaction_id = t.id
    left join transactions e on e.company_id = t.company_id and e.id = t.returns_id
    left join movements m on m.company_id = t.company_id and m.transaction_id = t.id and m.supply_id = l.supply_id
      and m."typeTrasactionId" = t."typeTrasactionId"
    where t."typeTrasactionId" in (11, 12)
    group by t.company_id, t.id, l.supply_id, l.net_cost, e.id, e.voided_at, e."typeTrasactionId"
    having sum(m.value) <> case when t.voided_at is not null then 0 when t.type = 'entry' then l.net_cost else -l.net_cost end
      or t.voided_at is null and e.voided_at is not null or e."typeTrasactionId" is distinct from 1`,
  'nothing is taken off a purchase that was not in it': `
    select e.company_id, e.id, l.supply_id from transactions e
    join transaction_lines l on l.company_id = e.company_id and l.transaction_id = e.id
    join (
      select t.company_id, t.returns_id, d.supply_id,
        sum(case when t.type = 'entry' then d.net_cost else -d.net_cost end) as net_cost
      from transactions t join transaction_lines d on d.company_id = t.company_id and d.transaction_id = t.id
      where t.voided_at is null group by 1, 2, 3) r
      on r.company_id = e.company_id and r.returns_id = e.id and r.supply_id = l.supply_id
    where e."typeTrasactionId" = 1 and l.net_cost + r.net_cost < -1`,
  'a document is the sum of its lines': `
    select t.company_id, t.id from transactions t
    left join transaction_lines l on l.company_id = t.company_id and l.transaction_id = t.id
    group by t.company_id, t.id having t.subtotal <> sum(l.net_cost) or t.total <> sum(l.total_cost)
      or t.tax <> sum(l.tax) or count(l.id) = 0`,
  'a transfer leaves here what arrives there': `
    select o.company_id, o.id from transactions o join transactions i on i.company_id = o.company_id and i.transfer_id = o.id
      and i.type = 'entry'
    where (select sum(value) from movements m where m.company_id = o.company_id and m.transaction_id = o.id and not is_void
        and (quantity <> 0 or "typeTrasactionId" = 10 and m.at <= (select min(at) from movements a
          where a.company_id = i.company_id and a.transaction_id = i.id)))
      <> -(select sum(value) from movements m where m.company_id = i.company_id and m.transaction_id = i.id and not is_void and quantity <> 0)
      or o.to_warehouse_id is null and (o.voided_at is null) <> (i.voided_at is null)
      or o.to_warehouse_id is not null and (o.voided_at is not null and i.voided_at is null or o.to_warehouse_id <> i.warehouse_id)`,
  'what is lost between workshops is of a standing receipt, at its share of what was sent, to a ten-thousandth': `
    select d.company_id, d.id, l.supply_id from transactions d
    join transactions o on o.company_id = d.company_id and o.id = d.transfer_id
    join transaction_lines l on l.company_id = d.company_id and l.transaction_id = d.id
    join movements m on m.company_id = l.company_id and m.transaction_id = l.transaction_id and m.supply_id = l.supply_id
      and not m.is_void and m.quantity <> 0
    left join lateral (
      select max(s.id) filter (where s.quantity <> 0) as id, sum(s.quantity) as quantity, sum(s.value) as value
      from movements s where s.company_id = l.company_id and s.transaction_id = o.id and s.supply_id = l.from_supply_id
        and not s.is_void and (s.quantity <> 0 or s."typeTrasactionId" = 10 and s.at <= m.at)) s on true
    where d.type = 'exit' and (s.id is null or o.to_warehouse_id is null or l.reason is null
      or abs(m.value - s.value * l.quantity / -s.quantity) > 0.0001
      or d.voided_at is null and not exists (select from transactions e where e.company_id = d.company_id
        and e.transfer_id = o.id and e.type = 'entry' and e.voided_at is null))`,
  'what was bought is what was used, what is there and what is on its way, per company': `
    select company_id, sum(moved) as moved, sum(transit) as transit, sum(pieces) as pieces from (
      select company_id, value as moved, 0 as transit, quantity as pieces from movements where "typeTrasactionId" in (4, 9)
      union all
      select m.company_id, m.value, 0, 0 from movements m join transactions t on t.company_id = m.company_id
        and t.id = m.transaction_id where m."typeTrasactionId" = 10 and t."typeTrasactionId" in (4, 9)
          and t.voided_at is null
      union all
      select t.company_id, 0, -m.value, -m.quantity from transactions t
      join movements m on m.company_id = t.company_id and m.transaction_id = t.id
      where t.to_warehouse_id is not null and t.voided_at is null and not m.is_void
        and (m.quantity <> 0 or m."typeTrasactionId" = 10) and not exists (
        select from transactions e where e.company_id = t.company_id and e.transfer_id = t.id and e.type = 'entry'
          and e.voided_at is null)) x
    group by 1 having sum(moved) <> -sum(transit) or sum(pieces) <> 0`,
  'what is kept of stock is what its reservations say, and no more than is there': `
    select s.company_id, s.warehouse_id, s.supply_id, s.on_hand, s.reserved, r.reserved as kept from stock s
    left join (select company_id, warehouse_id, supply_id, sum(reserved) as reserved, sum(quantity) as quantity
      from reservations group by 1, 2, 3) r using (company_id, warehouse_id, supply_id)
    where s.reserved <> coalesce(r.reserved, 0) or s.reserved > s.on_hand
      or s.reserved < s.on_hand and r.reserved < r.quantity
    union all
    select r.company_id, r.warehouse_id, r.supply_id, null, null, r.reserved from reservations r
    where not exists (select from stock s where s.company_id = r.company_id and s.warehouse_id = r.warehouse_id
      and s.supply_id = r.supply_id)`,
  'only an open order has something planned, in the warehouse it takes from': `
    select r.company_id, r.id from reservations r
    left join work_orders o on o.company_id = r.company_id and o.id = r.origin_id
    where r.origin <> 'work_order' or o.id is null or o.status = 'FINALIZED' or not o.has_warehouse
      or o.warehouse_id <> r.warehouse_id`,
  'a purchase order is the sum of its lines': `
    select o.company_id, o.id from purchase_orders o
    left join purchase_order_lines l on l.company_id = o.company_id and l.purchase_order_id = o.id
    group by o.company_id, o.id having o.subtotal <> sum(l.net_cost) or o.total <> sum(l.total_cost) or count(l.id) = 0`,
  'what is received is what its standing entries say, and so is the status': `
    select o.company_id, o.id, l.supply_id from purchase_orders o
    join purchase_order_lines l on l.company_id = o.company_id and l.purchase_order_id = o.id
    left join lateral (
      select sum(tl.quantity) as quantity from purchase_receipts r
      join transactions t on t.company_id = r.company_id and t.id = r.transaction_id and t.voided_at is null
      join transaction_lines tl on tl.company_id = t.company_id and tl.transaction_id = t.id and tl.supply_id = l.supply_id
      where r.company_id = o.company_id and r.purchase_order_id = o.id) e on true
    where l.received <> coalesce(e.quantity, 0) or (o.status = 'received' and l.received < l.quantity)
      or (o.status in ('partially_received', 'closed') and not exists (select from purchase_order_lines s
        where s.company_id = o.company_id and s.purchase_order_id = o.id and s.received < s.quantity))
      or (o.status in ('pending', 'approved', 'cancelled') and l.received > 0)`,
  'a work order costs the sum of its lines, and its costs know when, whose and of which kind it is': `
    select o.company_id, o.id from work_orders o
    left join work_order_costs c on c.company_id = o.company_id and c.id = o.id
    where c.id is null or c.workshop_id <> o.workshop_id or c.truck_id <> o.truck_id or c.created_at <> o.created_at
      or (c.type_maintenance_id, c.planned, c.place, c.priority)
        is distinct from (o.type_maintenance_id, o.planned, o.place, o.priority)
      or c.supplies_cost <> (select coalesce(sum(amount), 0) from work_order_supplies l
        where l.company_id = o.company_id and l.work_order_id = o.id)
        + (select coalesce(sum(amount), 0) from work_order_adjustments l
          where l.company_id = o.company_id and l.work_order_id = o.id)
      or c.services_cost <> (select coalesce(sum(amount), 0) from work_order_services l
        where l.company_id = o.company_id and l.work_order_id = o.id)
        + (select coalesce(sum(amount), 0) from service_adjustments l
          where l.company_id = o.company_id and l.work_order_id = o.id)
      or c.labour_cost <> (select coalesce(sum(amount), 0) from work_times l
        where l.company_id = o.company_id and l.work_order_id = o.id)`,
  'labour is its minutes at what an hour cost that day, and months that are open cost what is said now': `
    select t.company_id, t.id from work_times t left join closed_months k on k.company_id = t.company_id
    where t.amount <> round(t.minutes * t.rate / 60)
      or t.minutes <> case when t.from_at is null then t.minutes when t.until_at is null then 0
        else round(extract(epoch from t.until_at - t.from_at) / 60, 2) end
      or to_char(t.day, 'YYYY-MM') > coalesce(k.closed_through, '') and t.minutes > 0 and t.rate <> coalesce((
        select h.amount from hourly_costs h where h.company_id = t.company_id and h.specialist_id = t.specialist_id
          and h.from_day <= t.day order by h.from_day desc limit 1), 0)`,
  'clocks run on open orders, and hours are typed or clocked': `
    select t.company_id, t.id from work_times t
    join work_orders o on o.company_id = t.company_id and o.id = t.work_order_id
    left join closed_months k on k.company_id = t.company_id
    where t.from_at is not null and t.until_at is null and o.status = 'FINALIZED'
      or t.from_at is null and t.minutes >= 0 and to_char(t.day, 'YYYY-MM') > coalesce(k.closed_through, '') and exists (
        select from work_times c where c.company_id = t.company_id and c.work_id = t.work_id and c.from_at is not null)
    union all
    select w.company_id, w.id from work_times t join works w on w.company_id = t.company_id and w.id = t.work_id
    where w.work_order_id <> t.work_order_id`,
  'a line of an order is its value, in whole pesos and per unit': `
    select company_id, id from work_order_supplies
    where amount <> round(value) and warehouse_id is null or abs(amount - value) >= 1
      or abs(cost - round(value / count, 4)) > 0.0001
    union all
    select company_id, id from work_order_services where amount <> round(quantity * unit_price)`,
  'what the ledger moved for an order is what its lines say, warehouse by warehouse': `
    select * from (
      select company_id, origin_id as work_order_id, warehouse_id, supply_id, -sum(quantity) as count, -sum(value) as value
      from movements where origin = 'work_order' group by 1, 2, 3, 4 having sum(quantity) <> 0 or sum(value) <> 0) m
    full join (
      select company_id, work_order_id, warehouse_id, supply_id, sum(count) as count, sum(value) as value from (
        select company_id, work_order_id, warehouse_id, supply_id, count, value
        from work_order_supplies where warehouse_id is not null
        union all select company_id, work_order_id, warehouse_id, supply_id, 0, value from work_order_adjustments) l
      group by 1, 2, 3, 4) l
      using (company_id, work_order_id, warehouse_id, supply_id)
    where m.count is distinct from l.count or m.value is distinct from l.value`,
  'whole pesos that orders took more of a supply than its value are carried to the next': `
    select r.company_id, r.warehouse_id, r.supply_id, r.carried, l.difference from work_order_roundings r
    left join (
      select company_id, warehouse_id, supply_id, sum(amount - value) as difference from (
        select company_id, warehouse_id, supply_id, amount, value from work_order_supplies
        union all select company_id, warehouse_id, supply_id, amount, value from work_order_adjustments) l
      group by 1, 2, 3) l using (company_id, warehouse_id, supply_id)
    where r.carried <> coalesce(l.difference, 0)`,
  'a service is counted on the day of its invoice, or on its own, where neither is closed': `
    select l.company_id, l.id, l.day, n.day as wanted from work_order_services l
    join companies c on c.id = l.company_id
    left join closed_months k on k.company_id = l.company_id
    left join invoice_shares s on s.company_id = l.company_id and s.work_order_id = l.work_order_id and s.provider_id = l.provider_id
    left join invoices i on i.company_id = s.company_id and i.id = s.invoice_id
    cross join lateral (select coalesce(i.date, (l.created_at at time zone c.time_zone)::date) as day) n
    where l.day <> n.day and least(to_char(l.day, 'YYYY-MM'), to_char(n.day, 'YYYY-MM')) > coalesce(k.closed_through, '')`,
  'an invoice is the sum of its shares, and of the order of the first': `
    select i.company_id, i.id from invoices i
    left join (select company_id, invoice_id, sum(amount) as net, (array_agg(work_order_id order by id))[1] as first,
        count(*) as shares from invoice_shares group by 1, 2) s on s.company_id = i.company_id and s.invoice_id = i.id
    where i.net is distinct from s.net or i.work_order_id is distinct from s.first
    union all
    select s.company_id, s.id from invoice_shares s
    join invoices i on i.company_id = s.company_id and i.id = s.invoice_id where i.provider_id <> s.provider_id`,
  'what an order spent with a provider that sent its invoice is its share of it': `
    select s.company_id, s.invoice_id, s.work_order_id, s.amount, l.amount as services, a.amount as beyond from invoice_shares s
    join invoices i on i.company_id = s.company_id and i.id = s.invoice_id
    cross join lateral (select count(*) as lines, coalesce(sum(l.amount), 0) as amount from work_order_services l
      where l.company_id = s.company_id and l.work_order_id = s.work_order_id and l.provider_id = s.provider_id) l
    cross join lateral (select coalesce(sum(a.amount), 0) as amount from service_adjustments a
      where a.company_id = s.company_id and a.work_order_id = s.work_order_id and a.invoice_id = s.invoice_id
        and a.note_id is null) a
    where l.lines = 0 or s.amount <> l.amount + a.amount
      or i.follows_services and a.amount <> 0 and not exists (select from closed_months c
        where c.company_id = i.company_id and i.date < (c.closed_through || '-01')::date + interval '1 month')
    union all
    select a.company_id, a.invoice_id, a.work_order_id, null, null, a.amount from service_adjustments a
    where not exists (select from invoice_shares s where s.company_id = a.company_id and s.invoice_id = a.invoice_id
      and s.work_order_id = a.work_order_id and s.provider_id = a.provider_id)`,
  'a note is the sum of its lines, on its day, and takes back no more of an order than its share': `
    select n.company_id, n.id from invoice_notes n
    join invoices i on i.company_id = n.company_id and i.id = n.invoice_id
    left join service_adjustments a on a.company_id = n.company_id and a.note_id = n.id
    group by n.company_id, n.id, n.kind, n.amount, n.date, n.provider_id, n.invoice_id, i.provider_id, i.follows_services, i.date
    having n.amount * case n.kind when 'credit' then -1 else 1 end is distinct from sum(a.amount)
      or count(*) filter (where a.day <> n.date or a.invoice_id <> n.invoice_id) > 0
      or n.provider_id <> i.provider_id or i.follows_services or n.date < i.date
    union all
    select s.company_id, s.invoice_id from invoice_shares s
    join service_adjustments a on a.company_id = s.company_id and a.invoice_id = s.invoice_id
      and a.work_order_id = s.work_order_id and a.note_id is not null
    group by s.company_id, s.invoice_id, s.work_order_id, s.amount having s.amount + sum(a.amount) < 0`,
  'a closed month is to the peso and the second what it was when it was closed': `
    select company_id, month, figure, of, f.amount as then, n.amount as now
    from (select f.* from closed_figures f where f.company_id = ${EACH} and f.figure not like 'month%') f
    full join (
      select n.* from companies c
      join closed_months k on k.company_id = c.id and k.closed_through is not null
      cross join lateral (${FIGURES}) n where c.id = ${EACH} and k.company_id = ${EACH}) n
      using (company_id, month, figure, of)
    where f.amount is distinct from n.amount`,
  'every card has a place of its own on the board': `
    select company_id, status, position from work_orders group by 1, 2, 3 having count(*) > 1
    union all select company_id, status, position from work_orders where position not between -1e17 and 1e17`,
  'numbers of work orders come once, from one': `
    select company_id, number, count(*) from work_orders group by 1, 2 having count(*) > 1 or number < 1`,
  'the services of an order are of the provider they name': `
    select l.company_id, l.id from work_order_services l
    join provider_services s on s.company_id = l.company_id and s.id = l.service_id where s.provider_id <> l.provider_id`,
  'nobody is told twice of the same event of an alert': `
    select m.company_id, m."to", l.alert_id, l.round, l.event from alert_mails l
    join mails m on m.company_id = l.company_id and m.id = l.mail_id
    group by 1, 2, 3, 4, 5 having count(*) > 1`,
  'an alert that is current, or overdue, was noted as such': `
    select a.company_id, a.id from alerts a where a.status = 'current' and (
      not exists (select from alert_events e where e.company_id = a.company_id and e.alert_id = a.id and e.round = a.round
        and e.event = 'current')
      or a.overdue and not exists (select from alert_events e where e.company_id = a.company_id and e.alert_id = a.id
        and e.round = a.round and e.event = 'overdue'))`,
  'what a mail tells of an alert happened': `
    select l.company_id, l.mail_id, l.alert_id from alert_mails l
    join alerts a on a.company_id = l.company_id and a.id = l.alert_id
    where not exists (select from alert_events e where e.company_id = l.company_id and e.alert_id = l.alert_id
      and e.round = l.round and e.event = l.event)`,
  'a sent mail has one attempt that succeeded, any other none': `
    select m.company_id, m.id from mails m left join mail_attempts k on k.company_id = m.company_id and k.mail_id = m.id
      and k.outcome = 'sent'
    group by m.company_id, m.id, m.state having count(k.id) <> case when m.state = 'sent' then 1 else 0 end`,
  'expenses = lines, for every order': `
    select * from (
      select o.company_id, l.work_order_id as source_id, l.kind, l.id as line_id, l.day, o.workshop_id, o.truck_id,
        o.coupled_id, l.item_id, l.quantity, l.amount
      from (
        select l.company_id, work_order_id, 'supply' as kind, l.id, (l.created_at at time zone c.time_zone)::date as day,
          supply_id as item_id, count as quantity, amount
        from work_order_supplies l join companies c on c.id = l.company_id
        union all
        select l.company_id, work_order_id, 'adjustment', l.id, (l.created_at at time zone c.time_zone)::date, supply_id, 0,
          amount
        from work_order_adjustments l join companies c on c.id = l.company_id
        union all
        select company_id, work_order_id, 'service', id, day, provider_id, quantity, amount from work_order_services
        union all
        select company_id, work_order_id, 'invoice', id, day, provider_id, 0, amount from service_adjustments
        union all
        select company_id, work_order_id, 'labour', id, day, null, round(minutes / 60, 4), amount from work_times
        where amount <> 0) l
      join work_orders o on o.company_id = l.company_id and o.id = l.work_order_id) l
    full join (select * from expenses where source = 'work_order') e using (company_id, source_id, kind, line_id)
    where (l.day, l.workshop_id, l.truck_id, l.coupled_id, l.item_id, l.quantity, l.amount)
      is distinct from (e.day, e.workshop_id, e.truck_id, e.coupled_id, e.item_id, e.quantity, e.amount)`,
  'the cost of an order is the sum of its expenses': `
    select company_id, c.id, c.supplies_cost, c.services_cost, c.labour_cost, e.* from work_order_costs c
    left join (
      select company_id, source_id as id, sum(amount) filter (where kind in ('supply', 'adjustment')) as supplies,
        sum(amount) filter (where kind in ('service', 'invoice')) as services, sum(amount) filter (where kind = 'labour') as labour
      from expenses where source = 'work_order' group by 1, 2) e using (company_id, id)
    where (c.supplies_cost, c.services_cost, c.labour_cost)
      is distinct from (coalesce(e.supplies, 0), coalesce(e.services, 0), coalesce(e.labour, 0))`,
}

/** Questions whose answers somebody should look at, although nothing is broken: sentences for `npm run verify`. */
export const NOTICES: Record<string, string> = {
  'pagos de antes de la actualización con un monto dudoso: revise la factura y, si no coincide, anule el pago y regístrelo de nuevo': `
    select 'Empresa ' || d.company_id || ', ' || p.name || ', documento ' || d.document || ': ' || k.amount || ' pesos, pagados el '
      || to_char(k.paid_on, 'DD-MM-YYYY') as sentence
    from payments k
    join ${OWED_DOCUMENTS} d on d.company_id = k.company_id
      and (d.invoice_id = k.invoice_id or d.transaction_id = k.transaction_id)
    join providers p on p.company_id = d.company_id and p.id = d.provider_id
    where k.is_doubtful order by k.company_id, k.id`,
}

export const invariants = Object.entries(INVARIANTS).map(([name, question]) => ({ name, question }))

export async function answersTo(question: string, query: (text: string) => Promise<pg.QueryResult>) {
  if (!question.includes(EACH)) return (await query(question)).rows
  const companies = await query('select id from companies order by id')
  const answers: unknown[] = []
  for (const { id } of companies.rows) answers.push(...(await query(question.replaceAll(EACH, String(id)))).rows)
  return answers
}

export async function brokenInvariants(owner: pg.Pool) {
  const broken: string[] = []
  for (const [name, question] of Object.entries(INVARIANTS)) {
    const rows = await answersTo(question, (text) => owner.query(text))
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return broken
}
