import { useQuery } from '@tanstack/react-query'
import { dayOf } from '#contract/base/dates.ts'
import { isClosedDay, ofClosedMonth } from '#contract/workshops/months.ts'
import { useZone } from '../platform/session.ts'
import { closedMonthsQuery } from './queries.ts'

/** Why something of a day, or of a moment, cannot be changed any more; nothing where it can. */
export function useClosed() {
  const zone = useZone()
  const closed = useQuery(closedMonthsQuery).data
  const onDay = (day: string | null | undefined) =>
    day && closed && isClosedDay(day, closed) ? ofClosedMonth(day) : undefined
  return { onDay, at: (moment: string | null | undefined) => onDay(moment && dayOf(moment, zone)) }
}
