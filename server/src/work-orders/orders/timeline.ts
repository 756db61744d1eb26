import type { Activity } from '#contract/base/activity.ts'
import { showMoment } from '#contract/base/dates.ts'
import { type Field, readAt } from '#contract/base/fields.ts'
import { showMoney, showQuantity } from '#contract/base/money.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { ACTIVITY_FIELDS } from '#contract/work-orders/activity.ts'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'

/* What the activity of an order says: names instead of ids, and of its lines only those that are not as they were. */

/** Lines are told one by one; that supplies leave a warehouse, by its name. */
const NOT_HERE = ['works', 'supplies', 'services', 'has_warehouse']
const TOLD = Object.entries(WORK_ORDER_FIELDS)
  .filter(([key, { fixed }]) => !fixed && !NOT_HERE.includes(key))
  .map(([key]) => readAt(WORK_ORDER_FIELDS, key) as keyof WorkOrder)

/** What is not so is not told: an order that nobody planned says nothing about it. */
export const told = (order: WorkOrder) =>
  Object.fromEntries(TOLD.map((key) => [key, order[key] === false ? null : order[key]]))

type Lines = Pick<WorkOrder, 'works' | 'supplies' | 'services'>

/** Each line as a person reads it, by its id. */
const spoken: { [List in keyof Lines]: (lines: Lines, zone: string) => [id: number, text: string][] } = {
  works: ({ works }, zone) =>
    works.map((work) => {
      const hours = work.duration === null ? null : `${showQuantity(Number(work.duration.toFixed(2)))} h`
      const span = (from: string | null, to: string | null) =>
        [from, to].flatMap((at) => (at ? [showMoment(at, zone)] : [])).join(' a ')
      const planned = span(work.target_start_at, work.target_end_at)
      const told = [
        work.task,
        work.description,
        work.specialist,
        work.type_maintenance,
        work.priority === 'medium' ? null : `prioridad ${PRIORITIES[work.priority].label.toLowerCase()}`,
        planned && `planificado ${planned}`,
        span(work.start_time, work.end_time),
        hours,
      ]
      return [work.id, told.filter(Boolean).join(' · ')]
    }),
  supplies: ({ supplies }) =>
    supplies.map((line) => [line.supply_id, `${line.name} × ${showQuantity(line.count)} (${showMoney(line.amount)})`]),
  services: ({ services }) =>
    services.map((line) => [line.id, `${line.name} × ${showQuantity(line.quantity)} (${showMoney(line.amount)})`]),
}

/** For those who may not read costs. */
export const withoutAmounts = (activity: Activity, fields: Record<string, Field> = ACTIVITY_FIELDS): Activity => ({
  ...activity,
  changes: Object.fromEntries(
    Object.entries(activity.changes)
      .filter(([field]) => !isCost(fields[field]))
      .map(([field, [was, is]]) => [field, [withoutAmount(was), withoutAmount(is)]]),
  ),
})
const isCost = (field: Field | undefined) => field?.kind === 'money' || field?.kind === 'cost'
const withoutAmount = (text: unknown) => (typeof text === 'string' ? text.replaceAll(/ \(-?\$[\d.]+\)/g, '') : text)

/** `works`, `supplies` and `services` as text: the lines that were added, changed or removed, as they were and are. */
export function changedLines(before: Lines | undefined, after: Lines, zone: string) {
  const texts = { before: {} as Record<string, string | null>, after: {} as Record<string, string | null> }
  for (const [list, linesOf] of Object.entries(spoken)) {
    const [was, is] = [new Map(before ? linesOf(before, zone) : []), new Map(linesOf(after, zone))]
    const only = (one: Map<number, string>, other: Map<number, string>) =>
      [...one].filter(([id, text]) => other.get(id) !== text).map(([, text]) => text)
    texts.before[list] = only(was, is).join('; ') || null
    texts.after[list] = only(is, was).join('; ') || null
  }
  return texts
}
