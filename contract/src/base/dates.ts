/** Days and times as people in Chile read them. Instants are ISO text; days belong to the company's time zone. */

export const DEFAULT_ZONE = 'America/Santiago'

const MINUTE = 60_000
const DAY = 86_400_000

interface Clocks {
  Instant: {
    fromEpochMilliseconds: (at: number) => { toZonedDateTimeISO: (zone: string) => { offsetNanoseconds: number } }
  }
}
const NANOSECONDS = 1_000_000

const formatters = new Map<string, Intl.DateTimeFormat>()
function formatterOf(zone: string) {
  const known = formatters.get(zone)
  if (known) return known
  const [numeric, digits] = ['numeric', '2-digit'] as const
  const time = { hour: digits, minute: digits, hourCycle: 'h23' } as const
  const made = new Intl.DateTimeFormat('en', { timeZone: zone, year: numeric, month: digits, day: digits, ...time })
  formatters.set(zone, made)
  return made
}

/** How far a clock of the zone is from UTC's at an instant; asking the calendar takes a hundred times as long as counting. */
function askOffset(at: number, zone: string) {
  // Not every browser has it. Where it is, it spares the first use of `Intl`: some 35 ms, four times that on a tablet.
  const { Temporal } = globalThis as { Temporal?: Clocks }
  if (Temporal)
    return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / NANOSECONDS
  const p: Record<string, number> = {}
  for (const { type, value } of formatterOf(zone).formatToParts(at)) p[type] = Number(value)
  const shown = Date.UTC(p.year!, p.month! - 1, p.day, p.hour, p.minute)
  return shown - Math.floor(at / MINUTE) * MINUTE
}

const DAYS_KEPT = 20_000
/** By zone and day; none on a day on which the clock changes. */
const offsets = new Map<string, Map<number, number | null>>()
function offsetAt(at: number, zone: string) {
  let days = offsets.get(zone)
  if (!days || days.size > DAYS_KEPT) {
    days = new Map()
    offsets.set(zone, days)
  }
  const day = Math.floor(at / DAY)
  let offset = days.get(day)
  if (offset === undefined) {
    const [first, last] = [askOffset(day * DAY, zone), askOffset((day + 1) * DAY - 1, zone)]
    offset = first === last ? first : null
    days.set(day, offset)
  }
  return offset ?? askOffset(at, zone)
}

/** What a clock in the zone shows at an instant, `2026-12-04T14:30`. */
export const localOf = (at: string | Date, zone = DEFAULT_ZONE) => {
  const instant = new Date(at).getTime()
  return new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 16)
}

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']

/** `2026-12-04` → `04 dic 2026` */
export const showDay = (day: string) => `${day.slice(8, 10)} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`

const WHOLE_MONTHS = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
]
/** `2027-03-12` → `12 de marzo`, with the year where it is not the one given. */
export const sayDay = (day: string, year?: string) =>
  `${Number(day.slice(8, 10))} de ${WHOLE_MONTHS[Number(day.slice(5, 7)) - 1]}${year === day.slice(0, 4) ? '' : ` de ${day.slice(0, 4)}`}`

/** `2026-12` or a day of it → `diciembre de 2026` */
export const sayMonth = (month: string) => `${WHOLE_MONTHS[Number(month.slice(5, 7)) - 1]} de ${month.slice(0, 4)}`

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

export const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The same day of a later month, or its last where it is shorter. `wanted`: the day it fell short of before. */
export const addMonths = (day: string, months: number, wanted = Number(day.slice(8, 10))) => {
  const [year = 0, month = 0] = day.split('-').map(Number)
  const lastOf = (y: number, m: number) => new Date(Date.UTC(y, m, 0)).getUTCDate()
  const total = year * 12 + month - 1 + months
  const [y, m] = [Math.floor(total / 12), (total % 12) + 1]
  const pad = (n: number) => String(n).padStart(2, '0')
  return `${y}-${pad(m)}-${pad(Math.min(wanted, lastOf(y, m)))}`
}

/** The day of an instant in a zone, `2026-12-04`. */
export const dayOf = (at: string | Date, zone = DEFAULT_ZONE) => localOf(at, zone).slice(0, 10)

export const showDate = (at: string | Date, zone = DEFAULT_ZONE) => showDay(dayOf(at, zone))

/** `04 dic 2026 14:30` */
export const showMoment = (at: string | Date, zone = DEFAULT_ZONE) => {
  const local = localOf(at, zone)
  return `${showDay(local)} ${local.slice(11)}`
}

/** `2026-12-04T14:30` as a clock in a zone shows it → the instant; an hour the clock skips moves forward with it. */
export const instantOf = (local: string, zone = DEFAULT_ZONE) => {
  const asUtc = Date.parse(`${local.slice(0, 16)}:00Z`)
  const shown = (at: number) => at + offsetAt(at, zone)
  // Twice: the first guess may fall on the other side of a clock change.
  const guess = asUtc - (shown(asUtc) - asUtc)
  const found = guess - (shown(guess) - asUtc)
  return new Date(shown(found) === asUtc ? found : Math.max(guess, found)).toISOString()
}

/** `2026-12` → `dic 2026` */
export const showMonth = (month: string) => `${MONTHS[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`
