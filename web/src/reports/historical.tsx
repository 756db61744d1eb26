import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { showDate, showMonth } from '#contract/base/dates.ts'
import { showMoney, showNumber } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { REPORT_COLUMNS } from '#contract/reports/columns.ts'
import { type HistoricalQuery, type OrderExpenses, reports } from '#contract/reports/reports.ts'
import { WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { Plate } from '../ui/plate.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { ALL_ROWS, LABOUR_TONE, labourColumns, labourStats } from './labour.ts'
import { MoreRows } from './more-rows.tsx'
import { type AskedRows, compared, equals, part, worked } from './opened.ts'
import { reportQuery } from './queries.ts'
import { ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { ReportTable, reported } from './report-table.tsx'
import styles from './reports.module.css'
import { onAxis, showCount } from './words.ts'

const PAGE = 50
const SORTED = ['code', 'patent', 'created_at', 'supplies_cost', 'services_cost', 'total_cost'] as const

const lastDay = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** Long: figures, chart and table open the same rows, and how is told once above them. */
export default function Historical() {
  const filters = useReportFilters('days')
  const zone = useZone()
  const [sort, setSort] = useState<HistoricalQuery['sort']>('-total_cost')
  const [per_page, setPerPage] = useState(PAGE)
  const query = { filter: filters.asked, sort, per_page }
  const report = useQuery(reportQuery(reports.historicalExpenses, query))
  const asked = { filter: filters.asked }
  return (
    <ReportFrame
      name="historical-expenses"
      filters={filters}
      query={report}
      before={showBefore}
      isEmpty={({ total }) => total === 0}
      download={() => call(reports.downloadSummaryMaintenance, { query: asked })}
      more={{
        label: 'Historial de OT',
        download: () =>
          call(reports.downloadHistory, {
            query: { filter: { ...filters.asked, BetweenDate: `${filters.range.from},${filters.range.to}` } },
          }),
      }}
    >
      {({ data, total, months, totals, range, before }, open) => {
        const rows = (of: AskedRows['of'], more: object): AskedRows => ({ of, filter: { ...filters.asked, ...more } })
        const lines = (title: string, more: object) => open({ title, ...rows('expenses', more) })
        const earlier = { BetweenDate: `${before.from},${before.to}` }
        const moved = (title: string, now: number, before: number, more: object) =>
          open(
            compared(
              title,
              { now, before, show: showMoney },
              rows('expenses', more),
              rows('expenses', { ...more, ...earlier }),
            ),
          )
        const mean = total > 0 ? Math.round(totals.total_cost / total) : 0
        const inRange = (month: string) => {
          const [from, to] = [`${month}-01`, lastDay(month)]
          return { BetweenDate: `${[from, range.from].sort().at(-1)},${[to, range.to].sort()[0]}` }
        }
        return (
          <>
            <Stats
              stats={[
                {
                  label: 'Gasto total',
                  value: showMoney(totals.total_cost),
                  now: totals.total_cost,
                  before: totals.before_cost,
                  onOpen: () => lines('Gastos', {}),
                  onCompare: () => moved('Gasto total', totals.total_cost, totals.before_cost, {}),
                },
                {
                  label: 'Período comparado',
                  value: showMoney(totals.before_cost),
                  onOpen: () => lines('Período comparado', earlier),
                },
                {
                  label: 'Órdenes con gastos',
                  value: showNumber(total),
                  onOpen: () => open({ title: 'Órdenes con gastos', ...rows('orders', {}) }),
                },
                {
                  label: 'Gasto por orden',
                  value: showMoney(mean),
                  onOpen: () =>
                    open(
                      worked('Gasto por orden', [
                        part(`${showMoney(totals.total_cost)} de gasto`, rows('expenses', {})),
                        ' ÷ ',
                        part(showCount(total, 'orden', 'órdenes'), rows('orders', {})),
                        equals(`${showMoney(mean)} por orden`),
                      ]),
                    ),
                  hint:
                    totals.total_with_labour === null || total === 0
                      ? 'promedio'
                      : `${showMoney(Math.round(totals.total_with_labour / total))} con mano de obra`,
                },
                ...labourStats(totals, lines, moved),
              ]}
            />
            <ChartCard
              title="Gasto por mes"
              spec={{
                kind: 'columns',
                names: months.map(({ month }) => showMonth(month)),
                series: [
                  { name: 'Insumos', tone: 'info', stack: 'total', values: months.map((m) => m.supplies_cost) },
                  { name: 'Servicios', tone: 'orange', stack: 'total', values: months.map((m) => m.services_cost) },
                  ...(totals.labour === null
                    ? []
                    : [
                        {
                          name: 'Mano de obra',
                          tone: LABOUR_TONE,
                          stack: 'total',
                          values: months.map((m) => m.labour),
                        } as const,
                      ]),
                ],
                show: showMoney,
                axis: onAxis,
                onPick: (i) => {
                  const month = months[i]
                  if (!month) return
                  const rows = totals.labour === null ? {} : ALL_ROWS
                  lines(`Gastos de ${showMonth(month.month)}`, { ...inRange(month.month), ...rows })
                },
              }}
            />
            <ReportTable<OrderExpenses, typeof totals>
              label="Gastos por orden de trabajo"
              rows={data}
              keyOf={(o) => o.work_order_id}
              totals={totals}
              sort={{
                by: sort,
                change: (by) => setSort(by as HistoricalQuery['sort']),
                keys: SORTED,
              }}
              more={
                <MoreRows
                  shown={data.length}
                  total={total}
                  busy={report.isPlaceholderData}
                  onMore={() => setPerPage(Math.min(500, per_page + 3 * PAGE))}
                />
              }
              columns={reported(REPORT_COLUMNS['historical-expenses'], {
                code: {
                  cell: (o) => (
                    <Link to="/ordenes-de-trabajo/$id" params={{ id: String(o.work_order_id) }} className="mono">
                      {o.code}
                    </Link>
                  ),
                },
                patent: {
                  cell: (o) => (
                    <span className={styles.truck}>
                      <span className="mono">{o.truck_code}</span>
                      <Plate text={showPatent(o.patent)} />
                    </span>
                  ),
                },
                ...(data.some((o) => o.truck_workshop) && { truck_workshop: {} }),
                type_maintenance: {},
                status: {
                  cell: (o) => (
                    <StatusPill tone={WORK_ORDER_STATES[o.status].tone}>{WORK_ORDER_STATES[o.status].label}</StatusPill>
                  ),
                },
                created_at: {
                  cell: (o) => showDate(o.created_at, zone),
                },
                supplies_cost: {
                  open: (o) => () => lines(`Insumos de ${o.code}`, { Order: [o.work_order_id], Kind: ['supply'] }),
                  openTotal: () => lines('Insumos', { Kind: ['supply'] }),
                },
                services_cost: {
                  open: (o) => () => lines(`Servicios de ${o.code}`, { Order: [o.work_order_id], Kind: ['service'] }),
                  openTotal: () => lines('Servicios', { Kind: ['service'] }),
                },
                total_cost: {
                  open: (o) => () => lines(`Gastos de ${o.code}`, { Order: [o.work_order_id] }),
                  openTotal: () => lines('Gastos', {}),
                },
                ...labourColumns<OrderExpenses>(
                  totals,
                  lines,
                  (o) => o.code,
                  (o) => ({ Order: [o.work_order_id] }),
                ),
              })}
            />
          </>
        )
      }}
    </ReportFrame>
  )
}
