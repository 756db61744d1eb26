import { streamXlsxRows } from 'hucre/xlsx'
import { beforeAll, expect, it } from 'vitest'
import { DEFAULT_ZONE } from '#contract/base/dates.ts'
import { fileField } from '#contract/base/fields.ts'
import { type Endpoint, XLSX } from '#contract/base/wire.ts'
import { figureOf, REPORT_COLUMNS, type ReportColumn, withLabour } from '#contract/reports/columns.ts'
import { reports } from '#contract/reports/reports.ts'
import { type Member, times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { spend } from '../../test/spending.ts'

const house = openHouse()
let me: Member
let truck: { id: number; code: string }
let supply: { id: number; code: string; name: string }
let service: { id: number; provider_id: number }

beforeAll(async () => {
  const { given } = house
  me = await given.member()
  truck = await given.truck(me)
  await house.owner.query(`update trucks set created_at = '2020-01-01' where id = $1`, [truck.id])
  supply = await given.supply(me, { category_id: (await given.category(me, 'Filtros')).id })
  service = await given.service(me)
  for (const i of times(3, (n) => n))
    await spend(house, me, {
      truck_id: truck.id,
      entry: '2026-03-05T12:00:00Z',
      departure: '2026-03-05T18:00:00Z',
      supplies: [{ supply_id: supply.id, count: 1.5, amount: 1000 + i, at: '2026-03-05T15:00:00Z' }],
      services: [{ provider_id: service.provider_id, service_id: service.id, amount: 500, at: '2026-03-05T15:00:00Z' }],
    })
  await given.entry(me, {
    transaction: { date: '2026-03-10', document: 'F-77', providerId: service.provider_id },
    supplies: [{ supply_id: supply.id, quantity: 2.5, unit_cost: 1000 }],
  })
})

async function cells(endpoint: Endpoint, filter: object = { BetweenDate: '2026-03-01,2026-03-31' }) {
  const { status, body, headers } = await house.call(me, endpoint, { query: { filter } })
  expect([status, headers['content-type']]).toEqual([200, XLSX])
  const rows: unknown[][] = []
  for await (const row of streamXlsxRows(new Uint8Array(body as Buffer), {})) rows.push(row.values)
  return rows
}

it('every file has real numbers and dates, and its totals at the end', async () => {
  const trucks = await cells(reports.downloadByTruck)
  expect(trucks[1]!.slice(3, 7)).toEqual([3, 3003, 1500, 4503])
  expect(trucks.at(-1)!.slice(3, 7)).toEqual([3, 3003, 1500, 4503])

  const [, provider, total] = await cells(reports.downloadByProvider)
  expect(provider!.slice(1)).toEqual([3, 1500, 0, 1, 2500, 2975, 0])
  expect(total).toEqual(['Total', 3, 1500, 0, 1, 2500, 2975, 0])

  expect((await cells(reports.downloadByCategory)).slice(1)).toEqual([
    ['Filtros', 3, 3003, 0],
    ['Total insumos', 3, 3003, 0],
    ['Servicios', null, 1500, 0],
    ['Total', null, 4503, 0],
  ])

  const months = await cells(reports.downloadByMonth, { BetweenYear: '2026' })
  expect(months[0]![3]).toBe('mar 2026')
  expect(months.map((row) => row[3]).slice(1)).toEqual([3003, 1500, 4503])

  const availability = await cells(reports.downloadAvailability)
  expect(availability[1]!.slice(4, 8)).toEqual([744, 6, 0, 6])
  expect(availability[1]![2]).toBeCloseTo(1 - 6 / 744, 12)

  const orders = await cells(reports.downloadSummaryMaintenance)
  expect(orders).toHaveLength(5)
  expect(orders[1]![1]).toEqual(new Date('2026-03-05T12:00:00Z'))
  expect(orders.at(-1)!.slice(7)).toEqual([3003, 1500, 4503])

  const used = await cells(reports.downloadSuppliesByTruck)
  expect(used[1]).toEqual([truck.code, expect.any(String), supply.code, supply.name, 'Filtros', null, 4.5, 3003])

  const entries = await cells(reports.downloadEntries)
  expect(entries[1]![0]).toEqual(new Date('2026-03-10T00:00:00Z'))
  expect(entries[1]!.slice(7)).toEqual([2.5, 1000, '19%', 2500, 475, 2975])
  expect(entries.at(-1)!.slice(10)).toEqual([2500, 475, 2975])
})

const FILES = [
  ['expenses-by-truck', reports.expensesByTruck, reports.downloadByTruck],
  ['expenses-by-suppliers', reports.expensesByProvider, reports.downloadByProvider],
  ['expenses-by-category', reports.expensesByCategory, reports.downloadByCategory],
  ['equipment-availability', reports.availability, reports.downloadAvailability],
  ['historical-expenses', reports.historicalExpenses, reports.downloadSummaryMaintenance],
  ['cost-supplies-by-truck', reports.listSuppliesByTruck, reports.downloadSuppliesByTruck],
] as const

it.each(FILES)(
  'the file of %s has the columns of the registry, with the figures of the screen',
  async (name, screen, file) => {
    const columns: Record<string, ReportColumn<never>> = withLabour<ReportColumn<never>>(REPORT_COLUMNS[name], false)
    const query = { filter: { BetweenDate: '2026-03-01,2026-03-31' } }
    const { body } = await house.call(me, screen as Endpoint, { query })
    const [header, ...rows] = await cells(file)
    expect(header).toEqual(Object.values(columns).map(({ label }) => label))
    const { data } = body as { data: never[] }
    expect(data.length).toBeGreaterThan(0)
    const shown = data.map((row) =>
      Object.entries(columns).map(([key, column]) => fileField(column, figureOf(column, key, row), DEFAULT_ZONE)),
    )
    // What is empty at the end of a row is not in the file.
    const filled = (row: unknown[]) => row.slice(0, row.findLastIndex((cell) => cell !== null) + 1)
    for (const row of shown) expect(rows.map(filled)).toContainEqual(filled(row))
  },
)

it('the history comes with the filters of its screen, however long it is', async () => {
  const whole = await cells(reports.downloadHistory, {})
  expect(whole).toHaveLength(4)
  expect(whole[1]![10]).toEqual(new Date('2026-03-05T09:00:00Z'))
  expect(await cells(reports.downloadHistory, { Status: ['PENDING'] })).toHaveLength(1)
  const other = await house.given.member({ company_id: me.company_id })
  const { body } = await house.call(other, reports.downloadHistory)
  const rows: unknown[] = []
  for await (const row of streamXlsxRows(new Uint8Array(body), {})) rows.push(row)
  expect(rows).toHaveLength(1)
})
