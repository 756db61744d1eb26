import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { showDay, showMonth } from '#contract/base/dates.ts'
import { showMoney, showNumber, showQuantity } from '#contract/base/money.ts'
import { unitOf } from '#contract/base/units.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { PURCHASE_STATES } from '#contract/purchasing/purchasing.ts'
import { reportPages, type SupplySummary } from '#contract/reports/pages.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { CostLine } from '../supplies/cost-line.tsx'
import { ErrorState, useNoticeable } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { Plate } from '../ui/plate.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { warehousesKey } from '../warehouses/queries.ts'
import type { Opened } from './opened.ts'
import { Card, daysOf, Legend, MonthTable, Moved, Tile, Waiting } from './page-parts.tsx'
import styles from './pages.module.css'
import { showCount } from './words.ts'

const RowsDrawer = lazy(() => import('./rows-drawer.tsx'))

const summaryOf = (id: number) => ({
  queryKey: [...warehousesKey, 'supply-summary', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(reportPages.supplySummary, { params: { id }, signal }),
})

/** What a storekeeper asks of a supply: how much there is and where, what it costs, who uses it, what is to come. */
export default function SupplySummaryTab({ supply }: { supply: Supply }) {
  const answer = useQuery(summaryOf(supply.id))
  const [opened, setOpened] = useState<Opened>()
  const waiting = useNoticeable(!answer.data)
  const seesCosts = useMay('costs.read')
  const seesReports = useMay('reports.warehouse')
  const said = answer.data
  if (!said)
    return answer.isError ? (
      <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
    ) : waiting ? (
      <Waiting />
    ) : null
  const open = (between: string, when: string) =>
    setOpened({
      title: `${supply.name} en órdenes, ${when}`,
      of: 'expenses',
      filter: { BetweenDate: between, Supply: [supply.id] },
      shows: 'quantity',
    })
  const show = seesReports ? open : undefined
  return (
    <div className={styles.summary}>
      <Tiles said={said} supply={supply} seesCosts={seesCosts} open={show} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <Stock said={said} supply={supply} />
          {seesCosts && <Price said={said} />}
          <Uses said={said} supply={supply} seesCosts={seesCosts} open={show} />
        </div>
        <div className={styles.side}>
          <Arrivals said={said} supply={supply} />
          <Orders said={said} supply={supply} />
        </div>
      </div>
      <Suspense fallback={null}>
        {opened && <RowsDrawer opened={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </div>
  )
}

interface PartProps {
  said: SupplySummary
  supply: Supply
}
type Open = ((between: string, when: string) => void) | undefined

const sum = <T,>(rows: T[], of: (row: T) => number | null) => rows.reduce((all, row) => all + (of(row) ?? 0), 0)
const amountOf = (count: number, { measurement_unit_name }: Supply) =>
  `${showQuantity(count)} ${unitOf(count, measurement_unit_name ?? 'unidad')}`

/** Long: four figures, each with its words. */
function Tiles({ said, supply, seesCosts, open }: PartProps & { seesCosts: boolean; open: Open }) {
  const { stock, months, arrivals, purchases, costs, range } = said
  const [onHand, reserved, available] = [
    sum(stock, (place) => place.stock),
    sum(stock, (place) => place.reserved),
    sum(stock, (place) => place.available),
  ]
  const below = stock.filter(({ available, minimum }) => minimum !== null && available < minimum).length
  const ordered = sum(arrivals, ({ quantity }) => quantity)
  const coming = sum(stock, ({ incoming }) => incoming)
  const late = arrivals.filter(({ days_late }) => days_late > 0).length
  const next = arrivals.find(({ days_late, promised_on, wanted_on }) => days_late === 0 && (promised_on ?? wanted_on))
  const used = sum(months, ({ count }) => count)
  const perMonth = (used + sum(months, ({ exits }) => exits)) / months.length
  const last = purchases.at(-1)
  const yearAgo = costs.findLast(({ at }) => Date.parse(at) <= Date.now() - 365 * 86_400_000)
  return (
    <div className={styles.tiles}>
      <Tile
        label="Disponible"
        value={amountOf(available, supply)}
        aside={
          below > 0 ? (
            <span data-tone="danger">
              {stock.length === 1 ? 'Bajo el mínimo' : `Bajo el mínimo en ${showCount(below, 'bodega', 'bodegas')}`}
            </span>
          ) : (
            stock.length > 1 && `en ${stock.length} bodegas`
          )
        }
      >
        <span className={styles.shares} aria-hidden>
          <span style={{ flexGrow: available || (onHand === 0 ? 1 : 0) }} />
          <span style={{ flexGrow: reserved }} />
        </span>
        <p>
          <span>{showQuantity(onHand)} en bodega</span>
          <span>{reserved > 0 ? `${showQuantity(reserved)} reservado` : 'Nada reservado'}</span>
        </p>
      </Tile>
      <Tile
        label="Por llegar"
        value={amountOf(ordered + coming, supply)}
        aside={late > 0 && <span data-tone="danger">{showCount(late, 'atrasada', 'atrasadas')}</span>}
      >
        <p>
          <span>
            {arrivals.length === 0 ? 'Sin órdenes de compra abiertas' : `${showQuantity(ordered)} pedido a proveedores`}
            {coming > 0 && `, ${showQuantity(coming)} en tránsito`}
          </span>
          {next && <span>Próxima: {showDay((next.promised_on ?? next.wanted_on)!)}</span>}
        </p>
      </Tile>
      {seesCosts && (
        <Tile
          label="Precio"
          value={showMoney(supply.cost)}
          aside={
            yearAgo?.cost != null && (
              <Moved now={supply.cost} then={yearAgo.cost} than="hace un año" over="sobre" under="bajo" />
            )
          }
        >
          <p>
            <span>
              {last ? `Última compra el ${showDay(last.date)}` : 'Sin compras registradas'}
              {last?.provider && `, ${last.provider}`}
            </span>
          </p>
        </Tile>
      )}
      <Tile
        label="Usado en 12 meses"
        value={amountOf(used, supply)}
        aside={seesCosts && used > 0 && showMoney(sum(months, ({ amount }) => amount))}
        onOpen={open && used > 0 ? () => open(`${range.from},${range.to}`, 'últimos 12 meses') : undefined}
      >
        <p>
          <span>
            {showCount(said.orders_count, 'orden', 'órdenes')} de {showCount(said.trucks_count, 'equipo', 'equipos')}
          </span>
          {perMonth > 0 && available > 0 && (
            <span data-tone={available / perMonth < 1 ? 'warning' : undefined}>
              Alcanza para {sayMonths(available / perMonth)}
            </span>
          )}
        </p>
      </Tile>
    </div>
  )
}

const sayMonths = (months: number) =>
  months < 0.95
    ? showCount(Math.max(1, Math.round(months * 30.4)), 'día', 'días')
    : months > 24
      ? 'más de 2 años'
      : showCount(Math.round(months), 'mes', 'meses')

type Place = SupplySummary['stock'][number]

function Stock({ said, supply }: PartProps) {
  const mayWrite = useMay('warehouses.write')
  const doors: { label: string; takes?: true; search: { tab: string; write: string } }[] = [
    { label: 'Entrada', search: { tab: 'purchases', write: 'document' } },
    { label: 'Salida', takes: true, search: { tab: 'sales', write: 'document' } },
    { label: 'Traspaso', takes: true, search: { tab: 'sales', write: 'transfer' } },
    { label: 'Pedir', search: { tab: 'purchases-orders', write: 'document' } },
  ]
  const figure = (label: string, of: (place: Place) => number, tone?: (place: Place) => string | undefined) => ({
    label,
    align: 'end' as const,
    cell: (place: Place) => <span data-tone={tone?.(place)}>{showQuantity(of(place))}</span>,
  })
  const columns: TableColumn<Place>[] = [
    {
      label: 'Bodega',
      grows: true,
      cell: (place) => {
        const params = { id: String(place.warehouse_id) }
        return (
          <>
            <b>{place.warehouse_name}</b>
            <span className={styles.doors}>
              <Link
                to="/warehouse/$id"
                params={params}
                search={{ tab: 'stock', supply: supply.id }}
                aria-label={`Kardex en ${place.warehouse_name}`}
              >
                Kardex
              </Link>
              {mayWrite &&
                supply.state === 'active' &&
                doors
                  // What is not there cannot leave.
                  .filter(({ takes }) => !takes || place.available > 0)
                  .map(({ label, search }) => (
                    <Link
                      key={label}
                      to="/warehouse/$id"
                      params={params}
                      search={{ ...search, add: supply.code }}
                      aria-label={`${label} en ${place.warehouse_name}`}
                    >
                      {label}
                    </Link>
                  ))}
            </span>
          </>
        )
      },
    },
    figure('En bodega', (place) => place.stock),
    { ...figure('Reservado', (place) => place.reserved), folds: true },
    figure(
      'Disponible',
      (place) => place.available,
      ({ available, minimum }) => (minimum !== null && available < minimum ? 'danger' : undefined),
    ),
    {
      label: 'Mínimo',
      align: 'end',
      folds: true,
      cell: ({ minimum }) => (minimum === null ? null : showQuantity(minimum)),
    },
    {
      label: 'En tránsito',
      align: 'end',
      folds: true,
      cell: ({ incoming, sent }) =>
        incoming + sent === 0 ? null : (
          <>
            {incoming > 0 && `${showQuantity(incoming)} llega`}
            {incoming > 0 && sent > 0 && ', '}
            {sent > 0 && `${showQuantity(sent)} sale`}
          </>
        ),
    },
    {
      label: 'Pedido',
      align: 'end',
      folds: true,
      cell: ({ on_order }) => (on_order === 0 ? null : showQuantity(on_order)),
    },
  ]
  return (
    <Card
      title="Stock por bodega"
      nothing={
        said.stock.length === 0 && 'No está en ninguna bodega: asócielo en la pestaña Stock de la bodega que lo guarda.'
      }
    >
      <Table
        label="Stock por bodega"
        columns={columns}
        rows={said.stock}
        keyOf={({ warehouse_id }) => warehouse_id}
        bare
      />
    </Card>
  )
}

const PURCHASES_SHOWN = 5

function Price({ said: { costs, purchases } }: { said: SupplySummary }) {
  const known = costs.flatMap(({ at, cost }) => (cost === null ? [] : [{ at, cost }]))
  const points = purchases.flatMap(({ date, unit_cost, provider, quantity }) =>
    unit_cost === null
      ? []
      : [
          {
            at: `${date}T12:00:00Z`,
            cost: unit_cost,
            words: `${showDay(date)}: ${showQuantity(quantity)} a ${showMoney(unit_cost)}${provider ? `, ${provider}` : ''}`,
          },
        ],
  )
  return (
    <Card
      title="Precio en el tiempo"
      aside={points.length > 0 && <span className={styles.usual}>Cada punto es una compra</span>}
      end={
        <Link to="." search={{ tab: 'costs' }} className={styles.end}>
          Ver sus precios
        </Link>
      }
      nothing={known.length === 0 && points.length === 0 && 'Aún no tiene precios.'}
    >
      <div className={styles.plot}>
        <CostLine costs={known.reverse()} points={points} height={170} scaled />
      </div>
      <ul className={styles.lines} aria-label="Últimas compras">
        {purchases
          .slice(-PURCHASES_SHOWN)
          .reverse()
          .map(({ transaction_id, warehouse_id, date, document, provider, quantity, unit_cost }, i, shown) => {
            const before = shown[i + 1]?.unit_cost ?? purchases.at(-PURCHASES_SHOWN - 1)?.unit_cost
            return (
              <li key={transaction_id}>
                <Link
                  to="/warehouse/$id"
                  params={{ id: String(warehouse_id) }}
                  search={{ tab: 'purchases', transaction: transaction_id }}
                >
                  {provider ?? 'Sin proveedor'}
                </Link>
                <b>{showMoney(unit_cost)}</b>
                <small>
                  {[showDay(date), document, `${showQuantity(quantity)} comprado`].filter(Boolean).join(' · ')}
                </small>
                <small>
                  {unit_cost !== null && before != null && (
                    <Moved now={unit_cost} then={before} than="la anterior" over="sobre" under="bajo" />
                  )}
                </small>
              </li>
            )
          })}
      </ul>
    </Card>
  )
}

function Uses({ said, supply, seesCosts, open }: PartProps & { seesCosts: boolean; open: Open }) {
  const { months, trucks, trucks_count } = said
  const others = months.some(({ exits }) => exits > 0)
  const nothing = trucks.length === 0 && !others
  return (
    <Card
      title="Quién lo usa"
      aside={others && <Legend names={['En órdenes', 'Otras salidas']} />}
      end={
        <Link to="." search={{ tab: 'uses' }} className={styles.end}>
          Ver dónde se usó
        </Link>
      }
      nothing={nothing && 'No se usó en los últimos 12 meses.'}
    >
      <MonthTable
        label="Uso de cada mes"
        months={months.map(({ month }) => month)}
        bars={[months.map(({ count }) => count), ...(others ? [months.map(({ exits }) => exits)] : [])]}
        rows={[
          { label: 'En órdenes', values: months.map(({ count }) => showQuantity(count)) },
          ...(others ? [{ label: 'Otras salidas', values: months.map(({ exits }) => showQuantity(exits)) }] : []),
          { label: 'Órdenes', values: months.map(({ orders }) => showNumber(orders)) },
          ...(seesCosts
            ? [
                {
                  label: 'Miles de $',
                  values: months.map(({ month, amount }) => (
                    <span key={month} title={showMoney(amount)}>
                      {showNumber(Math.round((amount ?? 0) / 1000))}
                    </span>
                  )),
                },
              ]
            : []),
        ]}
        onMonth={open && ((month) => open(daysOf(month), showMonth(month)))}
        opens={`Uso de ${supply.code} en`}
      />
      <ul className={styles.lines} aria-label="Equipos que más lo usan">
        {trucks.map(({ truck_id, truck_code, patent, count, amount, orders, last_on }) => (
          <li key={truck_id}>
            <span>
              <Plate text={showPatent(patent)} />{' '}
              <Link to="/truck/$id" params={{ id: String(truck_id) }}>
                {truck_code}
              </Link>
            </span>
            <b>{amountOf(count, supply)}</b>
            <small>
              {showCount(orders, 'orden', 'órdenes')}, la última el {showDay(last_on)}
            </small>
            <small>{amount !== null && showMoney(amount)}</small>
          </li>
        ))}
      </ul>
      {trucks_count > trucks.length && (
        <p className={styles.nothing}>Y {showCount(trucks_count - trucks.length, 'equipo más', 'equipos más')}.</p>
      )}
    </Card>
  )
}

function Arrivals({ said: { arrivals, stock }, supply }: PartProps) {
  const coming = stock.filter(({ incoming }) => incoming > 0)
  return (
    <Card
      title="Próximas llegadas"
      count={arrivals.length + coming.length}
      nothing={arrivals.length + coming.length === 0 && 'No hay nada pedido ni en camino.'}
    >
      <ul className={styles.lines}>
        {arrivals.map((order) => {
          const day = order.promised_on ?? order.wanted_on
          return (
            <li key={order.purchase_order_id}>
              <Link
                to="/warehouse/$id"
                params={{ id: String(order.warehouse_id) }}
                search={{ tab: 'purchases-orders', order: order.purchase_order_id }}
              >
                {order.provider}
              </Link>
              <b>{amountOf(order.quantity, supply)}</b>
              <small data-whole>
                {order.code} · {order.warehouse} ·{' '}
                <StatusPill tone={PURCHASE_STATES[order.status].tone}>{PURCHASE_STATES[order.status].label}</StatusPill>
              </small>
              <small data-whole data-tone={order.days_late > 0 ? 'danger' : undefined}>
                {day === null ? 'Sin fecha' : `${order.promised_on ? 'Prometida' : 'Pedida para'} ${showDay(day)}`}
                {order.days_late > 0 && `, atrasada ${showCount(order.days_late, 'día', 'días')}`}
              </small>
            </li>
          )
        })}
        {coming.map(({ warehouse_id, warehouse_name, incoming }) => (
          <li key={`transit ${warehouse_id}`}>
            <Link to="/warehouse/$id" params={{ id: String(warehouse_id) }} search={{ tab: 'transfers' }}>
              De otro taller
            </Link>
            <b>{amountOf(incoming, supply)}</b>
            <small>En tránsito a {warehouse_name}</small>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Orders({ said: { orders, orders_count }, supply }: PartProps) {
  return (
    <Card
      title="Últimas órdenes"
      count={orders_count}
      nothing={orders.length === 0 && 'Ninguna orden lo usó en los últimos 12 meses.'}
    >
      <ul className={styles.lines}>
        {orders.map(({ work_order_id, code, truck_code, patent, day, count, amount }) => (
          <li key={work_order_id}>
            <Link to="/ordenes-de-trabajo/$id" params={{ id: String(work_order_id) }} className="mono">
              {code}
            </Link>
            <b>{amountOf(count, supply)}</b>
            <small>
              {truck_code} {showPatent(patent)} · {showDay(day)}
            </small>
            <small>{amount !== null && showMoney(amount)}</small>
          </li>
        ))}
      </ul>
    </Card>
  )
}
