import { dayOf, lastDayOf } from './days.ts'
import { type Asked, expenses, Figures, hours, standing } from './figures.ts'
import type { Hands } from './generate.ts'
import type { Model } from './model.ts'
import type { World } from './operations.ts'
import { expensesOf, hoursOf, standingOf } from './product.ts'

/** Figures of the product, and when each was asked: hours go on meanwhile. */
export interface Recorded {
  figures: Figures
  asked: { asked: Asked; now: number }[]
}

/** Every month from the first to today, whole, and all of it; of each workshop and of all. */
export function periodsSince(first: string, world: World): Asked[] {
  const today = dayOf(Date.now())
  const found: { from: string; to: string }[] = [
    { from: `${first.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` },
  ]
  for (let month = first.slice(0, 7); month <= today.slice(0, 7); month = nextOf(month))
    found.push({ from: `${month}-01`, to: lastDayOf(month) })
  const workshops = world.workshops.length > 1 ? [null, ...world.workshops] : [null]
  return found.flatMap((period) => workshops.map((workshop) => ({ ...period, workshop })))
}
const nextOf = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}

export async function recordProduct(hands: Hands, periods: Asked[]): Promise<Recorded> {
  const { figures, asked } = await recordReports(hands, periods)
  for (const [name, amount] of await standingOf(hands)) figures.set(name, amount)
  return { figures, asked }
}

export async function recordReports(hands: Hands, periods: Asked[]): Promise<Recorded> {
  const figures = new Figures()
  const asked: Recorded['asked'] = []
  const take = (found: Figures) => {
    for (const [name, amount] of found) figures.set(name, amount)
  }
  for (const period of periods) {
    take(await expensesOf(hands, period))
    asked.push({ asked: period, now: Date.now() })
    take(await hoursOf(hands, period))
  }
  return { figures, asked }
}

export function figuresOf(model: Model, { asked }: Pick<Recorded, 'asked'>): Figures {
  const figures = new Figures(standing(model))
  for (const { asked: period, now } of asked)
    for (const found of [expenses(model, period), hours(model, period, now)])
      for (const [name, amount] of found) figures.set(name, amount)
  return figures
}

/** A unit cost goes with its value to the rounding of both to four decimals. */
const unitRounding = (quantity: number) => 0.000_2 + 0.001_2 / Math.abs(quantity)
/** Hours run on between the question and its answer; everything else is the same to the peso and the ten-thousandth. */
const ALLOWED = { hours: 0.02, kardex: 0.000_15, other: 0.000_05 }
/** Shares of an exit are rounded in the order in which they were written: by a ten-thousandth each, as the invariant says. */
const KARDEX_VALUE = /^kardex .* value$/

export function differences(model: Figures, product: Figures): string[] {
  const found: string[] = []
  for (const name of new Set([...model.keys(), ...product.keys()])) {
    // The model says what a unit cost only of what left at the average.
    if (name.endsWith(' unit cost') && !model.has(name)) continue
    const [expected, actual] = [model.get(name) ?? 0, product.get(name) ?? 0]
    const allowed = name.startsWith('hours ')
      ? ALLOWED.hours
      : name.endsWith(' unit cost')
        ? unitRounding(product.get(name.replace('unit cost', 'quantity'))!)
        : KARDEX_VALUE.test(name)
          ? ALLOWED.kardex
          : ALLOWED.other
    if (Math.abs(expected - actual) > allowed) found.push(`${name}: the model says ${expected}, the product ${actual}`)
  }
  return found
}
