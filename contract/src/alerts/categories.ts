import { z } from 'zod'
import {
  ById,
  catalogue,
  choosing,
  Day,
  endpoint,
  Id,
  IdList,
  LONG_BODY,
  Nothing,
  OptionalId,
  Search,
  Text,
} from '../base/wire.ts'
import { Alert, EmailsToNotifications } from './alerts.ts'

export const APPLIES_TO = {
  both: { label: 'Camiones y acoplados' },
  truck: { label: 'Camiones' },
  coupled: { label: 'Acoplados' },
} as const
export type AppliesTo = keyof typeof APPLIES_TO
const APPLIES_NAMES = Object.keys(APPLIES_TO) as [AppliesTo, ...AppliesTo[]]

const MONTH_DAY = /^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
/** A day of every year, `09-30`. */
export const MonthDay = z
  .string()
  .refine((text) => MONTH_DAY.test(text) && text <= LAST_DAYS[Number(text.slice(0, 2)) - 1]!, 'El día no existe.')
const LAST_DAYS = '01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'.split(' ')

/** What makes a category an obligation that comes back, offered for every truck or unit that has no alert of it. */
const obligationFields = {
  applies_to: z
    .enum(APPLIES_NAMES)
    .nullish()
    .transform((to) => to ?? null),
  every_months: z
    .number()
    .int()
    .min(1)
    .max(120)
    .nullish()
    .transform((months) => months ?? null),
  /** The same day for everyone; without it, each has its own. */
  due_day: MonthDay.nullish().transform((day) => day ?? null),
  /** Days in advance. */
  days: z
    .number()
    .int()
    .min(1)
    .max(365)
    .nullish()
    .transform((days) => days ?? null),
}

export const AlertCategory = z.object({
  id: Id,
  company_id: Id,
  name: z.string(),
  workshop_id: Id.nullable(),
  applies_to: z.enum(APPLIES_NAMES).nullable(),
  every_months: z.number().nullable(),
  due_day: z.string().nullable(),
  days: z.number().nullable(),
})
export type AlertCategory = z.infer<typeof AlertCategory>
export const NewAlertCategory = z.object({ name: Text(80), workshop_id: OptionalId, ...obligationFields })
export type NewAlertCategory = z.infer<typeof NewAlertCategory>
export const AlertCategoryEdit = NewAlertCategory.omit({ workshop_id: true })
export type AlertCategoryEdit = z.infer<typeof AlertCategoryEdit>

/** What every carrier in Chile owes for vehicles of more than 1.750 kg and what they pull. */
export const CHILEAN_OBLIGATIONS: AlertCategoryEdit[] = [
  { name: 'Permiso de circulación', applies_to: 'both', every_months: 12, due_day: '09-30', days: 30 },
  { name: 'Seguro obligatorio (SOAP)', applies_to: 'both', every_months: 12, due_day: '09-30', days: 30 },
  { name: 'Revisión técnica', applies_to: 'both', every_months: 6, due_day: null, days: 30 },
  { name: 'Control de gases', applies_to: 'truck', every_months: 6, due_day: null, days: 30 },
]

/* Obligations without an alert */

export const Missing = z.object({
  category_id: Id,
  category_name: z.string(),
  truck_id: Id.nullable(),
  coupled_id: Id.nullable(),
  code: z.string().nullable(),
  patent: z.string(),
  workshop_id: Id,
  workshop_name: z.string(),
  /** The next time it falls due, where that is the same day for everyone. */
  date: z.string().nullable(),
})
export type Missing = z.infer<typeof Missing>

export const NewObligations = z.object({
  category_id: Id,
  /** The day each one falls due. */
  units: z
    .array(z.object({ truck_id: OptionalId, coupled_id: OptionalId, date: Day }))
    .min(1, 'Ingrese al menos una fecha.')
    .max(2000),
  emails_to_notifications: EmailsToNotifications.default({ selected: [] }),
})
export type NewObligations = z.infer<typeof NewObligations>

export const alertCategories = {
  listCategories: endpoint({
    method: 'GET',
    path: '/v1/maintenance-alerts/categories',
    may: 'alerts.read',
    summary: 'Categories of alerts',
    query: choosing({ Search, WorkshopId: IdList }),
    reply: catalogue(AlertCategory),
  }),
  createCategory: endpoint({
    method: 'POST',
    path: '/v1/maintenance-alerts/categories',
    may: 'alerts.write',
    summary: 'Create a category of alerts',
    body: NewAlertCategory,
    reply: AlertCategory,
    status: 201,
  }),
  addChileanObligations: endpoint({
    method: 'POST',
    path: '/v1/maintenance-alerts/categories/chile',
    may: 'alerts.write',
    summary: 'Add the categories of what Chilean law asks of every vehicle, those that are not there yet',
    body: z.object({}),
    reply: catalogue(AlertCategory),
  }),
  updateCategory: endpoint({
    method: 'PUT',
    path: '/v1/maintenance-alerts/categories/:id',
    may: 'people.manage',
    summary: 'Change a category of alerts',
    params: ById,
    body: AlertCategoryEdit,
    reply: AlertCategory,
  }),
  deleteCategory: endpoint({
    method: 'DELETE',
    path: '/v1/maintenance-alerts/categories/:id',
    may: 'people.manage',
    summary: 'Delete a category that no alert uses; a used one answers 409',
    params: ById,
    reply: Nothing,
  }),
  listMissing: endpoint({
    method: 'GET',
    path: '/v1/maintenance-alerts/obligations',
    may: 'alerts.read',
    summary: 'Trucks and coupled units without an open alert of an obligation that applies to them',
    query: choosing({ Search, Trucks: IdList, Coupled: IdList, Categories: IdList, WorkshopId: IdList }),
    reply: catalogue(Missing),
  }),
  createObligations: endpoint({
    method: 'POST',
    path: '/v1/maintenance-alerts/obligations',
    may: 'alerts.write',
    summary: 'Create the alerts of an obligation, each with its own date',
    body: NewObligations,
    bodyLimit: LONG_BODY,
    reply: catalogue(Alert),
    status: 201,
  }),
}
