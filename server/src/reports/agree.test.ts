import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayOf } from '#contract/base/dates.ts'
import { splitPesos } from '#contract/base/money.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { companies } from '#contract/workshops/company.ts'
import { times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { sized } from '../../test/sized.ts'
import { type Spent, spend } from '../../test/spending.ts'

const house = openHouse()

/** Days around both changes of the clock of 2026 in Chile (5 April, 6 September), and around New Year. */
const MINUTE = 60_000
const moment = fc
  .constantFrom('2026-04-04T00:00:00Z', '2026-09-05T00:00:00Z', '2025-12-31T00:00:00Z', '2026-06-15T00:00:00Z')
  .chain((from) =>
    fc.integer({ min: 0, max: 3 * 24 * 60 }).map((n) => new Date(Date.parse(from) + n * MINUTE).toISOString()),
  )
const amount = fc.integer({ min: 0, max: 3_000_000 })

const order = fc.record({
  truck: fc.nat(3),
  supplies: fc.uniqueArray(
    fc.record({ supply: fc.nat(5), count: fc.integer({ min: 1, max: 90_000 }), amount, at: moment }),
    { selector: (line) => line.supply, maxLength: 4 },
  ),
  services: fc.array(fc.record({ provider: fc.nat(2), amount, at: moment }), { maxLength: 3 }),
  /** `share`: what the paper says, where it is not what the services are. */
  invoices: fc.uniqueArray(fc.record({ provider: fc.nat(2), at: moment, share: fc.option(amount) }), {
    selector: (i) => i.provider,
    maxLength: 3,
  }),
  labour: fc.array(fc.record({ who: fc.nat(1), minutes: fc.integer({ min: 1, max: 900 }), at: moment }), {
    maxLength: 3,
  }),
})

it('every report equals a plain recomputation from the lines, and they agree to the peso', {
  timeout: 300_000,
}, async () => {
  const { given } = house
  await fc.assert(
    fc.asyncProperty(fc.array(order, { minLength: 1, maxLength: 12 }), async (plan) => {
      const owner = await given.member({ role: 'super-admin' })
      const south = await given.workshop(owner.company_id)
      const center = await given.costCenter(owner)
      const trucks = await Promise.all(
        times(4, (i) => given.truck(owner, { cost_center_id: i % 2 ? center.id : null })),
      )
      // One comes to the centre while the clock changes, one leaves it at New Year.
      const moves = [
        { truck: 0, to: center.id, from: '2026-04-05' },
        { truck: 1, to: null, from: '2026-01-01' },
      ]
      for (const { truck, to, from } of moves) {
        const body = { cost_center_id: to, cost_center_from: from }
        const { status } = await house.call(owner, fleet.updateTruck, { params: { id: trucks[truck]!.id }, body })
        expect(status).toBe(200)
      }
      const centerOf = (truck: number, day: string) => {
        const moved = moves.find((move) => move.truck === truck)
        if (moved && day >= moved.from) return moved.to
        return truck % 2 ? center.id : null
      }
      const categories = [await given.category(owner), await given.category(owner)]
      const supplies = await Promise.all(
        times(6, (i) => given.supply(owner, { category_id: i < 4 ? categories[i % 2]!.id : null })),
      )
      const services = await Promise.all(times(3, () => given.service(owner)))
      const people = await Promise.all(times(2, () => given.specialist(owner)))
      const count = (labour_counts: boolean) => house.call(owner, companies.updateSettings, { body: { labour_counts } })
      expect((await count(true)).status).toBe(200)
      const ids: number[] = []
      for (const [i, { truck, supplies: used, services: served, invoices, labour }] of plan.entries()) {
        const providers = new Set(served.map(({ provider }) => provider))
        const what: Spent = {
          truck_id: trucks[truck]!.id,
          workshop_id: i % 3 ? owner.workshop_id : south,
          supplies: used.map((l) => ({
            supply_id: supplies[l.supply]!.id,
            count: l.count / 100,
            amount: l.amount,
            at: l.at,
          })),
          services: served.map((l) => ({
            service_id: services[l.provider]!.id,
            provider_id: services[l.provider]!.provider_id,
            amount: l.amount,
            at: l.at,
          })),
          labour: labour.map(({ who, minutes, at }) => ({ specialist_id: people[who]!.id, minutes, at })),
          invoices: invoices
            .filter(({ provider }) => providers.has(provider))
            .map(({ provider, at, share }) => ({
              provider_id: services[provider]!.provider_id,
              date: dayOf(at),
              ...(share !== null && { share }),
            })),
        }
        ids.push(await spend(house, owner, what))
      }
      const served = (i: number, provider: number) =>
        plan[i]!.services.filter((l) => l.provider === provider).reduce((all, l) => all + l.amount, 0)
      /** What each order has of the papers of its providers, and their days. */
      const papers = plan.flatMap((o, i) =>
        o.invoices
          .filter(({ provider }) => o.services.some((l) => l.provider === provider))
          .map(({ provider, at, share }) => ({ i, provider, day: dayOf(at), amount: share ?? served(i, provider) })),
      )
      const noted: typeof papers = []
      // What has no paper yet is all of one, by provider and workshop.
      for (const provider of [0, 1, 2])
        for (const isSouth of [true, false]) {
          const without = [...plan.keys()].filter(
            (i) =>
              (i % 3 === 0) === isSouth &&
              plan[i]!.services.some((l) => l.provider === provider) &&
              !papers.some((paper) => paper.i === i && paper.provider === provider),
          )
          if (without.length === 0) continue
          const date = isSouth ? '2026-04-05' : '2026-01-01'
          const net = 1_000_003
          const amounts = splitPesos(
            net,
            without.map((i) => served(i, provider)),
          )
          const made = await house.call(owner, workOrderParts.createInvoice, {
            body: {
              work_order_id: ids[without[0]!]!,
              provider_id: services[provider]!.provider_id,
              bill_invoice: 'bill',
              date,
              document: `J-${provider}-${isSouth}`,
              payment_type: 'Credit',
              confirm_old: true,
              net,
              shares: without.map((i, n) => ({ work_order_id: ids[i]!, amount: amounts[n]! })),
            },
          })
          expect([made.status, made.body.net]).toEqual([201, net])
          for (const [kind, amount, day] of [
            ['credit', 333_334, '2026-06-15'],
            ['debit', 77, date],
          ] as const) {
            const { status, body } = await house.call(owner, workOrderParts.createInvoiceNote, {
              params: { id: made.body.id },
              body: { kind, amount, date: day, document: `${provider}-${isSouth}`, confirm_old: true },
            })
            expect([status, body.shares.reduce((all, share) => all + share.amount!, 0)]).toEqual([201, amount])
            for (const share of body.shares)
              noted.push({
                i: ids.indexOf(share.work_order_id),
                provider,
                day,
                amount: kind === 'credit' ? -share.amount! : share.amount!,
              })
          }
          papers.push(...without.map((i, n) => ({ i, provider, day: date, amount: amounts[n]! })))
        }

      for (const BetweenDate of [
        '2026-04-01,2026-04-05',
        '2025-12-15,2026-06-20',
        '2026-09-06,2026-09-06',
        '2026-01-01,2026-12-31',
        '2025-12-01,2025-12-31',
      ])
        for (const WorkshopId of [undefined, [south]]) {
          const [from = '', to = ''] = BetweenDate.split(',')
          // Plain: every line, its day by its own rule, in this process.
          const linesIn = (from: string, to: string) =>
            plan.flatMap((o, i) => {
              if (WorkshopId && i % 3) return []
              const mine = papers.filter((paper) => paper.i === i)
              const beyond = mine
                .map((paper) => ({ ...paper, amount: paper.amount - served(i, paper.provider) }))
                .filter((paper) => paper.amount !== 0)
                .concat(noted.filter((note) => note.i === i))
              const invoiced = new Map(mine.map(({ provider, day }) => [provider, day]))
              return [
                ...o.supplies.map((l) => ({
                  ...l,
                  truck: o.truck,
                  order: i,
                  kind: 'supply',
                  day: dayOf(l.at),
                  key: l.supply,
                })),
                ...o.services.map((l) => ({
                  ...l,
                  truck: o.truck,
                  order: i,
                  kind: 'service',
                  day: invoiced.get(l.provider) ?? dayOf(l.at),
                  key: l.provider,
                })),
                ...beyond.map(({ amount, provider, day }) => ({
                  amount,
                  truck: o.truck,
                  order: i,
                  kind: 'service',
                  day,
                  key: provider,
                })),
                ...o.labour.map((l) => ({
                  amount: l.minutes * 100,
                  truck: o.truck,
                  order: i,
                  kind: 'labour',
                  day: dayOf(l.at),
                  key: l.who,
                })),
              ].filter(({ day }) => day >= from && day <= to)
            })
          const lines = linesIn(from, to)
          const sum = (keep: (line: (typeof lines)[number]) => boolean) =>
            lines.filter(keep).reduce((total, line) => total + line.amount, 0)
          const query = { filter: { BetweenDate, WorkshopId } }
          const byTruck = (await house.call(owner, reports.expensesByTruck, { query })).body
          for (const [i, truck] of trucks.entries()) {
            const row = byTruck.data.find(({ truck_id }) => truck_id === truck.id)
            expect(row?.truck_workshop ?? null).toBe(row && WorkshopId ? truck.workshop_name : null)
            expect(row?.supplies_cost ?? 0).toBe(sum((l) => l.truck === i && l.kind === 'supply'))
            expect(row?.services_cost ?? 0).toBe(sum((l) => l.truck === i && l.kind === 'service'))
            expect(row?.labour ?? 0).toBe(sum((l) => l.truck === i && l.kind === 'labour'))
            expect(row?.orders ?? 0).toBe(new Set(lines.filter((l) => l.truck === i).map((l) => l.order)).size)
          }
          const earlier = linesIn(byTruck.before.from, byTruck.before.to)
          const before = (keep: (line: (typeof lines)[number]) => boolean) =>
            earlier.filter(keep).reduce((total, line) => total + line.amount, 0)
          for (const [i, truck] of trucks.entries()) {
            const row = byTruck.data.find(({ truck_id }) => truck_id === truck.id)
            expect([row?.before_cost ?? 0, row?.before_with_labour ?? 0]).toEqual([
              before((l) => l.truck === i && l.kind !== 'labour'),
              before((l) => l.truck === i),
            ])
          }
          const byCategory = (await house.call(owner, reports.expensesByCategory, { query })).body
          for (const c of byCategory.data) {
            const mine = (l: { kind: string; key: number }) =>
              l.kind === 'supply' && (supplies[l.key]!.category_id ?? null) === c.category_id
            expect([c.lines, c.amount]).toEqual([lines.filter(mine).length, sum(mine)])
          }
          const byProvider = (await house.call(owner, reports.expensesByProvider, { query })).body
          for (const p of byProvider.data)
            expect(p.services_cost).toBe(
              sum((l) => l.kind === 'service' && services[l.key]!.provider_id === p.provider_id),
            )
          const historical = (await house.call(owner, reports.historicalExpenses, { query })).body
          // Whose truck it is, of what was spent in another workshop.
          const home = trucks[0]!.workshop_name
          for (const { workshop_name, truck_workshop } of historical.data)
            expect(truck_workshop).toBe(workshop_name === home ? null : home)
          const bySupply = (await house.call(owner, reports.chartSuppliesByTruck, { query })).body
          const pairs = (await house.call(owner, reports.listSuppliesByTruck, { query })).body
          const rows = (await house.call(owner, reportRows.expenseRows, { query: { ...query, per_page: 500 } })).body

          const total = sum((l) => l.kind !== 'labour')
          const worked = sum((l) => l.kind === 'labour')
          for (const { totals } of [byTruck, byCategory, historical]) {
            expect([totals.labour, totals.total_with_labour]).toEqual([worked, total + worked])
            expect([totals.before_cost, totals.before_with_labour]).toEqual([
              before((l) => l.kind !== 'labour'),
              before(() => true),
            ])
          }
          expect(byCategory.totals.labour_before).toBe(before((l) => l.kind === 'labour'))
          expect(byTruck.cost_centers.reduce((all, c) => all + (c.before_with_labour ?? 0), 0)).toBe(before(() => true))
          expect(byTruck.cost_centers.reduce((all, c) => all + (c.labour ?? 0), 0)).toBe(worked)
          expect(historical.data.reduce((all, o) => all + (o.total_with_labour ?? 0), 0)).toBe(total + worked)
          const asLabour = { ...query, filter: { ...query.filter, Kind: ['labour'] }, per_page: 500 }
          expect((await house.call(owner, reportRows.expenseRows, { query: asLabour })).body.totals.amount).toBe(worked)
          expect(byTruck.totals.total_cost).toBe(total)
          expect(byTruck.cost_centers.reduce((all, c) => all + c.total_cost, 0)).toBe(total)
          for (const id of [center.id, null]) {
            const mine = lines.filter((l) => centerOf(l.truck, l.day) === id)
            const spent = mine.filter((l) => l.kind !== 'labour').reduce((all, l) => all + l.amount, 0)
            const orders = new Set(mine.map((l) => l.order)).size
            const figures = byTruck.cost_centers.find((c) => c.cost_center_id === id)
            expect(figures?.before_with_labour ?? 0).toBe(before((l) => centerOf(l.truck, l.day) === id))
            expect([figures?.total_cost ?? 0, figures?.orders ?? 0]).toEqual([spent, orders])
            if (WorkshopId || from !== '2025-12-15') continue
            const asked = { query: { filter: { ...query.filter, CostCenter: [id ?? 'none'] }, per_page: 500 } }
            const behind = (await house.call(owner, reportRows.expenseRows, asked)).body
            const ofOrders = (await house.call(owner, reportRows.orderRows, asked)).body
            expect([behind.totals.amount, ofOrders.totals.amount, ofOrders.total]).toEqual([spent, spent, orders])
          }
          expect(byCategory.totals.supplies_cost + byProvider.totals.services_cost).toBe(total)
          expect(historical.totals.total_cost).toBe(total)
          expect(historical.data.reduce((all, o) => all + o.total_cost, 0)).toBe(total)
          expect(rows.totals.amount).toBe(total)
          expect(rows.data.map((r) => `${r.day} ${r.amount}`).sort()).toEqual(
            lines
              .filter((l) => l.kind !== 'labour')
              .map((l) => `${l.day} ${l.amount}`)
              .sort(),
          )
          expect([bySupply.totals.amount, pairs.totals.amount]).toEqual([
            byCategory.totals.supplies_cost,
            byCategory.totals.supplies_cost,
          ])
          if (from === '2026-01-01') {
            const filter = { BetweenYear: '2026', WorkshopId }
            const byMonth = (await house.call(owner, reports.expensesByMonth, { query: { filter } })).body
            expect(byMonth.totals.total).toBe(total)
            const inMonth = (month: string, isLabour: boolean) =>
              sum((l) => l.day.startsWith(month) && (l.kind === 'labour') === isLabour)
            expect(byMonth.totals.amounts).toEqual(byMonth.months.map((month) => inMonth(month, false)))
            expect(byMonth.labour!.amounts).toEqual(byMonth.months.map((month) => inMonth(month, true)))
            expect(byMonth.totals_with_labour!.total).toBe(total + worked)
            const all = linesIn('2025-01-01', '2025-12-31')
            expect(byMonth.before_with_labour!.amounts).toEqual(
              times(12, (i) => `2025-${String(i + 1).padStart(2, '0')}`).map((month) =>
                all.filter((l) => l.day.startsWith(month)).reduce((sum, l) => sum + l.amount, 0),
              ),
            )
            expect(historical.months.map((m) => m.total_cost)).toEqual(byMonth.totals.amounts)
          }
        }
      // Not counted, it is as if there were none.
      await count(false)
      const query = { filter: { BetweenDate: '2025-01-01,2026-12-31' } }
      const { data, totals } = (await house.call(owner, reports.historicalExpenses, { query })).body
      expect([totals.labour, totals.total_with_labour, ...data.map((o) => o.labour)].every((one) => one === null)).toBe(
        true,
      )
      const off = (await house.call(owner, reports.expensesByTruck, { query })).body
      for (const row of [totals, off.totals, ...off.data, ...off.cost_centers])
        expect(row.before_with_labour).toBe(null)
      const months = (await house.call(owner, reports.expensesByMonth, { query: { filter: { BetweenYear: '2026' } } }))
        .body
      expect([months.labour, months.totals_with_labour, months.before_with_labour]).toEqual([null, null, null])
      expect(data.length).toBe(plan.filter((o) => o.supplies.length + o.services.length > 0).length)
    }),
    { numRuns: sized(3, 10) },
  )
})
