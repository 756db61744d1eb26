import type { ReactNode } from 'react'
import type { Permission } from '#contract/base/permissions.ts'
import { Lacking, useMe } from './session.ts'

/** Whether what is of a workshop is of one that the person works in. */
export function useIsHome(workshop_id: number) {
  const me = useMe()
  return me.workshop_id === null || me.workshop_id === workshop_id
}

interface ElsewhereProps {
  /** Whose the thing on screen is. */
  workshop: number
  /** What nobody of another workshop may do with it, whatever their role. */
  lacking: Permission[]
  children: ReactNode
}

/** What another workshop owns is read: inside, its buttons are not there. */
export function Elsewhere({ workshop, lacking, children }: ElsewhereProps) {
  const isHome = useIsHome(workshop)
  return <Lacking value={isHome ? NOTHING : lacking}>{children}</Lacking>
}
const NOTHING: Permission[] = []
