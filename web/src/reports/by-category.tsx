import { useQuery } from '@tanstack/react-query'
import { showMoney } from '#contract/money.ts'
import { type CategoryExpenses, reports } from '#contract/reports.ts'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { reportQuery } from './queries.ts'
import { ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { ReportTable } from './report-table.tsx'
import { onAxis } from './words.ts'

const nameOf = ({ category }: CategoryExpenses) => category ?? 'Sin categoría'

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
      isEmpty={({ data, totals }) => data.length === 0 && totals.total_cost === 0}
      download={() => call(reports.downloadByCategory, { query })}
    >
      {({ data, totals, before }, open) => {
        const earlier = { BetweenDate: `${before.from},${before.to}` }
        const lines = (title: string, figure: number, more: object) =>
          open({ title, figure: showMoney(figure), of: 'expenses', filter: { ...filters.asked, ...more } })
        const of = (c: CategoryExpenses) => ({ Category: [c.category_id ?? 'none'] })
        const supplies = { Kind: ['supply'] }
        return (
          <>
            <Stats
              stats={[
                {
                  label: 'Insumos',
                  value: showMoney(totals.supplies_cost),
                  now: totals.supplies_cost,
                  before: totals.supplies_before,
                  onOpen: () => lines('Insumos', totals.supplies_cost, supplies),
                },
                {
                  label: 'Servicios (sin categoría)',
                  value: showMoney(totals.services_cost),
                  now: totals.services_cost,
                  before: totals.services_before,
                  ...(seesServices && {
                    onOpen: () => lines('Servicios', totals.services_cost, { Kind: ['service'] }),
                  }),
                },
                {
                  label: 'Gasto total',
                  value: showMoney(totals.total_cost),
                  now: totals.total_cost,
                  before: totals.before_cost,
                },
              ]}
            />
            <ChartCard
              title="Insumos por categoría"
              spec={{
                kind: 'bars',
                names: data.map(nameOf),
                series: [
                  { name: 'Este período', tone: 'info', values: data.map((c) => c.amount) },
                  { name: 'Período anterior', tone: 'slate', values: data.map((c) => c.before) },
                ],
                show: showMoney,
                axis: onAxis,
                onPick: (i, series) => {
                  const category = data[i]
                  if (category)
                    lines(nameOf(category), series === 0 ? category.amount : category.before, {
                      ...of(category),
                      ...(series === 0 ? {} : earlier),
                    })
                },
              }}
            />
            <ReportTable<CategoryExpenses, typeof totals>
              label="Gastos por categoría"
              rows={data}
              keyOf={(c) => c.category_id ?? 'none'}
              totals={totals}
              columns={[
                { key: 'category', label: 'Categoría', text: true, value: nameOf },
                { key: 'lines', label: 'Líneas', value: (c) => c.lines, total: (t) => t.lines },
                {
                  key: 'amount',
                  label: 'Gasto',
                  value: (c) => c.amount,
                  show: showMoney,
                  open: (c) => () => lines(nameOf(c), c.amount, of(c)),
                  total: (t) => t.supplies_cost,
                  openTotal: () => lines('Insumos', totals.supplies_cost, supplies),
                },
                {
                  key: 'before',
                  label: 'Período anterior',
                  value: (c) => c.before,
                  show: showMoney,
                  open: (c) => () => lines(`${nameOf(c)}, período anterior`, c.before, { ...of(c), ...earlier }),
                  total: (t) => t.supplies_before,
                  openTotal: () => lines('Período anterior', totals.supplies_before, { ...supplies, ...earlier }),
                },
                {
                  key: 'share',
                  label: 'Parte',
                  value: (c) => (totals.supplies_cost > 0 ? c.amount / totals.supplies_cost : null),
                  show: (share) => `${(share * 100).toFixed(1).replace('.', ',')} %`,
                },
              ]}
            />
          </>
        )
      }}
    </ReportFrame>
  )
}
