import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showDay } from '#contract/base/dates.ts'
import { showNumber, showShare } from '#contract/base/money.ts'
import { REPORT_COLUMNS, type ReportColumn } from '#contract/reports/columns.ts'
import { type HoursQuery, reports, type SpecialistDay, type SpecialistHours } from '#contract/reports/reports.ts'
import { call } from '../platform/api.ts'
import { ChartCard } from './chart-card.tsx'
import { useReportFilters } from './filters.ts'
import { MoreRows } from './more-rows.tsx'
import { type AskedRows, compared, equals, part, worked } from './opened.ts'
import { reportQuery } from './queries.ts'
import { ReportFrame, Stats, showBefore } from './report-frame.tsx'
import { ReportTable, reported } from './report-table.tsx'
import styles from './reports.module.css'
import { showCount } from './words.ts'

const PAGE = 50
const COLUMNS = REPORT_COLUMNS['hours-by-specialist']
const CHARTED = 15
const CLOCKED = { Clocked: ['true'] }
type Worked = Pick<SpecialistDay, 'hours' | 'present_hours' | 'productivity'>
const showHours = (hours: number) => `${showNumber(Math.round(hours * 10) / 10)} h`

/** Long: figures, chart and tables open the same rows, and how is told once above them. */
export default function Hours() {
  const filters = useReportFilters('days')
  const [sort, setSort] = useState<HoursQuery['sort']>('-day')
  const [per_page, setPerPage] = useState(PAGE)
  const report = useQuery(reportQuery(reports.hoursBySpecialist, { filter: filters.asked, sort, per_page }))
  return (
    <ReportFrame
      name="hours-by-specialist"
      filters={filters}
      query={report}
      before={showBefore}
      isEmpty={({ total }) => total === 0}
      download={() => call(reports.downloadHours, { query: { filter: filters.asked } })}
    >
      {({ data, total, specialists, totals, before }, open) => {
        const top = specialists.slice(0, CHARTED)
        const rows = (more: object, shows?: 'count'): AskedRows => ({
          of: 'times',
          filter: { ...filters.asked, ...more },
          shows,
        })
        const earlier = { BetweenDate: `${before.from},${before.to}` }
        /** What the hours of a mechanic, of a day or of all lead to. */
        const ways = <Row extends Worked>(titleOf: (row: Row) => string, of: (row: Row) => object) => {
          const present = (row: Worked & { days?: number }, more: object, title: string) =>
            open(
              worked(`Horas presentes${title}`, [
                part(showCount(row.days ?? 1, 'día con horas', 'días con horas'), rows(more)),
                ` × ${showHours(row.present_hours / (row.days ?? 1))} de jornada`,
                equals(showHours(row.present_hours)),
              ]),
            )
          const share = (row: Worked, more: object, title: string) =>
            open(
              worked(`Aprovechamiento${title}`, [
                part(`${showHours(row.hours)} productivas`, rows(more)),
                ` ÷ ${showHours(row.present_hours)} presentes`,
                equals(showShare(row.productivity ?? 0)),
              ]),
            )
          const times = (title: string, more: object, shows?: 'count') => open({ title, ...rows(more, shows) })
          const said = (row: Row) => ` de ${titleOf(row)}`
          return {
            works: {
              open: (row: Row) => () => times(`Trabajos${said(row)}`, of(row), 'count'),
              openTotal: () => times('Trabajos', {}, 'count'),
            },
            hours: {
              open: (row: Row) => () => times(`Horas${said(row)}`, of(row)),
              openTotal: () => times('Horas productivas', {}),
            },
            clocked_hours: {
              open: (row: Row) => () => times(`Horas marcadas${said(row)}`, { ...of(row), ...CLOCKED }),
              openTotal: () => times('Horas marcadas', CLOCKED),
            },
            present_hours: {
              open: (row: Row) => () => present(row, of(row), said(row)),
              openTotal: () => present(totals, {}, ''),
            },
            productivity: {
              open: (row: Row) => () => share(row, of(row), said(row)),
              openTotal: () => share(totals, {}, ''),
            },
          }
        }
        const ofAll = ways<Worked>(
          () => '',
          () => ({}),
        )
        const ofOne = ways<SpecialistHours>(
          (s) => s.specialist,
          (s) => ({ Specialist: [s.specialist_id] }),
        )
        const ofDay = ways<SpecialistDay>(
          (row) => `${row.specialist} el ${showDay(row.day)}`,
          (row) => ({ Specialist: [row.specialist_id], BetweenDate: `${row.day},${row.day}` }),
        )
        return (
          <>
            <Stats
              stats={[
                {
                  label: 'Horas productivas',
                  value: showHours(totals.hours),
                  now: totals.hours,
                  before: totals.before_hours,
                  good: true,
                  onOpen: ofAll.hours.openTotal,
                  onCompare: () =>
                    open(
                      compared(
                        'Horas productivas',
                        { now: totals.hours, before: totals.before_hours, show: showHours },
                        rows({}),
                        rows(earlier),
                      ),
                    ),
                },
                {
                  label: 'De ellas, marcadas',
                  value: showHours(totals.clocked_hours),
                  onOpen: ofAll.clocked_hours.openTotal,
                },
                {
                  label: 'Horas presentes',
                  value: showHours(totals.present_hours),
                  onOpen: ofAll.present_hours.openTotal,
                  hint: showCount(totals.days, 'día trabajado', 'días trabajados'),
                },
                {
                  label: 'Aprovechamiento',
                  value: totals.productivity === null ? '—' : showShare(totals.productivity),
                  onOpen: ofAll.productivity.openTotal,
                  hint: 'productivas ÷ presentes',
                },
              ]}
            />
            <ChartCard
              title="Horas por mecánico"
              spec={{
                kind: 'bars',
                names: top.map(({ specialist }) => specialist),
                series: [
                  { name: 'Productivas', tone: 'info', values: top.map(({ hours }) => hours) },
                  { name: 'Presentes', tone: 'slate', values: top.map(({ present_hours }) => present_hours) },
                ],
                show: showHours,
                axis: showHours,
                onPick: (i) => {
                  const one = top[i]
                  if (one) ofOne.hours.open(one)()
                },
              }}
            />
            <section className={styles.part}>
              <h2>Por mecánico</h2>
              <ReportTable<SpecialistHours, typeof totals>
                label="Horas por mecánico"
                rows={specialists}
                keyOf={(s) => s.specialist_id}
                totals={totals}
                columns={[
                  { key: 'specialist', label: 'Mecánico', text: true, value: (s) => s.specialist },
                  {
                    key: 'days',
                    label: 'Días',
                    value: (s) => s.days,
                    open: ofOne.hours.open,
                    total: (t) => t.days,
                    openTotal: ofAll.hours.openTotal,
                  },
                  ...reported<SpecialistHours, typeof totals, keyof typeof ofOne>(
                    COLUMNS as unknown as Record<keyof typeof ofOne, ReportColumn<SpecialistHours>>,
                    ofOne,
                  ),
                ]}
              />
            </section>
            <section className={styles.part}>
              <h2>Día a día</h2>
              <ReportTable<SpecialistDay, typeof totals>
                label="Horas por mecánico y día"
                rows={data}
                keyOf={(row) => `${row.specialist_id} ${row.day}`}
                totals={totals}
                sort={{
                  by: sort,
                  change: (by) => setSort(by as HoursQuery['sort']),
                  keys: ['day', 'specialist', 'hours'],
                }}
                more={
                  <MoreRows
                    shown={data.length}
                    total={total}
                    busy={report.isPlaceholderData}
                    onMore={() => setPerPage(Math.min(500, per_page + 3 * PAGE))}
                  />
                }
                columns={reported(COLUMNS, {
                  day: { cell: (row) => showDay(row.day) },
                  specialist: {},
                  ...ofDay,
                })}
              />
            </section>
          </>
        )
      }}
    </ReportFrame>
  )
}
