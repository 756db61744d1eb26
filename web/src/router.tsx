import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { formatQuery, parseQuery } from '#contract/base/wire.ts'
import { alertRoutes } from './alerts/domain.ts'
import { fleetRoutes } from './fleet/domain.ts'
import { identityDoors } from './identity/domain.ts'
import { gates } from './platform/api.ts'
import { queryClient } from './platform/queries.ts'
import { asks, door, inside, type ListSearch, root, screen } from './platform/routes.tsx'
import { forgetSession, meQuery } from './platform/session.ts'
import { providerRoutes } from './providers/domain.ts'
import { reportRoutes } from './reports/domain.ts'
import { Maintenance } from './shell/maintenance.tsx'
import Shell from './shell/shell.tsx'
import { supplyRoutes } from './supplies/domain.ts'
import { confirm } from './ui/confirm.tsx'
import { ScreenSkeleton } from './ui/faces.tsx'
import { lazy } from './ui/lazy.ts'
import { RouteError } from './ui/lazy-screen.tsx'
import { NotFound } from './ui/not-found.tsx'
import { warehouseRoutes } from './warehouses/domain.ts'
import { workOrderRoutes } from './work-orders/domain.ts'

inside.update({ component: Shell })

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/ordenes-de-trabajo', replace: true })
  },
})

const configuration = () => import('./shell/configuration.tsx')
const elsewhere = createRoute({ getParentRoute: () => inside, path: '$', component: () => <NotFound /> })

const routeTree = root.addChildren([
  ...identityDoors,
  // Not fetched: when it is needed, nothing can be.
  door('/maintenance', async () => ({ default: Maintenance })),
  inside.addChildren([
    home,
    screen('/inicio', () => import('./shell/home/home.tsx')),
    ...workOrderRoutes,
    ...fleetRoutes,
    ...providerRoutes,
    ...supplyRoutes,
    ...warehouseRoutes,
    ...reportRoutes,
    ...alertRoutes,
    screen('/configuracion', configuration),
    screen('/configuracion/$section', configuration, asks<ListSearch>()),
    elsewhere,
  ]),
])

export const router = createRouter({
  routeTree,
  // Addresses read like the API's own: /truck?filter[Search]=volvo&sort=-mileage&page=2
  parseSearch: (text) => parseQuery(text.startsWith('?') ? text.slice(1) : text),
  stringifySearch: formatQuery,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultPendingComponent: ScreenSkeleton,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: () => <NotFound />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Once on the way out, the refusals of every other call say nothing new. */
let leaving = false

const leaveFor = async (to: '/login' | '/maintenance') => {
  const { pathname, href } = router.latestLocation
  if (leaving || pathname === to) return
  leaving = true
  // A click on the screen that is about to go would be taken for one at the door, and lose the way back.
  document.body.inert = true
  const go = () => router.navigate({ to, search: { next: href }, replace: true })
  try {
    await (to === '/login' ? forgetSession(go) : go())
  } finally {
    leaving = false
    document.body.inert = false
  }
}

gates.login = () => void leaveFor('/login')
gates.maintenance = () => void leaveFor('/maintenance')
gates.factor = () => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
const ConfirmOneself = lazy(() => import('./identity/confirm-oneself.tsx'))
gates.confirm = () => confirm({ dialog: ConfirmOneself })
