import { PointerActivationConstraints } from '@dnd-kit/dom'
import { DragDropProvider, DragOverlay, PointerSensor } from '@dnd-kit/react'
import { Button, Skeleton } from '@mantine/core'
import { useInterval, useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle, IconMoon } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { addDays, dayOf, localOf } from '#contract/base/dates.ts'
import { type BoardQuery, CALENDAR_KINDS } from '#contract/work-orders/orders.ts'
import type { PlannerItem, Planner as Week } from '#contract/work-orders/planner.ts'
import { WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { fullName } from '#contract/workshops/rosters.ts'
import { useWorkshop } from '../../platform/session.ts'
import { keep, recall } from '../../platform/storage.ts'
import { carrying } from '../../ui/carrying.ts'
import { EmptyState, ErrorState, useNoticeable } from '../../ui/faces.tsx'
import { stateIcon } from '../calendar/state-icons.ts'
import { boxesQuery, specialistsQuery } from '../choices.ts'
import { type CardActs, TrayFace } from './card.tsx'
import { type Journey, mayLie, useCarry } from './carry.ts'
import { LaneRow, sayCrosses } from './lane.tsx'
import { PlanMenu } from './menu.tsx'
import {
  type Column,
  columnsOf,
  DAY,
  dayNumber,
  type Hours,
  hoursOf,
  keyOf,
  type Lane,
  type Lanes,
  laneOf,
  mondayOf,
  occupies,
  overlap,
  type Placed,
  type Plan,
  placed,
  sayPlace,
  showHour,
  takesPeople,
  weekdayOf,
  wholeDayOf,
} from './model.ts'
import { changeTo, usePlanMoves, withMoved } from './moves.ts'
import styles from './planner.module.css'
import { plannerQuery } from './queries.ts'
import { type PlanView, Toolbar } from './toolbar.tsx'
import { Tray } from './tray.tsx'

interface PlannerProps {
  view: 'week' | 'day'
  day: string
  filter: BoardQuery['filter']
  kinds: readonly ('orders' | 'works')[]
  zone: string
  mayMove: boolean
  onDay: (day: string) => void
  onView: (view: PlanView) => void
  /** `from,to` in whole days. */
  onRange: (between: string) => void
}

const KEPT = 'list.planner.lanes'
const MINUTE = 60_000
const MOUSE_DISTANCE = 6
const isGrip = (event: PointerEvent) => event.target instanceof Element && event.target.closest('[data-grip]') !== null
/** A mouse drags the whole card; a finger scrolls with it, and drags by the grip. */
const sensors = [
  PointerSensor.configure({
    activationConstraints: (event) =>
      event.pointerType === 'touch' && !isGrip(event)
        ? undefined
        : [new PointerActivationConstraints.Distance({ value: MOUSE_DISTANCE })],
    preventActivation: (event) =>
      (event.pointerType === 'touch' && !isGrip(event)) ||
      (event.target instanceof Element && event.target.closest('[data-no-drag]') !== null),
  }),
]
const NONE = { box: 'Sin box', mechanic: 'Sin mecánico' }
const NOBODY: never[] = []

function useNow(zone: string) {
  const [now, setNow] = useState(() => localOf(new Date(), zone))
  useInterval(() => setNow(localOf(new Date(), zone)), MINUTE / 2, { autoInvoke: true })
  return now
}

/** Boxes or mechanics of the workshop, and one more for what has none. */
function useLanes(lanes: Lanes, items: readonly PlannerItem[]) {
  const workshop = useWorkshop()
  const boxes = useQuery({ ...boxesQuery(workshop.id), placeholderData: keepPreviousData })
  const people = useQuery({ ...specialistsQuery(workshop.id), placeholderData: keepPreviousData })
  const several = workshop.id === undefined && workshop.list.length > 1
  const answer = lanes === 'box' ? boxes : people
  const found = useMemo((): Lane[] | undefined => {
    if (!boxes.data || !people.data) return undefined
    const about = (own: string | null, place: string) => [own, several && place].filter(Boolean).join(' · ') || null
    const named =
      lanes === 'box'
        ? boxes.data.map((one) => ({ ...one, about: about(null, one.workshop_name) }))
        : people.data.map((one) => ({ ...one, name: fullName(one), about: about(one.position, one.workshop_name) }))
    const known = new Set(named.map(({ id }) => id))
    // Who, or what, is out of use has a lane for as long as something lies there.
    const gone = new Map(
      items.flatMap((item) => {
        const id = laneOf(item, lanes)
        const name = lanes === 'box' ? item.box_name : item.specialist
        return id === 0 || known.has(id) ? [] : [[id, { id, name: name ?? '', about: 'Fuera de uso', workshop_id: -1 }]]
      }),
    )
    const none = items.some((item) => laneOf(item, lanes) === 0)
    return [
      ...named.map(({ id, name, about, workshop_id }) => ({ id, name, about, workshop_id })),
      ...gone.values(),
      ...(none ? [{ id: 0, name: NONE[lanes], about: null, workshop_id: null }] : []),
    ]
  }, [boxes.data, people.data, lanes, several, items])
  return { found, mechanics: people.data?.length ?? 0, answer }
}

/** The week or the day of a workshop in lanes. Long: what is asked for, drawn and carried meet here. */
export default function Planner(props: PlannerProps) {
  const { view, day, filter, kinds, zone, mayMove, onDay, onView, onRange } = props
  const [lanes, setLanes] = useState<Lanes>(() => (recall(KEPT) === 'mechanic' ? 'mechanic' : 'box'))
  const [whole, setWhole] = useState(false)
  const [trayOpen, setTrayOpen] = useState(false)
  const aside = useMediaQuery('(min-width: 1101px)', undefined, { getInitialValueInEffect: false })
  // A finger needs a grip, and that its room.
  const touch = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false }) ?? false
  const first = view === 'week' ? mondayOf(day) : day
  const last = view === 'week' ? addDays(first, 6) : day
  const between = `${first},${last}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where the days change
  useEffect(() => onRange(between), [between])
  const local = useNow(zone)
  const now = (Date.parse(`${local}:00Z`) - Date.parse(`${first}T00:00:00Z`)) / MINUTE

  const answer = useQuery(plannerQuery(filter, between))
  const names = useRef((item: PlannerItem) => item.code)
  const { moved, move } = usePlanMoves((item) => names.current(item))
  const data = answer.data
  const week = useMemo(() => data && withMoved(data, moved), [data, moved])
  const isShown = (item: PlannerItem) => kinds.includes(item.kind === 'work' ? 'works' : 'orders')
  const shownKinds = kinds.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: kinds by their names
  const items = useMemo(
    () => (week ? placed(week.data.filter(isShown), zone, first, view === 'week' ? 7 : 1) : NOBODY),
    [week, zone, first, view, shownKinds],
  )
  const hours = useMemo(() => hoursOf(first, week?.opening ?? []), [first, week?.opening])
  const raw = useMemo(() => items.map(({ item }) => item), [items])
  const { found, mechanics, answer: rosters } = useLanes(lanes, raw)
  const byLane = useMemo(() => Map.groupBy(items, ({ item }) => laneOf(item, lanes)), [items, lanes])
  const columns = useMemo(() => columnsOf(view, hours, whole, items), [view, hours, whole, items])
  const waiting = useMemo(
    () => (week?.waiting ?? NOBODY).filter(({ kind }) => lanes === 'mechanic' || kind !== 'work'),
    [week, lanes],
  )
  const laneName = (item: PlannerItem) => found?.find(({ id }) => id === laneOf(item, lanes))?.name ?? NONE[lanes]
  names.current = (item) => {
    const [one] = placed([item], zone, first)
    return one ? `${laneName(item)}, ${sayPlace(one, first)}` : laneName(item)
  }

  const plan: Plan = {
    hours,
    view,
    lanes,
    now,
    busyIn: (lane, but) =>
      (byLane.get(lane) ?? []).filter(({ item }) => occupies(item, lanes) && keyOf(item) !== keyOf(but)),
  }
  const find = (item: PlannerItem) => items.find((one) => keyOf(one.item) === keyOf(item))
  const carry = useCarry({
    plan,
    lanes: found ?? NOBODY,
    columns,
    first,
    find,
    onMove: (item, to) => move(item, changeTo(item, to, lanes, zone, first)),
  })
  const { journey } = carry
  const [menu, setMenu] = useState<{ item: PlannerItem; button: HTMLElement }>()
  // Always the same, so that a card is drawn again only when it has changed.
  const latest = useRef<CardActs>({ onKey: () => {}, onMenu: () => {} })
  latest.current = { onKey: carry.onKey, onMenu: (item, button) => setMenu({ item, button }) }
  const acts = useRef<CardActs>({
    onKey: (item, event) => latest.current.onKey(item, event),
    onMenu: (item, button) => latest.current.onMenu(item, button),
  }).current
  const mine = mayMove ? acts : undefined

  const failed = [answer, rosters].find(({ isError, data: had }) => isError && !had)
  const tray = (
    <Tray
      items={waiting}
      zone={zone}
      acts={mine}
      held={journey && keyOf(journey.item)}
      isTarget={journey?.to === null}
    />
  )
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={carrying}
      onDragStart={({ operation }) => {
        const item = operation.source?.data.item as PlannerItem | undefined
        const { x, y } = operation.position.current
        if (item) carry.dragStart(item, { x, y })
      }}
      onDragEnd={({ canceled }) => carry.dragEnd(canceled)}
    >
      <p id="planner-keys" hidden>
        Flechas para mover de día y de carril, Enter para dejar, Escape para cancelar; P la pone en el primer hueco
        libre.
      </p>
      <div className="only-read-aloud" aria-live="assertive" role="status">
        {carry.said}
      </div>
      <Toolbar
        view={view}
        day={day}
        today={dayOf(new Date(), zone)}
        lanes={lanes}
        onDay={onDay}
        onView={onView}
        onLanes={(next) => {
          keep(KEPT, next)
          setLanes(next)
        }}
      >
        {!aside && (
          <Button variant="default" aria-expanded={trayOpen} onClick={() => setTrayOpen(!trayOpen)}>
            Sin programar {waiting.length}
          </Button>
        )}
      </Toolbar>
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !week || !found ? (
        <Waiting />
      ) : (
        <div className={styles.planner} data-journey={journey?.by}>
          <div className={styles.sheet}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
            <section className={styles.scroll} aria-label="Plan" tabIndex={0}>
              <div className={styles.grid} style={template(columns, view, touch)} data-view={view}>
                <Head
                  columns={columns}
                  first={first}
                  view={view}
                  now={now}
                  items={items}
                  hours={hours}
                  people={mechanics}
                  week={week}
                  whole={whole}
                  onWhole={() => setWhole(!whole)}
                />
                {found.map((lane) => (
                  <LaneRow
                    key={lane.id}
                    lane={lane}
                    lanes={lanes}
                    items={byLane.get(lane.id) ?? NOBODY}
                    columns={columns}
                    hours={hours}
                    first={first}
                    zone={zone}
                    now={now}
                    least={view === 'week' ? 1 : whole ? 4 : 2}
                    acts={mine}
                    target={journey?.to && journey.to.lane === lane.id ? journey.to : undefined}
                    held={journey && laneOf(journey.item, lanes) === lane.id ? keyOf(journey.item) : undefined}
                  />
                ))}
                {found.length === 0 && (
                  <EmptyState icon={IconMoon} title={lanes === 'box' ? 'Sin boxes' : 'Sin mecánicos'}>
                    {lanes === 'box'
                      ? 'Agréguelos en Configuración, Boxes.'
                      : 'Agréguelos en Configuración, Especialistas.'}
                  </EmptyState>
                )}
              </div>
            </section>
            <Foot clashing={raw.filter(({ clashes }) => clashes.length > 0).length} view={view} />
          </div>
          {(aside || trayOpen) && tray}
        </div>
      )}
      {menu && (
        <PlanMenu
          {...menu}
          lanes={lanes}
          first={first}
          others={(found ?? []).filter((lane) => mayLie(menu.item, lane, plan))}
          gap={carry.toGap(menu.item)}
          inLane={(lane) => {
            const own = find(menu.item)
            if (own) return { lane: lane.id, from: own.from, until: own.until }
            return carry.toGap(menu.item, lane) ?? { lane: lane.id, ...hours.stretch(now, DAY / 24) }
          }}
          onMove={(to) => carry.send(menu.item, to)}
          onClose={() => setMenu(undefined)}
        />
      )}
      <DragOverlay dropAnimation={null}>
        {(source) => (
          <TrayFace item={source.data.item as PlannerItem} zone={zone} carried={sayTarget(journey, plan, first)} />
        )}
      </DragOverlay>
    </DragDropProvider>
  )
}

function sayTarget(journey: Journey | undefined, plan: Plan, first: string) {
  const to = journey?.to
  if (!journey || to === undefined) return { to: 'Aquí no se puede dejar', crosses: false }
  if (to === null) return { to: 'Sin programar', crosses: false }
  const crosses =
    to.lane !== 0 &&
    occupies(journey.item, plan.lanes) &&
    plan.busyIn(to.lane, journey.item).some((other) => overlap(to, other) > 0)
  return { to: `${sayPlace(to, first)}${crosses ? ', se cruza' : ''}`, crosses }
}

/** What a column must have to be read, and its share of the rest; a short Saturday takes less than a whole day. */
const widthOf = ({ folded, scale }: Column, view: 'week' | 'day', touch: boolean) =>
  folded
    ? [32, 0]
    : view === 'day'
      ? [72, 1]
      : scale.until - scale.from < 400
        ? [touch ? 140 : 108, 0.7]
        : [touch ? 164 : 120, 1]

const LANE = 128
const template = (columns: readonly Column[], view: 'week' | 'day', touch: boolean) => {
  const widths = columns.map((column) => widthOf(column, view, touch))
  return {
    minWidth: widths.reduce((sum, [least = 0]) => sum + least, LANE),
    '--columns': `${LANE}px ${widths.map(([least, share]) => (share ? `minmax(${least}px, ${share}fr)` : `${least}px`)).join(' ')}`,
  } as React.CSSProperties
}

interface HeadProps {
  columns: Column[]
  first: string
  view: 'week' | 'day'
  now: number
  items: readonly Placed[]
  hours: Hours
  people: number
  week: Week
  whole: boolean
  onWhole: () => void
}

/** The days with what they hold of people's hours; in a day, its hours. */
function Head({ columns, first, view, now, items, hours, people, week, whole, onWhole }: HeadProps) {
  const working = items.filter(({ item }) => takesPeople(item))
  const loadOn = (day: number) => {
    const open = hours.on(day)
    if (!open) return undefined
    const most = week.hours_per_day * 60
    const taken = working.reduce((sum, one) => sum + Math.min(most, overlap(one, open)), 0)
    return { taken: Math.round(taken / 60), room: Math.round((people * Math.min(most, open.until - open.from)) / 60) }
  }
  const open = hours.on(0)
  const opening = open ? `${showHour(open.from)} a ${showHour(open.until)}` : 'cerrado'
  return (
    <div className={styles.head}>
      <div className={styles.corner}>
        <button type="button" className={styles.night} aria-pressed={!whole} onClick={onWhole}>
          <span>
            <IconMoon size={13} stroke={1.8} aria-hidden />
            {whole ? 'Noche a la vista' : 'Noche plegada'}
          </span>
          {whole ? '0:00 a 24:00' : opening}
        </button>
        {view === 'day' && <Load {...loadOn(0)} />}
      </div>
      {columns.map((column) => {
        const day = addDays(first, column.day)
        const isToday = Math.floor(now / DAY) === column.day
        if (view === 'day')
          return (
            <div
              key={column.key}
              className={styles.hour}
              data-today={(isToday && now >= column.from && now < column.until) || undefined}
            >
              {showHour(column.from)}
            </div>
          )
        if (column.folded)
          return (
            <div key={column.key} className={styles.closed} title={`${wholeDayOf(day)}, cerrado`}>
              {dayNumber(day)}
              <span className="only-read-aloud"> {wholeDayOf(day)}, cerrado</span>
            </div>
          )
        return (
          <div key={column.key} className={styles.day} data-today={isToday || undefined}>
            <span>
              <b>{dayNumber(day)}</b> {isToday ? <em title={wholeDayOf(day)}>Hoy</em> : weekdayOf(day)}
            </span>
            <Load {...loadOn(column.day)} />
            {isToday && now >= column.scale.from && now < column.scale.until && (
              <span
                className={styles.clock}
                style={{ left: `${((now - column.scale.from) / (column.scale.until - column.scale.from)) * 100}%` }}
              >
                {showHour(now)}
              </span>
            )}
          </div>
        )
      })}
    </div>
  )
}

function Load({ taken, room }: { taken?: number; room?: number }) {
  if (taken === undefined || room === undefined) return null
  const over = taken > room
  return (
    <>
      <span className={styles.load} data-over={over || undefined} title="Horas de mecánicos: ocupadas y disponibles">
        <span className="only-read-aloud">Horas ocupadas y disponibles: </span>
        {taken}/{room} h
      </span>
      <span className={styles.bar} data-over={over || undefined} aria-hidden>
        <span style={{ width: `${room === 0 ? 0 : Math.min(100, (taken / room) * 100)}%` }} />
      </span>
    </>
  )
}

function Foot({ clashing, view }: { clashing: number; view: 'week' | 'day' }) {
  return (
    <footer className={styles.foot}>
      <ul aria-label="Colores y estados">
        {Object.entries(CALENDAR_KINDS).map(([kind, { label, tone }]) => (
          <li key={kind}>
            <span className={styles.swatch} style={{ backgroundColor: `var(--${tone})` }} />
            {label}
          </li>
        ))}
        <li className={styles.rule} aria-hidden />
        {WORK_ORDER_STATUS_NAMES.map((status) => {
          const Icon = stateIcon(status)
          return (
            <li key={status}>
              <Icon size={14} stroke={1.9} aria-hidden />
              {WORK_ORDER_STATES[status].label}
            </li>
          )
        })}
      </ul>
      {clashing > 0 && (
        <p className={styles.crosses}>
          <IconAlertTriangle size={14} stroke={1.9} aria-hidden />
          {sayCrosses(clashing)} {view === 'week' ? 'esta semana' : 'este día'}
        </p>
      )}
    </footer>
  )
}

function Waiting() {
  return useNoticeable(true) ? <Skeleton className={styles.skeleton} /> : null
}
