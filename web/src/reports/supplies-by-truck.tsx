import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { showMoney, showNumber } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { REPORT_COLUMNS } from '#contract/reports/columns.ts'
import { reports, type SuppliesByTruckQuery, type SuppliesOfTruck } from '#contract/reports/reports.ts'
import { call } from '../platform/api.ts'
import { ErrorState } from '../ui/faces.tsx'
import { Plate } from '../ui/plate.tsx'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { MoreRows } from './more-rows.tsx'
import { type AskedRows, compared } from './opened.ts'
import { reportQuery } from './queries.ts'
import { ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { ReportTable, reported } from './report-table.tsx'
import styles from './reports.module.css'
import { onAxis } from './words.ts'

const CHARTED = 15
const PAGE = 50
const SORTED = ['truck_code', 'code', 'name', 'count', 'amount'] as const

/** Long: figures, chart and table open the same rows, and how is told once above them. */
export default function SuppliesByTruck() {
  const filters = useReportFilters('days')
  const [sort, setSort] = useState<SuppliesByTruckQuery['sort']>('-amount')
  const [per_page, setPerPage] = useState(PAGE)
  const query = { filter: filters.asked }
  const chart = useQuery(reportQuery(reports.chartSuppliesByTruck, query))
  // Taken out here: what is first read inside the frame, which draws later, would not draw it again when it comes.
  const {
    data: list,
    isPlaceholderData: isStale,
    error,
    refetch,
  } = useQuery(reportQuery(reports.listSuppliesByTruck, { ...query, sort, per_page }))
  return (
    <ReportFrame
      name="cost-supplies-by-truck"
      filters={filters}
      query={chart}
      stale={isStale}
      before={showBefore}
      isEmpty={({ data }) => data.length === 0}
      download={() => call(reports.downloadSuppliesByTruck, { query })}
    >
      {({ data, totals, before }, open) => {
        const used = (more: object, shows?: AskedRows['shows']): AskedRows => ({
          of: 'expenses',
          filter: { ...filters.asked, Kind: ['supply'], ...more },
          shows,
        })
        const lines = (title: string, more: object, shows?: AskedRows['shows']) => open({ title, ...used(more, shows) })
        const earlier = { BetweenDate: `${before.from},${before.to}` }
        const users = data.filter(({ amount }) => amount > 0)
        const top = users.slice(0, CHARTED)
        const rows = list?.data ?? []
        return (
          <>
            <Stats
              stats={[
                {
                  label: 'Costo de insumos',
                  value: showMoney(totals.amount),
                  now: totals.amount,
                  before: totals.before,
                  onOpen: () => lines('Insumos', {}),
                  onCompare: () =>
                    open(
                      compared(
                        'Costo de insumos',
                        { now: totals.amount, before: totals.before, show: showMoney },
                        used({}),
                        used(earlier),
                      ),
                    ),
                },
                {
                  label: 'Período comparado',
                  value: showMoney(totals.before),
                  onOpen: () => lines('Período comparado', earlier),
                },
                {
                  label: 'Equipos',
                  value: showNumber(users.length),
                  onOpen: () =>
                    open({
                      title: 'Equipos con insumos',
                      of: 'trucks',
                      trucks: users.map(({ truck_id, truck_code, patent, amount }) => ({
                        truck_id,
                        truck_code,
                        patent,
                        end: showMoney(amount),
                      })),
                    }),
                },
              ]}
            />
            <ChartCard
              title={
                data.length > top.length ? `Los ${top.length} equipos con más insumos` : 'Costo de insumos por equipo'
              }
              spec={{
                kind: 'bars',
                names: top.map(({ truck_code, patent }) => `${truck_code} · ${showPatent(patent)}`),
                series: [
                  { name: 'Este período', tone: 'info', values: top.map((t) => t.amount) },
                  { name: 'Período comparado', tone: 'slate', values: top.map((t) => t.before) },
                ],
                show: showMoney,
                axis: onAxis,
                onPick: (i, series) => {
                  const truck = top[i]
                  if (!truck) return
                  lines(`Insumos de ${truck.truck_code}`, {
                    Truck: [truck.truck_id],
                    ...(series === 0 ? {} : earlier),
                  })
                },
              }}
            />
            {list ? (
              <ReportTable<SuppliesOfTruck, { count: number; amount: number }>
                label="Insumos por equipo"
                rows={rows}
                keyOf={(s) => `${s.truck_id} ${s.supply_id}`}
                totals={totals}
                sort={{ by: sort, change: (by) => setSort(by as SuppliesByTruckQuery['sort']), keys: SORTED }}
                more={
                  <MoreRows
                    shown={rows.length}
                    total={list.total}
                    busy={isStale}
                    onMore={() => setPerPage(Math.min(500, per_page + 3 * PAGE))}
                  />
                }
                columns={reported(REPORT_COLUMNS['cost-supplies-by-truck'], {
                  truck_code: {
                    cell: (s) => (
                      <span className={styles.truck}>
                        <span className="mono">{s.truck_code}</span>
                        <Plate text={showPatent(s.patent)} />
                      </span>
                    ),
                  },
                  ...(rows.some((s) => s.truck_workshop) && { truck_workshop: {} }),
                  code: {
                    cell: (s) => (
                      <Link to="/insumo/$id" params={{ id: String(s.supply_id) }} className="mono">
                        {s.code}
                      </Link>
                    ),
                  },
                  name: {},
                  category: {},
                  unit: {},
                  count: {
                    open: (s) => () =>
                      lines(`${s.name} en ${s.truck_code}`, { Truck: [s.truck_id], Supply: [s.supply_id] }, 'quantity'),
                  },
                  amount: {
                    open: (s) => () =>
                      lines(`${s.name} en ${s.truck_code}`, { Truck: [s.truck_id], Supply: [s.supply_id] }),
                    openTotal: () => lines('Insumos', {}),
                  },
                })}
              />
            ) : error ? (
              <ErrorState error={error} onRetry={() => void refetch()} />
            ) : (
              <Skeleton h={360} />
            )}
          </>
        )
      }}
    </ReportFrame>
  )
}
