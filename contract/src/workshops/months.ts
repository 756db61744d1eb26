import { z } from 'zod'
import { ActivityPage } from '../base/activity.ts'
import { sayMonth } from '../base/dates.ts'
import { endpoint, listing } from '../base/wire.ts'

/* Months that are closed: nothing in them changes any more, until somebody who may opens them again. */

const Month = z.string().regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'El mes no es válido.')
export const ClosedMonths = z.object({ closed_through: Month.nullable() })
export type ClosedMonths = z.infer<typeof ClosedMonths>

export const isClosedDay = (day: string, { closed_through }: ClosedMonths) =>
  closed_through !== null && day.slice(0, 7) <= closed_through

/** Of something that would be dated in it. */
export const closedMonth = (day: string) => `${capital(sayMonth(day))} está cerrado: use una fecha posterior.`
/** Of something that is in it. */
export const ofClosedMonth = (day: string) => `Es de ${sayMonth(day)}, un mes cerrado: ya no se puede cambiar.`

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const months = {
  closedMonths: endpoint({
    method: 'GET',
    path: '/v1/closed-months',
    may: 'session',
    summary: 'The last month in which nothing can be changed any more',
    reply: ClosedMonths,
  }),
  closeMonths: endpoint({
    method: 'PUT',
    path: '/v1/closed-months',
    may: 'company.manage',
    confirmed: true,
    summary: 'Close the months up to this one, or open them again',
    body: ClosedMonths,
    reply: ClosedMonths,
  }),
  closedMonthsActivity: endpoint({
    method: 'GET',
    path: '/v1/closed-months/activity',
    may: 'company.manage',
    summary: 'Who closed months, and who opened them again',
    query: listing(['at']),
    reply: ActivityPage,
  }),
}
