import type { Permission } from '#contract/base/permissions.ts'
import { afterCommit, appContext, type Database, type Db } from '../database/db.ts'
import type { Actor } from './actor.ts'

declare module '../database/context.ts' {
  interface AppContext {
    /** Called by `tell`, by happening. */
    listeners?: Record<string, Listener[]>
    /** Sends live events to the browsers of all instances. */
    live?: { publish(company_id: number, event: LiveEvent): void }
  }
}

/** Runs inside the transaction of the change that it listens to: an error takes the change back. */
export type Listener = (db: Db, actor: Actor, ids: number[], why: string) => Promise<void>

/** Registers a listener, when the process starts. */
export function subscribe({ context }: Pick<Database, 'context'>, happening: string, listener: Listener) {
  context.listeners ??= {}
  const { listeners } = context
  listeners[happening] = [...(listeners[happening] ?? []), listener]
}

/**
 * Tells the domains above that something happened to things of this one, without knowing them. Named `domain.what`;
 * whoever listens declares it in its `Domain`.
 */
export async function tell(db: Db, actor: Actor, happening: string, ids: number[], why = '') {
  for (const listen of appContext(db).listeners?.[happening] ?? []) await listen(db, actor, ids, why)
}

/** Something changed in a domain. Carries no data: whoever looks at it asks again, with their own permissions. */
export interface LiveEvent {
  /** The domain: its reader's permission is `<topic>.read`. */
  topic: string
  /** null: of the whole company. */
  workshop_id: number | null
  ids: number[]
  /** The permission that a listener needs, where it is not `<topic>.read`; it is not sent to browsers. */
  may?: Permission
  /** Only this person hears it. */
  user_id?: number
  /** A person who has the thing open just now. */
  present?: { user_id: number; user_name: string }
}

/** Tells everyone who looks at this domain, on every instance, once the change is committed. */
export function announce(db: Db, actor: Pick<Actor, 'company_id'>, event: LiveEvent) {
  afterCommit(db, ({ live }) => live?.publish(actor.company_id, { ...event, ids: event.ids.slice(0, 100) }))
}
