import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { z } from 'zod'
import { showMoney } from '#contract/base/money.ts'
import type { Period } from '#contract/reports/periods.ts'
import { type ProviderExpenses, reports } from '#contract/reports/reports.ts'
import { call } from '../platform/api.ts'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { type AskedRows, compared } from './opened.ts'
import { reportQuery } from './queries.ts'
import { type Open, ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { ReportTable } from './report-table.tsx'
import { onAxis, showCount } from './words.ts'

const CHARTED = 15
const NOBODY = 'Sin proveedor'

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
      {(report, open) => <Figures report={report} asks={asking(filters.asked, report.before, open)} open={open} />}
    </ReportFrame>
  )
}

const ofProvider = (p: ProviderExpenses) => ({ Provider: [p.provider_id ?? 'none'] })
const nameOf = (p: ProviderExpenses) => p.provider ?? NOBODY

/** The ways from a figure to its rows. */
function asking(asked: object, before: Period, open: Open) {
  const earlier = { BetweenDate: `${before.from},${before.to}` }
  const served = (more: object, shows?: AskedRows['shows']): AskedRows => ({
    of: 'expenses',
    filter: { ...asked, Kind: ['service'], ...more },
    shows,
  })
  const bought = (more: object, shows?: AskedRows['shows']): AskedRows => ({
    of: 'entries',
    filter: { ...asked, ...more },
    shows,
  })
  const services = (title: string, more: object, shows?: AskedRows['shows']) => open({ title, ...served(more, shows) })
  const entries = (title: string, more: object, shows?: AskedRows['shows']) => open({ title, ...bought(more, shows) })
  return { served, bought, services, entries, earlier }
}

interface FiguresProps {
  report: z.output<(typeof reports.expensesByProvider)['reply']>
  asks: ReturnType<typeof asking>
  open: Open
}

function Figures({ report: { data, totals }, asks, open }: FiguresProps) {
  const { served, bought, services, entries, earlier } = asks
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
        columns={[
          {
            key: 'provider',
            label: 'Proveedor',
            text: true,
            value: nameOf,
            cell: (p) =>
              p.provider_id === null ? (
                NOBODY
              ) : (
                <Link to="/provider/$id" params={{ id: String(p.provider_id) }}>
                  {p.provider}
                </Link>
              ),
          },
          {
            key: 'services',
            label: 'Líneas',
            value: (p) => p.services,
            open: (p) =>
              p.services > 0 ? () => services(`Servicios de ${nameOf(p)}`, ofProvider(p), 'lines') : undefined,
            total: (t) => t.services,
            openTotal: () => services('Servicios', {}, 'lines'),
          },
          {
            key: 'services_cost',
            label: 'Servicios',
            value: (p) => p.services_cost,
            show: showMoney,
            open: (p) =>
              p.provider_id === null ? undefined : () => services(`Servicios de ${nameOf(p)}`, ofProvider(p)),
            total: (t) => t.services_cost,
            openTotal: () => services('Servicios', {}),
          },
          {
            key: 'before_cost',
            label: 'Período anterior',
            value: (p) => p.before_cost,
            show: showMoney,
            open: (p) =>
              p.provider_id === null
                ? undefined
                : () => services(`Período anterior de ${nameOf(p)}`, { ...ofProvider(p), ...earlier }),
            total: (t) => t.before_cost,
            openTotal: () => services('Período anterior', earlier),
          },
          {
            key: 'entries',
            label: 'Entradas',
            value: (p) => p.entries,
            open: (p) => (p.entries > 0 ? () => entries(`Compras a ${nameOf(p)}`, ofProvider(p), 'count') : undefined),
            total: (t) => t.entries,
            openTotal: () => entries('Entradas', {}, 'count'),
          },
          {
            key: 'purchases_net',
            label: 'Compras netas',
            value: (p) => p.purchases_net,
            show: showMoney,
            open: (p) => () => entries(`Compras netas a ${nameOf(p)}`, ofProvider(p), 'net'),
            total: (t) => t.purchases_net,
            openTotal: () => entries('Compras netas', {}, 'net'),
          },
          {
            key: 'purchases_total',
            label: 'Compras con IVA',
            value: (p) => p.purchases_total,
            show: showMoney,
            open: (p) => () => entries(`Compras a ${nameOf(p)}`, ofProvider(p)),
            total: (t) => t.purchases_total,
            openTotal: () => entries('Compras con IVA', {}),
          },
        ]}
      />
    </>
  )
}
