import { useQuery } from '@tanstack/react-query'
import { showPatent } from '#contract/fleet.ts'
import { showNumber } from '#contract/money.ts'
import { type Availability, reports } from '#contract/reports.ts'
import { call } from '../platform/api.ts'
import { Plate } from '../ui/plate.tsx'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { reportQuery } from './queries.ts'
import { ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { type ReportColumn, ReportTable } from './report-table.tsx'
import styles from './reports.module.css'
import { showHours, showShare } from './words.ts'

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
      {({ data, totals }, open) => {
        const stays = (title: string, figure: string, more: object) =>
          open({ title, figure, of: 'stops', filter: { ...filters.asked, ...more } })
        const hours = (
          key: 'hours_stopped' | 'hours_planned' | 'hours_unplanned',
          label: string,
          more: object,
        ): ReportColumn<Availability, Sums> => ({
          key,
          label,
          value: (t) => t[key],
          show: showHours,
          open: (t) =>
            t[key] > 0
              ? () => stays(`${label}: ${t.truck_code}`, showHours(t[key]), { Truck: [t.truck_id], ...more })
              : undefined,
          total: (t) => t[key],
          openTotal: () => stays(label, showHours(totals[key]), more),
        })
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
                },
                {
                  label: 'Horas en taller',
                  value: showHours(totals.hours_stopped),
                  hint: `${showHours(totals.hours_unplanned)} no planificadas`,
                  onOpen: () => stays('Horas en taller', showHours(totals.hours_stopped), {}),
                },
                {
                  label: 'Detenciones',
                  value: showNumber(totals.stops),
                  hint: `${showNumber(totals.unplanned_stops)} no planificadas`,
                  onOpen: () => stays('Detenciones', showNumber(totals.stops), {}),
                },
                {
                  label: 'MTTR',
                  value: totals.mttr === null ? '—' : showHours(totals.mttr),
                  hint: 'horas por detención',
                },
                {
                  label: 'MTBF',
                  value: totals.mtbf === null ? '—' : showHours(totals.mtbf),
                  hint: 'horas entre no planificadas',
                },
              ]}
            />
            {worst.length > 0 && (
              <ChartCard
                title={
                  data.length > worst.length ? `Los ${worst.length} equipos con más horas en taller` : 'Horas en taller'
                }
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
                      name: 'No planificadas',
                      tone: 'orange',
                      stack: 'hours',
                      values: worst.map((t) => t.hours_unplanned),
                    },
                  ],
                  show: showHours,
                  axis: (value) => `${showNumber(value)} h`,
                  onPick: (i) => {
                    const truck = worst[i]
                    if (truck)
                      stays(`Horas en taller: ${truck.truck_code}`, showHours(truck.hours_stopped), {
                        Truck: [truck.truck_id],
                      })
                  },
                }}
              />
            )}
            <ReportTable<Availability, Sums>
              label="Disponibilidad por equipo"
              rows={data}
              keyOf={(t) => t.truck_id}
              totals={totals}
              columns={[
                {
                  key: 'truck_code',
                  label: 'Equipo',
                  text: true,
                  value: (t) => t.truck_code,
                  cell: (t) => (
                    <span className={styles.truck}>
                      <span className="mono">{t.truck_code}</span>
                      <Plate text={showPatent(t.patent)} />
                    </span>
                  ),
                },
                {
                  key: 'availability',
                  label: 'Disponibilidad',
                  value: (t) => t.availability,
                  show: showShare,
                  open: (t) =>
                    t.hours_stopped > 0
                      ? () =>
                          stays(`Horas en taller: ${t.truck_code}`, showHours(t.hours_stopped), { Truck: [t.truck_id] })
                      : undefined,
                  total: (t) => t.availability,
                },
                {
                  key: 'before',
                  label: 'Período anterior',
                  value: (t) => t.before,
                  show: showShare,
                  total: (t) => t.before,
                },
                hours('hours_stopped', 'En taller', {}),
                hours('hours_planned', 'Planificadas', { Planned: ['true'] }),
                hours('hours_unplanned', 'No planificadas', { Planned: ['false'] }),
                {
                  key: 'stops',
                  label: 'Detenciones',
                  value: (t) => t.stops,
                  open: (t) =>
                    t.stops > 0
                      ? () => stays(`Detenciones: ${t.truck_code}`, showNumber(t.stops), { Truck: [t.truck_id] })
                      : undefined,
                  total: (t) => t.stops,
                },
                { key: 'mttr', label: 'MTTR', value: (t) => t.mttr, show: showHours, total: (t) => t.mttr },
                { key: 'mtbf', label: 'MTBF', value: (t) => t.mtbf, show: showHours, total: (t) => t.mtbf },
              ]}
            />
          </>
        )
      }}
    </ReportFrame>
  )
}
