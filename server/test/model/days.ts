/* Days of America/Santiago, by the calendar of the runtime and none of the product's functions. */

const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Santiago',
  dateStyle: 'short',
})
export const DAY = 86_400_000
export const dayOf = (at: number) => parts.format(at)
export const monthOf = (day: string) => day.slice(0, 7)

const begins = new Map<string, number>()
/** The first instant of a day, also of one whose midnight the clock skips. */
export function beginOf(day: string): number {
  const known = begins.get(day)
  if (known !== undefined) return known
  // The zone is four or three hours behind; the first quarter of an hour that shows the day is its beginning.
  let at = Date.parse(`${day}T00:00:00Z`)
  while (dayOf(at) < day) at += 900_000
  begins.set(day, at)
  return at
}
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10)
export const endOf = (day: string) => beginOf(addDays(day, 1))
/** The month before that of a day. */
export const monthBefore = (day: string) => monthOf(addDays(`${monthOf(day)}-01`, -1))
export const lastDayOf = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
