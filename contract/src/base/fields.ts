import type { z } from 'zod'
import { dayOf, localOf, showDate, showDay, showMoment } from './dates.ts'
import { showCost, showHours, showKm, showMoney, showNumber, showQuantity, showShare } from './money.ts'

/**
 * A field told once: its name, how people read it and how it stands in a spreadsheet. Forms, lists, activity, conflicts,
 * PDF, files and imports read that here.
 */

interface Kind {
  show: (value: unknown, zone: string) => string
  /** As Excel writes it; a number or a date stands in the file as one. */
  format?: string
  /** A spreadsheet's days and hours have no zone: they are what the clock on the wall showed. */
  date?: (value: string, zone: string) => Date
}
const number = (show: (value: number) => string, format = '#,##0'): Kind => ({ show: (v) => show(Number(v)), format })

const KINDS = {
  text: { show: String } as Kind,
  yes: { show: (value) => (value ? 'Sí' : 'No') } as Kind,
  number: number(showNumber),
  money: number(showMoney),
  cost: number(showCost, '#,##0.####'),
  quantity: number(showQuantity, '#,##0.####'),
  km: number(showKm),
  per_km: number(showMoney, '#,##0.00'),
  hours: number(showHours, '#,##0.00'),
  share: number(showShare, '0.0%'),
  day: {
    show: (day) => showDay(String(day)),
    format: 'dd-mm-yyyy',
    date: (day) => new Date(`${day}T00:00:00Z`),
  } as Kind,
  /** The day of a moment. */
  date: {
    show: (at, zone) => showDate(String(at), zone),
    format: 'dd-mm-yyyy',
    date: (at, zone) => new Date(`${dayOf(at, zone)}T00:00:00Z`),
  } as Kind,
  moment: {
    show: (at, zone) => showMoment(String(at), zone),
    format: 'dd-mm-yyyy hh:mm',
    date: (at, zone) => new Date(`${localOf(at, zone)}:00Z`),
  } as Kind,
}

export interface Field {
  label: string
  /** Where there is little room, and what stands beside it says the rest. */
  short?: string
  /** `text` where left out. */
  kind?: keyof typeof KINDS
  /** Another way to read it than its kind's. */
  show?: (value: string) => string
  /** Its values and what each is called. */
  words?: Record<string, { label: string; tone?: string }>
  /** The field with the name of what this id points at: that is what people read. */
  named?: string
  /** Set by the product: no form changes it. */
  fixed?: true
}

export const isNumber = ({ kind = 'text', words }: Field) =>
  !words && KINDS[kind].format !== undefined && !KINDS[kind].date

/** As people read it; null for what is not there. */
export function showField(field: Field, value: unknown, zone: string): string | null {
  if (value === null || value === undefined || value === '') return null
  if (field.words) return field.words[String(value)]?.label ?? String(value)
  return field.show ? field.show(String(value)) : KINDS[field.kind ?? 'text'].show(value, zone)
}

/** As it stands in a file: a real number, a real date, or what people read. */
export function fileField(field: Field, value: unknown, zone: string): string | number | Date | null {
  if (value === null || value === undefined) return null
  if (isNumber(field)) return Number(value)
  return KINDS[field.kind ?? 'text'].date?.(String(value), zone) ?? showField(field, value, zone)
}
export const fileFormat = ({ kind = 'text' }: Field): string | undefined => KINDS[kind].format

/** The fields of an entity, by the names of its schema. */
export const fieldsOf = <Shape extends z.ZodRawShape, const Key extends keyof Shape & string>(
  _schema: z.ZodObject<Shape>,
  fields: Record<Key, Field & { named?: keyof Shape & string }>,
): Record<Key, Field> => fields

/** Where its readable value stands in a row. */
export const readAt = (fields: Record<string, Field>, key: string) => fields[key]?.named ?? key
export const shortLabel = ({ label, short }: Field) => short ?? label
