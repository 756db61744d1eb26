import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { STALE } from '#contract/base/wire.ts'
import {
  type Planner,
  type PlannerItem,
  type PlanOrder,
  type PlanWork,
  planner,
} from '#contract/work-orders/planner.ts'
import { ApiFailure, call } from '../../platform/api.ts'
import { say } from '../../ui/snackbar.tsx'
import { workOrdersKey } from '../queries.ts'
import { instantAt, keyOf, type Lanes, localAt, type Place } from './model.ts'
import { plannerKey } from './queries.ts'

/** What is sent of a move, without when it was read. */
type Sent = PlanOrder & PlanWork
/** As it is shown until the server says how it is. */
type Shown = Pick<PlannerItem, 'start' | 'until' | 'box_id' | 'specialist_id'>
interface Change {
  sent: Sent
  shown: Shown
}

/** `place` null: back among what waits. */
export function changeTo(item: PlannerItem, place: Place | null, lanes: Lanes, zone: string, first: string): Change {
  const start = place && instantAt(place.from, zone, first)
  const until = place && instantAt(place.until, zone, first)
  const lane = place ? place.lane || null : undefined
  const isWork = item.kind === 'work'
  // A work is where its order is: of a box it takes only the hour.
  const shown = {
    start: item.began ? item.start : start,
    until: item.began ? item.until : until,
    box_id: lanes === 'box' && !isWork && lane !== undefined ? lane : item.box_id,
    specialist_id: lanes === 'mechanic' && lane !== undefined ? lane : item.specialist_id,
  }
  if (isWork) {
    const { start: target_start_at, until: target_end_at, specialist_id } = shown
    return { shown, sent: { target_start_at, target_end_at, specialist_id } }
  }
  const local = place && localAt(place.from, first)
  return {
    shown,
    sent: {
      ...(!item.began && {
        date_estimed: local?.slice(0, 10) ?? item.date_estimed,
        hour_estimed: local?.slice(11) ?? null,
        until,
      }),
      box_id: shown.box_id,
      responsible_specialist_id: shown.specialist_id,
    },
  }
}

/** As it was. */
function changeBack(item: PlannerItem): Change {
  const { start, until, box_id, specialist_id } = item
  const shown = { start, until, box_id, specialist_id }
  if (item.kind === 'work') return { shown, sent: { target_start_at: start, target_end_at: until, specialist_id } }
  return {
    shown,
    sent: {
      ...(!item.began && {
        date_estimed: item.date_estimed,
        hour_estimed: item.hour_estimed,
        until: item.planned_minutes === null ? null : until,
      }),
      box_id,
      responsible_specialist_id: specialist_id,
    },
  }
}

/** Moves on screen at once; takes it back, with the reason and what others did, where the server refuses. */
export function usePlanMoves(where: (item: PlannerItem) => string) {
  const client = useQueryClient()
  const [moved, setMoved] = useState<ReadonlyMap<string, Shown>>(new Map())
  const queues = useRef(new Map<number, Promise<void>>())
  /** Of each order, as the last answer told it: an own move does not make the next one stale. */
  const read = useRef(new Map<number, string>())
  const weeks = { queryKey: plannerKey }

  const forget = (key: string, shown: Shown) =>
    setMoved((now) => {
      if (now.get(key) !== shown) return now
      const next = new Map(now)
      next.delete(key)
      return next
    })
  const known = (item: PlannerItem) => {
    const own = read.current.get(item.work_order_id)
    return own && Date.parse(own) > Date.parse(item.updated_at) ? own : item.updated_at
  }

  const deliver = async (item: PlannerItem, { sent, shown }: Change, undoing: boolean) => {
    const key = keyOf(item)
    try {
      const body = { ...sent, updated_at: known(item) }
      const now = await call(item.kind === 'work' ? planner.planWork : planner.planOrder, {
        params: { id: item.id },
        body,
      })
      read.current.set(now.work_order_id, now.updated_at)
      // An answer that left before the move would bring it back for an instant.
      await client.cancelQueries(weeks)
      client.setQueriesData<Planner>(weeks, (week) => week && withItem(week, now))
      if (!undoing)
        say(now.start ? `${item.code}: ${where(now)}` : `${item.code} quedó sin programar`, {
          undo: () => move(now, changeBack(item), true),
        })
      forget(key, shown)
      void client.invalidateQueries({ queryKey: workOrdersKey })
    } catch (error) {
      forget(key, shown)
      await client.invalidateQueries(weeks)
      refused(item, error)
    }
  }
  const refused = (item: PlannerItem, error: unknown) => {
    if (!(error instanceof ApiFailure && error.message === STALE))
      return say(`No se pudo mover ${item.code}`, {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    const now = client
      .getQueriesData<Planner>(weeks)
      .flatMap(([, week]) => (week ? [...week.data, ...week.waiting] : []))
      .find((one) => keyOf(one) === keyOf(item))
    say(`Alguien cambió ${item.code} mientras tanto`, {
      tone: 'danger',
      detail: now ? `Ahora: ${now.start ? where(now) : 'sin programar'}. Vuelva a moverla si corresponde.` : undefined,
      see: { label: 'Ver la orden', path: `/ordenes-de-trabajo/${item.work_order_id}` },
    })
  }

  const move = (item: PlannerItem, change: Change, undoing = false) => {
    setMoved((now) => new Map(now).set(keyOf(item), change.shown))
    // One after another for each order: the last one asked for is the one that stays.
    const turn = (queues.current.get(item.work_order_id) ?? Promise.resolve()).then(() =>
      deliver(item, change, undoing),
    )
    queues.current.set(item.work_order_id, turn)
    void turn.finally(() => {
      if (queues.current.get(item.work_order_id) === turn) queues.current.delete(item.work_order_id)
    })
  }
  return { moved, move }
}

/** The week with what has been moved here and not been confirmed yet. */
export function withMoved(week: Planner, moved: ReadonlyMap<string, Shown>): Planner {
  if (moved.size === 0) return week
  const all = [...week.data, ...week.waiting].map((item) => {
    const shown = moved.get(keyOf(item))
    return shown ? { ...item, ...shown, clashes: [] } : item
  })
  return { ...week, data: all.filter(({ start }) => start), waiting: all.filter(({ start }) => !start) }
}

const withItem = (week: Planner, now: PlannerItem): Planner => {
  const fresh = (item: PlannerItem) =>
    item.work_order_id === now.work_order_id ? { ...item, updated_at: now.updated_at } : item
  const others = (items: PlannerItem[]) => items.filter((item) => keyOf(item) !== keyOf(now)).map(fresh)
  return {
    ...week,
    data: now.start ? [...others(week.data), now] : others(week.data),
    waiting: now.start ? others(week.waiting) : [now, ...others(week.waiting)],
  }
}
