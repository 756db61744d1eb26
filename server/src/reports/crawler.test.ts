import { beforeAll, expect, it } from 'vitest'
import { reports } from '#contract/reports.ts'
import { loadDemo } from '../../seeds/demo.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

/** Opens every figure of every report on the demonstration and adds up the rows behind it. */

const house = openHouse()
let owner: Member
let differences: string[] = []
let opened = 0

beforeAll(async () => {
  await loadDemo(house.url)
  owner = await house.given.member({ role: 'super-admin', company_id: 1, workshop_id: 1 })
}, 120_000)

/** The rows themselves are added, not the total that comes with them. */
async function addUp(filter: object) {
  let [amount, count, lines] = [0, 0, 0]
  for (let page = 1; ; page++) {
    const { body } = await house.call(owner, reports.expenseRows, { query: { filter, page, per_page: 500 } })
    for (const row of body.data) {
      amount += row.amount
      count += row.count
    }
    lines += body.data.length
    if (lines >= body.total) return { amount, count: Math.round(count * 10_000) / 10_000, lines }
  }
}
async function expectFigure(
  name: string,
  figure: number,
  filter: object,
  field: 'amount' | 'count' | 'lines' = 'amount',
) {
  opened += 1
  const found = (await addUp(filter))[field]
  if (found !== figure) differences.push(`${name}: ${figure} ≠ ${found}`)
}
const month = (ago: number) => {
  const now = new Date()
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1))
  const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago + 1, 0))
  return `${from.toISOString().slice(0, 10)},${to.toISOString().slice(0, 10)}`
}

it('no figure differs from its rows', { timeout: 300_000 }, async () => {
  differences = []
  for (const filter of [{ BetweenDate: month(1) }]) {
    const query = { filter }
    const trucks = (await house.call(owner, reports.expensesByTruck, { query })).body
    expect(trucks.data.length).toBeGreaterThan(5)
    const before = { ...filter, BetweenDate: `${trucks.before.from},${trucks.before.to}` }
    for (const t of trucks.data) {
      const mine = { ...filter, Truck: [t.truck_id] }
      await expectFigure(`truck ${t.truck_code} supplies`, t.supplies_cost, { ...mine, Kind: ['supply'] })
      await expectFigure(`truck ${t.truck_code} services`, t.services_cost, { ...mine, Kind: ['service'] })
      await expectFigure(`truck ${t.truck_code}`, t.total_cost, mine)
      await expectFigure(`truck ${t.truck_code} before`, t.before_cost, { ...before, Truck: [t.truck_id] })
    }
    for (const c of trucks.cost_centers)
      await expectFigure(`centre ${c.cost_center}`, c.total_cost, {
        ...filter,
        CostCenter: [c.cost_center_id ?? 'none'],
      })
    await expectFigure('trucks', trucks.totals.total_cost, filter)
    await expectFigure('trucks before', trucks.totals.before_cost, before)

    const providers = (await house.call(owner, reports.expensesByProvider, { query })).body
    for (const p of providers.data) {
      if (p.provider_id !== null) {
        const mine = { ...filter, Provider: [p.provider_id] }
        await expectFigure(`provider ${p.provider}`, p.services_cost, mine)
        await expectFigure(`provider ${p.provider} lines`, p.services, mine, 'lines')
      }
      const entries = (
        await house.call(owner, reports.entryRows, {
          query: { filter: { ...filter, Provider: [p.provider_id ?? 'none'] }, per_page: 500 },
        })
      ).body
      const sums = entries.data.reduce((s, e) => [s[0]! + e.subtotal, s[1]! + e.total], [0, 0])
      opened += 2
      if (sums[0] !== p.purchases_net || sums[1] !== p.purchases_total)
        differences.push(`purchases of ${p.provider}: ${p.purchases_net}, ${p.purchases_total} ≠ ${sums}`)
    }

    const categories = (await house.call(owner, reports.expensesByCategory, { query })).body
    for (const c of categories.data) {
      const mine = { ...filter, Category: [c.category_id ?? 'none'] }
      await expectFigure(`category ${c.category}`, c.amount, mine)
      await expectFigure(`category ${c.category} lines`, c.lines, mine, 'lines')
    }
    await expectFigure('categories: services', categories.totals.services_cost, { ...filter, Kind: ['service'] })

    const history = (await house.call(owner, reports.historicalExpenses, { query: { ...query, per_page: 500 } })).body
    expect(history.data.length).toBe(history.total)
    for (const o of history.data) {
      const mine = { ...filter, Order: [o.work_order_id] }
      await expectFigure(`${o.code} supplies`, o.supplies_cost, { ...mine, Kind: ['supply'] })
      await expectFigure(`${o.code} services`, o.services_cost, { ...mine, Kind: ['service'] })
    }

    const chart = (await house.call(owner, reports.chartSuppliesByTruck, { query })).body
    for (const t of chart.data) {
      const mine = { ...filter, Truck: [t.truck_id], Kind: ['supply'] }
      await expectFigure(`supplies of ${t.truck_code}`, t.amount, mine)
      await expectFigure(`quantity of ${t.truck_code}`, t.count, mine, 'count')
    }
    const pairs = (await house.call(owner, reports.listSuppliesByTruck, { query: { ...query, per_page: 500 } })).body
    for (const p of pairs.data.slice(0, 120)) {
      const mine = { ...filter, Truck: [p.truck_id], Supply: [p.supply_id] }
      await expectFigure(`${p.truck_code} ${p.code}`, p.amount, mine)
      await expectFigure(`${p.truck_code} ${p.code} quantity`, p.count, mine, 'count')
    }

    const availability = (await house.call(owner, reports.availability, { query })).body
    for (const t of availability.data) {
      const stays = (
        await house.call(owner, reports.stopRows, {
          query: { filter: { ...filter, Truck: [t.truck_id] }, sort: 'from', per_page: 500 },
        })
      ).body.data
      let [hours, until] = [0, 0]
      for (const { from, to } of stays) {
        hours += Math.max(0, Date.parse(to) - Math.max(Date.parse(from), until)) / 3_600_000
        until = Math.max(until, Date.parse(to))
      }
      opened += 1
      if (Math.abs(hours - t.hours_stopped) > 1e-6)
        differences.push(`hours of ${t.truck_code}: ${t.hours_stopped} ≠ ${hours}`)
    }
  }

  const months = (await house.call(owner, reports.expensesByMonth)).body
  for (const row of months.data)
    for (const [i, amount] of row.amounts.entries()) {
      const [year = 0, number = 0] = months.months[i]!.split('-').map(Number)
      const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
      const kind = row.kind === 'service' ? { Kind: ['service'] } : { Category: [row.category_id ?? 'none'] }
      await expectFigure(`${row.category} ${months.months[i]}`, amount, {
        BetweenDate: `${months.months[i]}-01,${last}`,
        ...kind,
      })
    }

  expect(differences).toEqual([])
  expect(opened).toBeGreaterThan(900)
})
