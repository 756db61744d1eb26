import { createRootRoute, createRoute, Outlet, redirect, type SearchSchemaInput } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Me } from '#contract/identity/identity.ts'
import { lazyScreen } from '../ui/lazy-screen.tsx'
import { askHealth, failing } from './api.ts'
import { queryClient } from './queries.ts'
import { isLoggedIn, meQuery } from './session.ts'

interface Loaded {
  default: ComponentType
  /** Asks for what the screen will show, before there is time to draw it. */
  ahead?: (me: Me) => void
}
type Load = () => Promise<Loaded>

const ASK_AGAIN = 2_000

/** A server that is changed for a newer one is gone for some seconds: what could not be fetched then is fetched after. */
const patient =
  (load: Load): Load =>
  () =>
    load().catch(async (error) => {
      if (!navigator.onLine) throw error
      while (!(await askHealth())) await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN))
      return load()
    })

const askingAhead =
  (load: Load): Load =>
  async () => {
    const loaded = await load()
    if (loaded.ahead) void queryClient.ensureQueryData(meQuery).then(loaded.ahead, () => {})
    return loaded
  }

export const root = createRootRoute({ component: Outlet })

/** Everything behind the door; the router puts the shell around it. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: ({ location }) => {
    if (!isLoggedIn()) throw redirect({ to: '/login', search: { next: location.href }, replace: true })
  },
  loader: () => queryClient.ensureQueryData(meQuery).catch(failing('Error al cargar los datos iniciales.')),
})

/** What links to a screen may ask of it after the `?`. Screens read it for themselves: anything can be typed there. */
export const asks =
  <Search extends object>() =>
  (search: Search & SearchSchemaInput): Search =>
    search

export interface ListSearch {
  filter?: object
  sort?: string
  page?: number
  per_page?: number
}

/** Of a page with tabs: which one, and what of the list in it. */
export interface TabSearch extends ListSearch {
  tab?: string
}

/** A screen of somebody who is logged in, fetched when it is first visited. */
export const screen = <const Path extends string, Search extends object = object>(
  path: Path,
  load: Load,
  validateSearch: (search: Search & SearchSchemaInput) => Search = asks<Search>(),
) =>
  createRoute({
    getParentRoute: () => inside,
    path,
    component: lazyScreen(askingAhead(patient(load))),
    validateSearch,
  })

/** A screen of somebody who is not. */
export const door = <const Path extends string>(path: Path, load: Load) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyScreen(patient(load)),
    validateSearch: asks<DoorSearch>(),
  })

/** Where to go on from here. */
export interface DoorSearch {
  next?: string
}
