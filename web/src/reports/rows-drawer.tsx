import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { showDay, showMoment } from '#contract/dates.ts'
import { showPatent } from '#contract/fleet.ts'
import { showMoney, showNumber, showQuantity } from '#contract/money.ts'
import { type EntryRow, EXPENSE_KINDS, type ExpenseRow, reports, type StopRow } from '#contract/reports.ts'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { Drawer } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { reportsKey } from './queries.ts'
import styles from './reports.module.css'
import { showHours } from './words.ts'

/** A figure that was pressed: what it was called, what it said, and how to ask for what it is made of. */
export interface Opened {
  title: string
  figure: string
  of: 'expenses' | 'entries' | 'stops'
  filter: Record<string, unknown>
}

interface Found {
  data: (ExpenseRow | EntryRow | StopRow)[]
  total: number
  page: number
  per_page: number
  totals?: { amount?: number; total?: number }
}

const ENDPOINTS = { expenses: reports.expenseRows, entries: reports.entryRows, stops: reports.stopRows }
const NOUNS = {
  expenses: ['línea', 'líneas'],
  entries: ['entrada', 'entradas'],
  stops: ['estadía en taller', 'estadías en taller'],
} as const

/** The rows behind a figure, and their sum. */
export default function RowsDrawer({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  const { title, figure, of, filter } = opened
  const list = useInfiniteQuery({
    queryKey: [...reportsKey, 'rows', of, filter],
    queryFn: async ({ pageParam, signal }): Promise<Found> =>
      (await call(ENDPOINTS[of] as typeof reports.expenseRows, {
        query: { filter: filter as never, page: pageParam, per_page: 50 },
        signal,
      })) as Found,
    initialPageParam: 1,
    getNextPageParam: ({ page, per_page, total }) => (page * per_page < total ? page + 1 : undefined),
  })
  const last = list.data?.pages.at(-1)
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const sum = last?.totals && (last.totals.amount ?? last.totals.total)
  return (
    <Drawer opened onClose={onClose} title={title} width={500}>
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !last ? (
        <Skeleton h={240} />
      ) : (
        <>
          <p className={styles.sum}>
            <strong>{sum === undefined ? figure : showMoney(sum)}</strong>
            <span>
              {showNumber(last.total)} {NOUNS[of][last.total === 1 ? 0 : 1]}
            </span>
          </p>
          {rows.length === 0 && <p className={styles.nothing}>No hay nada detrás de esta cifra.</p>}
          <ul className={styles.rows} aria-label="Detalle">
            {rows.map((row) => (
              <Row key={keyOf(row)} row={row} />
            ))}
          </ul>
          {list.hasNextPage && (
            <div className={styles.more}>
              <span>
                {showNumber(rows.length)} de {showNumber(last.total)}
              </span>
              <Button
                variant="default"
                size="xs"
                loading={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              >
                Ver más
              </Button>
            </div>
          )}
        </>
      )}
    </Drawer>
  )
}

const keyOf = (row: ExpenseRow | EntryRow | StopRow) =>
  'kind' in row ? `${row.kind} ${row.id}` : 'warehouse_id' in row ? row.id : `${row.work_order_id} ${row.from}`

const OrderLink = ({ id, code }: { id: number; code: string }) => (
  <Link to={`/ordenes-de-trabajo/${id}` as never} className="mono">
    {code}
  </Link>
)

function Row({ row }: { row: ExpenseRow | EntryRow | StopRow }) {
  const zone = useZone()
  if ('kind' in row)
    return (
      <Line name={row.name} end={showMoney(row.amount)}>
        <OrderLink id={row.work_order_id} code={row.order_code} />
        <span>{showPatent(row.patent)}</span>
        <span>{showDay(row.day)}</span>
        <span>
          {EXPENSE_KINDS[row.kind].label}
          {row.provider ? ` de ${row.provider}` : ''} × {showQuantity(row.count)}
        </span>
      </Line>
    )
  if ('warehouse_id' in row)
    return (
      <Line name={row.document ?? 'Sin documento'} end={showMoney(row.total)}>
        <Link
          to={`/warehouse/${row.warehouse_id}` as never}
          search={{ tab: 'purchases', transaction: row.id } as never}
        >
          Ver entrada
        </Link>
        <span>{row.warehouse}</span>
        <span>{showDay(row.date)}</span>
        <span>neto {showMoney(row.subtotal)}</span>
      </Line>
    )
  return (
    <Line name={row.request ?? 'Sin descripción'} end={showHours(row.hours)}>
      <OrderLink id={row.work_order_id} code={row.code} />
      <span>{showPatent(row.patent)}</span>
      <span>{row.planned ? 'Planificada' : 'No planificada'}</span>
      <span>
        {showMoment(row.workshop_entry_at, zone)} →{' '}
        {row.workshop_departure_at ? showMoment(row.workshop_departure_at, zone) : 'sigue en taller'}
      </span>
    </Line>
  )
}

function Line({ name, end, children }: { name: string; end: string; children: ReactNode }) {
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
