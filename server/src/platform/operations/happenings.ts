import { type Db, appContext } from '../database/db.ts'
import type { Actor } from './actor.ts'

/**
 * Tells the domains above that something happened to things of this one, without knowing them. Named `domain.what`;
 * whoever listens declares it in its `Domain`.
 */
export async function tell(db: Db, actor: Actor, happening: string, ids: number[], why = '') {
  for (const listen of appContext(db).listeners[happening] ?? []) await listen(db, actor, ids, why)
}
