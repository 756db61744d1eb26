import { z } from 'zod'
import {
  ById,
  catalogue,
  choosing,
  endpoint,
  Id,
  Instant,
  ListOf,
  listing,
  Nothing,
  OptionalText,
  page,
  Search,
  Text,
} from '../base/wire.ts'
import { ROSTER_STATES, type RosterState } from '../workshops/rosters.ts'

/* What a company chooses from when it writes an order: kinds of maintenance, and tasks that come again and again. */

const STATE_NAMES = Object.keys(ROSTER_STATES) as [RosterState, ...RosterState[]]
const edit = { state: z.enum(STATE_NAMES).default('active'), updated_at: Instant.optional() }

/** Every company has these; they can be renamed, not deleted. */
export const BUILT_IN_MAINTENANCE = {
  PREVENTIVE: { label: 'Preventiva' },
  CORRECTIVE: { label: 'Correctiva' },
  PREDICTIVE: { label: 'Predictiva' },
} as const

export const MaintenanceType = z.object({
  id: Id,
  /** PREVENTIVE, CORRECTIVE, PREDICTIVE, or what the company added: the order's `type_of_maintenance`. */
  code: z.string(),
  name: z.string(),
  built_in: z.boolean(),
  state: z.enum(STATE_NAMES),
  updated_at: Instant,
})
export type MaintenanceType = z.infer<typeof MaintenanceType>
/** Its code is made from its name where none is sent. */
export const NewMaintenanceType = z.object({ code: OptionalText(60).optional(), name: Text(60) })
export type NewMaintenanceType = z.infer<typeof NewMaintenanceType>
export const MaintenanceTypeEdit = NewMaintenanceType.extend(edit)
export type MaintenanceTypeEdit = z.infer<typeof MaintenanceTypeEdit>

export const Task = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  state: z.enum(STATE_NAMES),
  updated_at: Instant,
})
export type Task = z.infer<typeof Task>
export const NewTask = z.object({ code: Text(40), name: Text(160) })
export type NewTask = z.infer<typeof NewTask>
export const TaskEdit = NewTask.extend(edit)
export type TaskEdit = z.infer<typeof TaskEdit>

const filters = { Search, State: ListOf(STATE_NAMES) }

export const workCatalogues = {
  listMaintenanceTypes: endpoint({
    method: 'GET',
    path: '/v2/types_maintenance',
    may: 'work-orders.read',
    summary: 'Types of maintenance',
    query: choosing(filters),
    reply: catalogue(MaintenanceType),
  }),
  getMaintenanceType: endpoint({
    method: 'GET',
    path: '/v2/types_maintenance/:id',
    may: 'work-orders.read',
    summary: 'One type of maintenance',
    params: ById,
    reply: MaintenanceType,
  }),
  createMaintenanceType: endpoint({
    method: 'POST',
    path: '/v2/types_maintenance',
    may: 'work-orders.write',
    summary: 'Add a type of maintenance',
    body: NewMaintenanceType,
    reply: MaintenanceType,
    status: 201,
  }),
  updateMaintenanceType: endpoint({
    method: 'PUT',
    path: '/v2/types_maintenance/:id',
    may: 'company.manage',
    summary: 'Change a type of maintenance',
    params: ById,
    body: MaintenanceTypeEdit,
    reply: MaintenanceType,
  }),
  deleteMaintenanceType: endpoint({
    method: 'DELETE',
    path: '/v2/types_maintenance/:id',
    may: 'company.manage',
    summary: 'Delete a type of maintenance that nothing uses; a used one, or one every company has, answers 409',
    params: ById,
    reply: Nothing,
  }),
  listTasks: endpoint({
    method: 'GET',
    path: '/v1/tasks',
    title: 'Tareas',
    may: 'work-orders.read',
    summary: 'Tasks to choose from in an order',
    query: listing(['code', 'name', 'state'], filters, 100),
    reply: page(Task),
  }),
  createTask: endpoint({
    method: 'POST',
    path: '/v1/tasks',
    may: 'work-orders.write',
    summary: 'Add a task',
    body: NewTask,
    reply: Task,
    status: 201,
  }),
  updateTask: endpoint({
    method: 'PUT',
    path: '/v1/tasks/:id',
    may: 'company.manage',
    summary: 'Change a task',
    params: ById,
    body: TaskEdit,
    reply: Task,
  }),
  deleteTask: endpoint({
    method: 'DELETE',
    path: '/v1/tasks/:id',
    may: 'company.manage',
    summary: 'Delete a task that nothing uses; a used one answers 409, and can be deactivated',
    params: ById,
    reply: Nothing,
  }),
}
