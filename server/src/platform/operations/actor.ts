import type { Permission, Role } from '#contract/base/permissions.ts'

/** Who calls: resolved from the token before an operation runs. */
export interface Actor {
  user_id: number
  user_name: string
  session_id: number
  company_id: number
  role: Role
  /** The only workshop the person works in; null: all of the company. */
  workshop_id: number | null
  time_zone: string
  may: ReadonlySet<Permission>
  /** They showed a short while ago that it is them. */
  confirmed?: boolean
  /** The company asks a second factor of their role, and this session has shown none. */
  locked?: boolean
  /** Opens the company and nothing of the person's own account, which may open others. */
  limited?: boolean
}
