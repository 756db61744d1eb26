import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showMoney } from '#contract/base/money.ts'
import { NO_PROVIDER, REPORT_COLUMNS } from '#contract/reports/columns.ts'
import { type ProviderExpenses, reports } from '#contract/reports/reports.ts'
import { call } from '../platform/api.ts'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { type AskedRows, compared } from './opened.ts'
import { reportQuery } from './queries.ts'
import { ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { ReportTable, reported } from './report-table.tsx'
import { onAxis, showCount } from './words.ts'

const CHARTED = 15

/** Long: figures, chart and table open the same rows, and how is told once above them. */
export default function ByProvider() {
  const filters = useReportFilters('days')
  const query = { filter: filters.asked }
  const report = useQuery(reportQuery(reports.expensesByProvider, query))
  return (
    <ReportFrame
      name="expenses-by-suppliers"
      filters={filters}
      query={report}
      before={showBefore}
      isEmpty={({ data }) => data.length === 0}
      download={() => call(reports.downloadByProvider, { query })}
      more={{ label: 'Entradas', download: () => call(reports.downloadEntries, { query }) }}
    >
      {({ data, totals, before }, open) => {
        const earlier = { BetweenDate: `${before.from},${before.to}` }
        const served = (more: object, shows?: AskedRows['shows']): AskedRows => ({
          of: 'expenses',
          filter: { ...filters.asked, Kind: ['service'], ...more },
          shows,
        })
        const bought = (more: object, shows?: AskedRows['shows']): AskedRows => ({
          of: 'entries',
          filter: { ...filters.asked, ...more },
          shows,
        })
        const services = (title: string, more: object, shows?: AskedRows['shows']) =>
          open({ title, ...served(more, shows) })
        const entries = (title: string, more: object, shows?: AskedRows['shows']) =>
          open({ title, ...bought(more, shows) })
        const ofProvider = (p: ProviderExpenses) => ({ Provider: [p.provider_id ?? 'none'] })
        const nameOf = (p: ProviderExpenses) => p.provider ?? NO_PROVIDER
        const top = [...data]
          .sort((a, b) => b.services_cost + b.purchases_net - a.services_cost - a.purchases_net)
          .slice(0, CHARTED)
        return (
          <>
            <Stats
              stats={[
                {
                  label: 'Servicios en órdenes',
                  value: showMoney(totals.services_cost),
                  now: totals.services_cost,
                  before: totals.before_cost,
                  onOpen: () => services('Servicios', {}),
                  onCompare: () =>
                    open(
                      compared(
                        'Servicios en órdenes',
                        { now: totals.services_cost, before: totals.before_cost, show: showMoney },
                        served({}),
                        served(earlier),
                      ),
                    ),
                },
                {
                  label: 'Compras netas',
                  value: showMoney(totals.purchases_net),
                  now: totals.purchases_net,
                  before: totals.purchases_before,
                  onOpen: () => entries('Compras netas', {}, 'net'),
                  onCompare: () =>
                    open(
                      compared(
                        'Compras netas',
                        { now: totals.purchases_net, before: totals.purchases_before, show: showMoney },
                        bought({}, 'net'),
                        bought(earlier, 'net'),
                      ),
                    ),
                },
                {
                  label: 'Compras con IVA',
                  value: showMoney(totals.purchases_total),
                  onOpen: () => entries('Compras con IVA', {}),
                  hint: showCount(totals.entries, 'entrada', 'entradas'),
                  onHint: () => entries('Entradas', {}, 'count'),
                },
              ]}
            />
            <ChartCard
              title={data.length > top.length ? `Los ${top.length} proveedores principales` : 'Gasto por proveedor'}
              spec={{
                kind: 'bars',
                names: top.map(nameOf),
                series: [
                  { name: 'Servicios', tone: 'orange', values: top.map((p) => p.services_cost) },
                  { name: 'Compras netas', tone: 'info', values: top.map((p) => p.purchases_net) },
                ],
                show: showMoney,
                axis: onAxis,
                onPick: (i, series) => {
                  const provider = top[i]
                  if (!provider) return
                  if (series === 0) services(nameOf(provider), ofProvider(provider))
                  else entries(nameOf(provider), ofProvider(provider), 'net')
                },
              }}
            />
            <ReportTable<ProviderExpenses, typeof totals>
              label="Gastos por proveedor"
              rows={data}
              keyOf={(p) => p.provider_id ?? 'none'}
              totals={totals}
              columns={reported(REPORT_COLUMNS['expenses-by-suppliers'], {
                provider: {
                  cell: (p) =>
                    p.provider_id === null ? (
                      NO_PROVIDER
                    ) : (
                      <Link to="/provider/$id" params={{ id: String(p.provider_id) }}>
                        {p.provider}
                      </Link>
                    ),
                },
                services: {
                  open: (p) =>
                    p.services > 0 ? () => services(`Servicios de ${nameOf(p)}`, ofProvider(p), 'lines') : undefined,
                  openTotal: () => services('Servicios', {}, 'lines'),
                },
                services_cost: {
                  open: (p) =>
                    p.provider_id === null ? undefined : () => services(`Servicios de ${nameOf(p)}`, ofProvider(p)),
                  openTotal: () => services('Servicios', {}),
                },
                before_cost: {
                  open: (p) =>
                    p.provider_id === null
                      ? undefined
                      : () => services(`Período comparado de ${nameOf(p)}`, { ...ofProvider(p), ...earlier }),
                  openTotal: () => services('Período comparado', earlier),
                },
                entries: {
                  open: (p) =>
                    p.entries > 0 ? () => entries(`Compras a ${nameOf(p)}`, ofProvider(p), 'count') : undefined,
                  openTotal: () => entries('Entradas', {}, 'count'),
                },
                purchases_net: {
                  open: (p) => () => entries(`Compras netas a ${nameOf(p)}`, ofProvider(p), 'net'),
                  openTotal: () => entries('Compras netas', {}, 'net'),
                },
                purchases_total: {
                  open: (p) => () => entries(`Compras a ${nameOf(p)}`, ofProvider(p)),
                  openTotal: () => entries('Compras con IVA', {}),
                },
              })}
            />
          </>
        )
      }}
    </ReportFrame>
  )
}
