/** Days and times as people in Chile read them. Instants are ISO text; days belong to the company's time zone. */

export const DEFAULT_ZONE = 'America/Santiago'

const formatters = new Map<string, Intl.DateTimeFormat>()
const formatter = (zone: string, options: Intl.DateTimeFormatOptions) => {
  const key = zone + JSON.stringify(options)
  const known = formatters.get(key) ?? new Intl.DateTimeFormat('es-CL', { timeZone: zone, ...options })
  formatters.set(key, known)
  return known
}

const parts = (at: string | Date, zone: string) => {
  const found: Record<string, string> = {}
  for (const { type, value } of formatter(zone, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(at)))
    found[type] = value
  return found
}

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']

/** `2026-12-04` → `04 dic 2026` */
export const showDay = (day: string) => `${day.slice(8, 10)} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`

/** The day of an instant in a zone, `2026-12-04`. */
export const dayOf = (at: string | Date, zone = DEFAULT_ZONE) => {
  const p = parts(at, zone)
  return `${p.year}-${p.month}-${p.day}`
}

export const showDate = (at: string | Date, zone = DEFAULT_ZONE) => showDay(dayOf(at, zone))

/** `04 dic 2026 14:30` */
export const showMoment = (at: string | Date, zone = DEFAULT_ZONE) => {
  const p = parts(at, zone)
  return `${showDay(`${p.year}-${p.month}-${p.day}`)} ${p.hour}:${p.minute}`
}

/** `2026-12-04T14:30` as a clock in a zone shows it → the instant; an hour the clock skips moves forward with it. */
export const instantOf = (local: string, zone = DEFAULT_ZONE) => {
  const asUtc = Date.parse(`${local.slice(0, 16)}:00Z`)
  const shown = (at: number) => {
    const p = parts(new Date(at), zone)
    return Date.parse(`${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:00Z`)
  }
  // Twice: the first guess may fall on the other side of a clock change.
  const guess = asUtc - (shown(asUtc) - asUtc)
  const found = guess - (shown(guess) - asUtc)
  return new Date(shown(found) === asUtc ? found : Math.max(guess, found)).toISOString()
}

/** The other way: what a clock in the zone shows, for a field of date and time. */
export const localOf = (at: string | Date, zone = DEFAULT_ZONE) => {
  const p = parts(at, zone)
  return `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}`
}

/** `2026-12` → `dic 2026` */
export const showMonth = (month: string) => `${MONTHS[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`
