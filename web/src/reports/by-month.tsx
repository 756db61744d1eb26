import { useQuery } from '@tanstack/react-query'
import { showMonth } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { LABOUR, monthColumns, NO_CATEGORY, SERVICES } from '#contract/reports/columns.ts'
import { monthsOf } from '#contract/reports/periods.ts'
import { type MonthsOfCategory, reports } from '#contract/reports/reports.ts'
import { call } from '../platform/api.ts'
import { ChartCard } from './chart-card.tsx'
import type { ChartColour } from './chart-spec.ts'
import { useReportFilters } from './filters.ts'
import { ALL_ROWS, LABOUR_ROWS, LABOUR_TONE, labourStats } from './labour.ts'
import { type AskedRows, compared, equals, part, worked } from './opened.ts'
import { reportQuery } from './queries.ts'
import { ReportFrame, Stats } from './report-frame.tsx'
import { ReportTable, reported, type ShownColumn } from './report-table.tsx'
import { onAxis, showCount } from './words.ts'

const nameOf = (row: MonthsOfCategory) => (row.kind === 'service' ? SERVICES : (row.category ?? NO_CATEGORY))
const TONES: ChartColour[] = ['info', 'success', 'warning', 'brand-text', 'danger']

const lastDay = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
const daysOf = (from: string, to = from) => ({ BetweenDate: `${from}-01,${lastDay(to)}` })

interface Sums {
  amounts: number[]
  total: number
}
interface MonthSums extends Sums {
  name: string
}

/** Long: figures, chart and table open the same rows, and how is told once above them. */
export default function ByMonth() {
  const filters = useReportFilters('years')
  const query = { filter: filters.asked }
  const report = useQuery(reportQuery(reports.expensesByMonth, query))
  const { BetweenYear: _, ...asked } = filters.asked
  return (
    <ReportFrame
      name="expenses-by-month"
      by="years"
      filters={filters}
      query={report}
      before={({ before }) => (before.from === before.to ? String(before.from) : `${before.from} a ${before.to}`)}
      isEmpty={({ data, before, totals_with_labour, before_with_labour }) =>
        data.length === 0 &&
        (before_with_labour ?? before).total === 0 &&
        (totals_with_labour === null || totals_with_labour.total === 0)
      }
      download={() => call(reports.downloadByMonth, { query })}
    >
      {({ data, months, totals, before, labour, totals_with_labour, before_with_labour }, open) => {
        const rows = (more: object): AskedRows => ({ of: 'expenses', filter: { ...asked, ...more } })
        const lines = (title: string, more: object) => open({ title, ...rows(more) })
        const of = (row: MonthsOfCategory) =>
          row.kind === 'service' ? { Kind: ['service'] } : { Category: [row.category_id ?? 'none'] }
        const whole = daysOf(months[0]!, months.at(-1))
        const tones = labour ? TONES.filter((tone) => tone !== LABOUR_TONE) : TONES
        const best = data.filter(({ kind }) => kind === 'supply').slice(0, tones.length)
        const rest = data.filter((row) => row.kind === 'supply' && !best.includes(row))
        const services = data.find(({ kind }) => kind === 'service')
        const series = [
          ...best.map((row, i) => ({ name: nameOf(row), tone: tones[i]!, stack: 'total', values: row.amounts })),
          ...(rest.length > 0
            ? [
                {
                  name: 'Otras categorías',
                  tone: 'control' as const,
                  stack: 'total',
                  values: months.map((_, i) => rest.reduce((sum, row) => sum + row.amounts[i]!, 0)),
                },
              ]
            : []),
          ...(services
            ? [{ name: 'Servicios', tone: 'orange' as const, stack: 'total', values: services.amounts }]
            : []),
          ...(labour
            ? [{ name: LABOUR, tone: LABOUR_TONE as ChartColour, stack: 'total', values: labour.amounts }]
            : []),
          {
            name: before_with_labour ? 'Años anteriores con mano de obra' : 'Años anteriores',
            tone: 'text-2' as const,
            line: true,
            values: (before_with_labour ?? before).amounts,
          },
        ]
        // What has passed is compared with the same months before.
        const passed = months.filter((month) => month <= filters.today.slice(0, 7)).length
        const sum = (amounts: number[]) => amounts.slice(0, passed).reduce((total, amount) => total + amount, 0)
        const [spent, spentBefore] = [sum(totals.amounts), sum(before.amounts)]
        const mean = passed > 0 ? Math.round(spent / passed) : 0
        const toNow = (of: string[], more: object = {}) => rows({ ...daysOf(of[0]!, of[passed - 1]), ...more })
        const moved = (title: string, now: number, then: number, more: object) =>
          passed > 0 &&
          open(
            compared(title, { now, before: then, show: showMoney }, toNow(months, more), toNow(monthsOf(before), more)),
          )
        return (
          <>
            <Stats
              stats={[
                {
                  label: 'Gasto total',
                  value: showMoney(totals.total),
                  now: spent,
                  before: spentBefore,
                  onOpen: () => lines('Gastos', whole),
                  onCompare: passed > 0 ? () => moved('Gasto total', spent, spentBefore, {}) : undefined,
                },
                {
                  label: 'Promedio por mes',
                  value: showMoney(mean),
                  onOpen:
                    passed > 0
                      ? () =>
                          open(
                            worked('Promedio por mes', [
                              part(`${showMoney(spent)} de gasto`, toNow(months)),
                              ` ÷ ${showCount(passed, 'mes', 'meses')}`,
                              equals(`${showMoney(mean)} por mes`),
                            ]),
                          )
                      : undefined,
                  hint:
                    totals_with_labour && passed > 0
                      ? `${showMoney(Math.round(sum(totals_with_labour.amounts) / passed))} con mano de obra`
                      : `de ${showCount(passed, 'mes', 'meses')}`,
                },
                {
                  label: 'Servicios',
                  value: showMoney(services?.total ?? 0),
                  onOpen: () => lines('Servicios', { ...whole, Kind: ['service'] }),
                },
                ...labourStats(
                  {
                    labour: labour && sum(labour.amounts),
                    total_with_labour: totals_with_labour && sum(totals_with_labour.amounts),
                    before_cost: spentBefore,
                    before_with_labour: before_with_labour && sum(before_with_labour.amounts),
                  },
                  (title, more) => lines(title, { ...whole, ...more }),
                  moved,
                ),
              ]}
            />
            <ChartCard
              title="Gasto por mes"
              spec={{
                kind: 'columns',
                names: months.map(showMonth),
                series,
                show: showMoney,
                axis: onAxis,
                onPick: (i) =>
                  lines(`Gastos de ${showMonth(months[i]!)}`, { ...daysOf(months[i]!), ...(labour && ALL_ROWS) }),
              }}
            />
            <ReportTable<MonthsOfCategory, Sums>
              label="Gastos por mes"
              rows={data}
              keyOf={(row) => `${row.kind} ${row.category_id}`}
              totals={totals}
              columns={reported(monthColumns(months), {
                category: {},
                ...Object.fromEntries(
                  months.map((month): [string, ShownColumn<MonthsOfCategory, Sums>] => [
                    month,
                    {
                      open: (row) => () =>
                        lines(`${nameOf(row)}, ${showMonth(month)}`, { ...of(row), ...daysOf(month) }),
                      openTotal: () => lines(`Gastos de ${showMonth(month)}`, daysOf(month)),
                    },
                  ]),
                ),
                total: {
                  open: (row) => () => lines(nameOf(row), { ...of(row), ...whole }),
                  openTotal: () => lines('Gastos', whole),
                },
              })}
            />
            {labour && totals_with_labour && (
              <ReportTable<MonthSums, Sums>
                label="Mano de obra por mes"
                rows={[{ ...labour, name: LABOUR }]}
                keyOf={(row) => row.name}
                totals={totals_with_labour}
                columns={[
                  { key: 'name', label: 'Con mano de obra', text: true, value: (row) => row.name },
                  ...months.map((month, i) => ({
                    key: month,
                    label: showMonth(month),
                    value: (row: MonthSums) => row.amounts[i] ?? 0,
                    show: showMoney,
                    open: () => () => lines(`Mano de obra, ${showMonth(month)}`, { ...daysOf(month), ...LABOUR_ROWS }),
                    total: (sums: Sums) => sums.amounts[i] ?? 0,
                    openTotal: () =>
                      lines(`Gastos con mano de obra de ${showMonth(month)}`, { ...daysOf(month), ...ALL_ROWS }),
                  })),
                  {
                    key: 'total',
                    label: 'Total',
                    value: (row) => row.total,
                    show: showMoney,
                    open: () => () => lines('Mano de obra', { ...whole, ...LABOUR_ROWS }),
                    total: (sums) => sums.total,
                    openTotal: () => lines('Gastos con mano de obra', { ...whole, ...ALL_ROWS }),
                  },
                ]}
              />
            )}
          </>
        )
      }}
    </ReportFrame>
  )
}
