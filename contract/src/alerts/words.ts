import { daysBetween, sayDay, showDay } from '../base/dates.ts'
import { showKm, showNumber } from '../base/money.ts'

/** What people read of an alert's plan: the list, the drawer and the mail say the same. */

export interface Plan {
  date: string | null
  kilometers: number | null
  kilometers_now: number | null
  due_on: string | null
  estimated: boolean
}

const count = (n: number, one: string, many: string) => `${showNumber(n)} ${n === 1 ? one : many}`

/** `04 dic 2026 · 150.000 km` */
export const sayPlan = ({ date, kilometers }: Pick<Plan, 'date' | 'kilometers'>) =>
  [date && showDay(date), kilometers !== null && showKm(kilometers)].filter(Boolean).join(' · ')

/** `≈ 12 de marzo`, or `04 dic 2026` where that is known. */
export const sayDue = ({ due_on, estimated }: Pick<Plan, 'due_on' | 'estimated'>, today: string) =>
  due_on === null ? null : estimated ? `≈ ${sayDay(due_on, today.slice(0, 4))}` : showDay(due_on)

/** How far away it is, or how far past: by date, by kilometres or both. */
export function sayDistance(plan: Plan, today: string): string {
  const words: string[] = []
  if (plan.date !== null) {
    const days = daysBetween(today, plan.date)
    words.push(
      days === 0
        ? 'Vence hoy'
        : days > 0
          ? `Vence en ${count(days, 'día', 'días')}`
          : `Vencida hace ${count(-days, 'día', 'días')}`,
    )
  }
  if (plan.kilometers !== null && plan.kilometers_now !== null) {
    const left = plan.kilometers - plan.kilometers_now
    words.push(left > 0 ? `Faltan ${showKm(left)}` : left === 0 ? 'Kilometraje cumplido' : `Pasada en ${showKm(-left)}`)
  }
  return words.join(' · ')
}
