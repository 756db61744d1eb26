import { Skeleton } from '@mantine/core'
import { type ComponentType, Suspense } from 'react'
import type { Role } from '#contract/base/permissions.ts'
import { useMe } from '../../platform/session.ts'
import { lazy } from '../../ui/lazy.ts'

const Chief = lazy(() => import('./chief.tsx'))
const Owner = lazy(() => import('./owner.tsx'))

/** What each one needs to see first in the morning. */
const HOMES: Record<Role, ComponentType> = {
  'super-admin': Owner,
  admin: Chief,
  warehouse: lazy(() => import('./store.tsx')),
  specialist: lazy(() => import('../../work-orders/mine/my-works.tsx')),
  viewer: Owner,
}

export default function Home() {
  const Own = HOMES[useMe().role]
  return (
    <Suspense fallback={<Skeleton h={240} />}>
      <Own />
    </Suspense>
  )
}
