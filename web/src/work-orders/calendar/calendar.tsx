import '@fullcalendar/react/skeleton.css'
import '@fullcalendar/react/themes/forma/theme.css'
import FullCalendar, { type EventApi } from '@fullcalendar/react'
import dayGrid from '@fullcalendar/react/daygrid'
import interaction from '@fullcalendar/react/interaction'
import list from '@fullcalendar/react/list'
import es from '@fullcalendar/react/locales/es'
import forma from '@fullcalendar/react/themes/forma'
import timeGrid from '@fullcalendar/react/timegrid'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { dayOf, instantOf, localOf } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { CALENDAR_KINDS, type CalendarEvent, type Reschedule } from '#contract/work-orders/orders.ts'
import { isClosed, WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import { sayClash } from '../words.ts'
import styles from './calendar.module.css'
import { stateIcon } from './state-icons.ts'
import { type CalendarView, NARROW_VIEWS, WIDE_VIEWS } from './views.ts'

interface CalendarProps {
  events: CalendarEvent[]
  zone: string
  mayMove: boolean
  /** One day of what is shown. */
  day: string
  view: CalendarView
  /** On a phone a month has no room for words. */
  narrow: boolean
  /** What is shown, by one of its days; `from,to` in whole days. */
  onShown: (view: CalendarView, day: string, between: string) => void
  onOpen: (event: CalendarEvent) => void
  /** False puts it back. */
  onMove: (event: CalendarEvent, to: Reschedule) => Promise<boolean>
}

/** Its own hints do not agree with what they name. */
const WORDS = {
  ...es,
  prevHint: (unit: string) => `${unit} anterior`,
  nextHint: '$0 siguiente',
  viewHint: (unit: string) => `Vista de ${unit.toLocaleLowerCase('es')}`,
}
const PLUGINS = [dayGrid, timeGrid, list, interaction, forma]
const DAY = 86_400_000

/**
 * The clock on the wall of the company is given as if it were UTC, and read back so: the calendar then shows its hours
 * whatever the zone of the browser.
 */
const wall = (at: string, zone: string) => `${localOf(at, zone)}:00Z`
const fromWall = (date: Date, zone: string) => instantOf(date.toISOString().slice(0, 16), zone)

export default function Calendar(props: CalendarProps) {
  const { events, zone, mayMove, day: shown, view, narrow, onShown, onOpen, onMove } = props
  const tall = useMediaQuery('(min-height: 1300px)')
  const views = narrow ? NARROW_VIEWS : WIDE_VIEWS
  const placed = events.map((event) => ({
    id: `${event.kind}-${event.id}`,
    title: `${event.code} · ${showPatent(event.patent)}`,
    start: event.all_day ? dayOf(event.start, zone) : wall(event.start, zone),
    end: event.end ? (event.all_day ? dayOf(event.end, zone) : wall(event.end, zone)) : undefined,
    allDay: event.all_day,
    color: `var(--${CALENDAR_KINDS[event.kind].tone})`,
    editable: mayMove && !isClosed(event),
    extendedProps: { event },
  }))
  const drop = async (moved: EventApi, revert: () => void) => {
    const event = moved.extendedProps.event as CalendarEvent
    if (!moved.start) return revert()
    const start = moved.allDay ? instantOf(`${day(moved.start)}T00:00`, zone) : fromWall(moved.start, zone)
    // What has no end keeps none; what loses its hour keeps its length in days.
    const end = event.end && moved.end ? fromWall(moved.end, zone) : null
    const done = await onMove(event, { start, end, all_day: moved.allDay })
    if (!done) revert()
  }
  return (
    <div className={styles.calendar} data-view={view}>
      <FullCalendar
        plugins={PLUGINS}
        locale={WORDS}
        timeZone="UTC"
        listDayFormat={{ day: 'numeric', month: 'short' }}
        listDayAltFormat={{ weekday: 'short' }}
        {...(narrow && { titleFormat: { day: 'numeric', month: 'short' } })}
        initialView={view}
        initialDate={shown}
        now={() => `${localOf(new Date(), zone)}:00Z`}
        height="100%"
        headerToolbar={{
          start: 'today prev,next title',
          center: '',
          end: views.join(','),
        }}
        firstDay={1}
        nowIndicator
        dayMaxEvents={tall ? 3 : 2}
        navLinks
        eventDisplay="block"
        slotMinTime="06:00:00"
        slotMaxTime="22:00:00"
        scrollTime="07:30:00"
        eventTimeFormat={{ hour: 'numeric', minute: '2-digit', hour12: false }}
        slotHeaderFormat={{ hour: '2-digit', minute: '2-digit', hour12: false }}
        events={placed}
        fixedWeekCount={false}
        eventContent={({ event, timeText, view }) => {
          const it = event.extendedProps.event as CalendarEvent
          return (
            <EventText event={it} time={it.all_day ? '' : timeText} brief={view.type === 'dayGridMonth'} zone={zone} />
          )
        }}
        eventClick={({ event, jsEvent }) => {
          jsEvent.preventDefault()
          onOpen(event.extendedProps.event as CalendarEvent)
        }}
        eventInteractive
        eventDrop={({ event, revert }) => void drop(event, revert)}
        eventResize={({ event, revert }) => void drop(event, revert)}
        datesSet={({ start, end, view: { type, currentStart, currentEnd } }) => {
          const [first, last] = [day(currentStart), day(new Date(currentEnd.getTime() - DAY))]
          const stays = shown >= first && shown <= last ? shown : first
          onShown(type as CalendarView, stays, `${day(start)},${day(new Date(end.getTime() - DAY))}`)
        }}
      />
    </div>
  )
}

const day = (date: Date) => date.toISOString().slice(0, 10)

function EventText({ event, time, brief, zone }: { event: CalendarEvent; time: string; brief: boolean; zone: string }) {
  const kind = CALENDAR_KINDS[event.kind]
  const clashes = event.clashes.map((clash) => sayClash(clash, zone))
  const Icon = stateIcon(event.status)
  const state = WORK_ORDER_STATES[event.status].label
  return (
    <span
      className={styles.event}
      data-brief={brief || undefined}
      title={[`${kind.label}, ${state.toLocaleLowerCase('es')}: ${event.title}`, ...clashes].join('\n')}
    >
      <span className={styles.what}>
        {clashes.length > 0 && <IconAlertTriangle size={13} stroke={1.9} aria-hidden />}
        <Icon size={13} stroke={1.9} aria-hidden />
        {time && <b>{time.replace(/^0(?=\d)/, '')}</b>}
        <span>{event.title}</span>
      </span>
      <span className={styles.under}>
        <span>{showPatent(event.patent)}</span>
        {event.kind === 'planned' && <span className={styles.planned}>{kind.label}</span>}
        <span className={styles.number}>{event.code}</span>
      </span>
      <span className="only-read-aloud">
        {[event.kind !== 'planned' && kind.label, state, ...clashes].filter(Boolean).join('; ')}
      </span>
    </span>
  )
}
