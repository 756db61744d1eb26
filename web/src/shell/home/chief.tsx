import { IconAlertTriangle, IconClockExclamation, IconHourglass, IconPlus, IconTruckOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { Me } from '#contract/identity/identity.ts'
import type { Board, WorkOrderCard } from '#contract/work-orders/orders.ts'
import { isClosed, OPEN_STATUSES, WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { fullName } from '#contract/workshops/rosters.ts'
import { queryClient } from '../../platform/queries.ts'
import { useMay, useWorkshop, useZone, workshopOf } from '../../platform/session.ts'
import { ErrorState } from '../../ui/faces.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Plate } from '../../ui/plate.tsx'
import { InTurn } from '../../ui/turns.tsx'
import { ONLY } from '../../work-orders/board/filters.ts'
import { boardQuery } from '../../work-orders/board/query.ts'
import { specialistsQuery } from '../../work-orders/choices.ts'
import { Face } from '../../work-orders/person.tsx'
import { calendarQuery } from '../../work-orders/queries.ts'
import { dueAt, showAge, showDue, showHours } from '../../work-orders/words.ts'
import { dueAlertsQuery } from '../queries.ts'
import { Approvals, askApprovals } from './approvals.tsx'
import styles from './home.module.css'
import { Greeting, HomeCard, WrongTile } from './parts.tsx'

const filterOf = (workshop: number | undefined) => ({ WorkshopId: workshop === undefined ? undefined : [workshop] })

export function askChief(me: Me) {
  askWrong(me)
  askApprovals(me)
}

/** The workshop this morning: what is wrong, the board in short, and who does what. */
export default function ChiefHome() {
  const workshop = useWorkshop()
  const board = useQuery(boardQuery(filterOf(workshop.id)))
  const mayCreate = useMay('work-orders.write')
  const cards = board.data && cardsOf(board.data)
  return (
    <div className={styles.page}>
      <Greeting
        about={cards && (cards.length === 1 ? '1 orden abierta' : `${cards.length} órdenes abiertas`)}
        actions={
          mayCreate && (
            <ButtonLink to="/ordenes-de-trabajo/nueva" leftSection={<IconPlus size={16} stroke={1.9} />}>
              Nueva orden
            </ButtonLink>
          )
        }
      />
      {board.isError && !board.data && <ErrorState error={board.error} onRetry={() => void board.refetch()} />}
      <WrongStrip />
      <div className={styles.columns}>
        <div className={styles.main}>
          {board.data && (
            <InTurn>
              <BoardInShort board={board.data} />
            </InTurn>
          )}
          <InTurn>
            <Mechanics />
          </InTurn>
        </div>
        <div className={styles.side}>
          <InTurn>
            <Approvals />
          </InTurn>
        </div>
      </div>
    </div>
  )
}

/** Open ones. */
const cardsOf = (board: Board) =>
  WORK_ORDER_STATUS_NAMES.filter((status) => !isClosed({ status })).flatMap(
    (status) => board[WORK_ORDER_STATES[status].group].data,
  )

const titleOf = (card: WorkOrderCard) => card.request || card.type_maintenance || 'Sin solicitud'
const first = <T,>(of: T[], by: (one: T) => number) => of.toSorted((a, b) => by(a) - by(b))[0]

/** Where its truck is in the workshop. */
const INSIDE = OPEN_STATUSES.filter((status) => !WORK_ORDER_STATES[status].awaited)

export function askWrong(me: Me) {
  void queryClient.prefetchQuery(boardQuery(filterOf(workshopOf(me))))
  if (me.permissions.includes('alerts.read')) void queryClient.prefetchQuery(dueAlertsQuery(workshopOf(me), 1))
}

/** Late, stopped, waiting for parts, papers due. */
export function WrongStrip() {
  const zone = useZone()
  const workshop = useWorkshop()
  const board = useQuery(boardQuery(filterOf(workshop.id))).data
  const alerts = useQuery({ ...dueAlertsQuery(workshop.id, 1), enabled: useMay('alerts.read') }).data
  const cards = board && cardsOf(board)
  // The looks of the board they lead to: what is counted here is what is shown there.
  const late = cards?.filter((card) => ONLY.atrasadas.of(card, zone))
  const waiting = cards?.filter((card) => ONLY.repuestos.of(card))
  const inside = cards?.filter((card) => card.workshop_entry_at && INSIDE.includes(card.status))
  const worstLate = late && first(late, (card) => Date.parse(dueAt(card, zone)!))
  const worstInside = inside && first(inside, (card) => Date.parse(card.workshop_entry_at!))
  const worstWaiting = waiting && first(waiting, (card) => Date.parse(card.created_at))
  const alert = alerts?.data[0]
  return (
    <div className={styles.strip}>
      <WrongTile
        icon={IconClockExclamation}
        label="Atrasadas"
        tone="danger"
        count={late?.length}
        worst={
          worstLate && {
            patent: worstLate.patent,
            text: titleOf(worstLate),
            age: showDue(worstLate, zone)?.text.replace('Atrasada ', ''),
          }
        }
        link={{ to: '/ordenes-de-trabajo', search: { solo: 'atrasadas' } }}
      />
      <WrongTile
        icon={IconTruckOff}
        label="Equipos detenidos"
        tone="danger"
        count={inside && new Set(inside.map(({ truck_id }) => truck_id)).size}
        worst={
          worstInside && {
            patent: worstInside.patent,
            text: titleOf(worstInside),
            age: showAge(worstInside.workshop_entry_at!),
          }
        }
        link={{ to: '/historial-ordenes-de-trabajo', search: { filter: { Status: INSIDE.join() } } }}
      />
      <WrongTile
        icon={IconHourglass}
        label="Esperan repuestos"
        tone="warning"
        count={waiting?.length}
        worst={
          worstWaiting && {
            patent: worstWaiting.patent,
            text: titleOf(worstWaiting),
            age: showAge(worstWaiting.created_at),
          }
        }
        link={{ to: '/ordenes-de-trabajo', search: { solo: 'repuestos' } }}
      />
      <WrongTile
        icon={IconAlertTriangle}
        label="Papeles y mantenciones"
        tone="warning"
        count={alerts?.total}
        worst={
          alert && {
            patent: alert.patent,
            text: alert.name,
            age: alert.due_on ? showDay(alert.due_on).slice(0, -5) : undefined,
          }
        }
        link={{ to: '/maintenance-alerts', search: { filter: { Status: 'current' } } }}
      />
    </div>
  )
}

const SHOWN = 3
const LEVEL = { high: 0, medium: 1, low: 2 }

/** The three most urgent of each column. They are moved on the board. */
function BoardInShort({ board }: { board: Board }) {
  const zone = useZone()
  const rank = (card: WorkOrderCard) => Date.parse(dueAt(card, zone) ?? '2999-01-01') + LEVEL[card.priority]
  return (
    <HomeCard title="Tablero" aside={<Link to="/ordenes-de-trabajo">Ver tablero</Link>}>
      <div className={styles.board}>
        {WORK_ORDER_STATUS_NAMES.map((status) => {
          const { label, tone, group, closed } = WORK_ORDER_STATES[status]
          const { data, total } = board[group]
          const cards = closed ? data : data.toSorted((a, b) => rank(a) - rank(b))
          return (
            <section key={status} aria-label={`${label}, ${total}`}>
              <h3>
                <span className={styles.dot} style={{ backgroundColor: `var(--${tone})` }} />
                {label} <span className={styles.count}>{total}</span>
              </h3>
              {cards.slice(0, SHOWN).map((card) => {
                const due = showDue(card, zone)
                return (
                  <Link
                    key={card.id}
                    to="/ordenes-de-trabajo/$id"
                    params={{ id: String(card.id) }}
                    className={styles.mini}
                  >
                    <span className={styles.miniHead}>
                      <Plate text={showPatent(card.patent)} />
                      {due && <span data-tone={due.tone}>{due.text}</span>}
                    </span>
                    <strong>{titleOf(card)}</strong>
                  </Link>
                )
              })}
              {cards.length === 0 && <p className={styles.nothing}>Ninguna</p>}
            </section>
          )
        })}
      </div>
    </HomeCard>
  )
}

const DAY_HOURS = 8
const HOUR = 3_600_000

/** How many hours each one has today. */
function Mechanics() {
  const zone = useZone()
  const workshop = useWorkshop()
  const today = dayOf(new Date(), zone)
  const works = useQuery(calendarQuery('works', filterOf(workshop.id), `${today},${today}`)).data
  const people = useQuery(specialistsQuery(workshop.id)).data
  if (!works || !people || people.length === 0) return null
  const rows = people
    .map((person) => {
      const name = fullName(person)
      const mine = works.filter(({ specialist }) => specialist === name)
      const hours = mine.reduce(
        (sum, { start, end }) =>
          sum + (end ? Math.min(DAY_HOURS * 3, (Date.parse(end) - Date.parse(start)) / HOUR) : 0),
        0,
      )
      return { name, hours, what: mine[0]?.title }
    })
    .toSorted((a, b) => b.hours - a.hours)
    .slice(0, 8)
  return (
    <HomeCard title="Mecánicos hoy" aside={`Horas asignadas de ${DAY_HOURS}`}>
      <ul className={styles.mechanics}>
        {rows.map(({ name, hours, what }) => (
          <li key={name} className={styles.mechanic}>
            <Face name={name} named />
            <span className={styles.rowWords}>
              <strong>{name}</strong>
              <span data-tone={what ? undefined : 'success'}>{what ?? 'Libre'}</span>
            </span>
            <meter className={styles.meter} value={hours} max={DAY_HOURS} aria-label={`Horas de ${name}`} />
            <span className={styles.hours} data-tone={hours > DAY_HOURS ? 'danger' : undefined}>
              {showHours(hours)}
            </span>
          </li>
        ))}
      </ul>
    </HomeCard>
  )
}
