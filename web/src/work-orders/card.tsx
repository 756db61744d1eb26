import { Menu } from '@mantine/core'
import {
  IconArrowRight,
  IconCheck,
  IconCircleCheck,
  IconClock,
  IconDots,
  IconGripVertical,
  IconPencil,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, memo } from 'react'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { WorkOrderCard } from '#contract/work-orders/orders.ts'
import {
  isClosed,
  nextOf,
  WORK_ORDER_STATES,
  WORK_ORDER_STATUS_NAMES,
  type WorkOrderStatus,
} from '#contract/work-orders/states.ts'
import { AskedMenu } from '../ui/asked-menu.tsx'
import { MenuLink } from '../ui/links.tsx'
import { Plate } from '../ui/plate.tsx'
import styles from './card.module.css'
import { Face } from './person.tsx'
import { PriorityBars } from './priority.tsx'
import { sayClash, sayMissing, showAge, showDue } from './words.ts'

interface CardProps {
  card: WorkOrderCard
  zone: string
  /** Left out where the person may not move it. */
  move?: {
    to: (status: WorkOrderStatus) => void
    /** To the first or the last place of its column. */
    toEnd: (end: 'first' | 'last') => void
    onGripKey: (event: KeyboardEvent) => void
    /** Left out where the person may not change it. */
    edit?: (() => void) | undefined
  }
  /** Cards of several workshops stand beside each other: each says whose it is. */
  placed?: boolean
  /** Carried by keyboard. */
  lifted?: boolean
  /** A copy under the pointer while the card is dragged. */
  carried?: boolean
}

const AVATARS = 2

/** What a workshop chief needs to know of an order at arm's length. */
export const Card = memo(function Card({ card, zone, move, placed = false, lifted, carried }: CardProps) {
  const due = showDue(card, zone)
  const people = [...new Set([card.responsible_specialist, ...card.specialists])].filter((name) => name !== null)
  const missing = sayMissing(card)
  const done = card.works_total > 0 && card.works_done === card.works_total
  return (
    <article
      className={styles.card}
      data-lifted={lifted || undefined}
      data-carried={carried || undefined}
      data-card={card.id}
    >
      <div className={styles.head}>
        {move && (
          <button
            type="button"
            className={styles.grip}
            data-grip
            aria-label={`Mover ${card.code}`}
            aria-describedby="board-keys"
            aria-pressed={lifted ?? false}
            onKeyDown={move.onGripKey}
          >
            <IconGripVertical size={16} stroke={1.7} aria-hidden />
          </button>
        )}
        <span className={styles.code}>{card.code}</span>
        <Plate text={showPatent(card.patent)} />
        {move && <CardMenu card={card} move={move} />}
      </div>
      <Link
        to="/ordenes-de-trabajo/$id"
        params={{ id: String(card.id) }}
        className={styles.title}
        draggable={false}
        data-open
        data-short={missing ? true : undefined}
      >
        {card.request || card.type_maintenance || 'Sin solicitud'}
        <span className="only-read-aloud">, {card.code}</span>
      </Link>
      {missing && (
        <div className={styles.missing} title={missing}>
          Falta {missing}
        </div>
      )}
      <div className={styles.kind}>
        <span className={styles.type}>
          {placed && <b className={styles.workshop}>{card.workshop_name}</b>}
          {card.type_maintenance ?? 'Sin tipo'}
        </span>
        {card.coupled_patent && (
          <span className={styles.coupled} title="Acoplado">
            <span className="only-read-aloud">Acoplado </span>+ {showPatent(card.coupled_patent)}
          </span>
        )}
        {!isClosed(card) && (
          <span className={styles.age} title="Desde que se creó">
            <span className="only-read-aloud">Creada </span>
            hace {showAge(card.created_at)}
          </span>
        )}
        {card.waiting_for_parts && <span className={styles.waits}>Espera repuestos</span>}
        {card.clashes.length > 0 && (
          <span className={styles.waits} title={card.clashes.map((clash) => sayClash(clash, zone)).join('\n')}>
            Se cruza
            <span className="only-read-aloud">: {card.clashes.map((clash) => sayClash(clash, zone)).join('; ')}</span>
          </span>
        )}
      </div>
      <div className={styles.foot}>
        <PriorityBars priority={card.priority} />
        {due && (
          <span className={styles.meta} data-tone={due.tone}>
            <IconClock size={13} stroke={1.9} aria-hidden />
            {due.text}
          </span>
        )}
        {card.works_total > 0 && (
          <span className={styles.meta} data-tone={done ? 'success' : undefined} title="Trabajos terminados">
            <IconCircleCheck size={13} stroke={1.9} aria-hidden />
            <span className="only-read-aloud">Trabajos terminados: </span>
            {card.works_done}/{card.works_total}
          </span>
        )}
        <span className={styles.people}>
          {people.slice(0, AVATARS).map((name) => (
            <Face key={name} name={name} />
          ))}
          {people.length > 1 && (
            <span className={styles.more} title={people.slice(1).join(', ')}>
              {people.length > AVATARS && <span className={styles.wide}>+{people.length - AVATARS}</span>}
              <span className={styles.narrow}>+{people.length - 1}</span>
            </span>
          )}
        </span>
      </div>
    </article>
  )
})

interface CardMenuProps {
  card: WorkOrderCard
  move: NonNullable<CardProps['move']>
}

function CardMenu({ card, move }: CardMenuProps) {
  const button = (
    <button
      type="button"
      className={`mantine-focus-auto ${styles.menu}`}
      aria-label={`Acciones de ${card.code}`}
      data-no-drag
    >
      <IconDots size={16} stroke={1.9} />
    </button>
  )
  return (
    <AskedMenu position="bottom-end" width={210} button={button}>
      <Menu.Dropdown>
        <Menu.Label>Mover a…</Menu.Label>
        {WORK_ORDER_STATUS_NAMES.map((status) => (
          <Menu.Item
            key={status}
            // The first that can be chosen: a menu takes the keyboard to its first, which nobody gets away from if it cannot.
            {...(nextOf(card.status).includes(status) ? { 'data-autofocus': true } : { disabled: true })}
            leftSection={
              status === card.status ? (
                <IconCheck size={16} stroke={1.7} />
              ) : (
                <span className={styles.dot} style={{ backgroundColor: `var(--${WORK_ORDER_STATES[status].tone})` }} />
              )
            }
            onClick={() => move.to(status)}
          >
            {WORK_ORDER_STATES[status].label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => move.toEnd('first')}>Al comienzo de la columna</Menu.Item>
        <Menu.Item onClick={() => move.toEnd('last')}>Al final de la columna</Menu.Item>
        <Menu.Divider />
        {move.edit && !isClosed(card) && (
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.7} />} onClick={move.edit}>
            Editar aquí…
          </Menu.Item>
        )}
        <MenuLink
          to="/ordenes-de-trabajo/$id"
          params={{ id: String(card.id) }}
          leftSection={<IconArrowRight size={16} stroke={1.7} />}
        >
          Abrir
        </MenuLink>
      </Menu.Dropdown>
    </AskedMenu>
  )
}
