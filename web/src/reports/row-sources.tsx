import { Link } from '@tanstack/react-router'
import type { Key, ReactNode } from 'react'
import type { z } from 'zod'
import { showDay, showMoment } from '#contract/base/dates.ts'
import { showHours, showKm, showMoney, showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import type { Endpoint } from '#contract/base/wire.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { reports } from '#contract/reports/reports.ts'
import { EXPENSE_KINDS, reportRows, type StopRow } from '#contract/reports/rows.ts'
import { WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import type { AskedRows, Rows, TruckLine } from './opened.ts'
import styles from './reports.module.css'
import { showCount } from './words.ts'

/* Every kind of row that a figure is made of: where it is asked for, what all of them come to, and how one is written. */

type Shows = AskedRows['shows']
export interface Source {
  endpoint?: Endpoint
  /** What they come to, and how many they are. */
  head: (found: unknown, shows: Shows) => [main: string, more: string]
  line: (row: unknown, zone: string, shows: Shows) => ReactNode
  keyOf: (row: unknown) => Key
}
interface Written<Found extends { data: unknown[] }> {
  head: (found: Found, shows: Shows) => [string, string]
  line: (row: Found['data'][number], zone: string, shows: Shows) => ReactNode
  keyOf: (row: Found['data'][number]) => Key
}
type Listed = Endpoint & { reply: z.ZodType<{ data: unknown[]; total: number }> }
const source = <E extends Listed>(endpoint: E, written: Written<z.output<E['reply']>>) =>
  ({ endpoint, ...written }) as unknown as Source

const trucksOf = (count: number) => showCount(count, 'equipo', 'equipos')

export const SOURCES: Record<Rows['of'], Source> = {
  expenses: source(reportRows.expenseRows, {
    head: ({ total, totals }, shows) => {
      const [amount, lines] = [showMoney(totals.amount), showCount(total, 'línea', 'líneas')]
      if (shows === 'quantity') return [showQuantity(totals.count), `${lines}, ${amount}`]
      return shows === 'lines' ? [lines, amount] : [amount, lines]
    },
    keyOf: (row) => `${row.kind} ${row.id}`,
    line: (row, _zone, shows) => (
      <Line name={row.name} end={shows === 'quantity' ? showQuantity(row.count) : showMoney(row.amount)}>
        <OrderLink id={row.work_order_id} code={row.order_code} />
        <span>{showPatent(row.patent)}</span>
        {row.truck_workshop && <span>{`de ${row.truck_workshop}`}</span>}
        <span>{showDay(row.day)}</span>
        <span>
          {EXPENSE_KINDS[row.kind].label}
          {row.provider ? ` de ${row.provider}` : ''}{' '}
          {shows === 'quantity'
            ? showMoney(row.amount)
            : row.kind === 'labour'
              ? `${showQuantity(Number(row.count.toFixed(2)))} h`
              : row.count !== 0 && `× ${showQuantity(row.count)}`}
        </span>
      </Line>
    ),
  }),
  entries: source(reportRows.entryRows, {
    head: ({ total, totals }, shows) => {
      const [amount, entries] = [
        showMoney(shows === 'net' ? totals.subtotal : totals.total),
        showCount(total, 'entrada', 'entradas'),
      ]
      return shows === 'count' ? [entries, amount] : [amount, entries]
    },
    keyOf: (row) => row.id,
    line: (row, _zone, shows) => (
      <Line name={row.document ?? 'Sin documento'} end={showMoney(shows === 'net' ? row.subtotal : row.total)}>
        <Link
          to="/warehouse/$id"
          params={{ id: String(row.warehouse_id) }}
          search={{ tab: 'purchases', transaction: row.id }}
        >
          Ver entrada
        </Link>
        <span>{row.warehouse}</span>
        <span>{showDay(row.date)}</span>
        <span>{shows === 'net' ? `con IVA ${showMoney(row.total)}` : `neto ${showMoney(row.subtotal)}`}</span>
      </Line>
    ),
  }),
  stops: source(reportRows.stopRows, {
    head: ({ total, totals }, shows) => {
      const [hours, stops, stays] = [
        showHours(totals.hours),
        showCount(totals.stops, 'detención', 'detenciones'),
        showCount(total, 'estadía', 'estadías'),
      ]
      return shows === 'count' ? [stops, `${stays}, ${hours}`] : [hours, `${stays} en ${stops}`]
    },
    keyOf: (row) => `${row.work_order_id} ${row.from}`,
    line: (row, zone) => (
      <Line name={row.request ?? 'Sin descripción'} end={showHours(row.counted)}>
        <OrderLink id={row.work_order_id} code={row.code} />
        <span>{showPatent(row.patent)}</span>
        <span>{row.planned ? 'Planificada' : 'No planificada'}</span>
        <span>
          {showMoment(row.workshop_entry_at, zone)} →{' '}
          {row.workshop_departure_at ? showMoment(row.workshop_departure_at, zone) : 'sigue detenido'}
        </span>
        {isCut(row) && <span>Cuenta lo que cae en el período</span>}
        {!row.begins && <span>Sigue la detención de otra orden</span>}
        {row.counted < row.hours - 0.001 && <span>Estuvo {showHours(row.hours)}; el resto cuenta en otra orden</span>}
      </Line>
    ),
  }),
  orders: source(reportRows.orderRows, {
    head: ({ total, totals }) => [showCount(total, 'orden', 'órdenes'), showMoney(totals.amount)],
    keyOf: (row) => row.work_order_id,
    line: (row, zone) => (
      <Line name={row.request ?? 'Sin descripción'} end={showMoney(row.amount)}>
        <OrderLink id={row.work_order_id} code={row.code} />
        <span>{showPatent(row.patent)}</span>
        {row.truck_workshop && <span>{`de ${row.truck_workshop}`}</span>}
        <span>{WORK_ORDER_STATES[row.status].label}</span>
        {row.labour !== null && <span>{`${showMoney(row.amount + row.labour)} con mano de obra`}</span>}
        <span>creada el {showMoment(row.created_at, zone)}</span>
      </Line>
    ),
  }),
  kilometers: source(reportRows.kilometerRows, {
    head: ({ total, totals }) => [showKm(totals.kilometers), trucksOf(total)],
    keyOf: (row) => row.truck_id,
    line: (row, zone) => (
      <Line name={<TruckLink truck={row} />} end={showKm(row.kilometers)}>
        <span>
          {showKm(row.to_km)} el {showMoment(row.to_at, zone)}
        </span>
        <span>
          − {showKm(row.from_km)} el {showMoment(row.from_at, zone)}
        </span>
      </Line>
    ),
  }),
  hours: source(reports.availability, {
    head: ({ total, totals }) => [showHours(totals.hours), trucksOf(total)],
    keyOf: (row) => row.truck_id,
    line: (row) => (
      <Line name={<TruckLink truck={row} />} end={showHours(row.hours)}>
        <span>{row.hours_stopped > 0 ? `${showHours(row.hours_stopped)} detenido` : 'No estuvo detenido'}</span>
      </Line>
    ),
  }),
  times: source(reportRows.timeRows, {
    head: ({ total, totals }, shows) => {
      const [hours, works, times] = [
        showHours(totals.hours),
        showCount(totals.works, 'trabajo', 'trabajos'),
        showCount(total, 'registro', 'registros'),
      ]
      return shows === 'count' ? [works, `${times}, ${hours}`] : [hours, `${times} de ${works}`]
    },
    keyOf: (row) => row.id,
    line: (row, zone) => (
      <Line name={row.work || 'Trabajo'} end={showHours(row.hours)}>
        <OrderLink id={row.work_order_id} code={row.code} />
        <span>{row.specialist}</span>
        <span>{showPatent(row.patent)}</span>
        <span>
          {row.from_at
            ? `${showMoment(row.from_at, zone)} → ${row.until_at ? showMoment(row.until_at, zone) : 'sigue en curso'}`
            : `${showDay(row.day)}, anotadas`}
        </span>
      </Line>
    ),
  }),
  low_stock: source(reportRows.lowStockRows, {
    head: ({ total }) => [showCount(total, 'insumo', 'insumos'), 'bajo el mínimo'],
    keyOf: (row) => `${row.warehouse_id} ${row.supply_id}`,
    line: (row) => (
      <Line name={row.name} end={`${showQuantity(row.available)} de ${showQuantity(row.minimum)}`}>
        <Link to="/insumo/$id" params={{ id: String(row.supply_id) }} className="mono">
          {row.code}
        </Link>
        <Link
          to="/warehouse/$id"
          params={{ id: String(row.warehouse_id) }}
          search={{ tab: 'stock', filter: { Level: 'below' } }}
        >
          {row.warehouse}
        </Link>
        <span>
          {row.minimum - row.available === 1 ? 'Falta' : 'Faltan'}{' '}
          {showAmount(row.minimum - row.available, row.unit ?? 'unidad')}
        </span>
        {row.available < row.stock && <span>{showQuantity(row.stock - row.available)} para órdenes</span>}
        <span>{row.workshop_name}</span>
      </Line>
    ),
  }),
  trucks: {
    head: (found) => [trucksOf((found as { total: number }).total), ''],
    keyOf: (row) => (row as TruckLine).truck_id,
    line: (row) => {
      const { order, more, end, ...truck } = row as TruckLine
      return (
        <Line name={<TruckLink truck={truck} />} end={end}>
          {order && <OrderLink {...order} />}
          {more && <span>{more}</span>}
        </Line>
      )
    },
  },
}

const isCut = ({ workshop_entry_at, workshop_departure_at, from, to }: StopRow) =>
  Date.parse(from) > Date.parse(workshop_entry_at) ||
  (workshop_departure_at !== null && Date.parse(to) < Date.parse(workshop_departure_at))

const OrderLink = ({ id, code }: { id: number; code: string }) => (
  <Link to="/ordenes-de-trabajo/$id" params={{ id: String(id) }} className="mono">
    {code}
  </Link>
)

const TruckLink = ({ truck }: { truck: Pick<TruckLine, 'truck_id' | 'truck_code' | 'patent'> }) => (
  <Link to="/truck/$id" params={{ id: String(truck.truck_id) }}>
    <span className="mono">{truck.truck_code}</span> · {showPatent(truck.patent)}
  </Link>
)

function Line({ name, end, children }: { name: ReactNode; end: string; children: ReactNode }) {
  return (
    <li>
      <div className={styles.rowTop}>
        <span>{name}</span>
        <strong>{end}</strong>
      </div>
      <div className={styles.rowMore}>{children}</div>
    </li>
  )
}
