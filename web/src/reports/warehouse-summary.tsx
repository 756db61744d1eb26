import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showDate, showDay, showMoment } from '#contract/base/dates.ts'
import { showMoney, showNumber, showQuantity, showShare } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import { NO_CATEGORY } from '#contract/reports/columns.ts'
import { DEAD_AFTER_DAYS, reportPages, type WarehouseSummary } from '#contract/reports/pages.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { ErrorState, useNoticeable } from '../ui/faces.tsx'
import { warehousesKey } from '../warehouses/queries.ts'
import { Card, Moved, Tile, Waiting } from './page-parts.tsx'
import styles from './pages.module.css'
import { showCount } from './words.ts'

const summaryOf = (id: number) => ({
  queryKey: [...warehousesKey, 'warehouse-summary', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(reportPages.warehouseSummary, { params: { id }, signal }),
})

interface PartProps {
  said: WarehouseSummary
  warehouse: Warehouse
}

/** What a storekeeper asks of a warehouse: what it is worth, what is short, what lies still, what moved and what is coming. */
export default function WarehouseSummaryTab({ warehouse }: { warehouse: Warehouse }) {
  const answer = useQuery(summaryOf(warehouse.id))
  const waiting = useNoticeable(!answer.data)
  const seesCosts = useMay('costs.read')
  const said = answer.data
  if (!said)
    return answer.isError ? (
      <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
    ) : waiting ? (
      <Waiting />
    ) : null
  const props = { said, warehouse }
  return (
    <div className={styles.summary}>
      <Tiles {...props} seesCosts={seesCosts} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <Below {...props} />
          <Movements {...props} />
        </div>
        <div className={styles.side}>
          <Dead {...props} />
          <Transit {...props} />
          {seesCosts && <Categories {...props} />}
        </div>
      </div>
    </div>
  )
}

function Tiles({ said, warehouse, seesCosts }: PartProps & { seesCosts: boolean }) {
  const { dead, moved } = said
  const params = { id: String(warehouse.id) }
  return (
    <div className={styles.tiles}>
      <Tile
        label={seesCosts ? 'Valor del stock' : 'Insumos'}
        value={seesCosts ? showMoney(said.value) : showNumber(said.supplies_count)}
        aside={
          <Link to="/warehouse/$id" params={params} search={{ tab: 'stock' }} className={styles.end}>
            Ver stock
          </Link>
        }
      >
        <p>{showCount(said.supplies_count, 'insumo en la bodega', 'insumos en la bodega')}</p>
      </Tile>
      <Tile
        label="Bajo el mínimo"
        value={showNumber(said.below_minimum)}
        aside={
          said.below_minimum > 0 && (
            <Link
              to="/warehouse/$id"
              params={params}
              search={{ tab: 'purchases-orders', reorder: 1 }}
              className={styles.end}
            >
              Ver sugerencias de compra
            </Link>
          )
        }
      >
        <p>
          <span>
            {said.open_orders === 0
              ? 'Sin órdenes de compra abiertas'
              : showCount(said.open_orders, 'orden de compra abierta', 'órdenes de compra abiertas')}
          </span>
          {said.late_orders > 0 && (
            <span data-tone="danger">{showCount(said.late_orders, 'atrasada', 'atrasadas')}</span>
          )}
        </p>
      </Tile>
      <Tile
        label="Movimiento en 30 días"
        value={seesCosts ? showMoney(moved.exits_value) : showNumber(moved.exits)}
        aside={
          seesCosts && (
            <Moved
              now={moved.exits_value ?? 0}
              then={moved.before_exits_value}
              than="los 30 anteriores"
              over="sobre"
              under="bajo"
            />
          )
        }
      >
        <p>
          <span>salió, en {showCount(moved.exits, 'movimiento', 'movimientos')}</span>
          <span>
            {seesCosts ? `Entró ${showMoney(moved.entries_value)}` : showCount(moved.entries, 'entrada', 'entradas')}
          </span>
        </p>
      </Tile>
      <Tile
        label="Sin movimiento"
        value={seesCosts ? showMoney(dead.value) : showNumber(dead.count)}
        aside={seesCosts && said.value ? `${showShare((dead.value ?? 0) / said.value)} del valor` : undefined}
      >
        <p>
          {dead.count === 0
            ? `Todo se movió en ${DEAD_AFTER_DAYS} días`
            : `${showCount(dead.count, 'insumo', 'insumos')} en ${DEAD_AFTER_DAYS} días`}
        </p>
      </Tile>
    </div>
  )
}

const kardexOf = (warehouse: Warehouse, supply: number) =>
  ({ to: '/warehouse/$id', params: { id: String(warehouse.id) }, search: { tab: 'stock', supply } }) as const

function Below({ said: { below, below_minimum }, warehouse }: PartProps) {
  return (
    <Card
      title="Bajo el mínimo"
      count={below_minimum}
      end={
        below_minimum > 0 && (
          <Link
            to="/warehouse/$id"
            params={{ id: String(warehouse.id) }}
            search={{ tab: 'stock', filter: { Level: ['below'] } }}
            className={styles.end}
          >
            Ver todos
          </Link>
        )
      }
      nothing={below.length === 0 && 'Nada está bajo su mínimo.'}
    >
      <ul className={styles.lines}>
        {below.map(({ supply_id, code, name, unit, available, minimum, on_order, incoming }) => (
          <li key={supply_id}>
            <Link {...kardexOf(warehouse, supply_id)}>{name}</Link>
            <b data-tone="danger">
              {showQuantity(available)} de {showAmount(minimum, unit)}
            </b>
            <small className="mono">{code}</small>
            <small>
              {on_order + incoming === 0
                ? 'Nada pedido'
                : [
                    on_order > 0 && `${showQuantity(on_order)} pedido`,
                    incoming > 0 && `${showQuantity(incoming)} en tránsito`,
                  ]
                    .filter(Boolean)
                    .join(', ')}
            </small>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Movements({ said: { movements }, warehouse }: PartProps) {
  const zone = useZone()
  return (
    <Card
      title="Últimos movimientos"
      end={
        <Link
          to="/warehouse/$id"
          params={{ id: String(warehouse.id) }}
          search={{ tab: 'movement-orders' }}
          className={styles.end}
        >
          Ver todos
        </Link>
      }
      nothing={movements.length === 0 && 'Aún no hay movimientos.'}
    >
      <ul className={styles.lines}>
        {movements.map((move) => (
          <li key={move.id}>
            <Link {...kardexOf(warehouse, move.supply_id)}>{move.name}</Link>
            <b data-tone={move.quantity_in > 0 ? 'success' : undefined}>
              {move.quantity_in > 0 ? `+${showQuantity(move.quantity_in)}` : `−${showQuantity(move.quantity_out)}`}
            </b>
            <small>{[move.type_name, move.document, showMoment(move.at, zone)].filter(Boolean).join(' · ')}</small>
            <small>Quedan {showQuantity(move.balance)}</small>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Dead({ said: { dead }, warehouse }: PartProps) {
  const zone = useZone()
  return (
    <Card
      title={`Sin movimiento en ${DEAD_AFTER_DAYS} días`}
      count={dead.count}
      nothing={dead.count === 0 && 'Todo lo que hay se movió en ese tiempo.'}
    >
      <ul className={styles.lines}>
        {dead.supplies.map(({ supply_id, name, unit, stock, value, last_at, days }) => (
          <li key={supply_id}>
            <Link {...kardexOf(warehouse, supply_id)}>{name}</Link>
            <b>{value === null ? showAmount(stock, unit) : showMoney(value)}</b>
            <small>{last_at && `Desde el ${showDate(last_at, zone)}, ${showCount(days, 'día', 'días')}`}</small>
            <small>{value !== null && showAmount(stock, unit)}</small>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Transit({ said: { transfers, sent_value, incoming_value }, warehouse }: PartProps) {
  return (
    <Card
      title="En tránsito"
      count={transfers.length}
      end={
        <Link
          to="/warehouse/$id"
          params={{ id: String(warehouse.id) }}
          search={{ tab: 'transfers' }}
          className={styles.end}
        >
          Ver traslados
        </Link>
      }
      nothing={transfers.length === 0 && 'Nada va a otro taller ni viene de uno.'}
    >
      <ul className={styles.lines}>
        {transfers.map((sent) => {
          const here = sent.to_warehouse_id === warehouse.id
          return (
            <li key={sent.id}>
              <Link
                to="/warehouse/$id"
                params={{ id: String(warehouse.id) }}
                search={{ tab: 'transfers', transfer: sent.id }}
              >
                {here
                  ? `Viene de ${sent.warehouse_name}, ${sent.workshop_name}`
                  : `Va a ${sent.to_warehouse_name}, ${sent.to_workshop_name}`}
              </Link>
              <b>{sent.value === null ? '' : showMoney(sent.value)}</b>
              <small>
                {sent.code} · {showDay(sent.date)}
              </small>
              <small>{showCount(sent.lines_count, 'insumo', 'insumos')}</small>
            </li>
          )
        })}
      </ul>
      {Boolean(sent_value || incoming_value) && (
        <p className={styles.nothing}>
          {[
            incoming_value ? `${showMoney(incoming_value)} por recibir` : '',
            sent_value ? `${showMoney(sent_value)} enviado` : '',
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      )}
    </Card>
  )
}

function Categories({ said: { categories, value } }: PartProps) {
  return (
    <Card title="Valor por categoría" nothing={categories.length === 0 && 'No hay nada en la bodega.'}>
      <ul className={styles.lines}>
        {categories.map((one) => (
          <li key={one.category ?? ''}>
            <span>{one.category ?? NO_CATEGORY}</span>
            <b>{showMoney(one.value)}</b>
            <small>{showCount(one.supplies, 'insumo', 'insumos')}</small>
            <small>{value ? showShare((one.value ?? 0) / value) : ''}</small>
          </li>
        ))}
      </ul>
    </Card>
  )
}
