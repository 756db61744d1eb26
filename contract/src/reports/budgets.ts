import { z } from 'zod'
import { Pesos } from '../base/money.ts'
import { endpoint, Id, Instant, LONG_BODY } from '../base/wire.ts'

/* What a cost centre may cost each month: supplies and services, as the reports count them. */

export const BUDGET_MONTHS = 12
const Year = z.coerce.number().int().min(1990, 'El año no es válido.').max(2199, 'El año no es válido.')

const row = {
  /** Null: the trucks that are of none. */
  cost_center_id: Id.nullable(),
  /** January first; null where there is none. */
  months: z.array(Pesos.nullable()).length(BUDGET_MONTHS, 'Van doce meses.'),
}
export const Budget = z.object({ ...row, cost_center: z.string().nullable() })
export type Budget = z.infer<typeof Budget>

export const Budgets = z.object({
  year: z.number(),
  /** Every cost centre the person sees, whether it has a budget or not. */
  data: z.array(Budget),
  /** When one of them last changed. */
  updated_at: Instant.nullable(),
})
export type Budgets = z.infer<typeof Budgets>

export const BudgetsEdit = z.object({
  year: Year,
  budgets: z.array(z.object(row)).min(1).max(1000),
  /** When they were read: a later change by somebody else answers 409. */
  updated_at: Instant.nullish(),
})
export type BudgetsEdit = z.infer<typeof BudgetsEdit>

/** `$ 1.234.567`, `1234567`, `1,234,567.00`: what is pasted out of a spreadsheet. Undefined where it is no amount. */
export function readPesos(text: string): number | null | undefined {
  const bare = text.replace(/[\s$\u00a0]/g, '').replace(/[.,]0{1,2}$/, '')
  if (bare === '' || bare === '-' || bare === '–') return null
  return /^\d+$/.test(bare) || /^\d{1,3}([.,]\d{3})+$/.test(bare) ? Number(bare.replace(/\D/g, '')) : undefined
}

export const budgets = {
  getBudgets: endpoint({
    method: 'GET',
    path: '/v1/budgets',
    may: 'reports.read',
    heavy: false,
    summary: 'The budget of each cost centre, month by month, of a year',
    query: z.object({ year: Year }),
    reply: Budgets,
  }),
  setBudgets: endpoint({
    method: 'PUT',
    path: '/v1/budgets',
    may: 'company.manage',
    summary: 'Say what cost centres may cost each month of a year; those not named stay as they are',
    body: BudgetsEdit,
    bodyLimit: LONG_BODY,
    reply: Budgets,
  }),
}
