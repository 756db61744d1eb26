import { z } from 'zod'
import { Instant, page } from './wire.ts'

/** One line of the activity of a thing: who did what, when, and what each field was before and after. */
export const Activity = z.object({
  id: z.number(),
  at: Instant,
  user_name: z.string().nullable(),
  action: z.string(),
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
})
export type Activity = z.infer<typeof Activity>
export const ActivityPage = page(Activity)
