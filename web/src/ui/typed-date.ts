/* Days and hours as people type them: `15/3`, `hoy`, `mañana 8:30`, `04 dic 2026 14:30`. */

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']
const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado']
const NEAR: Record<string, number> = { anteayer: -2, ayer: -1, hoy: 0, manana: 1, 'pasado manana': 2 }

const iso = (year: number, month: number, day: number) => {
  const date = new Date(Date.UTC(year, month - 1, day))
  // The 31st of a month that has thirty is a slip, not the first of the next.
  return date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : undefined
}
const later = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

interface Bounds {
  /** A year that nobody typed is this one's, or the one that fits in here. */
  earliest?: string | undefined
  latest?: string | undefined
}

/** `2026-03-15`; undefined for what says no day. */
export function typedDay(text: string, today: string, { earliest, latest }: Bounds = {}): string | undefined {
  const said = plain(text)
  const near = NEAR[said]
  if (near !== undefined) return later(today, near)
  const weekday = WEEKDAYS.indexOf(said)
  if (weekday >= 0) return later(today, (weekday - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7 || 7)
  const whole = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(said)
  if (whole) return iso(Number(whole[1]), Number(whole[2]), Number(whole[3]))
  const [, day, named = '', year] = /^(\d{1,2})[/\-. ]+(\d{1,2}|[a-z]{3,})(?:[/\-. ]+(\d{4}|\d{2}))?$/.exec(said) ?? []
  if (day === undefined) return undefined
  const month = /^\d/.test(named) ? Number(named) : MONTHS.indexOf(named.slice(0, 3)) + 1
  if (month === 0) return undefined
  if (year) return iso(Number(year.length === 2 ? `20${year}` : year), month, Number(day))
  const at = (years: number) => iso(Number(today.slice(0, 4)) + years, month, Number(day))
  const now = at(0)
  if (now && earliest && now < earliest) return at(1)
  return now && latest && now > latest.slice(0, 10) ? at(-1) : now
}

/** `2026-03-15 08:30:00`; where no hour is said it is `hour`, where no day is, today. */
export function typedMoment(text: string, today: string, hour = '00:00', bounds: Bounds = {}): string | undefined {
  const said = plain(text)
  const clock = /(?:^|[ ,]+)(?:a las? )?(\d{1,2})(?:[:.](\d{2})|h(\d{2})?)(?: ?h(?:rs?|oras)?)?$/.exec(said)
  const [hours, minutes] = clock ? [Number(clock[1]), Number(clock[2] ?? clock[3] ?? 0)] : hour.split(':').map(Number)
  const before = clock ? said.slice(0, clock.index) : said
  const day = clock && before === '' ? today : typedDay(before, today, bounds)
  // A clock that is none may have been the end of a day: 15.03.
  if (!day || hours! > 23 || minutes! > 59) {
    const alone = typedDay(said, today, bounds)
    return alone && `${alone} ${hour}:00`
  }
  return `${day} ${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}:00`
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/\bde\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
