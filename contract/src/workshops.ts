import { z } from 'zod'
import { catalogue, endpoint, Id } from './wire.ts'

export const ALL_WORKSHOPS = 'Todos los talleres'

export const Workshop = z.object({ id: Id, name: z.string(), address: z.string().nullable() })
export type Workshop = z.infer<typeof Workshop>

export const workshops = {
  listWorkshops: endpoint({
    method: 'GET',
    path: '/v1/workshops',
    may: 'session',
    summary: 'The workshops the person may work in',
    reply: catalogue(Workshop),
  }),
}
