import { showShare } from '#contract/base/money.ts'
import { changeOf } from './words.ts'

/** Rows that the server is asked for; `shows` says which of their figures it was that was pressed. */
export interface AskedRows {
  of: 'expenses' | 'entries' | 'stops' | 'orders' | 'kilometers' | 'hours' | 'times' | 'low_stock'
  filter: Record<string, unknown>
  shows?: 'lines' | 'quantity' | 'net' | 'count' | undefined
}
/** Trucks that were counted, as the report has them. */
export interface TruckLine {
  truck_id: number
  truck_code: string
  patent: string
  end: string
  more?: string | undefined
  order?: { id: number; code: string }
}
export type Rows = AskedRows | { of: 'trucks'; trucks: TruckLine[] }

/** A figure inside a sum, and the rows it leads to. */
export type Part = Rows & { words: string }
export type Sum = (string | Part)[]
/** A figure that was pressed: what it is called and what it is made of; one that is worked out from others says how. */
export type Opened = Rows & { title: string; sum?: Sum }

export const isPart = (piece: string | Part): piece is Part => typeof piece !== 'string'
export const part = (words: string, rows: Rows): Part => ({ ...rows, words })
/** The rows alone, without what was said about them. */
export const rowsOf = (rows: Rows): Rows =>
  rows.of === 'trucks' ? { of: rows.of, trucks: rows.trucks } : { of: rows.of, filter: rows.filter, shows: rows.shows }
export const isSame = (a: Rows, b: Rows) => JSON.stringify(rowsOf(a)) === JSON.stringify(rowsOf(b))

/** What a sum comes to; the sign stays with it where the line breaks. */
export const equals = (figure: string) => ` =\u00a0${figure}`

/** A figure worked out from others. The rows of one of them are what it opens with. */
export const worked = (title: string, sum: Sum, first: Rows | undefined = sum.find(isPart)): Opened => {
  if (!first) throw new Error(`${title} is worked out from nothing.`)
  return { ...rowsOf(first), title, sum }
}

interface Comparison {
  now: number
  before: number
  show: (value: number) => string
  /** By the difference, not by the share of it. */
  points?: boolean
}

/** How a figure moved: it opens with the rows of the period before. */
export function compared(
  title: string,
  { now, before, show, points = false }: Comparison,
  is: Rows,
  was: Rows,
): Opened {
  const [today, then] = [part(show(now), is), part(`${show(before)} del período comparado`, was)]
  const moved = changeOf(now, before, points)
  const size = `${(moved ?? 0) < 0 ? '−' : '+'}${showShare(Math.abs(moved ?? 0))}`
  const sum: Sum =
    moved === null
      ? [today, ' contra ', then]
      : points
        ? [today, ' − ', then, equals(size.replace('%', 'puntos'))]
        : ['(', today, ' − ', then, `) ÷ ${show(before)}`, equals(size)]
  return worked(`${title}, contra el período comparado`, sum, then)
}
