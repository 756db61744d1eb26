import { z } from 'zod'
import { Id, Instant, OptionalText } from '../base/wire.ts'

/** No truck has ever driven so far; a figure beyond it has one digit too many. */
export const MAX_KILOMETERS = 9_999_999

export const Kilometers = z
  .number('El kilometraje debe ser un número.')
  .int('El kilometraje debe ser un número entero.')
  .min(0, 'El kilometraje no puede ser negativo.')
  .max(MAX_KILOMETERS, 'El kilometraje no puede pasar de 9.999.999 km.')

export const READING_SOURCES = {
  manual: { label: 'A mano' },
  import: { label: 'Importación' },
  work_order: { label: 'Orden de trabajo' },
} as const
export type ReadingSource = keyof typeof READING_SOURCES
const SOURCE_NAMES = Object.keys(READING_SOURCES) as [ReadingSource, ...ReadingSource[]]

export const Reading = z.object({
  id: Id,
  date: Instant,
  km: z.number(),
  source: z.enum(SOURCE_NAMES),
  /** Lower than what was known, and confirmed: what was above it before no longer counts. */
  correction: z.boolean(),
  /** It does not count: it was voided, or a later one is lower. */
  superseded: z.boolean(),
  /** The order that brought it, which it follows. */
  work_order_id: Id.nullable(),
  voided_at: Instant.nullable(),
  voided_by: z.string().nullable(),
  note: z.string().nullable(),
  user_name: z.string().nullable(),
})
export type Reading = z.infer<typeof Reading>

export const NewReading = z.object({
  km: Kilometers,
  /** Left out: now. */
  date: Instant.optional(),
  note: OptionalText(500),
  /** The figure is meant, though it is lower than what is known, or further than a truck drives in that time. */
  confirm_lower: z.boolean().default(false),
})
export type NewReading = z.infer<typeof NewReading>
