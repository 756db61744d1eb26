import type { Found } from '#contract/base/finder.ts'
import type { Permission } from '#contract/base/permissions.ts'
import type { ConstraintMessages, Db } from '../database/db.ts'
import type { Actor } from '../operations/actor.ts'
import type { Listener } from '../operations/happenings.ts'
import type { CompanyJob, Job } from '../operations/jobs.ts'
import type { Moved } from '../outside/files.ts'

import type { Bind } from './binder.ts'

/** What the command palette finds in a domain. */
export interface Finder {
  may: Permission
  find(db: Db, actor: Actor, text: string, limit: number): Promise<Found[]>
}

/** What a domain brings to the house: `app.ts` lists them, and knows nothing else of them. */
export interface Domain {
  routes(bind: Bind): void
  messages?: ConstraintMessages
  finders?: Finder[]
  jobs?: (Job | CompanyJob)[]
  /** Columns of its tables that held files before there was a store. */
  moves?: Moved[]
  /** What it wants to hear of the domains it uses, by happening. */
  listens?: Record<string, Listener>
}
