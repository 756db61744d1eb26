import { z } from 'zod'
import { catalogue, endpoint, Id } from './wire.ts'

/** One thing found by the command palette. */
export const Found = z.object({
  kind: z.string(),
  id: Id,
  title: z.string(),
  detail: z.string(),
  path: z.string(),
})
export type Found = z.infer<typeof Found>

export const finder = {
  find: endpoint({
    method: 'GET',
    path: '/v1/find',
    may: 'session',
    summary: 'Find anything by number, plate, code or name; only what the person may read',
    query: z.object({ text: z.string().trim().max(100).default('') }),
    reply: catalogue(Found),
  }),
}
