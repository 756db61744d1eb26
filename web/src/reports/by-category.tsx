import { useQuery } from '@tanstack/react-query'
import { showMoney, showShare } from '#contract/base/money.ts'
import { REPORT_COLUMNS } from '#contract/reports/columns.ts'
import { type CategoryExpenses, reports } from '#contract/reports/reports.ts'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { labourStats } from './labour.ts'
import { type AskedRows, compared, equals, part, worked } from './opened.ts'
import { reportQuery } from './queries.ts'
import { ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { ReportTable, reported } from './report-table.tsx'
import { onAxis } from './words.ts'

const nameOf = ({ category }: CategoryExpenses) => category ?? 'Sin categoría'

const COLUMNS = REPORT_COLUMNS['expenses-by-category']

/** Long: figures, chart and table open the same rows, and how is told once above them. */
export default function ByCategory() {
  const filters = useReportFilters('days')
  const seesServices = useMay('reports.read')
  const query = { filter: filters.asked }
  const report = useQuery(reportQuery(reports.expensesByCategory, query))
  return (
    <ReportFrame
      name="expenses-by-category"
      filters={filters}
      query={report}
      before={showBefore}
      isEmpty={({ data, totals }) => data.length === 0 && (totals.total_with_labour ?? totals.total_cost) === 0}
      download={() => call(reports.downloadByCategory, { query })}
    >
      {({ data, totals, before }, open) => {
        const earlier = { BetweenDate: `${before.from},${before.to}` }
        const rows = (more: object, shows?: AskedRows['shows']): AskedRows => ({
          of: 'expenses',
          filter: { ...filters.asked, ...more },
          shows,
        })
        const lines = (title: string, more: object, shows?: AskedRows['shows']) => open({ title, ...rows(more, shows) })
        const moved = (title: string, now: number, before: number, more: object) =>
          open(compared(title, { now, before, show: showMoney }, rows(more), rows({ ...more, ...earlier })))
        const of = (c: CategoryExpenses) => ({ Category: [c.category_id ?? 'none'] })
        const [supplies, services] = [{ Kind: ['supply'] }, { Kind: ['service'] }]
        const { supplies_cost, supplies_before, services_cost, services_before, total_cost, before_cost } = totals
        return (
          <>
            <Stats
              stats={[
                {
                  label: 'Insumos',
                  value: showMoney(supplies_cost),
                  now: supplies_cost,
                  before: supplies_before,
                  onOpen: () => lines('Insumos', supplies),
                  onCompare: () => moved('Insumos', supplies_cost, supplies_before, supplies),
                },
                // What may not be opened is not shown.
                ...(seesServices
                  ? [
                      {
                        label: 'Servicios (sin categoría)',
                        value: showMoney(services_cost),
                        now: services_cost,
                        before: services_before,
                        onOpen: () => lines('Servicios', services),
                        onCompare: () => moved('Servicios', services_cost, services_before, services),
                      },
                      {
                        label: 'Gasto total',
                        value: showMoney(total_cost),
                        now: total_cost,
                        before: before_cost,
                        onOpen: () => lines('Gastos', {}),
                        onCompare: () => moved('Gasto total', total_cost, before_cost, {}),
                      },
                    ]
                  : []),
                ...labourStats(totals, lines, moved),
              ]}
            />
            <ChartCard
              title="Insumos por categoría"
              spec={{
                kind: 'bars',
                names: data.map(nameOf),
                series: [
                  { name: 'Este período', tone: 'info', values: data.map((c) => c.amount) },
                  { name: 'Período comparado', tone: 'slate', values: data.map((c) => c.before) },
                ],
                show: showMoney,
                axis: onAxis,
                onPick: (i, series) => {
                  const category = data[i]
                  if (category) lines(nameOf(category), { ...of(category), ...(series === 0 ? {} : earlier) })
                },
              }}
            />
            <ReportTable<CategoryExpenses, typeof totals>
              label="Gastos por categoría"
              rows={data}
              keyOf={(c) => c.category_id ?? 'none'}
              totals={totals}
              columns={[
                ...reported<CategoryExpenses, typeof totals, keyof typeof COLUMNS>(COLUMNS, {
                  category: {},
                  lines: {
                    open: (c) => (c.lines > 0 ? () => lines(nameOf(c), of(c), 'lines') : undefined),
                    openTotal: () => lines('Insumos', supplies, 'lines'),
                  },
                  amount: {
                    total: (t) => t.supplies_cost,
                    open: (c) => () => lines(nameOf(c), of(c)),
                    openTotal: () => lines('Insumos', supplies),
                  },
                  before: {
                    total: (t) => t.supplies_before,
                    open: (c) => () => lines(`${nameOf(c)}, período comparado`, { ...of(c), ...earlier }),
                    openTotal: () => lines('Período comparado', { ...supplies, ...earlier }),
                  },
                }),
                {
                  key: 'share',
                  label: 'Parte',
                  value: (c) => (supplies_cost > 0 ? c.amount / supplies_cost : null),
                  show: showShare,
                  open: (c) => () =>
                    open(
                      worked(`Parte de ${nameOf(c)}`, [
                        part(`${showMoney(c.amount)} de ${nameOf(c)}`, rows(of(c))),
                        ' ÷ ',
                        part(`${showMoney(supplies_cost)} de insumos`, rows(supplies)),
                        equals(showShare(c.amount / supplies_cost)),
                      ]),
                    ),
                },
              ]}
            />
          </>
        )
      }}
    </ReportFrame>
  )
}
