import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { ALERT_STATES, type Alert, isExecuted } from '#contract/alerts/alerts.ts'
import { sayDistance, sayPlan } from '#contract/alerts/words.ts'
import { dayOf, showMonth } from '#contract/base/dates.ts'
import { showKm, showMoney, showNumber, showPerKm, showShare } from '#contract/base/money.ts'
import type { Truck } from '#contract/fleet/fleet.ts'
import { reports, type TruckSummary } from '#contract/reports/reports.ts'
import { WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import { planOf } from '../alerts/alert-summary.tsx'
import { alertsOfQuery } from '../alerts/queries.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { ErrorState, useNoticeable } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { openOfTruckQuery } from '../work-orders/queries.ts'
import { showDue } from '../work-orders/words.ts'
import { Comparable } from './comparable.tsx'
import { equals, type Opened, part, worked } from './opened.ts'
import { Moved, Tile, Waiting } from './page-parts.tsx'
import styles from './pages.module.css'
import { reportsKey } from './queries.ts'
import { Life } from './truck-life.tsx'
import { showCount } from './words.ts'

const RowsDrawer = lazy(() => import('./rows-drawer.tsx'))

const summaryOf = (id: number) => ({
  queryKey: [...reportsKey, 'truck', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(reports.truckSummary, { params: { id }, signal }),
})

/** What an owner asks of a truck: what it costs, whether that is much, whether it can be used, what comes next. */
export default function TruckSummaryTab({ truck }: { truck: Truck }) {
  const zone = useZone()
  const answer = useQuery(summaryOf(truck.id))
  const alerts = useAlerts(truck)
  const [opened, setOpened] = useState<Opened>()
  const waiting = useNoticeable(!answer.data)
  const sees = useMay('reports.read')
  const said = answer.data
  if (!said)
    return answer.isError ? (
      <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
    ) : waiting ? (
      <Waiting />
    ) : null
  const open = sees ? setOpened : undefined
  return (
    <div className={styles.summary}>
      <Tiles said={said} truck={truck} alerts={alerts} open={open} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <Months said={said} truck={truck} open={open} />
          <Life said={said} truck={truck} zone={zone} />
        </div>
        <div className={styles.side} data-first>
          <OpenOrders truck={truck} />
          <Alerts truck={truck} alerts={alerts} />
        </div>
      </div>
      <Suspense fallback={null}>
        {opened && <RowsDrawer opened={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </div>
  )
}

function useAlerts(truck: Truck) {
  const may = useMay('alerts.read')
  const of = useQuery({ ...alertsOfQuery(truck.id, null), enabled: may })
  return may ? (of.data?.own.filter((alert) => !isExecuted(alert)) ?? []) : undefined
}

type Open = ((opened: Opened) => void) | undefined

interface PartProps {
  said: TruckSummary
  truck: Truck
  open: Open
}

function Tiles({ said, truck, alerts, open }: PartProps & { alerts: Alert[] | undefined }) {
  const { costs, range, before, kin } = said
  const year = range.from.slice(0, 4)
  const filter = { BetweenDate: `${range.from},${range.to}`, Truck: [truck.id], Anywhere: 'true' }
  const rows = (of: 'expenses' | 'kilometers' | 'stops', title: string) => open && (() => open({ title, of, filter }))
  const days = said.availability.hours_stopped / 24
  return (
    <div className={styles.tiles}>
      {costs && (
        <Tile
          label={`Costo ${year}`}
          value={showMoney(costs.total_cost)}
          aside={
            <Comparable since={before.from} workshops={undefined}>
              <Moved
                now={costs.total_cost ?? 0}
                then={costs.before_cost}
                than={`${before.from.slice(0, 4)} a la fecha`}
                over="sobre"
                under="bajo"
              />
            </Comparable>
          }
          onOpen={rows('expenses', `Gastos de ${truck.code} en ${year}`)}
        >
          <Shares costs={costs} />
          {costs.total_with_labour !== null && (
            <Comparable since={before.from} workshops={undefined}>
              <WithLabour
                amount={showMoney(costs.total_with_labour)}
                now={costs.total_with_labour}
                then={costs.before_with_labour}
                than={`${before.from.slice(0, 4)} a la fecha`}
              />
            </Comparable>
          )}
        </Tile>
      )}
      {costs && <PerKm said={said} truck={truck} open={open} />}
      <Tile
        label={`Disponibilidad ${year}`}
        value={said.availability.availability === null ? '—' : showShare(said.availability.availability)}
        aside={kin?.availability != null && `su tipo ${showShare(kin.availability)}`}
        onOpen={
          said.availability.hours_stopped > 0 ? rows('stops', `Detenciones de ${truck.code} en ${year}`) : undefined
        }
      >
        <ol className={styles.stops} aria-label="Disponibilidad por mes">
          {said.months.map(({ month, availability }) => {
            const words = `${showMonth(month)}: ${availability === null ? 'aún no estaba' : showShare(availability)}`
            return (
              <li key={month} title={words} data-none={availability === null || undefined}>
                <span style={{ height: `${Math.min(100, (1 - (availability ?? 1)) * 100)}%` }} />
                <span className="only-read-aloud">{words}</span>
              </li>
            )
          })}
        </ol>
        <p>{days < 0.05 ? 'Sin detenciones' : `${showNumber(Math.round(days * 10) / 10)} días detenido este año`}</p>
      </Tile>
      <Meter
        said={said}
        truck={truck}
        alerts={alerts}
        onOpen={rows('kilometers', `Kilómetros de ${truck.code} en ${year}`)}
      />
    </div>
  )
}

interface WithLabourProps {
  amount: string
  now: number
  then: number | null | undefined
  than: string
}

/** The same figure with labour, and how that compares. */
const WithLabour = ({ amount, now, then, than }: WithLabourProps) => (
  <p>
    <span>Con mano de obra {amount}</span>
    <span>
      <Moved now={now} then={then ?? null} than={than} over="sobre" under="bajo" brief />
    </span>
  </p>
)

function Shares({ costs }: { costs: NonNullable<TruckSummary['costs']> }) {
  const parts = [
    { name: 'Insumos', amount: costs.supplies_cost ?? 0 },
    { name: 'Servicios', amount: costs.services_cost ?? 0 },
    ...(costs.labour === null ? [] : [{ name: 'Mano de obra', amount: costs.labour }]),
  ]
  const sum = parts.reduce((all, { amount }) => all + amount, 0)
  if (sum <= 0) return <p>Sin gastos este año</p>
  const share = (amount: number) => `${Math.round((amount / sum) * 100)} %`
  return (
    <>
      <span className={styles.shares} aria-hidden>
        {parts.map(({ name, amount }) => (
          <span key={name} style={{ flexGrow: Math.max(0, amount) }} />
        ))}
      </span>
      <p>
        {parts.map(({ name, amount }) => (
          <span key={name} title={showMoney(amount)}>
            {name} {share(amount)}
          </span>
        ))}
      </p>
    </>
  )
}

function PerKm({ said, truck, open }: PartProps) {
  const { costs, cost_per_km, cost_per_km_with_labour, kilometers, kin, range } = said
  if (!costs) return null
  const year = range.from.slice(0, 4)
  const filter = { BetweenDate: `${range.from},${range.to}`, Truck: [truck.id], Anywhere: 'true' }
  const most = Math.max(cost_per_km ?? 0, kin?.cost_per_km ?? 0) * 1.25
  const at = (figure: number | null | undefined) => `${most > 0 ? ((figure ?? 0) / most) * 100 : 0}%`
  const over = cost_per_km !== null && kin?.cost_per_km != null && cost_per_km > kin.cost_per_km
  return (
    <Tile
      label="Costo por km"
      value={cost_per_km === null ? '—' : showPerKm(cost_per_km)}
      aside={
        cost_per_km !== null &&
        kin &&
        kin.trucks.length > 1 && (
          <Moved now={cost_per_km} then={kin.cost_per_km} than="su tipo" over="sobre" under="bajo" />
        )
      }
      onOpen={
        open && cost_per_km !== null
          ? () =>
              open(
                worked(`Costo por km de ${truck.code} en ${year}`, [
                  part(`${showMoney(costs.total_cost)} de gasto`, { of: 'expenses', filter }),
                  ' ÷ ',
                  part(showKm(kilometers), { of: 'kilometers', filter }),
                  equals(`${showPerKm(cost_per_km)} por km`),
                ]),
              )
          : undefined
      }
    >
      <span className={styles.track} data-over={over || undefined} aria-hidden>
        <span style={{ width: at(cost_per_km) }} />
        {kin?.cost_per_km != null && <i style={{ left: at(kin.cost_per_km) }} />}
      </span>
      <p>
        <span>{showKm(kilometers)} este año</span>
        {kin?.cost_per_km != null && (
          <span>
            Su tipo {showPerKm(kin.cost_per_km)}, {showCount(kin.trucks.length, 'equipo', 'equipos')}
          </span>
        )}
      </p>
      {cost_per_km_with_labour !== null && (
        <WithLabour
          amount={showPerKm(cost_per_km_with_labour)}
          now={cost_per_km_with_labour}
          then={kin && kin.trucks.length > 1 ? kin.cost_per_km_with_labour : null}
          than="su tipo"
        />
      )}
    </Tile>
  )
}

interface MeterProps {
  said: TruckSummary
  truck: Truck
  alerts: Alert[] | undefined
  onOpen: (() => void) | undefined
}

/** What it shows, and how far the next service is. */
function Meter({ said, truck, alerts, onOpen }: MeterProps) {
  const next = (alerts ?? [])
    .flatMap(({ expirationSettings: { kilometers }, name }) => (kilometers === null ? [] : [{ kilometers, name }]))
    .sort((a, b) => a.kilometers - b.kilometers)[0]
  const left = next && next.kilometers - truck.mileage
  const STRETCH = 20_000
  return (
    <Tile
      label="Kilometraje"
      value={showKm(truck.mileage)}
      aside={`${showKm(said.kilometers)} este año`}
      onOpen={onOpen}
    >
      {next && left !== undefined ? (
        <>
          <span className={styles.track} data-over={left < 1000 || undefined} aria-hidden>
            <span style={{ width: `${Math.min(100, Math.max(2, (1 - left / STRETCH) * 100))}%` }} />
          </span>
          <p>
            <span>
              {next.name}, a los {showNumber(next.kilometers)}
            </span>
            <span data-tone={left < 0 ? 'danger' : left < 2000 ? 'warning' : undefined}>
              {left < 0 ? `Pasado en ${showKm(-left)}` : `En ${showKm(left)}`}
            </span>
          </p>
        </>
      ) : (
        <p>Sin mantenciones por kilometraje</p>
      )}
    </Tile>
  )
}

/** Bars that stand over their own columns: chart and table are one thing. */
function Months({ said, truck, open }: PartProps) {
  const { months, kin, costs } = said
  const usual = kin && kin.trucks.length > 1 ? kin.kilometers_per_month : 0
  const most = Math.max(...months.map(({ kilometers }) => kilometers), usual, 1)
  const current = months.at(-1)?.month
  const isMuch = (perKm: number | null) => perKm !== null && kin?.cost_per_km != null && perKm > kin.cost_per_km
  const last = (month: string) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
  return (
    <section className={styles.card} aria-label="Kilómetros por mes">
      <header>
        <h2>Kilómetros por mes</h2>
        {usual > 0 && (
          <span className={styles.usual}>
            <i aria-hidden /> Promedio de su tipo, {showKm(usual)}
          </span>
        )}
        <span className={styles.end}>
          {showMonth(months[0]!.month)} – {showMonth(current!)}
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className={styles.scroll} aria-label="Kilómetros y costo de cada mes" tabIndex={0}>
        <table className={styles.months}>
          <thead>
            <tr aria-hidden className={styles.bars}>
              <td />
              {months.map(({ month, kilometers }) => (
                <td key={month} data-now={month === current || undefined}>
                  <div>
                    <span style={{ height: `${(kilometers / most) * 100}%` }} />
                    {usual > 0 && <i style={{ bottom: `${(usual / most) * 100}%` }} />}
                  </div>
                </td>
              ))}
            </tr>
            <tr>
              <td />
              {months.map(({ month }) => (
                <th key={month} scope="col" data-now={month === current || undefined}>
                  {open ? (
                    <button
                      type="button"
                      aria-label={`Órdenes de ${showMonth(month)}`}
                      onClick={() =>
                        open({
                          title: `Órdenes de ${truck.code} en ${showMonth(month)}`,
                          of: 'orders',
                          filter: {
                            BetweenDate: `${month}-01,${month}-${last(month)}`,
                            Truck: [truck.id],
                            Anywhere: 'true',
                          },
                        })
                      }
                    >
                      {showMonth(month).slice(0, 3)}
                    </button>
                  ) : (
                    showMonth(month).slice(0, 3)
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">km</th>
              {months.map(({ month, kilometers }) => (
                <td key={month}>{showNumber(kilometers)}</td>
              ))}
            </tr>
            {costs && (
              <>
                <tr>
                  <th scope="row">Miles de $</th>
                  {months.map(({ month, total_cost }) => (
                    <td key={month} title={showMoney(total_cost)}>
                      {showNumber(Math.round((total_cost ?? 0) / 1000))}
                    </td>
                  ))}
                </tr>
                {costs.labour !== null && (
                  <tr>
                    <th scope="row">con mano de obra</th>
                    {months.map(({ month, total_with_labour }) => (
                      <td key={month} title={showMoney(total_with_labour)}>
                        {showNumber(Math.round((total_with_labour ?? 0) / 1000))}
                      </td>
                    ))}
                  </tr>
                )}
                <tr>
                  <th scope="row">$ por km</th>
                  {months.map(({ month, cost_per_km }) => (
                    <td key={month} data-much={isMuch(cost_per_km) || undefined}>
                      {cost_per_km === null ? '—' : showNumber(Math.round(cost_per_km))}
                      {isMuch(cost_per_km) && <span className="only-read-aloud">, sobre su tipo</span>}
                    </td>
                  ))}
                </tr>
                {costs.labour !== null && (
                  <tr>
                    <th scope="row">con mano de obra</th>
                    {months.map(({ month, cost_per_km_with_labour: perKm }) => (
                      <td key={month}>{perKm === null ? '—' : showNumber(Math.round(perKm))}</td>
                    ))}
                  </tr>
                )}
              </>
            )}
          </tbody>
        </table>
      </section>
    </section>
  )
}

function OpenOrders({ truck }: { truck: Truck }) {
  const zone = useZone()
  const may = useMay('work-orders.read')
  const answer = useQuery({ ...openOfTruckQuery(truck.id), enabled: may })
  if (!may || !answer.data) return null
  const { data, total } = answer.data
  return (
    <section className={styles.card} aria-label="Órdenes abiertas">
      <header>
        <h2>Órdenes abiertas</h2>
        <span className={styles.count}>{total}</span>
        {total > data.length && (
          <Link to="." search={{ tab: 'ordenes' }} className={styles.end}>
            Ver todas
          </Link>
        )}
      </header>
      {data.length === 0 && <p className={styles.nothing}>No tiene órdenes abiertas.</p>}
      <ul className={styles.rows}>
        {data.map((order) => {
          const due = showDue(order, zone)
          const { label, tone } = WORK_ORDER_STATES[order.status]
          return (
            <li key={order.id}>
              <div>
                <span className="mono">{order.code}</span>
                <StatusPill tone={tone}>{label}</StatusPill>
                {due && (
                  <span className={styles.end} data-tone={due.tone}>
                    {due.text}
                  </span>
                )}
              </div>
              <Link to="/ordenes-de-trabajo/$id" params={{ id: String(order.id) }}>
                {order.request ?? order.type_maintenance ?? 'Sin solicitud'}
              </Link>
              <div>
                <span>
                  {[order.box_name, order.responsible_specialist].filter(Boolean).join(' · ') || order.workshop_name}
                </span>
                {order.total_cost !== null && (
                  <span className={styles.end}>
                    {showMoney(order.total_cost)}
                    {order.total_with_labour !== null && ` (${showMoney(order.total_with_labour)} con mano de obra)`}
                  </span>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const LIGHTS = {
  danger: { icon: IconAlertOctagon, word: 'Vencida' },
  warning: { icon: IconAlertTriangle, word: 'Por vencer' },
  success: { icon: IconCircleCheck, word: 'Al día' },
} as const
const lightOf = ({ overdue, status }: Alert) => (overdue ? 'danger' : ALERT_STATES[status].due ? 'warning' : 'success')

function Alerts({ truck, alerts }: { truck: Truck; alerts: Alert[] | undefined }) {
  const today = dayOf(new Date(), useZone())
  if (!alerts) return null
  return (
    <section className={styles.card} data-first aria-label="Alertas y papeles">
      <header>
        <h2>Alertas y papeles</h2>
        <span className={styles.count}>{alerts.length}</span>
        <Link to="/truck/$id" params={{ id: String(truck.id) }} search={{ tab: 'alerts' }} className={styles.end}>
          Ver todas
        </Link>
      </header>
      {alerts.length === 0 && <p className={styles.nothing}>No tiene alertas ni documentos registrados.</p>}
      <ul className={styles.lights}>
        {alerts.slice(0, 8).map((alert) => {
          const light = lightOf(alert)
          const { icon: Icon, word } = LIGHTS[light]
          return (
            <li key={alert.id}>
              <Icon size={16} stroke={1.8} style={{ color: `var(--${light})` }} aria-hidden />
              <Link to="/maintenance-alerts" search={{ alert: alert.id }}>
                {alert.name}
              </Link>
              <span className={styles.plan}>{sayPlan(alert.expirationSettings)}</span>
              <b className={styles.far} data-tone={light}>
                <span className="only-read-aloud">{word}: </span>
                {sayDistance(planOf(alert), today)}
              </b>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
