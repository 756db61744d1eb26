import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { showKm, showMoney, showPerKm, showShare } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { REPORT_COLUMNS, TRUCK_SUMS } from '#contract/reports/columns.ts'
import type { Period } from '#contract/reports/periods.ts'
import { type CostCenterExpenses, reports, type TruckExpenses } from '#contract/reports/reports.ts'
import { call } from '../platform/api.ts'
import { Plate } from '../ui/plate.tsx'
import { Used } from './budget-used.tsx'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { ALL_ROWS, LABOUR_TONE, labourColumns, labourStats } from './labour.ts'
import { type AskedRows, compared, equals, part, worked } from './opened.ts'
import { reportQuery } from './queries.ts'
import { type Open, ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { type ReportColumn, ReportTable, reported } from './report-table.tsx'
import styles from './reports.module.css'
import { onAxis, showCount } from './words.ts'

const CHARTED = 15
type Sums = Pick<
  TruckExpenses,
  | 'orders'
  | 'supplies_cost'
  | 'services_cost'
  | 'total_cost'
  | 'labour'
  | 'total_with_labour'
  | 'before_cost'
  | 'before_with_labour'
  | 'kilometers'
  | 'cost_per_km'
  | 'cost_per_km_with_labour'
>

export default function ByTruck() {
  const filters = useReportFilters('days')
  const query = { filter: filters.asked }
  const report = useQuery(reportQuery(reports.expensesByTruck, query))
  return (
    <ReportFrame
      name="expenses-by-truck"
      filters={filters}
      query={report}
      before={showBefore}
      isEmpty={({ data }) => data.length === 0}
      download={() => call(reports.downloadByTruck, { query })}
    >
      {(report, open) => <Figures report={report} asks={asking(filters.asked, report.before, open)} open={open} />}
    </ReportFrame>
  )
}

/** The ways from a figure to its rows. */
function asking(asked: object, before: Period, open: Open) {
  const earlier = { BetweenDate: `${before.from},${before.to}` }
  const rows = (of: AskedRows['of'], more: object): AskedRows => ({ of, filter: { ...asked, ...more } })
  const lines = (title: string, more: object) => open({ title, ...rows('expenses', more) })
  const perKm = (title: string, row: Sums, more: object) =>
    open(
      worked(title, [
        part(`${showMoney(row.total_cost)} de gasto`, rows('expenses', more)),
        ' ÷ ',
        part(showKm(row.kilometers), rows('kilometers', more)),
        equals(`${showPerKm(row.cost_per_km ?? 0)} por km`),
      ]),
    )
  const perKmWithLabour = (title: string, row: Sums, more: object) =>
    open(
      worked(title, [
        part(`${showMoney(row.total_with_labour)} con mano de obra`, rows('expenses', { ...more, ...ALL_ROWS })),
        ' ÷ ',
        part(showKm(row.kilometers), rows('kilometers', more)),
        equals(`${showPerKm(row.cost_per_km_with_labour ?? 0)} por km`),
      ]),
    )
  const driven = (title: string, more: object) => open({ title, ...rows('kilometers', more) })
  return { rows, lines, perKm, perKmWithLabour, driven, earlier }
}
type Asks = ReturnType<typeof asking>

/** Columns that trucks and cost centres share. */
function sumColumns<Row extends Sums>(
  { rows, lines, perKm, perKmWithLabour, driven, earlier }: Asks,
  open: Open,
  totals: Sums,
  titleOf: (row: Row) => string,
  of: (row: Row) => object,
): ReportColumn<Row, Sums>[] {
  return reported<Row, Sums, keyof typeof TRUCK_SUMS>(TRUCK_SUMS, {
    orders: {
      open: (r) =>
        r.orders > 0 ? () => open({ title: `Órdenes de ${titleOf(r)}`, ...rows('orders', of(r)) }) : undefined,
      openTotal: () => open({ title: 'Órdenes con gastos', ...rows('orders', {}) }),
    },
    supplies_cost: {
      open: (r) => () => lines(`Insumos de ${titleOf(r)}`, { ...of(r), Kind: ['supply'] }),
      openTotal: () => lines('Insumos', { Kind: ['supply'] }),
    },
    services_cost: {
      open: (r) => () => lines(`Servicios de ${titleOf(r)}`, { ...of(r), Kind: ['service'] }),
      openTotal: () => lines('Servicios', { Kind: ['service'] }),
    },
    total_cost: {
      open: (r) => () => lines(`Gastos de ${titleOf(r)}`, of(r)),
      openTotal: () => lines('Gastos', {}),
    },
    ...labourColumns<Row>(totals, lines, titleOf, of),
    before_cost: {
      open: (r) => () => lines(`Período comparado de ${titleOf(r)}`, { ...of(r), ...earlier }),
      openTotal: () => lines('Período comparado', earlier),
    },
    ...(totals.labour !== null && {
      before_with_labour: {
        open: (r: Row) => () =>
          lines(`Período comparado con mano de obra de ${titleOf(r)}`, { ...of(r), ...earlier, ...ALL_ROWS }),
        openTotal: () => lines('Período comparado con mano de obra', { ...earlier, ...ALL_ROWS }),
      },
    }),
    kilometers: {
      open: (r) => (r.kilometers > 0 ? () => driven(`Kilómetros de ${titleOf(r)}`, of(r)) : undefined),
      openTotal: () => driven('Kilómetros', {}),
    },
    cost_per_km: {
      open: (r) => () => perKm(`Costo por km de ${titleOf(r)}`, r, of(r)),
      openTotal: () => perKm('Costo por kilómetro', totals, {}),
    },
    ...(totals.labour !== null && {
      cost_per_km_with_labour: {
        open: (r: Row) => () => perKmWithLabour(`Costo por km con mano de obra de ${titleOf(r)}`, r, of(r)),
        openTotal: () => perKmWithLabour('Costo por kilómetro con mano de obra', totals, {}),
      },
    }),
  })
}

type Budgeted = Sums & { budget: number | null }
const usedOf = ({ total_cost, budget }: { total_cost: number; budget: number | null }) =>
  budget ? total_cost / budget : null

/** What each cost centre may cost, and how much of that it did. */
const budgetColumns: ReportColumn<CostCenterExpenses, Budgeted>[] = [
  {
    key: 'budget',
    label: 'Presupuesto',
    value: ({ budget }) => budget,
    show: showMoney,
    total: ({ budget }) => budget,
  },
  {
    key: 'used',
    label: 'Usado',
    value: usedOf,
    show: showShare,
    cell: (center) => center.budget !== null && <Used cost={center.total_cost} budget={center.budget} />,
    total: usedOf,
  },
]

interface FiguresProps {
  report: z.output<(typeof reports.expensesByTruck)['reply']>
  asks: Asks
  open: Open
}

/** Long: figures, chart and table open the same rows, and how is told once above them. */
function Figures({ report: { data, totals, cost_centers, moved: elsewhere }, asks, open }: FiguresProps) {
  const { rows, lines, perKm, perKmWithLabour, driven, earlier } = asks
  const moved = (title: string, now: number, before: number, more: object) =>
    open(
      compared(
        title,
        { now, before, show: showMoney },
        rows('expenses', more),
        rows('expenses', { ...more, ...earlier }),
      ),
    )
  const trucksOf = ({ cost_center_id }: CostCenterExpenses) =>
    [...data.filter(({ truck_id }) => !elsewhere.some((truck) => truck.truck_id === truck_id)), ...elsewhere]
      .filter((truck) => truck.cost_center_id === cost_center_id)
      .map(({ truck_id, truck_code, patent, total_cost, total_with_labour, orders, kilometers }) => ({
        truck_id,
        truck_code,
        patent,
        end: showMoney(total_cost),
        more: `${showCount(orders, 'orden', 'órdenes')}, ${showKm(kilometers)}${
          total_with_labour === null ? '' : `, ${showMoney(total_with_labour)} con mano de obra`
        }`,
      }))
  const whole = (truck: TruckExpenses) => truck.total_with_labour ?? truck.total_cost
  const top = data
    .filter((truck) => whole(truck) > 0)
    .sort((a, b) => whole(b) - whole(a))
    .slice(0, CHARTED)
  const series = [
    { name: 'Insumos', tone: 'info', kind: 'supply', values: top.map((t) => t.supplies_cost) },
    { name: 'Servicios', tone: 'orange', kind: 'service', values: top.map((t) => t.services_cost) },
    ...(totals.labour === null
      ? []
      : [{ name: 'Mano de obra', tone: LABOUR_TONE, kind: 'labour', values: top.map((t) => t.labour) } as const]),
  ] as const
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
            label: 'Insumos',
            value: showMoney(totals.supplies_cost),
            onOpen: () => lines('Insumos', { Kind: ['supply'] }),
          },
          {
            label: 'Servicios',
            value: showMoney(totals.services_cost),
            onOpen: () => lines('Servicios', { Kind: ['service'] }),
          },
          {
            label: 'Costo por kilómetro',
            value: totals.cost_per_km === null ? '—' : showMoney(totals.cost_per_km),
            onOpen: totals.cost_per_km === null ? undefined : () => perKm('Costo por kilómetro', totals, {}),
            hint: `${showKm(totals.kilometers)} recorridos`,
            onHint: () => driven('Kilómetros', {}),
          },
          ...labourStats(totals, lines, moved),
          ...(totals.cost_per_km_with_labour === null
            ? []
            : [
                {
                  label: 'Por km con mano de obra',
                  value: showMoney(totals.cost_per_km_with_labour),
                  onOpen: () => perKmWithLabour('Costo por kilómetro con mano de obra', totals, {}),
                },
              ]),
          ...(totals.budget === null
            ? []
            : [
                {
                  label: 'Presupuesto',
                  value: showMoney(totals.budget),
                  hint: totals.budget > 0 ? `${showShare(totals.total_cost / totals.budget)} usado` : 'Nada previsto',
                },
              ]),
        ]}
      />
      <ChartCard
        title={data.length > top.length ? `Los ${top.length} equipos con más gasto` : 'Gasto por equipo'}
        spec={{
          kind: 'bars',
          names: top.map(({ truck_code, patent }) => `${truck_code} · ${showPatent(patent)}`),
          series: series.map(({ kind: _, ...one }) => ({ ...one, stack: 'total' })),
          show: showMoney,
          axis: onAxis,
          onPick: (i, picked) => {
            const [truck, one] = [top[i], series[picked]]
            if (truck && one) lines(`${one.name} de ${truck.truck_code}`, { Truck: [truck.truck_id], Kind: [one.kind] })
          },
        }}
      />
      <section className={styles.part}>
        <h2>Por equipo</h2>
        <ReportTable<TruckExpenses, Sums>
          label="Gastos por equipo"
          rows={data}
          keyOf={(t) => t.truck_id}
          totals={totals}
          columns={[
            ...reported(REPORT_COLUMNS['expenses-by-truck'], {
              truck_code: {
                cell: (t) => (
                  <span className={styles.truck}>
                    <span className="mono">{t.truck_code}</span>
                    <Plate text={showPatent(t.patent)} />
                  </span>
                ),
              },
              ...(data.some((t) => t.truck_workshop) && { truck_workshop: {} }),
              cost_center: {},
            }),
            ...sumColumns<TruckExpenses>(
              asks,
              open,
              totals,
              (t) => t.truck_code,
              (t) => ({ Truck: [t.truck_id] }),
            ),
          ]}
        />
      </section>
      <section className={styles.part}>
        <h2>Por centro de costo</h2>
        <ReportTable<CostCenterExpenses, Budgeted>
          label="Gastos por centro de costo"
          rows={cost_centers}
          keyOf={(c) => c.cost_center_id ?? 'none'}
          totals={totals}
          columns={[
            {
              key: 'cost_center',
              label: 'Centro de costo',
              text: true,
              value: (c) => c.cost_center ?? 'Sin centro de costo',
            },
            {
              key: 'trucks',
              label: 'Equipos',
              value: (c) => c.trucks,
              open: (c) => () =>
                open({
                  title: `Equipos de ${c.cost_center ?? 'ningún centro de costo'}`,
                  of: 'trucks',
                  trucks: trucksOf(c),
                }),
            },
            ...sumColumns<CostCenterExpenses>(
              asks,
              open,
              totals,
              (c) => c.cost_center ?? 'equipos sin centro de costo',
              (c) => ({ CostCenter: [c.cost_center_id ?? 'none'] }),
            ),
            ...(totals.budget === null ? [] : budgetColumns),
          ]}
        />
      </section>
    </>
  )
}
