import { z } from 'zod'
import { ROLE_NAMES } from '../base/permissions.ts'
import { endpoint, Instant } from '../base/wire.ts'

/* What a company asks of those who come in. */

export const SESSION_IDLE_HOURS = 12
export const SESSION_DAYS = 30

const whole = (least: number, most: number, unit: string) =>
  z
    .number('Ingrese un número.')
    .int('Debe ser un número entero.')
    .min(least, `Debe ser al menos ${least} ${unit}.`)
    .max(most, `Debe ser a lo más ${most} ${unit}.`)

export const AccessRules = z.object({
  /** Without use. */
  session_idle_hours: whole(1, SESSION_IDLE_HOURS, 'h'),
  /** However much it is used. */
  session_days: whole(1, SESSION_DAYS, 'días'),
  /** Roles that come in only with a second factor. */
  factor_roles: z
    .array(z.enum(ROLE_NAMES))
    .max(100)
    .transform((roles) => ROLE_NAMES.filter((role) => roles.includes(role))),
  updated_at: Instant,
})
export type AccessRules = z.infer<typeof AccessRules>
export const AccessRulesEdit = AccessRules.extend({ updated_at: Instant.optional() })
export type AccessRulesEdit = z.infer<typeof AccessRulesEdit>

export const companySecurity = {
  getAccessRules: endpoint({
    method: 'GET',
    path: '/v1/company/access',
    may: 'company.manage',
    summary: 'What the company asks of those who come in',
    reply: AccessRules,
  }),
  updateAccessRules: endpoint({
    method: 'PUT',
    path: '/v1/company/access',
    may: 'company.manage',
    refusedInDemo: true,
    confirmed: true,
    summary: 'Change what the company asks of those who come in',
    body: AccessRulesEdit,
    reply: AccessRules,
  }),
}
