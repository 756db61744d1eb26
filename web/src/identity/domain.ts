import { createRoute, redirect } from '@tanstack/react-router'
import { asks, type DoorSearch, door, root } from '../platform/routes.tsx'
import { isLoggedIn } from '../platform/session.ts'
import { lazyScreen } from '../ui/lazy-screen.tsx'

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: asks<DoorSearch>(),
  beforeLoad: () => {
    if (isLoggedIn()) throw redirect({ to: '/inicio' })
  },
  component: lazyScreen(() => import('./login.tsx')),
})

/** The ways in. */
export const identityDoors = [
  login,
  door('/configurar', () => import('./set-up.tsx')),
  door('/invitacion/$token', () => import('./invitation.tsx')),
  door('/entrar/vuelta', () => import('./entry-return.tsx')),
  door('/entrar/$company', () => import('./entry-door.tsx')),
] as const
