import { z } from 'zod'
import { endpoint } from '../base/wire.ts'

/** The server that the product runs on, for those who administer it. */
export const ServerInfo = z.object({
  database: z.object({
    /** The version of PostgreSQL, such as `18.4`. */
    version: z.string(),
    /** It is the PostgreSQL that comes with the product, and not one of `DATABASE_URL`. */
    embedded: z.boolean(),
    /** Latest minor version of this major that was known when the product was released. */
    latest: z.string().nullable(),
    behind: z.boolean(),
    /** A sentence that says what to do; `null` while there is nothing to do. */
    message: z.string().nullable(),
  }),
})
export type ServerInfo = z.infer<typeof ServerInfo>

export const server = {
  getServer: endpoint({
    method: 'GET',
    path: '/v1/server',
    may: 'company.manage',
    summary: 'Version of the database, and whether the embedded one misses updates',
    reply: ServerInfo,
  }),
}
