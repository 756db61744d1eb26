import { z } from 'zod'

/** Days that a report is about, both included. */
export const Period = z.object({ from: z.string(), to: z.string() })
export type Period = z.infer<typeof Period>

const at = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
const partsOf = (day: string) => day.split('-').map(Number) as [number, number, number]
const lastOf = (year: number, month: number) => at(year, month + 1, 0)
const least = (a: string, b: string) => (a < b ? a : b)

export const monthOf = (today: string): Period => {
  const [year, month] = partsOf(today)
  return { from: at(year, month, 1), to: lastOf(year, month) }
}

/** What `filter[BetweenDate]` asks for, in whole days; left out, the current month. */
export const periodOf = (between: string | undefined, today: string): Period => {
  const [from, to] = between?.split(',').map((end) => end.slice(0, 10)) ?? []
  return from && to ? { from, to } : monthOf(today)
}

/**
 * What a period is compared with: months with the months before, anything else with as many days just before. A
 * period that is not over yet is compared with as much of the one before as has passed of it.
 */
export function periodBefore({ from, to }: Period, today: string): Period {
  const passed = from <= today ? least(to, today) : to
  const [fromYear, fromMonth, fromDay] = partsOf(from)
  const [toYear, toMonth] = partsOf(to)
  const [year, month, day] = partsOf(passed)
  if (fromDay === 1 && (to === lastOf(toYear, toMonth) || (fromYear === toYear && fromMonth === toMonth))) {
    const months = (toYear - fromYear) * 12 + toMonth - fromMonth + 1
    const [lastYear, lastMonth] = partsOf(at(year, month - months, 1))
    const last = lastOf(lastYear, lastMonth)
    const isMonthEnd = passed === lastOf(year, month)
    return {
      from: at(fromYear, fromMonth - months, 1),
      to: isMonthEnd ? last : least(at(lastYear, lastMonth, day), last),
    }
  }
  const days = Math.round((Date.parse(passed) - Date.parse(from)) / 86_400_000) + 1
  return { from: at(fromYear, fromMonth, fromDay - days), to: at(fromYear, fromMonth, fromDay - 1) }
}

/** The same days a year earlier, as many as have passed; the end of February is its end. */
export function yearBefore({ from, to }: Period, today: string): Period {
  const passed = from <= today ? least(to, today) : to
  const shifted = (day: string) => {
    const [year, month, date] = partsOf(day)
    return least(at(year - 1, month, date), lastOf(year - 1, month))
  }
  const [year, month] = partsOf(passed)
  return { from: shifted(from), to: passed === lastOf(year, month) ? lastOf(year - 1, month) : shifted(passed) }
}

const YEARS = /^(19|20|21)\d{2}(,(19|20|21)\d{2})?$/
export const MOST_YEARS = 10
/** `from,to`, both included. */
export const BetweenYear = z
  .preprocess((value) => (Array.isArray(value) ? value.join(',') : value || undefined), z.string().optional())
  .refine((text) => {
    if (text === undefined) return true
    const [from = 0, to = from] = text.split(',').map(Number)
    return YEARS.test(text) && from <= to && to - from < MOST_YEARS
  }, 'El rango de años no es válido.')

export const yearsOf = (between: string | undefined, today: string): { from: number; to: number } => {
  const [from = Number(today.slice(0, 4)), to = from] = between?.split(',').map(Number) ?? []
  return { from, to }
}

/** Every month of some years, `2026-01`. */
export const monthsOf = ({ from, to }: { from: number; to: number }) =>
  Array.from(
    { length: (to - from + 1) * 12 },
    (_, i) => `${from + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  )
