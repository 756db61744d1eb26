import { IconAlertTriangle, IconClockExclamation, IconHourglass, IconPlus, IconTruckOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { Me } from '#contract/identity/identity.ts'
import type { Board, WorkOrderCard } from '#contract/work-orders/orders.ts'
import { OPEN_STATUSES, WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import { fullName } from '#contract/workshops/rosters.ts'
import { queryClient } from '../../platform/queries.ts'
import { useMay, useWorkshop, useZone, workshopOf } from '../../platform/session.ts'
import { ErrorState } from '../../ui/faces.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Plate } from '../../ui/plate.tsx'
import { InTurn } from '../../ui/turns.tsx'
import { inShortQuery } from '../../work-orders/board/query.ts'
import { specialistsQuery } from '../../work-orders/choices.ts'
import { Face } from '../../work-orders/person.tsx'
import { calendarQuery } from '../../work-orders/queries.ts'
import { showAge, showDue, showHours } from '../../work-orders/words.ts'
import { dueAlertsQuery } from '../queries.ts'
import { Approvals, askApprovals } from './approvals.tsx'
import styles from './home.module.css'
import { Incomplete } from './incomplete.tsx'
import { Greeting, HomeCard, WrongTile } from './parts.tsx'

const filterOf = (workshop: number | undefined) => ({ WorkshopId: workshop === undefined ? undefined : [workshop] })

export function askChief(me: Me) {
  askWrong(me)
  askApprovals(me)
}

/** The workshop this morning: what is wrong, the board in short, and who does what. */
export default function ChiefHome() {
  const workshop = useWorkshop()
  const inShort = useQuery(inShortQuery(workshop.id))
  const mayCreate = useMay('work-orders.write')
  const open = inShort.data && openOf(inShort.data.board)
  return (
    <div className={styles.page}>
      <Greeting
        about={open === undefined ? undefined : open === 1 ? '1 orden abierta' : `${open} órdenes abiertas`}
        actions={
          mayCreate && (
            <ButtonLink to="/ordenes-de-trabajo/nueva" leftSection={<IconPlus size={16} stroke={1.9} />}>
              Nueva orden
            </ButtonLink>
          )
        }
      />
      {inShort.isError && !inShort.data && <ErrorState error={inShort.error} onRetry={() => void inShort.refetch()} />}
      <WrongStrip />
      <div className={styles.columns}>
        <div className={styles.main}>
          {inShort.data && (
            <InTurn>
              <BoardInShort board={inShort.data.board} />
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
          <InTurn>
            <Incomplete />
          </InTurn>
        </div>
      </div>
    </div>
  )
}

const openOf = (board: Board) =>
  OPEN_STATUSES.reduce((sum, status) => sum + board[WORK_ORDER_STATES[status].group].total, 0)

const titleOf = (card: WorkOrderCard) => card.request || card.type_maintenance || 'Sin solicitud'

export function askWrong(me: Me) {
  void queryClient.prefetchQuery(inShortQuery(workshopOf(me)))
  if (me.permissions.includes('alerts.read')) void queryClient.prefetchQuery(dueAlertsQuery(workshopOf(me), 1))
}

const worstOf = (card: WorkOrderCard | null | undefined, age: (card: WorkOrderCard) => string | undefined) =>
  card ? { patent: card.patent, text: titleOf(card), age: age(card) } : undefined

/** Late, stopped, waiting for parts, papers due. */
export function WrongStrip() {
  const zone = useZone()
  const workshop = useWorkshop()
  const { late, stopped, waiting } = useQuery(inShortQuery(workshop.id)).data ?? {}
  const alerts = useQuery({ ...dueAlertsQuery(workshop.id, 1), enabled: useMay('alerts.read') }).data
  const alert = alerts?.data[0]
  return (
    <div className={styles.strip}>
      <WrongTile
        icon={IconClockExclamation}
        label="Atrasadas"
        tone="danger"
        count={late?.total}
        worst={worstOf(late?.worst, (card) => showDue(card, zone)?.text.replace('Atrasada ', ''))}
        link={{ to: '/ordenes-de-trabajo', search: { solo: 'atrasadas' } }}
      />
      <WrongTile
        icon={IconTruckOff}
        label="Equipos detenidos"
        tone="danger"
        count={stopped?.total}
        worst={worstOf(stopped?.worst, (card) => showAge(card.workshop_entry_at!))}
        link={{ to: '/historial-ordenes-de-trabajo', search: { filter: { Stopped: 'true' } } }}
      />
      <WrongTile
        icon={IconHourglass}
        label="Esperan repuestos"
        tone="warning"
        count={waiting?.total}
        worst={worstOf(waiting?.worst, (card) => showAge(card.created_at))}
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

/** The most urgent of each column. They are moved on the board. */
function BoardInShort({ board }: { board: Board }) {
  const zone = useZone()
  return (
    <HomeCard title="Tablero" aside={<Link to="/ordenes-de-trabajo">Ver tablero</Link>}>
      <div className={styles.board}>
        {WORK_ORDER_STATUS_NAMES.map((status) => {
          const { label, tone, group } = WORK_ORDER_STATES[status]
          const { data, total } = board[group]
          return (
            <section key={status} aria-label={`${label}, ${total}`}>
              <h3>
                <span className={styles.dot} style={{ backgroundColor: `var(--${tone})` }} />
                {label} <span className={styles.count}>{total}</span>
              </h3>
              {data.map((card) => {
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
              {data.length === 0 && <p className={styles.nothing}>Ninguna</p>}
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
