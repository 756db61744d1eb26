import { IconAlertTriangle } from '@tabler/icons-react'
import { type CSSProperties, memo, useMemo } from 'react'
import { CALENDAR_KINDS } from '#contract/work-orders/orders.ts'
import { showHours } from '../words.ts'
import { type CardActs, PlanCard } from './card.tsx'
import {
  type Column,
  clashMinutes,
  crossings,
  DAY,
  type Hours,
  keyOf,
  type Lane,
  type Lanes,
  occupies,
  overlap,
  type Place,
  type Placed,
  rowsOf,
  type Span,
  sayPlace,
  showSpan,
} from './model.ts'
import styles from './planner.module.css'

interface LaneRowProps {
  lane: Lane
  lanes: Lanes
  items: Placed[]
  columns: Column[]
  hours: Hours
  first: string
  zone: string
  now: number
  /** How many columns a card needs to be read. */
  least: number
  acts?: CardActs | undefined
  /** Where what is carried would go. */
  target?: Place | undefined
  held?: string | undefined
}

/** One box or one mechanic across the days: how full, what, and where it does not fit. */
export const LaneRow = memo(function LaneRow(props: LaneRowProps) {
  const { lane, lanes, items, columns, hours, first, zone, now, least, acts, target, held } = props
  // With their places, so that a card is drawn again only when it has changed.
  const rows = useMemo(
    () =>
      rowsOf(items, columns, least).map((one) => ({
        ...one,
        style: placeOf(one),
        wide: least > 1 || one.last > one.first,
        crossing: sayCrossing(clashMinutes(one.item, hours, zone, first)),
      })),
    [items, columns, least, hours, zone, first],
  )
  const busy = useMemo(() => items.filter(({ item }) => occupies(item, lanes)), [items, lanes])
  const crossed = useMemo(() => (lane.id === 0 ? [] : crossings(busy.filter(({ item }) => !item.done))), [busy, lane])
  const open = columns.flatMap((column) => (column.open ? [hours.on(column.day) ?? column] : []))
  const whole = columns.length > 0 && columns[0]!.day === columns.at(-1)!.day ? open.slice(0, 1) : open
  const room = whole.reduce((sum, { from, until }) => sum + until - from, 0)
  const taken = busy.reduce((sum, one) => sum + whole.reduce((some, day) => some + overlap(one, day), 0), 0)
  const full = room === 0 ? 0 : Math.round((taken / room) * 100)
  const clashing = items.filter(({ item }) => item.clashes.length > 0).length
  const slot = target && slotOf(target, rows, columns, least)
  const height = Math.max(0, ...rows.map(({ row }) => row + 1), slot ? slot.row + 1 : 0)
  return (
    <section
      className={styles.lane}
      aria-label={`${lane.name}${lane.id === 0 ? '' : `, ${full} % ocupado`}`}
      style={{ gridTemplateRows: `18px repeat(${height}, auto) minmax(8px, 1fr)` } as CSSProperties}
      data-target={target ? true : undefined}
    >
      <header className={styles.laneHead} style={{ gridRow: `1 / ${height + 3}` }}>
        <h3>{lane.name}</h3>
        {lane.about && <p>{lane.about}</p>}
        {lane.id !== 0 && (
          <p className={styles.full} data-over={full > 100 || undefined}>
            <span className={styles.bar}>
              <span style={{ width: `${Math.min(100, full)}%` }} />
            </span>
            {full} %
          </p>
        )}
        {clashing > 0 && (
          <p className={styles.crosses}>
            <IconAlertTriangle size={13} stroke={1.9} aria-hidden />
            {sayCrosses(clashing)}
          </p>
        )}
      </header>
      {columns.map((column, i) => (
        <Cell
          key={column.key}
          lane={lane}
          column={column}
          at={i}
          height={height}
          busy={busy}
          crossed={crossed}
          now={now}
        />
      ))}
      <ul className={styles.cards} aria-label={lane.name}>
        {rows.map((one) => (
          <PlanCard
            key={keyOf(one.item)}
            item={one.item}
            zone={zone}
            span={saySpan(one, now, first)}
            crossing={one.crossing}
            wide={one.wide}
            acts={acts}
            held={held === keyOf(one.item)}
            style={one.style}
          />
        ))}
      </ul>
      {slot && (
        <div className={styles.slot} style={placeOf(slot)}>
          <b>{sayPlace(target, first)}</b>
          <span>Soltar aquí</span>
        </div>
      )}
    </section>
  )
})

/** Each of two that cross counts one. */
export const sayCrosses = (clashing: number) => {
  const crosses = Math.ceil(clashing / 2)
  return crosses === 1 ? '1 cruce' : `${crosses} cruces`
}

/** What is still inside beyond its time says since when. */
const saySpan = (one: Placed, now: number, first: string) =>
  one.item.began && !one.item.done && one.until <= now + 1
    ? `desde ${showSpan({ from: one.from, until: one.from + DAY }, first).split(' – ')[0]}`
    : showSpan(one, first)

const sayCrossing = (minutes: number | undefined) =>
  minutes === undefined ? undefined : `Se cruzan ${showHours(minutes > 120 ? Math.round(minutes / 60) : minutes / 60)}`

const placeOf = ({ first, last, row }: { first: number; last: number; row: number }) => ({
  gridColumn: `${first + 2} / ${last + 3}`,
  gridRow: row + 2,
})

/** Below what is there: nothing moves away under the hand. */
function slotOf(target: Place, rows: ReturnType<typeof rowsOf>, columns: Column[], least: number) {
  const [slot] = rowsOf([{ ...target, item: { id: 0 } as never }], columns, least)
  if (!slot) return undefined
  const inTheWay = rows.filter(({ first, last }) => first <= slot.last && last >= slot.first)
  const free = (row: number) => !inTheWay.some((one) => one.row === row)
  let row = 0
  while (!free(row)) row++
  return { ...slot, row }
}

interface CellProps {
  lane: Lane
  column: Column
  /** Which of the columns it is, and how many rows of cards the lane has. */
  at: number
  height: number
  busy: Placed[]
  crossed: Span[]
  now: number
}

const Cell = memo(function Cell({ lane, column, at: place, height, busy, crossed, now }: CellProps) {
  const { scale, day, folded } = column
  const at = (span: Span): CSSProperties => {
    const length = scale.until - scale.from
    const from = Math.max(span.from, scale.from)
    return {
      left: `${((from - scale.from) / length) * 100}%`,
      width: `${(overlap(span, scale) / length) * 100}%`,
    }
  }
  const isNow = now >= scale.from && now < scale.until
  return (
    <div
      className={styles.cell}
      style={{ gridColumn: place + 2, gridRow: `1 / ${height + 3}` }}
      data-cell={lane.id}
      data-column={column.key}
      data-folded={folded || undefined}
      data-today={Math.floor(now / 1440) === day || undefined}
      aria-hidden
    >
      {!folded && (
        <div className={styles.rail}>
          {busy.map(
            (one) =>
              overlap(one, scale) > 0 && (
                <span
                  key={keyOf(one.item)}
                  style={{ ...at(one), backgroundColor: `var(--${CALENDAR_KINDS[one.item.kind].tone})` }}
                />
              ),
          )}
          {crossed.map(
            (span) =>
              overlap(span, scale) > 0 && <span key={`${span.from} ${span.until}`} style={at(span)} data-crossed />,
          )}
        </div>
      )}
      {isNow && !folded && <span className={styles.now} style={{ left: at({ from: now, until: now }).left }} />}
    </div>
  )
})
