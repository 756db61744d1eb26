import { z } from 'zod'
import { Quantity, SeenCost } from '../base/money.ts'
import {
  ById,
  endpoint,
  Id,
  Instant,
  ListOf,
  LONG_BODY,
  listing,
  Nothing,
  OptionalId,
  OptionalText,
  page,
  Search,
  Text,
} from '../base/wire.ts'
import { ROSTER_STATES, type RosterState } from '../workshops/rosters.ts'

/* Maintenance that comes again and again: the works and supplies it takes, to fill an order with. */

const STATE_NAMES = Object.keys(ROSTER_STATES) as [RosterState, ...RosterState[]]

export const TemplateWork = z.object({
  /** null: the task says it all. */
  description: z.string().nullable(),
  task_id: Id.nullable(),
  /** Its name. */
  task: z.string().nullable(),
  hours: z.number().nullable(),
})
export type TemplateWork = z.infer<typeof TemplateWork>

/** By its code, which the workshops of a company share; each has its own supply of it, or none. */
export const TemplateSupply = z.object({
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  count: z.number(),
  /** In the workshop that was asked for; null: it has none, or has it no longer in use. */
  supply_id: Id.nullable(),
  cost: SeenCost,
})
export type TemplateSupply = z.infer<typeof TemplateSupply>

export const TemplateRow = z.object({
  id: Id,
  name: z.string(),
  type_maintenance_id: Id.nullable(),
  type_maintenance: z.string().nullable(),
  state: z.enum(STATE_NAMES),
  works_total: z.number(),
  supplies_total: z.number(),
  updated_at: Instant,
})
export type TemplateRow = z.infer<typeof TemplateRow>
export const MaintenanceTemplate = TemplateRow.extend({
  works: z.array(TemplateWork),
  supplies: z.array(TemplateSupply),
})
export type MaintenanceTemplate = z.infer<typeof MaintenanceTemplate>

const TemplateWorkInput = z
  .object({
    description: OptionalText(1000),
    task_id: OptionalId,
    hours: z
      .number('Las horas deben ser un número.')
      .min(0, 'Las horas no pueden ser negativas.')
      .max(9999, 'Son demasiadas horas.')
      .nullish()
      .transform((hours) => hours ?? null),
  })
  .refine((work) => work.description || work.task_id, {
    path: ['description'],
    message: 'Describa el trabajo o elija una tarea.',
  })
const TemplateSupplyInput = z.object({ code: Text(60), count: Quantity })

const fields = {
  name: Text(120),
  type_maintenance_id: OptionalId,
  works: z.array(TemplateWorkInput).max(100).default([]),
  supplies: z.array(TemplateSupplyInput).max(200).default([]),
}
const isFilled = ({ works, supplies }: { works: unknown[]; supplies: unknown[] }) => works.length + supplies.length > 0
const empty = { path: ['works'], message: 'Agregue al menos un trabajo o un insumo.' }

export const NewTemplate = z.object(fields).refine(isFilled, empty)
export type NewTemplate = z.infer<typeof NewTemplate>
export const TemplateEdit = z
  .object({ ...fields, state: z.enum(STATE_NAMES).default('active'), updated_at: Instant.optional() })
  .refine(isFilled, empty)
export type TemplateEdit = z.infer<typeof TemplateEdit>

const path = '/v2/maintenance_templates' as const

export const maintenanceTemplates = {
  listTemplates: endpoint({
    method: 'GET',
    path,
    title: 'Plantillas',
    may: 'work-orders.read',
    summary: 'Templates of maintenance',
    query: listing(
      ['name', 'type_maintenance', 'works_total', 'supplies_total', 'state'],
      { Search, State: ListOf(STATE_NAMES) },
      100,
    ),
    reply: page(TemplateRow),
  }),
  getTemplate: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    may: 'work-orders.read',
    summary: 'One template, with the supplies that a workshop has of it',
    params: ById,
    query: z.object({ workshop_id: z.coerce.number().int().positive().optional() }),
    reply: MaintenanceTemplate,
  }),
  createTemplate: endpoint({
    method: 'POST',
    path,
    may: 'work-orders.write',
    summary: 'Add a template of maintenance',
    body: NewTemplate,
    bodyLimit: LONG_BODY,
    reply: MaintenanceTemplate,
    status: 201,
  }),
  updateTemplate: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    may: 'work-orders.write',
    summary: 'Change a template; orders made from it stay as they are',
    params: ById,
    body: TemplateEdit,
    bodyLimit: LONG_BODY,
    reply: MaintenanceTemplate,
  }),
  deleteTemplate: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    may: 'work-orders.write',
    summary: 'Delete a template; orders made from it stay as they are',
    params: ById,
    reply: Nothing,
  }),
}
