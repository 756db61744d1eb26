import type { Control, Resolver, UseFormReturn } from 'react-hook-form'
import { instantOf, localOf } from '#contract/base/dates.ts'
import type { Priority } from '#contract/base/priorities.ts'
import { lineAmount, type WorkState } from '#contract/work-orders/lines.ts'
import { NewWorkOrder, type Place, type WorkOrder, WorkOrderEdit } from '#contract/work-orders/orders.ts'
import type { WorkOrderStatus } from '#contract/work-orders/states.ts'
import { formResolver } from '../../platform/form-resolver.ts'

/* An order as it is typed: times as the clock on the wall shows them, lines with the names people read. */

export interface WorkTyped {
  id?: number
  description: string
  task_id: number | null
  specialist_id: number | null
  reviewed_by_specialist_id: number | null
  hours: number | null
  start_time: string
  end_time: string
  target_start_at: string
  target_end_at: string
  priority: Priority
  type_maintenance_id: number | null
  /** As the server has it; a new work is still to be done. */
  state?: WorkState
}

export interface SupplyTyped {
  id?: number
  supply_id: number
  code: string
  name: string
  unit: string | null
  count: number | null
  /** Null where the person may not read it: it stays as it is. */
  cost: number | null
}

export interface ServiceTyped {
  id?: number
  service_id: number
  provider_id: number
  provider_name: string
  code: string
  name: string
  quantity: number
  unit_price: number | null
}

/** In the order of the screen: the first wrong field is the first one seen. */
export interface OrderTyped {
  workshop_id: number
  truck_id: number | null
  coupled_id: number | null
  kilometer: number | null
  confirm_lower: boolean
  applicant: string
  applicant_driver_id: number | null
  request: string
  description_of_requeriment: string
  type_maintenance_id: number | null
  priority: Priority
  codes: string
  planned: boolean
  waiting_for_parts: boolean
  date_estimed: string | null
  hour_estimed: string
  deadline_at: string
  place: Place
  box_id: number | null
  responsible_specialist_id: number | null
  workshop_entry_at: string
  workshop_departure_at: string
  works: WorkTyped[]
  has_warehouse: boolean
  warehouse_id: number | null
  supplies: SupplyTyped[]
  /** Of a new order: what it will need, beside what it takes at once. */
  plan_supplies: SupplyTyped[]
  services: ServiceTyped[]
  observation: string
  delivered_to_driver_id: number | null
  reviewed_by_specialist_id: number | null
  status?: WorkOrderStatus
  updated_at?: string
}

export type OrderBody = NewWorkOrder & WorkOrderEdit
export type OrderForm = UseFormReturn<OrderTyped, unknown, OrderBody>
export type OrderControl = Control<OrderTyped, unknown, OrderBody>

export const clock = (at: string | null, zone: string) => (at ? `${localOf(at, zone).replace('T', ' ')}:00` : '')
export const instant = (local: string, zone: string) => (local ? instantOf(local.replace(' ', 'T'), zone) : null)

/** Where it will be at which hour, as far as that is typed. */
export const plannedOf = (typed: OrderTyped, zone: string, id: number | undefined) => ({
  ...(id !== undefined && { id }),
  box_id: typed.box_id,
  date_estimed: typed.date_estimed,
  hour_estimed: /^([01]\d|2[0-3]):[0-5]\d$/.test(typed.hour_estimed) ? typed.hour_estimed : null,
  deadline_at: instant(typed.deadline_at, zone),
  workshop_entry_at: instant(typed.workshop_entry_at, zone),
  workshop_departure_at: instant(typed.workshop_departure_at, zone),
  works: typed.works.map((work) => ({
    specialist_id: work.specialist_id,
    hours: work.hours,
    start_time: instant(work.start_time, zone),
    end_time: instant(work.end_time, zone),
    target_start_at: instant(work.target_start_at, zone),
    target_end_at: instant(work.target_end_at, zone),
  })),
})

export const newWork = (): WorkTyped => ({
  description: '',
  task_id: null,
  specialist_id: null,
  reviewed_by_specialist_id: null,
  hours: null,
  start_time: '',
  end_time: '',
  target_start_at: '',
  target_end_at: '',
  priority: 'medium',
  type_maintenance_id: null,
})

export function blankOrder(known: Partial<OrderTyped>): OrderTyped {
  return {
    workshop_id: 0,
    truck_id: null,
    coupled_id: null,
    kilometer: null,
    confirm_lower: false,
    applicant: '',
    applicant_driver_id: null,
    request: '',
    description_of_requeriment: '',
    type_maintenance_id: null,
    priority: 'medium',
    codes: '',
    planned: false,
    waiting_for_parts: false,
    date_estimed: null,
    hour_estimed: '',
    deadline_at: '',
    place: 'WORKSHOP',
    box_id: null,
    responsible_specialist_id: null,
    workshop_entry_at: '',
    workshop_departure_at: '',
    works: [],
    has_warehouse: false,
    warehouse_id: null,
    supplies: [],
    plan_supplies: [],
    services: [],
    observation: '',
    delivered_to_driver_id: null,
    reviewed_by_specialist_id: null,
    ...known,
  }
}

/** `setting`: the company's orders take from a warehouse, once one is named. */
export const typedOf = (order: WorkOrder, zone: string, setting: boolean): OrderTyped =>
  blankOrder({
    workshop_id: order.workshop_id,
    truck_id: order.truck_id,
    coupled_id: order.coupled_id,
    kilometer: order.kilometer,
    applicant: order.applicant ?? '',
    applicant_driver_id: order.applicant_driver_id,
    request: order.request ?? '',
    description_of_requeriment: order.description_of_requeriment ?? '',
    type_maintenance_id: order.type_maintenance_id,
    priority: order.priority,
    codes: order.codes ?? '',
    planned: order.planned,
    waiting_for_parts: order.waiting_for_parts,
    date_estimed: order.date_estimed,
    hour_estimed: order.hour_estimed?.slice(0, 5) ?? '',
    deadline_at: clock(order.deadline_at, zone),
    place: order.place,
    box_id: order.box_id,
    responsible_specialist_id: order.responsible_specialist_id,
    workshop_entry_at: clock(order.workshop_entry_at, zone),
    workshop_departure_at: clock(order.workshop_departure_at, zone),
    works: order.works.map((work) => ({
      id: work.id,
      description: work.description ?? '',
      task_id: work.task_id,
      specialist_id: work.specialist_id,
      reviewed_by_specialist_id: work.reviewed_by_specialist_id,
      hours: work.hours,
      start_time: clock(work.start_time, zone),
      end_time: clock(work.end_time, zone),
      target_start_at: clock(work.target_start_at, zone),
      target_end_at: clock(work.target_end_at, zone),
      priority: work.priority,
      type_maintenance_id: work.type_maintenance_id,
      state: work.state,
    })),
    has_warehouse: order.has_warehouse || (setting && order.supplies.length === 0),
    warehouse_id: order.warehouse_id,
    supplies: order.supplies.map(({ id, supply_id, code, name, unit, count, cost }) => ({
      id,
      supply_id,
      code,
      name,
      unit,
      count,
      cost,
    })),
    services: order.services.map(
      ({ id, service_id, provider_id, provider_name, code, name, quantity, unit_price }) => ({
        id,
        service_id,
        provider_id,
        provider_name,
        code,
        name,
        quantity,
        unit_price,
      }),
    ),
    observation: order.observation ?? '',
    reviewed_by_specialist_id: order.reviewed_by_specialist_id,
    delivered_to_driver_id: order.delivered_to_driver_id,
    updated_at: order.updated_at,
  })

/** As the wire has it. A minute is the finest a person types: a time that was not touched keeps its seconds. */
function wired(typed: OrderTyped, zone: string, read: WorkOrder | undefined) {
  const time = (local: string, was: string | null | undefined) =>
    was && clock(was, zone) === local ? was : instant(local, zone)
  return {
    ...typed,
    // An order that takes nothing yet need not name a warehouse.
    has_warehouse: typed.has_warehouse && typed.warehouse_id === null ? undefined : typed.has_warehouse,
    hour_estimed: typed.hour_estimed || null,
    deadline_at: time(typed.deadline_at, read?.deadline_at),
    workshop_entry_at: time(typed.workshop_entry_at, read?.workshop_entry_at),
    workshop_departure_at: time(typed.workshop_departure_at, read?.workshop_departure_at),
    works: typed.works.map((work) => {
      const was = read?.works.find(({ id }) => id === work.id)
      return {
        ...work,
        start_time: time(work.start_time, was?.start_time),
        end_time: time(work.end_time, was?.end_time),
        target_start_at: time(work.target_start_at, was?.target_start_at),
        target_end_at: time(work.target_end_at, was?.target_end_at),
      }
    }),
    supplies: typed.supplies.map(({ cost, ...line }) => (typed.has_warehouse ? line : { ...line, cost })),
    plan_supplies: typed.has_warehouse ? typed.plan_supplies : [],
  }
}

/** The contract's own rules, on what is typed. */
export const orderResolver = (
  zone: string,
  read?: () => WorkOrder | undefined,
): Resolver<OrderTyped, unknown, OrderBody> => {
  const onWire = (typed: OrderTyped) => wired(typed, zone, read?.())
  const ofEdit = formResolver<OrderTyped, OrderBody>(WorkOrderEdit, onWire)
  const ofNew = formResolver<OrderTyped, OrderBody>(NewWorkOrder, onWire)
  return (typed, context, options) => (typed.updated_at ? ofEdit : ofNew)(typed, context, options)
}

/** What the order costs as it is typed, with what papers say of it. */
export function costsOf(
  { supplies, services }: Pick<OrderTyped, 'supplies' | 'services'>,
  beyond: WorkOrder['service_adjustments'] = [],
) {
  const supplies_cost = supplies.reduce((sum, line) => sum + lineAmount(line.count ?? 0, line.cost ?? 0), 0)
  const services_cost =
    services.reduce((sum, line) => sum + lineAmount(line.quantity, line.unit_price ?? 0), 0) +
    beyond.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  return { supplies_cost, services_cost, total_cost: supplies_cost + services_cost }
}
