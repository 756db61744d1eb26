import { sql } from 'drizzle-orm'
import type { ServerInfo } from '#contract/workshops/server.ts'
import { appContext, type Db, one, rows } from '../database/db.ts'
import recorded from './postgres-minors.json' with { type: 'json' }

type Minors = Record<string, number>

/**
 * Version of the database, and whether the embedded one misses updates. The product cannot ask anybody what the latest
 * version is: it compares with `postgres-minors.json`, which `npm run audit` refreshes before a release.
 * `number` is PostgreSQL's `server_version_num`: 180004 is 18.4.
 */
export function describeVersion(number: number, isEmbedded: boolean, minors: Minors = recorded.minors) {
  const major = Math.floor(number / 10_000)
  const minor = number % 10_000
  const latestMinor = minors[major]
  const latest = latestMinor === undefined ? null : `${major}.${latestMinor}`
  const behind = isEmbedded && latestMinor !== undefined && minor < latestMinor
  const version = `${major}.${minor}`
  return {
    version,
    embedded: isEmbedded,
    latest,
    behind,
    message: behind
      ? `PostgreSQL ${version} está atrasado: ya existe ${latest}, con correcciones de seguridad. Actualice Maestranza para recibirlas.`
      : null,
  }
}

declare module '../database/context.ts' {
  interface AppContext {
    /** The database is the PostgreSQL that comes with the product. */
    isEmbedded?: boolean
  }
}

export async function describeServer(db: Db): Promise<ServerInfo> {
  const { number } = one(
    await rows<{ number: number }>(db, sql`select current_setting('server_version_num')::int as number`),
  )
  return { database: describeVersion(number, appContext(db).isEmbedded ?? false) }
}
