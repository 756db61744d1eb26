import type { World } from './world.ts'

/** What orders have of their providers' invoices, some of which cover several; and what was taken back of two of them. */
export async function invoicesPart(world: World) {
  const run = (statement: string, ...more: unknown[]) => world.client.query(statement, [world.company.id, ...more])
  await run(
    `insert into invoice_shares (company_id, work_order_id, invoice_id, provider_id, amount)
     select i.company_id, i.work_order_id, i.id, i.provider_id, sum(l.amount) from invoices i
     join work_order_services l on l.company_id = i.company_id and l.work_order_id = i.work_order_id
       and l.provider_id = i.provider_id
     where i.company_id = $1 group by i.company_id, i.work_order_id, i.id, i.provider_id order by i.id`,
  )
  // The provider sends one for what it did within a month: the first of those there were.
  await run(
    `with grouped as (
       select id, first_value(id) over same as first, row_number() over same as n from invoices
       where company_id = $1 and date > $2::timestamptz::date - 330
       window same as (partition by workshop_id, provider_id, date_trunc('month', date) order by date desc, id)),
     joined as (select id, first from grouped where n between 2 and 3 and first % 2 = 0)
     update invoice_shares s set invoice_id = j.first from joined j where s.company_id = $1 and s.invoice_id = j.id`,
    world.now,
  )
  await run(
    `delete from invoices i where i.company_id = $1
       and not exists (select 1 from invoice_shares s where s.company_id = i.company_id and s.invoice_id = i.id)`,
  )
  await run(
    `update invoices i set net = n.net, work_order_id = n.first, follows_services = n.shares = 1 from (
       select invoice_id, sum(amount) as net, (array_agg(work_order_id order by id))[1] as first, count(*) as shares
       from invoice_shares where company_id = $1 group by 1) n
     where i.company_id = $1 and i.id = n.invoice_id`,
  )
  await run(
    `update work_order_services l set day = i.date from invoice_shares s
     join invoices i on i.company_id = s.company_id and i.id = s.invoice_id
     where l.company_id = $1 and s.company_id = $1 and s.work_order_id = l.work_order_id and s.provider_id = l.provider_id
       and l.day <> i.date`,
  )
  // A wheel that was charged twice, and a tow that took longer than what was agreed.
  await run(
    `with chosen as (
       select i.*, s.amount, row_number() over (order by i.date desc, i.id) as n from invoices i
       join invoice_shares s on s.company_id = i.company_id and s.invoice_id = i.id and s.work_order_id = i.work_order_id
       where i.company_id = $1 and not i.follows_services and i.date < $2::timestamptz::date - 2),
     noted as (
       insert into invoice_notes (company_id, invoice_id, provider_id, kind, date, document, note, amount, created_at, updated_at)
       select company_id, id, provider_id, case n when 1 then 'credit' else 'debit' end, date + 2, (700 + n)::text,
         case n when 1 then 'Cobro duplicado' else 'Espera en ruta' end, round(amount / 4), date + 2, date + 2
       from chosen where n <= 2 returning *)
     insert into service_adjustments (company_id, work_order_id, invoice_id, note_id, provider_id, day, amount, created_at)
     select n.company_id, i.work_order_id, n.invoice_id, n.id, n.provider_id, n.date,
       case n.kind when 'credit' then -n.amount else n.amount end, n.created_at
     from noted n join invoices i on i.company_id = n.company_id and i.id = n.invoice_id`,
    world.now,
  )
  await run(
    `update work_order_costs c set services_cost = c.services_cost + n.amount from (
       select work_order_id, sum(amount) as amount from service_adjustments where company_id = $1 group by 1) n
     where c.company_id = $1 and c.id = n.work_order_id`,
  )
  // Most is paid when it is due; of what fell due lately some was forgotten, and some is being argued about.
  await run(
    `with papers as (
       select i.id as invoice_id, null::bigint as transaction_id, i.date + p.payment_days as due, i.id as n from invoices i
       join providers p on p.company_id = i.company_id and p.id = i.provider_id
       where i.company_id = $1 and i.payment_type = 'Credit'
       union all
       select null, t.id, t.date + p.payment_days, t.id from transactions t
       join providers p on p.company_id = t.company_id and p.id = t."providerId"
       where t.company_id = $1 and t.type = 'entry' and t."typeTrasactionId" = 1 and t.voided_at is null
         and t.document is not null and t."typeInvoice" is not null and t.payment_type is distinct from 'Cash')
     insert into payables (company_id, invoice_id, transaction_id, state, state_at, paid_on)
     select $1, invoice_id, transaction_id, s.state, least(due, $2::timestamptz), case s.state when 'paid' then due end
     from papers cross join lateral (select case when due < $2::timestamptz::date - 25 then 'paid'
       when due < $2::timestamptz::date and n % 4 > 0 then 'paid' when n % 7 = 0 then 'claimed'
       when n % 3 = 0 then 'approved' end as state) s
     where s.state is not null`,
    world.now,
  )
  await run(
    `insert into payments (company_id, invoice_id, transaction_id, amount, paid_on, user_name, created_at)
     select y.company_id, y.invoice_id, y.transaction_id, coalesce(i.total, t.total), y.paid_on, $2, y.state_at
     from payables y
     left join lateral (select i.net + round(i.net * 0.19) + coalesce((
         select sum((n.amount + round(n.amount * 0.19)) * case n.kind when 'credit' then -1 else 1 end)
         from invoice_notes n where n.company_id = i.company_id and n.invoice_id = i.id), 0) as total
       from invoices i where i.company_id = y.company_id and i.id = y.invoice_id) i on true
     left join transactions t on t.company_id = y.company_id and t.id = y.transaction_id
     where y.company_id = $1 and y.state = 'paid' order by y.id`,
    world.users[0]!.name,
  )
  for (const [papers, of] of [
    ['invoices', 'invoice_id'],
    ['transactions', 'transaction_id'],
  ])
    await run(
      `update ${papers} p set payment_said = true from payables y
       where y.company_id = $1 and p.company_id = y.company_id and y.${of} = p.id and y.state is not null`,
    )
}
