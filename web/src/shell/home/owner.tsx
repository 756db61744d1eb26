import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Me } from '#contract/identity/identity.ts'
import { queryClient } from '../../platform/queries.ts'
import { preferencesQuery, useMay, workshopOf } from '../../platform/session.ts'
import { summaryQuery } from '../../reports/queries.ts'
import { MorningPart } from '../../reports/summary.tsx'
import { lazy } from '../../ui/lazy.ts'
import { InTurn } from '../../ui/turns.tsx'
import { Approvals, askApprovals } from './approvals.tsx'
import { askWrong, WrongStrip } from './chief.tsx'
import styles from './home.module.css'
import { Greeting } from './parts.tsx'
import { BEGUN, soFarQuery } from './queries.ts'

const Start = lazy(() => import('./start.tsx'))

export function askOwner(me: Me) {
  askWrong(me)
  void queryClient.prefetchQuery(summaryQuery(workshopOf(me)))
  if (me.permissions.includes('company.manage')) void queryClient.prefetchQuery(soFarQuery)
  askApprovals(me)
}

/** What is wrong today, and what the month costs so far; before that, what a company that has hardly begun still needs. */
export default function OwnerHome() {
  const maySetUp = useMay('company.manage')
  const orders = useQuery({ ...soFarQuery, enabled: maySetUp }).data
  const isYoung = orders !== undefined && orders < BEGUN
  const preferences = useQuery({ ...preferencesQuery, enabled: isYoung }).data
  const begins = isYoung && preferences?.first_steps_hidden === false
  return (
    <div className={styles.page}>
      <Greeting />
      {begins && (
        <Suspense fallback={null}>
          <Start />
        </Suspense>
      )}
      {!(begins && orders === 0) && (
        <>
          <WrongStrip />
          <InTurn>
            <MorningPart above />
          </InTurn>
          <InTurn>
            <Approvals />
          </InTurn>
        </>
      )}
    </div>
  )
}
