import { PURCHASE_STATUS_NAMES, purchasing } from '#contract/purchasing/purchasing.ts'
import { reports } from '#contract/reports/reports.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { PAYABLE_STATE_NAMES, payables } from '#contract/work-orders/payables.ts'
import { type Asked, Figures, isRounding, nameOf } from './figures.ts'
import type { Hands } from './generate.ts'

/* Every figure of the product, asked over HTTP, under the names of `figures.ts`. */

const PAGE = 500
/** All pages of a list. */
async function allOf<T>(ask: (page: number) => Promise<{ body: { data: T[]; total: number } }>): Promise<T[]> {
  const found: T[] = []
  for (let page = 1; ; page++) {
    const { data, total } = (await ask(page)).body
    found.push(...data)
    if (data.length === 0 || found.length >= total) return found
  }
}

export async function standingOf({ call, world, log }: Hands): Promise<Figures> {
  const figures = new Figures()
  for (const { id: warehouse } of world.warehouses) {
    const levels = await allOf((page) =>
      call(warehouses.listStock, { params: { warehouse }, query: { page, per_page: PAGE } }),
    )
    for (const level of levels) {
      const place = `${warehouse} ${level.supply_id}`
      figures.put(`stock ${place} quantity`, level.stock)
      figures.put(`stock ${place} average`, level.average_cost)
      figures.put(`stock ${place} value`, level.value)
      const lines = await allOf((page) =>
        call(warehouses.kardex, {
          query: { warehouse: String(warehouse), supply: String(level.supply_id), page, per_page: PAGE, sort: 'at' },
        }),
      )
      const shown = lines.filter((line) => !isRounding(line.quantity_in - line.quantity_out, line.value))
      for (const [i, line] of shown.entries()) {
        figures.put(`kardex ${place} ${i} quantity`, line.quantity_in - line.quantity_out)
        figures.put(`kardex ${place} ${i} value`, line.value)
        figures.put(`kardex ${place} ${i} balance`, line.balance)
        figures.put(`kardex ${place} ${i} average`, line.average_cost)
        figures.put(`kardex ${place} ${i} balance value`, line.balance_value)
        figures.set(`kardex ${place} ${i} unit cost`, line.unit_cost)
      }
    }
  }
  const documents = await allOf((page) =>
    call(warehouses.listTransactions, { query: { page, per_page: PAGE, sort: 'date' } }),
  )
  for (const { id, subtotal, tax, total, state } of documents) {
    if (state === 'voided') continue
    figures.put(`document ${id} subtotal`, subtotal)
    figures.put(`document ${id} tax`, tax)
    figures.put(`document ${id} total`, total)
  }
  const gone = new Set(log.flatMap((op) => (op.kind === 'delete-order' ? op.order : [])))
  for (const op of log) {
    if (op.kind !== 'order' || gone.has(op.id)) continue
    const { body } = await call(workOrders.getWorkOrder, { params: { id: op.id } })
    figures.put(`order ${op.id} supplies`, body.supplies_cost)
    figures.put(`order ${op.id} services`, body.services_cost)
    figures.put(`order ${op.id} labour`, body.labour)
    figures.put(`order ${op.id} total`, body.total_cost)
    for (const line of body.supplies) {
      figures.put(`line ${line.id} quantity`, line.count)
      figures.put(`line ${line.id} cost`, line.cost)
      figures.put(`line ${line.id} amount`, line.amount)
    }
    for (const line of body.services) figures.put(`service line ${line.id}`, line.amount)
  }
  for (const op of log) {
    if (op.kind !== 'purchase-order') continue
    const { body } = await call(purchasing.getPurchaseOrder, { params: { id: op.id } })
    figures.put(`purchase order ${op.id} status`, 1 + PURCHASE_STATUS_NAMES.indexOf(body.status))
    for (const line of body.supplies) figures.put(`purchase order ${op.id} received ${line.supply_id}`, line.received)
  }
  const papers = await allOf((page) =>
    call(payables.listPayables, { query: { page, per_page: PAGE, filter: { State: PAYABLE_STATE_NAMES } } }),
  )
  for (const { id, kind, net, tax, total, left_total, paid_total, balance, state, payments } of papers) {
    if (kind === 'service') {
      figures.put(`invoice ${id / 2} net`, net)
      figures.put(`invoice ${id / 2} tax`, tax)
      figures.put(`invoice ${id / 2} total`, total)
    }
    figures.put(`payable ${id} left`, left_total)
    figures.put(`payable ${id} paid`, paid_total)
    figures.put(`payable ${id} balance`, balance)
    figures.put(`payable ${id} state`, 1 + PAYABLE_STATE_NAMES.indexOf(state))
    for (const payment of payments) figures.put(`payable ${id} payment ${payment.id}`, payment.amount)
  }
  // The list of what is owed is worked out in another way than the list of all.
  const owed = await call(payables.listPayables, { query: { per_page: 1 } })
  figures.put('payables owed', owed.body.totals.owed_total)
  const favour = await call(payables.listPayables, { query: { per_page: 1, filter: { InFavour: ['yes'] } } })
  figures.put('payables in favour', favour.body.totals.favour_total)
  return figures
}

const filterOf = ({ from, to, workshop }: Asked) => ({
  BetweenDate: `${from},${to}`,
  ...(workshop !== null && { WorkshopId: [workshop] }),
})

export async function expensesOf({ call }: Hands, asked: Asked): Promise<Figures> {
  const figures = new Figures()
  const P = nameOf(asked)
  const query = { filter: filterOf(asked) }
  const byTruck = (await call(reports.expensesByTruck, { query })).body
  const spent = (name: string, row: { supplies_cost: number; services_cost: number; labour: number | null }) => {
    figures.put(`${name} supplies`, row.supplies_cost)
    figures.put(`${name} services`, row.services_cost)
    figures.put(`${name} labour`, row.labour)
  }
  spent(`${P} all`, byTruck.totals)
  figures.put(`${P} all km`, byTruck.totals.kilometers)
  for (const row of byTruck.data) {
    spent(`${P} truck ${row.truck_id}`, row)
    figures.put(`${P} truck ${row.truck_id} orders`, row.orders)
    figures.put(`${P} truck ${row.truck_id} km`, row.kilometers)
    figures.put(`${P} truck ${row.truck_id} per km`, row.cost_per_km)
  }
  for (const row of byTruck.cost_centers) {
    const centre = row.cost_center_id ?? 'none'
    spent(`${P} centre ${centre}`, row)
    figures.put(`${P} centre ${centre} orders`, row.orders)
    figures.put(`${P} centre ${centre} km`, row.kilometers)
  }
  for (const row of (await call(reports.expensesByProvider, { query })).body.data) {
    figures.put(`${P} provider ${row.provider_id} services`, row.services_cost)
    figures.put(`${P} provider ${row.provider_id} bought net`, row.purchases_net)
    figures.put(`${P} provider ${row.provider_id} bought total`, row.purchases_total)
  }
  for (const row of (await call(reports.expensesByCategory, { query })).body.data) {
    figures.put(`${P} category ${row.category_id ?? 'none'} amount`, row.amount)
    figures.put(`${P} category ${row.category_id ?? 'none'} lines`, row.lines)
  }
  const paged = (page: number) => ({ query: { ...query, page, per_page: PAGE } })
  const { body } = await call(reports.historicalExpenses, paged(1))
  for (const row of await allOf((page) => call(reports.historicalExpenses, paged(page))))
    spent(`${P} order ${row.work_order_id}`, row)
  for (const row of body.months) spent(`${P} month ${row.month}`, row)
  for (const row of await allOf((page) => call(reports.listSuppliesByTruck, paged(page)))) {
    figures.put(`${P} truck ${row.truck_id} supply ${row.supply_id} amount`, row.amount)
    figures.put(`${P} truck ${row.truck_id} supply ${row.supply_id} quantity`, row.count)
  }
  const filter = { ...filterOf(asked), BetweenYear: `${asked.from.slice(0, 4)},${asked.to.slice(0, 4)}` }
  const { BetweenDate: _, ...years } = filter
  const byMonth = (await call(reports.expensesByMonth, { query: { filter: years } })).body
  for (const { kind, category_id, amounts } of byMonth.data)
    for (const [i, amount] of amounts.entries()) {
      const month = byMonth.months[i]!
      if (kind === 'supply' && month >= asked.from.slice(0, 7) && month <= asked.to.slice(0, 7))
        figures.put(`${P} category ${category_id ?? 'none'} in ${month}`, amount)
    }
  return figures
}

export async function hoursOf({ call }: Hands, asked: Asked): Promise<Figures> {
  const figures = new Figures()
  const P = nameOf(asked)
  const query = { filter: filterOf(asked) }
  for (const row of (await call(reports.hoursBySpecialist, { query })).body.specialists) {
    figures.put(`hours ${P} specialist ${row.specialist_id}`, row.hours)
    figures.put(`hours ${P} specialist ${row.specialist_id} clocked`, row.clocked_hours)
  }
  if (asked.workshop !== null) return figures
  for (const row of (await call(reports.availability, { query })).body.data) {
    figures.put(`hours ${P} truck ${row.truck_id} there`, row.hours)
    figures.put(`hours ${P} truck ${row.truck_id} stopped`, row.hours_stopped)
    figures.put(`hours ${P} truck ${row.truck_id} unplanned`, row.hours_unplanned)
    figures.put(`hours ${P} truck ${row.truck_id} stops`, row.stops)
    figures.put(`hours ${P} truck ${row.truck_id} failures`, row.unplanned_stops)
  }
  return figures
}
