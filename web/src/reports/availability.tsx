import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { showHours, showNumber, showShare } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { REPORT_COLUMNS } from '#contract/reports/columns.ts'
import type { Period } from '#contract/reports/periods.ts'
import { type Availability, reports } from '#contract/reports/reports.ts'
import { call } from '../platform/api.ts'
import { Plate } from '../ui/plate.tsx'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { type AskedRows, compared, equals, part, worked } from './opened.ts'
import { reportQuery } from './queries.ts'
import { type Open, ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { type ReportColumn, ReportTable, reported } from './report-table.tsx'
import styles from './reports.module.css'
import { showCount } from './words.ts'

const CHARTED = 15
type Sums = Omit<Availability, 'truck_id' | 'truck_code' | 'patent'>

export default function EquipmentAvailability() {
  const filters = useReportFilters('days')
  const query = { filter: filters.asked }
  const report = useQuery(reportQuery(reports.availability, query))
  return (
    <ReportFrame
      name="equipment-availability"
      filters={filters}
      query={report}
      before={showBefore}
      isEmpty={({ data }) => data.length === 0}
      download={() => call(reports.downloadAvailability, { query })}
    >
      {(report, open) => <Figures report={report} asks={asking(filters.asked, report.before, open)} open={open} />}
    </ReportFrame>
  )
}

/** The ways from a figure to its rows. */
function asking(asked: object, before: Period, open: Open) {
  const earlier = { BetweenDate: `${before.from},${before.to}` }
  const rows = (of: 'stops' | 'hours', more: object, shows?: 'count'): AskedRows => ({
    of,
    filter: { ...asked, ...more },
    shows,
  })
  const stays = (title: string, more: object) => open({ title, ...rows('stops', more) })
  const stops = (title: string, more: object) => open({ title, ...rows('stops', more, 'count') })
  const [planned, failed] = [{ Planned: ['true'] }, { Planned: ['false'] }]
  const one = (t: Availability) => ({ Truck: [t.truck_id] })
  const inShop = (hours: number, more: object) => part(`${showHours(hours)} detenido`, rows('stops', more))
  const ofPeriod = (hours: number, more: object) => part(`${showHours(hours)} del período`, rows('hours', more))
  const countOf = (count: number, more: object, which = '') =>
    part(`${showCount(count, 'detención', 'detenciones')}${which}`, rows('stops', more, 'count'))
  const available = (name: string, hours: number, stopped: number, more: object) => {
    const stay = inShop(stopped, more)
    const is = equals(showShare(1 - stopped / hours))
    open(worked(name, ['(', ofPeriod(hours, more), ' − ', stay, `) ÷ ${showHours(hours)}`, is], stay))
  }
  const mttr = (name: string, t: Sums, more: object) =>
    open(
      worked(name, [
        inShop(t.hours_unplanned, { ...more, ...failed }),
        ' ÷ ',
        countOf(t.unplanned_stops, { ...more, ...failed }, ' correctivas'),
        equals(`${showHours(t.mttr ?? 0)} por detención`),
      ]),
    )
  const mtbf = (name: string, t: Sums, more: object) => {
    const stopped = countOf(t.unplanned_stops, { ...more, ...failed }, ' correctivas')
    const working = ['(', ofPeriod(t.hours, more), ' − ', inShop(t.hours_stopped, more), ') ÷ ']
    open(worked(name, [...working, stopped, equals(showHours(t.mtbf ?? 0))], stopped))
  }
  /** What the stopped hours are made of. */
  const split = (name: string, t: Sums, more: object) => {
    const parts = `${showHours(t.hours_worked)} en trabajo + ${showHours(t.hours_parts)} esperando repuestos`
    open(worked(name, [inShop(t.hours_stopped, more), equals(`${parts} + ${showHours(t.hours_waiting)} en espera`)]))
  }
  return { rows, stays, stops, one, planned, failed, available, mttr, mtbf, split, earlier }
}
type Asks = ReturnType<typeof asking>

function columnsOf(asks: Asks, totals: Sums): ReportColumn<Availability, Sums>[] {
  const { stays, stops, one, planned, failed, available, mttr, mtbf, split, earlier } = asks
  const splitOf = {
    open: (t: Availability) =>
      t.hours_stopped > 0 ? () => split(`Horas detenido de ${t.truck_code}`, t, one(t)) : undefined,
    openTotal: () => split('Horas detenidos', totals, {}),
  }
  return reported(REPORT_COLUMNS['equipment-availability'], {
    truck_code: {
      cell: (t) => (
        <span className={styles.truck}>
          <span className="mono">{t.truck_code}</span>
          <Plate text={showPatent(t.patent)} />
        </span>
      ),
    },
    availability: {
      open: (t) => () => available(`Disponibilidad de ${t.truck_code}`, t.hours, t.hours_stopped, one(t)),
      openTotal: () => available('Disponibilidad', totals.hours, totals.hours_stopped, {}),
    },
    before: {
      open: (t) => () =>
        available(`Período comparado de ${t.truck_code}`, t.before_hours, t.before_stopped, {
          ...one(t),
          ...earlier,
        }),
      openTotal: () => available('Período comparado', totals.before_hours, totals.before_stopped, earlier),
    },
    hours_stopped: {
      open: (t) => (t.hours_stopped > 0 ? () => stays(`Detenido: ${t.truck_code}`, one(t)) : undefined),
      openTotal: () => stays('Detenidos', {}),
    },
    hours_planned: {
      open: (t) =>
        t.hours_planned > 0 ? () => stays(`Planificadas: ${t.truck_code}`, { ...one(t), ...planned }) : undefined,
      openTotal: () => stays('Planificadas', planned),
    },
    hours_unplanned: {
      open: (t) =>
        t.hours_unplanned > 0 ? () => stays(`Correctivas: ${t.truck_code}`, { ...one(t), ...failed }) : undefined,
      openTotal: () => stays('Correctivas', failed),
    },
    hours_worked: splitOf,
    hours_parts: splitOf,
    hours_waiting: splitOf,
    stops: {
      open: (t) => (t.stops > 0 ? () => stops(`Detenciones de ${t.truck_code}`, one(t)) : undefined),
      openTotal: () => stops('Detenciones', {}),
    },
    mttr: {
      open: (t) => () => mttr(`MTTR de ${t.truck_code}`, t, one(t)),
      openTotal: () => mttr('MTTR', totals, {}),
    },
    mtbf: {
      open: (t) => () => mtbf(`MTBF de ${t.truck_code}`, t, one(t)),
      openTotal: () => mtbf('MTBF', totals, {}),
    },
  })
}

interface FiguresProps {
  report: z.output<(typeof reports.availability)['reply']>
  asks: Asks
  open: Open
}

function Figures({ report: { data, totals }, asks, open }: FiguresProps) {
  const { rows, stays, stops, one, failed, available, mttr, mtbf, earlier } = asks
  const worst = data.filter(({ hours_stopped }) => hours_stopped > 0).slice(0, CHARTED)
  return (
    <>
      <Stats
        stats={[
          {
            label: 'Disponibilidad',
            value: totals.availability === null ? '—' : showShare(totals.availability),
            now: totals.availability,
            before: totals.before,
            good: true,
            points: true,
            onOpen:
              totals.availability === null
                ? undefined
                : () => available('Disponibilidad', totals.hours, totals.hours_stopped, {}),
            onCompare: () =>
              open(
                compared(
                  'Disponibilidad',
                  { now: totals.availability ?? 0, before: totals.before ?? 0, show: showShare, points: true },
                  rows('stops', {}),
                  rows('stops', earlier),
                ),
              ),
          },
          {
            label: 'Horas detenidos',
            value: showHours(totals.hours_stopped),
            hint: `${showHours(totals.hours_unplanned)} correctivas`,
            onOpen: () => stays('Horas detenidos', {}),
            onHint: () => stays('Horas correctivas', failed),
          },
          {
            label: 'Detenciones',
            value: showNumber(totals.stops),
            hint: `${showNumber(totals.unplanned_stops)} correctivas, ${showNumber(totals.planned_stops)} planificadas`,
            onOpen: () => stops('Detenciones', {}),
            onHint: () => stops('Detenciones correctivas', failed),
          },
          {
            label: 'MTTR',
            value: totals.mttr === null ? '—' : showHours(totals.mttr),
            onOpen: totals.mttr === null ? undefined : () => mttr('MTTR', totals, {}),
            hint: 'horas correctivas ÷ detenciones correctivas',
          },
          {
            label: 'MTBF',
            value: totals.mtbf === null ? '—' : showHours(totals.mtbf),
            onOpen: totals.mtbf === null ? undefined : () => mtbf('MTBF', totals, {}),
            hint: 'horas en operación ÷ detenciones correctivas',
          },
        ]}
      />
      <p className={styles.about}>
        Mientras estuvieron detenidos: {showHours(totals.hours_worked)} en trabajo, {showHours(totals.hours_parts)}{' '}
        esperando repuestos y {showHours(totals.hours_waiting)} en espera.
      </p>
      {worst.length > 0 && (
        <ChartCard
          title={data.length > worst.length ? `Los ${worst.length} equipos con más horas detenidos` : 'Horas detenidos'}
          spec={{
            kind: 'bars',
            names: worst.map(({ truck_code, patent }) => `${truck_code} · ${showPatent(patent)}`),
            series: [
              {
                name: 'Planificadas',
                tone: 'success',
                stack: 'hours',
                values: worst.map((t) => t.hours_planned),
              },
              {
                name: 'Correctivas',
                tone: 'orange',
                stack: 'hours',
                values: worst.map((t) => t.hours_unplanned),
              },
            ],
            show: showHours,
            axis: (value) => `${showNumber(value)} h`,
            onPick: (i) => {
              const truck = worst[i]
              if (truck) stays(`Horas detenido: ${truck.truck_code}`, one(truck))
            },
          }}
        />
      )}
      <ReportTable<Availability, Sums>
        label="Disponibilidad por equipo"
        rows={data}
        keyOf={(t) => t.truck_id}
        totals={totals}
        columns={columnsOf(asks, totals)}
      />
    </>
  )
}
