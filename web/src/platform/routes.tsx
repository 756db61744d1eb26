import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { lazyScreen } from '../ui/lazy-screen.tsx'
import { queryClient } from './queries.ts'
import { isLoggedIn, meQuery } from './session.ts'

type Load = () => Promise<{ default: ComponentType }>

export const root = createRootRoute({ component: Outlet })

/** Everything behind the door; the router puts the shell around it. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: ({ location }) => {
    if (!isLoggedIn()) throw redirect({ to: '/login', search: { next: location.href } as never, replace: true })
  },
  loader: () => queryClient.ensureQueryData(meQuery),
})

/** A screen of somebody who is logged in, fetched when it is first visited. */
export const screen = <const Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => inside, path, component: lazyScreen(load) })

/** A screen of somebody who is not. */
export const door = <const Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => root, path, component: lazyScreen(load) })
