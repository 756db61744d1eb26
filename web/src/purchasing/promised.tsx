import { dayOf, daysBetween, showDay } from '#contract/base/dates.ts'
import { useZone } from '../platform/session.ts'
import { StatusPill } from '../ui/status-pill.tsx'

/** The first day that something is promised for, and by how many days it has passed. */
export function Promised({ day }: { day: string }) {
  const late = daysBetween(day, dayOf(new Date(), useZone()))
  return (
    <>
      {`${showDay(day)} `}
      {late > 0 && <StatusPill tone="danger">{`Atrasada ${late} d`}</StatusPill>}
    </>
  )
}
