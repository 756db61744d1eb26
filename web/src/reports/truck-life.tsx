import { Link } from '@tanstack/react-router'
import { dayOf, showDay, showMonth } from '#contract/base/dates.ts'
import { showKm, showMoney, showNumber, showPerKm } from '#contract/base/money.ts'
import type { Truck } from '#contract/fleet/fleet.ts'
import type { TruckSummary } from '#contract/reports/reports.ts'
import styles from './pages.module.css'

interface Pin {
  key: string
  at: number
  title: string
  about: string
  order?: number
}

/** Labels nearer than this share of the width stand one above the other; with a second amount they are longer. */
const LABEL = 0.3
const LONG_LABEL = 0.38

/** Puts each label in the first level where it covers no other; `label` is its width as a share of the timeline. */
export function levelled<Placed extends { at: number }>(pins: Placed[], label: number) {
  const ends: number[] = []
  return pins.map((pin) => {
    const begin = pin.at > 1 - label ? pin.at - label : pin.at
    let level = ends.findIndex((end) => end <= begin)
    if (level < 0) level = ends.length
    ends[level] = begin + label
    return { ...pin, level, leans: pin.at > 1 - label }
  })
}

/** Cost per kilometre of each year, and what it was that cost most: repair, or replace? */
export function Life({ said, truck, zone }: { said: TruckSummary; truck: Truck; zone: string }) {
  const { years, events, costs } = said
  const counts = costs !== null && costs.labour !== null
  const figure = (year: TruckSummary['years'][number]) => (costs ? (year.cost_per_km ?? 0) : year.kilometers)
  const most = Math.max(...years.map(figure), 1)
  const [from, to] = [Date.UTC(years[0]!.year, 0, 1), Date.UTC(years.at(-1)!.year + 1, 0, 1)]
  const share = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - from) / (to - from)))
  const pins = levelled<Pin>(
    [
      ...(Date.parse(truck.registered_at) >= from
        ? [
            {
              key: 'born',
              at: share(truck.registered_at),
              title: 'Alta en Maestranza',
              about: showMonth(dayOf(truck.registered_at, zone).slice(0, 7)),
            },
          ]
        : []),
      ...(events ?? [])
        .filter(({ amount }) => (amount ?? 0) > 0)
        .map(({ work_order_id, code, request, created_at, amount, labour }) => ({
          key: code,
          at: share(created_at),
          title: request ?? code,
          about: `${showDay(dayOf(created_at, zone))} · ${showMoney(amount)}${labour ? ` (${showMoney((amount ?? 0) + labour)})` : ''}`,
          order: work_order_id,
        })),
    ].sort((a, b) => a.at - b.at),
    counts ? LONG_LABEL : LABEL,
  )
  const levels = Math.max(0, ...pins.map(({ level }) => level + 1))
  return (
    <section className={styles.card} aria-label="Su vida">
      <header>
        <h2>Su vida</h2>
        <span className={styles.usual}>
          {costs
            ? `Costo por km de cada año${counts ? ' y, entre paréntesis, con mano de obra' : ''}; cada marca abre su orden`
            : 'Kilómetros de cada año'}
        </span>
        <Link to="." search={{ tab: 'ordenes' }} className={styles.end}>
          Ver sus órdenes
        </Link>
      </header>
      <div
        className={styles.life}
        style={
          {
            '--levels': levels,
            '--pin': counts ? '250px' : '190px',
            '--foot': counts ? '98px' : costs ? '66px' : '50px',
          } as React.CSSProperties
        }
      >
        <ol className={styles.pins} aria-label="Lo que más costó">
          {pins.map(({ key, at, title, about, order, level, leans }) => (
            <li
              key={key}
              style={{ '--at': at, '--level': level } as React.CSSProperties}
              data-order={order !== undefined || undefined}
            >
              <span className={styles.pin} data-leans={leans || undefined}>
                {order === undefined ? (
                  <b>{title}</b>
                ) : (
                  <Link to="/ordenes-de-trabajo/$id" params={{ id: String(order) }}>
                    {title}
                  </Link>
                )}
                <small>{about}</small>
              </span>
            </li>
          ))}
        </ol>
        <ol className={styles.years} aria-label={costs ? 'Costo por km de cada año' : 'Kilómetros de cada año'}>
          {years.map((year, i) => (
            <li key={year.year} data-now={i === years.length - 1 || undefined}>
              <span className={styles.column}>
                <span className={styles.perKm}>
                  {costs
                    ? year.cost_per_km === null
                      ? '—'
                      : showPerKm(year.cost_per_km)
                    : showNumber(year.kilometers)}
                </span>
                <span className={styles.rise} style={{ height: `${(figure(year) / most) * 100}%` }} />
              </span>
              <b>{i === years.length - 1 ? `${year.year}, hoy` : year.year}</b>
              <small>{year.mileage === null ? 'Sin lecturas' : showKm(year.mileage)}</small>
              {costs && <small>{showMoney(year.total_cost)}</small>}
              {counts && (
                <>
                  <small>({showMoney(year.total_with_labour)})</small>
                  <small>
                    {year.cost_per_km_with_labour === null
                      ? '—'
                      : `(${showPerKm(year.cost_per_km_with_labour)} por km)`}
                  </small>
                </>
              )}
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
