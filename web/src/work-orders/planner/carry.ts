import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { PlannerItem } from '#contract/work-orders/planner.ts'
import { useFollowPointer } from '../../ui/follow-pointer.ts'
import {
  type Column,
  DAY,
  firstGap,
  keyOf,
  type Lane,
  laneOf,
  lengthOf,
  type Place,
  type Placed,
  type Plan,
  placeAt,
  sayPlace,
} from './model.ts'

/** Something on its way: under a pointer, or carried by the arrow keys. `to` null: back among what waits. */
export interface Journey {
  item: PlannerItem
  to: Place | null | undefined
  by: 'pointer' | 'keys'
}

interface Carrying {
  plan: Plan
  lanes: Lane[]
  columns: Column[]
  first: string
  /** Where it lies now; undefined for what waits. */
  find: (item: PlannerItem) => Placed | undefined
  onMove: (item: PlannerItem, to: Place | null) => void
}

const samePlace = (a: Place | null | undefined, b: Place | null | undefined) =>
  a === b || (!!a && !!b && a.lane === b.lane && a.from === b.from && a.until === b.until)

/** Of a box a work takes only the hour; what is of one workshop stays there. */
export const mayLie = (item: PlannerItem, lane: Lane, { lanes }: Plan) =>
  lanes === 'box' && item.kind === 'work'
    ? laneOf(item, 'box') === lane.id
    : lane.workshop_id === null || lane.workshop_id === item.workshop_id

/** Pointer and keys carry the same thing; nothing is sent before it is let go. Long: each must know of the other. */
export function useCarry({ plan, lanes, columns, first, find, onMove }: Carrying) {
  const [journey, setJourney] = useState<Journey>()
  const [said, announce] = useState('')
  const pointer = useRef({ x: 0, y: 0 })
  const focusNext = useRef<string>(undefined)
  const laneName = (id: number) => lanes.find((lane) => lane.id === id)?.name ?? ''
  const sayTo = (to: Place | null) => (to ? `${laneName(to.lane)}, ${sayPlace(to, first)}` : 'sin programar')
  const start = (item: PlannerItem): Place | null => {
    const now = find(item)
    return now ? { lane: laneOf(item, plan.lanes), from: now.from, until: now.until } : null
  }

  const land = ({ item, to }: Journey) => {
    setJourney(undefined)
    if (to === undefined || samePlace(to, start(item))) return
    onMove(item, to)
    announce(`${item.code} quedó en ${sayTo(to)}.`)
  }
  const send = (item: PlannerItem, to: Place | null | undefined) => {
    focusNext.current = keyOf(item)
    if (to !== undefined) land({ item, to, by: 'keys' })
  }
  /** In its own lane or, where it has none, in the one that is free first; or in one that is named. */
  const toGap = (item: PlannerItem, lane?: Lane) => {
    const own = find(item)
    const wanted = item.date_estimed ? (Date.parse(item.date_estimed) - Date.parse(first)) / 60_000 : 0
    const after = Math.max(plan.now, own ? own.from : wanted)
    if (!lane) return firstGap({ item, ...own }, lanes, after, plan)
    return {
      lane: lane.id,
      ...plan.hours.gap(plan.busyIn(lane.id, item), lengthOf({ item, ...own }, plan.hours), after),
    }
  }

  /* By pointer */

  const locate = (item: PlannerItem): Place | null | undefined => {
    const { x, y } = pointer.current
    const under = document.elementsFromPoint(x, y)
    const cell = under.find((one): one is HTMLElement => one instanceof HTMLElement && 'cell' in one.dataset)
    if (!cell) {
      const isTray = under.some((one) => one.closest('[data-tray]'))
      return isTray && find(item) && !item.began ? null : undefined
    }
    const lane = lanes.find(({ id }) => id === Number(cell.dataset.cell))
    const column = columns.find(({ key }) => key === cell.dataset.column)
    if (!lane || !column || !mayLie(item, lane, plan)) return undefined
    const { left, width } = cell.getBoundingClientRect()
    return placeAt({ item, ...find(item) }, { lane: lane.id, column, at: (x - left) / width }, plan)
  }
  const follow = () =>
    setJourney((now) => {
      if (now?.by !== 'pointer') return now
      const to = locate(now.item)
      return samePlace(to, now.to) ? now : { ...now, to }
    })
  useFollowPointer(journey?.by === 'pointer', pointer, follow)

  /* By keyboard */

  const stepped = (item: PlannerItem, from: Place, key: string): Place | undefined => {
    const mine = lanes.filter((lane) => mayLie(item, lane, plan))
    const at = mine.findIndex(({ id }) => id === from.lane)
    const step = { ArrowUp: -1, ArrowDown: 1 }[key]
    if (step !== undefined)
      return { ...from, lane: mine[Math.min(Math.max(at + step, 0), mine.length - 1)]?.id ?? from.lane }
    const aside = { ArrowLeft: -1, ArrowRight: 1 }[key]
    if (aside === undefined) return undefined
    if (item.began) return from
    const length = lengthOf({ item, from: from.from, until: from.until }, plan.hours)
    return { ...from, ...plan.hours.stretch(from.from + aside * (plan.view === 'week' ? DAY : 30), length) }
  }
  const onKey = (item: PlannerItem, event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const carried = journey?.by === 'keys' && keyOf(journey.item) === keyOf(item) ? journey : undefined
    const take = (act: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    if (event.key.toLowerCase() === 'p' && !item.began) return take(() => send(item, toGap(item)))
    if (carried && (event.key === 'Escape' || event.key === 'Tab'))
      return take(() => {
        setJourney(undefined)
        announce(`Movimiento cancelado. ${item.code} sigue en ${sayTo(start(item))}.`)
      })
    if (carried && (event.key === 'Enter' || event.key === ' ')) return take(() => send(item, carried.to))
    const from = carried?.to ?? start(item) ?? toGap(item)
    if (!from) return
    const to = !carried && event.key === ' ' ? from : stepped(item, from, event.key)
    if (!to) return
    take(() => {
      setJourney({ item, to, by: 'keys' })
      announce(`${sayTo(to)}. Enter para dejar, Escape para cancelar.`)
    })
  }
  // It may be another element now, in another lane: the focus goes along.
  useEffect(() => {
    const key = focusNext.current
    if (!key || journey) return
    const found = document.querySelector<HTMLElement>(`[data-item="${key}"]`)
    if (!found) return
    focusNext.current = undefined
    found.focus()
  })

  return {
    journey,
    said,
    onKey,
    toGap,
    send,
    dragStart: (item: PlannerItem, at: { x: number; y: number }) => {
      pointer.current = at
      setJourney({ item, to: undefined, by: 'pointer' })
    },
    dragEnd: (canceled: boolean) => {
      if (journey?.by !== 'pointer') return
      if (canceled) setJourney(undefined)
      else land(journey)
    },
  }
}
