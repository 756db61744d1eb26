import { IconPackageExport, IconPackageImport, IconShoppingCart } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { PURCHASE_STATES } from '#contract/purchasing/purchasing.ts'
import { TRANSFER_STATES } from '#contract/warehouses/transfers.ts'
import { useWorkshop, useZone } from '../../platform/session.ts'
import { reorderCountQuery, requestsCountQuery } from '../../purchasing/queries.ts'
import { EmptyState } from '../../ui/faces.tsx'
import { Plate } from '../../ui/plate.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { boardQuery } from '../../work-orders/board/query.ts'
import { sayParts } from '../../work-orders/words.ts'
import { purchasesQuery } from '../queries.ts'
import styles from './home.module.css'
import { Incomplete } from './incomplete.tsx'
import { Greeting, HomeCard } from './parts.tsx'
import { incomingTransfersQuery, ownWarehousesQuery } from './queries.ts'

/** What comes in, what goes out and what runs short today. */
export default function StoreHome() {
  return (
    <div className={styles.page}>
      <Greeting />
      <div className={styles.thirds}>
        <ToReceive />
        <ToHandOut />
        <div className={styles.main}>
          <Incomplete />
          <ToOrder />
        </div>
      </div>
    </div>
  )
}

function ToReceive() {
  const zone = useZone()
  const workshop = useWorkshop()
  const today = dayOf(new Date(), zone)
  const orders = useQuery(purchasesQuery(workshop.id, 'receivable', 20)).data
  const transfers = useQuery(incomingTransfersQuery(workshop.id)).data
  const count = orders && transfers && orders.total + transfers.total
  return (
    <HomeCard title="Por recibir" count={count}>
      {count === 0 && (
        <EmptyState icon={IconPackageImport} title="Nada por recibir">
          Lo que se apruebe y esté por llegar, o venga de otro taller, aparece aquí.
        </EmptyState>
      )}
      <ul className={styles.rows}>
        {transfers?.data.map((sent) => (
          <li key={sent.code} className={styles.approval}>
            <span className={styles.rowLine}>
              <span className="mono">{sent.code}</span>
              <span>{showDay(sent.date)}</span>
            </span>
            <Link
              to="/warehouse/$id"
              params={{ id: String(sent.to_warehouse_id) }}
              search={{ tab: 'transfers', transfer: sent.id }}
              className={styles.strongLink}
            >
              {`Traslado desde ${sent.workshop_name}`}
            </Link>
            <span className={styles.rowLine}>
              <span>{sent.to_warehouse_name}</span>
              <StatusPill tone={TRANSFER_STATES[sent.state].tone}>{TRANSFER_STATES[sent.state].label}</StatusPill>
            </span>
          </li>
        ))}
        {orders?.data.map((order) => {
          const day = order.promised_on ?? order.deliveryAt
          return (
            <li key={order.id} className={styles.approval}>
              <span className={styles.rowLine}>
                <span className="mono">{order.code}</span>
                <span data-tone={day && day < today ? 'danger' : day === today ? 'warning' : undefined}>
                  {day ? (day === today ? 'Hoy' : showDay(day)) : 'Sin fecha'}
                </span>
              </span>
              <Link
                to="/warehouse/$id"
                params={{ id: String(order.warehouse_id) }}
                search={{ tab: 'purchases-orders', order: order.id }}
                className={styles.strongLink}
              >
                {order.provider_name}
              </Link>
              <span className={styles.rowLine}>
                <span>{order.warehouse_name}</span>
                <StatusPill tone={PURCHASE_STATES[order.status].tone}>{PURCHASE_STATES[order.status].label}</StatusPill>
              </span>
            </li>
          )
        })}
      </ul>
    </HomeCard>
  )
}

function ToHandOut() {
  const workshop = useWorkshop()
  const WorkshopId = workshop.id === undefined ? undefined : [workshop.id]
  const board = useQuery(boardQuery({ WorkshopId, Reserved: ['true'] })).data
  const cards = board && Object.values(board).flatMap(({ data }) => data)
  return (
    <HomeCard title="Por entregar" count={cards?.length}>
      {cards?.length === 0 && (
        <EmptyState icon={IconPackageExport} title="Nada apartado">
          Los repuestos apartados para una orden aparecen aquí hasta que se entregan.
        </EmptyState>
      )}
      <ul className={styles.rows}>
        {cards?.map((card) => (
          <li key={card.id} className={styles.approval}>
            <span className={styles.rowLine}>
              <Plate text={showPatent(card.patent)} />
              <span className="mono">{card.code}</span>
            </span>
            <Link to="/ordenes-de-trabajo/$id" params={{ id: String(card.id) }} className={styles.strongLink}>
              {card.request || card.type_maintenance || 'Sin solicitud'}
            </Link>
            {sayParts(card).map((text) => (
              <span key={text}>{text}</span>
            ))}
          </li>
        ))}
      </ul>
    </HomeCard>
  )
}

/** The count is the one of the list of warehouses; what is ordered or on its way need not be ordered again. */
const sayBelow = (below: number, short: number) => {
  const coming = below - short
  const said = below === 1 ? '1 insumo bajo su mínimo' : `${below} insumos bajo su mínimo`
  return coming > 0 ? `${said}, ${coming} ya en camino` : said
}

/** For each warehouse: what orders wait for, what is to be ordered, and what is under its minimum. */
function ToOrder() {
  const workshop = useWorkshop()
  const warehouses = useQuery(ownWarehousesQuery(workshop.id)).data ?? []
  const requests = useQueries({ queries: warehouses.map(({ id }) => requestsCountQuery(id)) })
  const reorders = useQueries({ queries: warehouses.map(({ id }) => reorderCountQuery(id)) })
  const rows = warehouses.map(({ id, name, below_minimum }, i) => ({
    id,
    name,
    below: below_minimum,
    asked: requests[i]?.data ?? 0,
    short: reorders[i]?.data ?? 0,
  }))
  const isKnown = warehouses.length > 0 && [...requests, ...reorders].every(({ isPending }) => !isPending)
  const open = rows.filter(({ asked, short, below }) => asked + short + below > 0)
  return (
    <HomeCard
      title="Por pedir"
      count={isKnown ? open.reduce((sum, { asked, short }) => sum + asked + short, 0) : undefined}
    >
      {isKnown && open.length === 0 && (
        <EmptyState icon={IconShoppingCart} title="Nada por pedir">
          Ninguna orden espera repuestos, y ningún insumo está bajo su mínimo.
        </EmptyState>
      )}
      <ul className={styles.rows}>
        {open.map(({ id, name, asked, short, below }) => {
          const to = { to: '/warehouse/$id', params: { id: String(id) } } as const
          return (
            <li key={id} className={styles.approval}>
              <strong>{name}</strong>
              {asked > 0 && (
                <Link {...to} search={{ tab: 'purchases-orders', requests: 1 }}>
                  {asked === 1 ? '1 repuesto que espera una orden' : `${asked} repuestos que esperan órdenes`}
                </Link>
              )}
              {short > 0 && short < below && (
                <Link {...to} search={{ tab: 'purchases-orders', reorder: 1 }}>
                  {short === 1 ? '1 insumo por pedir' : `${short} insumos por pedir`}
                </Link>
              )}
              {below > 0 && (
                <Link
                  {...to}
                  search={
                    short === below
                      ? { tab: 'purchases-orders', reorder: 1 }
                      : { tab: 'stock', filter: { Level: 'below' } }
                  }
                >
                  {sayBelow(below, short)}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </HomeCard>
  )
}
