import { Checkbox, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { dayOf } from '#contract/base/dates.ts'
import {
  type BoardQuery,
  CALENDAR_KINDS,
  type CalendarEvent,
  type Reschedule,
  workOrders,
} from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { call } from '../../platform/api.ts'
import { useMay, useWorkshop, useZone } from '../../platform/session.ts'
import { keep, recall } from '../../platform/storage.ts'
import { ErrorState } from '../../ui/faces.tsx'
import { lazy } from '../../ui/lazy.ts'
import { say } from '../../ui/snackbar.tsx'
import { useBoardFilters } from '../board/filters.ts'
import board from '../board/screen.module.css'
import { OrdersHeader } from '../orders-header.tsx'
import { calendarQuery, workOrdersKey } from '../queries.ts'
import styles from './calendar.module.css'
import { stateIcon } from './state-icons.ts'
import { type CalendarView, NARROW_VIEWS, WIDE_VIEWS } from './views.ts'

// A calendar weighs as much as the rest of the screen.
const Calendar = lazy(() => import('./calendar.tsx'))
const Planner = lazy(() => import('../planner/planner.tsx'))

const KINDS = { orders: 'Ordenes de Trabajo', works: 'Trabajos' } as const
type Kind = keyof typeof KINDS
const KEPT = 'list.calendar.kinds'
const KEPT_VIEW = 'list.calendar.view'
/** Weeks and days are planned in lanes, where there is room for them. */
const PLANNED = { dayGridMonth: undefined, timeGridWeek: 'week', timeGridDay: 'day', listWeek: undefined } as const
const VIEWS = { month: 'dayGridMonth', week: 'timeGridWeek', day: 'timeGridDay' } as const

const rememberedKinds = (): Kind[] => {
  const kept = recall(KEPT)?.split(',') ?? ['orders', 'works']
  return (Object.keys(KINDS) as Kind[]).filter((kind) => kept.includes(kind))
}

export default function CalendarScreen() {
  const zone = useZone()
  const workshop = useWorkshop()
  const mayWrite = useMay('work-orders.write')
  const { filter, asked, setFilter } = useBoardFilters()
  const [kinds, setKinds] = useState<Kind[]>(rememberedKinds)
  const [between, setBetween] = useState<string>()
  const narrow = useMediaQuery('(max-width: 700px)', undefined, { getInitialValueInEffect: false }) ?? false
  const views = narrow ? NARROW_VIEWS : WIDE_VIEWS
  const [chosen, setChosen] = useState(() => recall(KEPT_VIEW))
  const view = views.find((one) => one === chosen) ?? views[0]
  const planned = narrow ? undefined : PLANNED[view]
  const [day, setDay] = useState(() => dayOf(new Date(), zone))
  const show = (next: CalendarView) => {
    keep(KEPT_VIEW, next)
    setChosen(next)
  }
  const toggle = (kind: Kind, on: boolean) => {
    const next = on ? [...kinds, kind] : kinds.filter((other) => other !== kind)
    keep(KEPT, next.join(','))
    setKinds(next)
  }
  const count = async (next: BoardQuery['filter'], signal: AbortSignal) =>
    (
      await call(workOrders.calendarOrders, {
        query: {
          filter: {
            WorkshopId: workshop.id === undefined ? undefined : [workshop.id],
            ...next,
            BetweenDate: between ?? '',
          },
        },
        signal,
      })
    ).total

  return (
    <section className={board.screen} aria-label="Calendario de órdenes de trabajo">
      <OrdersHeader view="calendar" filter={filter} onFilter={setFilter} count={count} countKey={between}>
        <fieldset className={styles.kinds}>
          <legend className="only-read-aloud">Qué se muestra</legend>
          {(Object.keys(KINDS) as Kind[]).map((kind) => (
            <Checkbox
              key={kind}
              size="sm"
              label={KINDS[kind]}
              checked={kinds.includes(kind)}
              onChange={(event) => toggle(kind, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
        {!planned && <Legend />}
      </OrdersHeader>
      <Suspense fallback={<Skeleton className={styles.waiting} />}>
        {planned ? (
          <Planner
            view={planned}
            day={day}
            filter={asked}
            kinds={kinds}
            zone={zone}
            mayMove={mayWrite}
            onDay={setDay}
            onView={(next) => show(VIEWS[next])}
            onRange={setBetween}
          />
        ) : (
          <Days
            key={String(narrow)}
            filter={asked}
            kinds={kinds}
            between={between}
            zone={zone}
            mayMove={mayWrite}
            day={day}
            view={view}
            narrow={narrow}
            onShown={(next, one, days) => {
              show(next)
              setDay(one)
              setBetween(days)
            }}
          />
        )}
      </Suspense>
    </section>
  )
}

type Shown = Pick<React.ComponentProps<typeof Calendar>, 'zone' | 'mayMove' | 'day' | 'view' | 'narrow' | 'onShown'>
interface DaysProps extends Shown {
  filter: BoardQuery['filter']
  kinds: Kind[]
  between: string | undefined
}

/** A month, or the agenda of a phone. */
function Days({ filter, kinds, between, ...shown }: DaysProps) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const ask = (kind: Kind) => ({
    ...calendarQuery(kind, filter, between ?? ''),
    enabled: between !== undefined && kinds.includes(kind),
  })
  const orders = useQuery(ask('orders'))
  const works = useQuery(ask('works'))
  const events = [
    ...(kinds.includes('orders') ? (orders.data ?? []) : []),
    ...(kinds.includes('works') ? (works.data ?? []) : []),
  ]
  const failed = [orders, works].find(({ isError, data }) => isError && !data)

  const put = async (event: CalendarEvent, to: Reschedule) => {
    await call(event.kind === 'work' ? workOrders.rescheduleWork : workOrders.rescheduleWorkOrder, {
      params: { id: event.id },
      body: to,
    })
    await client.invalidateQueries({ queryKey: workOrdersKey })
  }
  const reschedule = async (event: CalendarEvent, to: Reschedule) => {
    const back = { start: event.start, end: event.end, all_day: event.all_day }
    try {
      await put(event, to)
      say(`${event.code} cambió de fecha`, { undo: () => void put(event, back).catch(refused(event)) })
      return true
    } catch (error) {
      refused(event)(error)
      return false
    }
  }
  return (
    <>
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      <Calendar
        {...shown}
        events={events}
        onOpen={(event) =>
          void navigate({ to: '/ordenes-de-trabajo/$id', params: { id: String(event.work_order_id) } })
        }
        onMove={reschedule}
      />
    </>
  )
}

const refused = (event: CalendarEvent) => (error: unknown) =>
  say(`No se pudo cambiar la fecha de ${event.code}`, {
    tone: 'danger',
    detail: error instanceof Error ? error.message : undefined,
  })

function Legend() {
  return (
    <ul className={styles.legend} aria-label="Colores y estados">
      {Object.entries(CALENDAR_KINDS).map(([kind, { label, tone }]) => (
        <li key={kind}>
          <span style={{ backgroundColor: `var(--${tone})` }} />
          {label}
        </li>
      ))}
      {WORK_ORDER_STATUS_NAMES.map((status) => {
        const Icon = stateIcon(status)
        return (
          <li key={status} className={styles.state}>
            <Icon size={14} stroke={1.9} aria-hidden />
            {WORK_ORDER_STATES[status].label}
          </li>
        )
      })}
    </ul>
  )
}
