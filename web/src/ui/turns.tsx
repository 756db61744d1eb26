import { createContext, type ReactNode, startTransition, useContext, useEffect, useState } from 'react'

/* What is much to draw takes turns: so much for each frame, so that a slow machine answers in between. */

type Turn = () => void
const waiting = new Map<Turn, number>()
const drawing = new Set<Turn>()
let isNext = false
let areAllAtOnce = false

/** For tests, which look at what is there. */
export const drawAllAtOnce = (value: boolean) => {
  areAllAtOnce = value
}

/**
 * Around what opens over the page: it takes the focus as it comes, and has to be whole for that. And around what is not
 * seen yet, which has no turns.
 */
export const AtOnce = createContext(false)

/** Once what there is has been painted. A page that nobody sees is not. */
const afterFrame = (act: () => void) =>
  document.hidden ? setTimeout(act) : requestAnimationFrame(() => void setTimeout(act))

function next() {
  if (isNext || drawing.size > 0 || waiting.size === 0) return
  isNext = true
  afterFrame(() => {
    isNext = false
    let room = 1
    for (const [turn, cost] of waiting) {
      if (drawing.size > 0 && cost > room) break
      room -= cost
      waiting.delete(turn)
      drawing.add(turn)
    }
    const begun = [...drawing]
    startTransition(() => {
      for (const turn of begun) turn()
    })
    setTimeout(() => {
      for (const turn of begun) drawing.delete(turn)
      next()
    }, LONGEST)
  })
}
/** Who waits for something else by then, such as a part of the program that is on its way, holds nobody up. */
const LONGEST = 1000

/** How many of the turns that this wants it has had. `cost`: which part of a frame one of them takes. */
export function useTurns(wanted: number, cost = 1): number {
  const [had, setHad] = useState(0)
  const around = useContext(AtOnce)
  const [isWhole] = useState(around || areAllAtOnce)
  const isServed = isWhole || had >= wanted
  useEffect(() => {
    if (isServed) return
    const turn = () => setHad(had + 1)
    waiting.set(turn, cost)
    next()
    // Drawn, or gone.
    return () => {
      waiting.delete(turn)
      drawing.delete(turn)
      next()
    }
  }, [had, isServed, cost])
  return isServed ? wanted : had
}

interface InTurnProps {
  cost?: number
  /** The class of what stands there until then. */
  place?: string | undefined
  /** At once after all. */
  due?: boolean | undefined
  children: ReactNode
}

/** Drawn when it has its turn. */
export function InTurn({ cost, place, due = false, children }: InTurnProps) {
  const isDrawn = useTurns(due ? 0 : 1, cost) > 0 || due
  return isDrawn ? children : <div className={place} aria-busy hidden={place === undefined} />
}
