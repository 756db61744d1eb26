import { Skeleton } from '@mantine/core'
import { type ComponentType, Suspense } from 'react'
import type { Role } from '#contract/base/permissions.ts'
import type { Me } from '#contract/identity/identity.ts'
import { useMe } from '../../platform/session.ts'
import { lazy } from '../../ui/lazy.ts'
import Chief, { askChief } from './chief.tsx'
import Owner, { askOwner } from './owner.tsx'

/** What each one needs to see first in the morning. */
const HOMES: Record<Role, ComponentType> = {
  'super-admin': Owner,
  admin: Chief,
  warehouse: lazy(() => import('./store.tsx')),
  specialist: lazy(() => import('../../work-orders/mine/my-works.tsx')),
  viewer: Owner,
}

export function ahead(me: Me) {
  if (HOMES[me.role] === Owner) askOwner(me)
  if (HOMES[me.role] === Chief) askChief(me)
}

export default function Home() {
  const Own = HOMES[useMe().role]
  return (
    <Suspense fallback={<Skeleton h={240} />}>
      <Own />
    </Suspense>
  )
}
