import { Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import type { Me } from '#contract/identity/identity.ts'
import { type BoardQuery, type WorkOrderCard, workOrders } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { countFilters } from '../../frames/list-query.ts'
import { call } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { useMay, useMe, useWorkshop, useZone } from '../../platform/session.ts'
import { ErrorState, useArrived, useNoticeable } from '../../ui/faces.tsx'
import { lazy } from '../../ui/lazy.ts'
import { OrdersHeader } from '../orders-header.tsx'
import board from './board.module.css'
import { Board } from './board.tsx'
import { firstAsked, ONLY, type Only, useBoardFilters } from './filters.ts'
import { columnsOf } from './model.ts'
import { useMoves } from './moves.ts'
import { boardQuery, firstQuery, useBoard } from './query.ts'
import styles from './screen.module.css'

// Brings the calendar along.
const QuickEdit = lazy(() => import('./quick-edit.tsx'))

const NOTHING = new Map<number, never>()

export const ahead = (me: Me) => void queryClient.prefetchQuery(firstQuery(firstAsked(me)))

export default function BoardScreen() {
  const zone = useZone()
  const mayMove = useMay('work-orders.work')
  const mayCreate = useMay('work-orders.write')
  const workshop = useWorkshop()
  const client = useQueryClient()
  const { filter, asked, setFilter, only, setOnly, fresh } = useBoardFilters()
  const answer = useBoard(asked)
  const { moved, move } = useMoves()
  const [editing, setEditing] = useState<WorkOrderCard>()
  const data = useArrived(answer.data)

  const all = useMemo(() => data && columnsOf(data, moved), [data, moved])
  const columns = useMemo(
    () => (data && only ? columnsOf(data, moved, (card) => ONLY[only].of(card, zone)) : all),
    [data, moved, only, zone, all],
  )
  const shift = useMemo(() => data && all && shiftsOf(columnsOf(data, NOTHING), all), [data, all])
  const totals =
    data &&
    columns &&
    (Object.fromEntries(
      WORK_ORDER_STATUS_NAMES.map((status) => [
        status,
        only ? columns[status].length : data[WORK_ORDER_STATES[status].group].total + (shift?.[status] ?? 0),
      ]),
    ) as Record<WorkOrderStatus, number>)

  const filters = countFilters(filter) + Number(Boolean(filter.Search)) + Number(only !== undefined)

  const count = async (next: BoardQuery['filter'], signal: AbortSignal) => {
    const query = { filter: { WorkshopId: workshop.id === undefined ? undefined : [workshop.id], ...next } }
    const found = await call(workOrders.workOrderBoard, { query, signal })
    // What is counted is what would be shown next: it need not be asked for twice.
    client.setQueryData(boardQuery(query.filter).queryKey, found)
    return Object.values(found).reduce(
      (sum, { data, total }) => sum + (only ? data.filter((card) => ONLY[only].of(card, zone)).length : total),
      0,
    )
  }

  return (
    <section className={styles.screen} aria-label="Tablero de órdenes de trabajo">
      <OrdersHeader
        view="board"
        filter={filter}
        onFilter={setFilter}
        count={count}
        countKey={only}
        fresh={fresh}
        also={{ solo: only }}
      >
        {all && (
          <OnlyChips
            cards={answer.isWhole ? Object.values(all).flat() : undefined}
            zone={zone}
            only={only}
            onChange={setOnly}
          />
        )}
      </OrdersHeader>
      {columns && totals ? (
        <Board
          columns={columns}
          totals={totals}
          zone={zone}
          filtered={filters > 0}
          mayMove={mayMove}
          mayCreate={mayCreate}
          placed={workshop.id === undefined && workshop.list.length > 1}
          whole={answer.isWhole}
          onMove={move}
          onEdit={mayCreate ? setEditing : undefined}
        />
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Waiting />
      )}
      {editing && (
        <Suspense fallback={null}>
          <QuickEdit key={editing.id} card={editing} onClose={() => setEditing(undefined)} />
        </Suspense>
      )}
    </section>
  )
}

/** How many more each column has since cards were moved here. */
const shiftsOf = (before: Record<WorkOrderStatus, unknown[]>, after: Record<WorkOrderStatus, unknown[]>) =>
  Object.fromEntries(
    WORK_ORDER_STATUS_NAMES.map((status) => [status, after[status].length - before[status].length]),
  ) as Record<WorkOrderStatus, number>

interface OnlyChipsProps {
  /** All of them, once they are there. */
  cards: WorkOrderCard[] | undefined
  zone: string
  only: Only | undefined
  onChange: (only: Only | undefined) => void
}

function OnlyChips({ cards, zone, only, onChange }: OnlyChipsProps) {
  const isSpecialist = useMe().specialist_id !== null
  // Orders are one's own by responsibility or by work: somebody who is no specialist has none.
  const names = (Object.keys(ONLY) as Only[]).filter((name) => name !== 'mias' || isSpecialist || only === name)
  return (
    <fieldset className={styles.chips}>
      <legend className="only-read-aloud">Ver solo</legend>
      {names.map((name) => {
        const found = cards?.filter((card) => ONLY[name].of(card, zone)).length
        return (
          <button
            key={name}
            type="button"
            className={styles.chip}
            data-tone={name === 'atrasadas' && found ? 'danger' : undefined}
            aria-pressed={only === name}
            disabled={found === 0 && only !== name}
            onClick={() => onChange(only === name ? undefined : name)}
          >
            {ONLY[name].label}
            <span className={styles.number}>{found === undefined ? '…' : showNumber(found)}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

function Waiting() {
  if (!useNoticeable(true)) return null
  return (
    <div className={board.board} role="status" aria-label="Cargando">
      {WORK_ORDER_STATUS_NAMES.map((status) => (
        <div key={status} className={board.column}>
          <div className={styles.waiting}>
            <Skeleton h={14} w={110} />
            <Skeleton h={124} />
            <Skeleton h={124} />
            <Skeleton h={124} />
          </div>
        </div>
      ))}
    </div>
  )
}
