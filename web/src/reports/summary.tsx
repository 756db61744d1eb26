import { Skeleton } from '@mantine/core'
import {
  IconBox,
  IconCalendarStats,
  IconChartBar,
  IconChevronRight,
  IconClockHour4,
  IconHistory,
  IconStackPop,
  IconTags,
  IconTool,
  IconTruck,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { showMoney, showNumber, showShortMoney } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { REPORT_NAMES, REPORTS, type ReportName, type ReportSummary } from '#contract/reports/reports.ts'
import { isClosed, WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { useMe, useWorkshop, useZone } from '../platform/session.ts'
import { ErrorState, useArrived } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Plate } from '../ui/plate.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { showAge } from '../work-orders/words.ts'
import { Used } from './budget-used.tsx'
import { ChartCard } from './chart-card.tsx'
import { Comparable } from './comparable.tsx'
import { Figure } from './figure.tsx'
import { showPeriod } from './filters.ts'
import { ALL_ROWS, LABOUR_TONE } from './labour.ts'
import { type AskedRows, compared, type Opened } from './opened.ts'
import { summaryQuery } from './queries.ts'
import { Change, ReportNav } from './report-frame.tsx'
import styles from './reports.module.css'
import { onAxis, pathOfReport } from './words.ts'

const RowsDrawer = lazy(() => import('./rows-drawer.tsx'))

const ICONS: Record<ReportName, TablerIcon> = {
  'expenses-by-truck': IconTruck,
  'expenses-by-suppliers': IconChartBar,
  'historical-expenses': IconHistory,
  'expenses-by-category': IconTags,
  'expenses-by-month': IconCalendarStats,
  'equipment-availability': IconClockHour4,
  'cost-supplies-by-truck': IconBox,
  'hours-by-specialist': IconTool,
}

/** What an owner looks at each morning, and the way to every report. */
export default function Summary() {
  const workshop = useWorkshop()
  const summary = useQuery(summaryQuery(workshop.id))
  const { permissions } = useMe()
  return (
    <div className={styles.page}>
      <PageHeader title="Reportes" aside={summary.data && showPeriod(summary.data.range)} />
      <ReportNav />
      <MorningPart />
      <section className={styles.part}>
        <h2>Todos los reportes</h2>
        <div className={styles.cards}>
          {REPORT_NAMES.filter((name) => permissions.includes(REPORTS[name].may)).map((name) => {
            const Icon = ICONS[name]
            return (
              <Link key={name} to={pathOfReport(name)} className={styles.reportCard}>
                <Icon size={20} stroke={1.6} aria-hidden />
                <span>
                  <strong>{REPORTS[name].title}</strong>
                  <span>{REPORTS[name].about}</span>
                </span>
                <IconChevronRight size={16} stroke={1.7} aria-hidden />
              </Link>
            )
          })}
        </div>
      </section>
    </div>
  )
}

/** The figures of the morning and the chart of the month, each with what is behind it. */
export function MorningPart({ above = false }: { above?: boolean }) {
  const workshop = useWorkshop()
  const summary = useQuery(summaryQuery(workshop.id))
  const data = useArrived(summary.data)
  const [opened, setOpened] = useState<Opened>()
  return (
    <>
      {summary.isError && !summary.data ? (
        <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
      ) : data ? (
        // Figures of the workshop before stay until the next are there, but their rows would be those of the next.
        <Comparable since={data.before.from} workshops={ofWorkshop(workshop.id)}>
          <Morning
            above={above}
            summary={data}
            workshop={workshop.id}
            onOpen={summary.isPlaceholderData ? () => {} : setOpened}
          />
        </Comparable>
      ) : (
        <div className={styles.waiting} role="status" aria-busy="true" aria-label="Cargando">
          <Skeleton h={110} />
          <Skeleton h={300} />
        </div>
      )}
      <Suspense fallback={null}>
        {opened && <RowsDrawer opened={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </>
  )
}

type Expenses = NonNullable<ReportSummary['expenses']>

interface MorningProps {
  /** The tiles above already show how many trucks are stopped, so the count is not repeated here. */
  above?: boolean
  summary: ReportSummary
  workshop: number | undefined
  onOpen: (opened: Opened) => void
}

const running = (days: number[]) => {
  let sum = 0
  return days.map((amount) => (sum += amount))
}

const lineOf = (truck: ReportSummary['stopped'][number]) => ({
  truck_id: truck.truck_id,
  truck_code: truck.truck_code,
  patent: truck.patent,
  end: showAge(truck.since),
  order: { id: truck.work_order_id, code: truck.code },
  more: truck.request ?? undefined,
})

/** Each with what it opens: rows of this month or of the one before, and of which kinds. The day is the company's. */
export function seriesOf({ days, days_before, days_with_labour, days_before_with_labour }: Expenses, zone: string) {
  const today = Number(dayOf(new Date(), zone).slice(8))
  const soFar = (amounts: number[]) => running(amounts).map((sum, i) => (i < today ? sum : null))
  return [
    { name: 'Este mes', tone: 'brand-fill' as const, values: soFar(days), now: true, rows: {} },
    { name: 'Mes anterior', tone: 'text-2' as const, line: true, values: running(days_before), now: false, rows: {} },
    ...(days_with_labour && days_before_with_labour
      ? [
          {
            name: 'Este mes con mano de obra',
            tone: LABOUR_TONE,
            values: soFar(days_with_labour),
            now: true,
            rows: ALL_ROWS,
          } as const,
          {
            name: 'Mes anterior con mano de obra',
            tone: 'warning' as const,
            line: true,
            values: running(days_before_with_labour),
            now: false,
            rows: ALL_ROWS,
          },
        ]
      : []),
  ]
}

function Morning(props: MorningProps) {
  const { summary, workshop, onOpen } = props
  const { expenses, stopped, range, before } = summary
  const zone = useZone()
  const series = expenses ? seriesOf(expenses, zone) : []
  return (
    <>
      <Tiles {...props} />
      {expenses && (
        <div className={styles.halves}>
          <ChartCard
            title="Gasto acumulado del mes"
            spec={{
              kind: 'columns',
              names: expenses.days.map((_, i) => String(i + 1)),
              series: series.map(({ now: _, rows: __, ...one }) => one),
              show: showMoney,
              axis: onAxis,
              onPick: (i, picked) => {
                const { now, rows } = series[picked]!
                const { from } = now ? range : before
                const to = `${from.slice(0, 8)}${String(i + 1).padStart(2, '0')}`
                const { of, filter } = spent(workshop, from, to)
                onOpen({ title: `Gasto acumulado al ${showDay(to)}`, of, filter: { ...filter, ...rows } })
              },
            }}
          />
          <StoppedNow stopped={stopped} />
        </div>
      )}
      {summary.budget && <AgainstBudget {...summary.budget} {...props} />}
    </>
  )
}

const ofWorkshop = (workshop: number | undefined) => (workshop === undefined ? undefined : [workshop])
const spent = (workshop: number | undefined, from: string, to: string): AskedRows => ({
  of: 'expenses',
  filter: { WorkshopId: ofWorkshop(workshop), BetweenDate: `${from},${to}` },
})

interface WithLabourProps extends Pick<MorningProps, 'onOpen'> {
  expenses: Expenses
  month: AskedRows
  earlier: AskedRows
}

function WithLabour({ expenses: { total_with_labour: now, before_with_labour }, ...props }: WithLabourProps) {
  const { month, earlier, onOpen } = props
  if (now === null || before_with_labour === null) return null
  const withAll = (asked: AskedRows) => ({ ...asked, filter: { ...asked.filter, ...ALL_ROWS } })
  const title = 'Gasto de este mes con mano de obra'
  return (
    <span className={styles.tileMore}>
      <span>
        <Figure
          name="Con mano de obra"
          text={`${showMoney(now)} con mano de obra`}
          onOpen={() => onOpen({ title, ...withAll(month) })}
        />
      </span>
      <Change
        name={title}
        now={now}
        before={before_with_labour}
        onOpen={() =>
          onOpen(
            compared(title, { now, before: before_with_labour, show: showMoney }, withAll(month), withAll(earlier)),
          )
        }
      />
    </span>
  )
}

/** The figures of the morning, each with the list behind it. */
function Tiles({ above, summary, workshop, onOpen }: MorningProps) {
  const { expenses, trucks, stopped, overdue_alerts, below_minimum, orders, range, before } = summary
  const [month, earlier] = [spent(workshop, range.from, range.to), spent(workshop, before.from, before.to)]
  const thisMonth = { BetweenDate: `${range.from},${range.to}`, DateOf: 'finalized' }
  return (
    <div className={styles.tiles} data-above={above || undefined}>
      {expenses && (
        <Tile label="Gasto de este mes">
          <Figure
            name="Gasto de este mes"
            text={showMoney(expenses.total)}
            onOpen={() => onOpen({ title: 'Gasto de este mes', ...month })}
          />
          <span className={styles.tileMore}>
            <Change
              name="Gasto de este mes"
              now={expenses.total}
              before={expenses.before}
              onOpen={() =>
                onOpen(
                  compared(
                    'Gasto de este mes',
                    { now: expenses.total, before: expenses.before, show: showMoney },
                    month,
                    earlier,
                  ),
                )
              }
            />
            <span>
              <Figure
                name="Mes anterior"
                text={`${showShortMoney(expenses.before)} al ${showDay(before.to)}`}
                onOpen={() => onOpen({ title: `Gasto al ${showDay(before.to)}`, ...earlier })}
              />
            </span>
          </span>
          <WithLabour expenses={expenses} month={month} earlier={earlier} onOpen={onOpen} />
        </Tile>
      )}
      {trucks && !above && (
        <Tile label="Equipos detenidos ahora">
          <Figure
            name="Equipos detenidos ahora"
            text={showNumber(trucks.stopped)}
            onOpen={() => onOpen({ title: 'Equipos detenidos ahora', of: 'trucks', trucks: stopped.map(lineOf) })}
          />
          <span className={styles.tileMore}>
            <span>
              de{' '}
              <Link to="/truck" search={{ filter: { State: 'active' } }} className={styles.figure}>
                {showNumber(trucks.active)} equipos activos
              </Link>
            </span>
          </span>
        </Tile>
      )}
      {overdue_alerts !== null && (
        <Tile label="Alertas vencidas">
          <Link
            to="/maintenance-alerts"
            search={{ filter: { Attention: 'overdue' } }}
            className={styles.figure}
            aria-label={`Alertas vencidas: ${showNumber(overdue_alerts)}. Ver lista`}
          >
            {showNumber(overdue_alerts)}
          </Link>
          <span className={styles.tileMore}>
            {overdue_alerts === 0 ? 'Mantenciones al día' : 'mantenciones por hacer'}
          </span>
        </Tile>
      )}
      <Tile label="Insumos bajo el mínimo">
        <Figure
          name="Insumos bajo el mínimo"
          text={showNumber(below_minimum)}
          onOpen={() =>
            onOpen({ title: 'Insumos bajo el mínimo', of: 'low_stock', filter: { WorkshopId: ofWorkshop(workshop) } })
          }
        />
        <span className={styles.tileMore}>{below_minimum === 0 ? 'Nada por reponer' : 'por reponer en bodega'}</span>
      </Tile>
      {orders && (
        <Tile label="Órdenes de trabajo">
          <ul className={styles.states}>
            {WORK_ORDER_STATUS_NAMES.map((status) => (
              <li key={status}>
                <StatusPill tone={WORK_ORDER_STATES[status].tone}>{WORK_ORDER_STATES[status].label}</StatusPill>
                <Link
                  to="/historial-ordenes-de-trabajo"
                  search={{ filter: { Status: status, ...(isClosed({ status }) && thisMonth) } }}
                  className={styles.figure}
                  aria-label={`${WORK_ORDER_STATES[status].label}: ${showNumber(orders[status] ?? 0)}. Ver lista`}
                >
                  {showNumber(orders[status] ?? 0)}
                </Link>
              </li>
            ))}
          </ul>
          <span className={styles.tileMore}>Finalizadas: las de este mes</span>
        </Tile>
      )}
    </div>
  )
}

const BUDGETS_SHOWN = 8

/** What the month cost so far against what it may cost, those nearest to the end of it first. */
function AgainstBudget({
  budget,
  total_cost,
  cost_centers,
  summary: { range },
  workshop,
  onOpen,
}: NonNullable<ReportSummary['budget']> & MorningProps) {
  const open = (title: string, CostCenter: (number | 'none')[]) => {
    const { of, filter } = spent(workshop, range.from, range.to)
    onOpen({ title, of, filter: { ...filter, CostCenter } })
  }
  const rows = cost_centers.slice(0, BUDGETS_SHOWN)
  return (
    <section className={styles.card} aria-label="Costo contra presupuesto">
      <header className={styles.cardHeader}>
        <h2>Costo contra presupuesto</h2>
        <Link to="/reportes/expenses-by-truck" className={styles.budgetAll}>
          Ver por centro de costo
        </Link>
      </header>
      <ul className={styles.budgets}>
        <li data-total>
          <span>Este mes</span>
          <span>
            {showMoney(total_cost)} de {showMoney(budget)}
          </span>
          <Used cost={total_cost} budget={budget} />
        </li>
        {rows.map((center) => (
          <li key={center.cost_center_id ?? 'none'}>
            <span>{center.cost_center ?? 'Sin centro de costo'}</span>
            <span>
              <Figure
                name={center.cost_center ?? 'Sin centro de costo'}
                text={showMoney(center.total_cost)}
                onOpen={() =>
                  open(`Gasto de este mes de ${center.cost_center ?? 'ningún centro de costo'}`, [
                    center.cost_center_id ?? 'none',
                  ])
                }
              />{' '}
              de {showMoney(center.budget)}
            </span>
            <Used cost={center.total_cost} budget={center.budget} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function StoppedNow({ stopped }: Pick<ReportSummary, 'stopped'>) {
  return (
    <section className={styles.card} aria-label="Detenidos ahora">
      <header className={styles.cardHeader}>
        <h2>Detenidos ahora</h2>
      </header>
      {stopped.length === 0 ? (
        <p className={styles.nothing}>
          <IconStackPop size={18} stroke={1.6} aria-hidden /> Ningún equipo está en taller.
        </p>
      ) : (
        <ul className={styles.stopped}>
          {stopped.map((truck) => (
            <li key={truck.truck_id}>
              <Plate text={showPatent(truck.patent)} />
              <span className={styles.stoppedWhy}>
                <Link to="/ordenes-de-trabajo/$id" params={{ id: String(truck.work_order_id) }} className="mono">
                  {truck.code}
                </Link>{' '}
                {truck.request}
              </span>
              <strong title="Tiempo en taller">{showAge(truck.since)}</strong>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Tile({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <section className={styles.tile} aria-label={label}>
      <h2>{label}</h2>
      {children}
    </section>
  )
}
