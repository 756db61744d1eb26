import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { formatQuery, parseQuery } from '#contract/base/wire.ts'
import { gates } from './platform/api.ts'
import { queryClient } from './platform/queries.ts'
import { forgetSession, isLoggedIn, meQuery } from './platform/session.ts'
import { HOME } from './shell/navigation.ts'
import Shell from './shell/shell.tsx'
import { ScreenSkeleton } from './ui/faces.tsx'
import { lazyScreen, RouteError } from './ui/lazy-screen.tsx'
import { NotFound } from './ui/not-found.tsx'

const root = createRootRoute({ component: Outlet })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: () => {
    if (isLoggedIn()) throw redirect({ to: HOME })
  },
  component: lazyScreen(() => import('./identity/login.tsx')),
})

const maintenance = createRoute({
  getParentRoute: () => root,
  path: '/maintenance',
  component: lazyScreen(() => import('./shell/maintenance.tsx')),
})

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/configurar',
  component: lazyScreen(() => import('./identity/set-up.tsx')),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitacion/$token',
  component: lazyScreen(() => import('./identity/invitation.tsx')),
})

/** Everything behind the door. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: ({ location }) => {
    if (!isLoggedIn()) throw redirect({ to: '/login', search: { next: location.href } as never, replace: true })
  },
  loader: () => queryClient.ensureQueryData(meQuery),
  component: Shell,
})

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: HOME, replace: true })
  },
})

const board = createRoute({
  getParentRoute: () => inside,
  path: '/ordenes-de-trabajo',
  component: lazyScreen(() => import('./work-orders/board/screen.tsx')),
})

const calendar = createRoute({
  getParentRoute: () => inside,
  path: '/ordenes-de-trabajo/calendario',
  component: lazyScreen(() => import('./work-orders/calendar/screen.tsx')),
})

const newWorkOrder = createRoute({
  getParentRoute: () => inside,
  path: '/ordenes-de-trabajo/nueva',
  component: lazyScreen(() => import('./work-orders/order/create.tsx')),
})

const workOrder = createRoute({
  getParentRoute: () => inside,
  path: '/ordenes-de-trabajo/$id',
  component: lazyScreen(() => import('./work-orders/order/detail.tsx')),
})

const workOrderHistory = createRoute({
  getParentRoute: () => inside,
  path: '/historial-ordenes-de-trabajo',
  component: lazyScreen(() => import('./work-orders/history/history.tsx')),
})

const myWorks = createRoute({
  getParentRoute: () => inside,
  path: '/mis-trabajos',
  component: lazyScreen(() => import('./work-orders/mine/my-works.tsx')),
})

const trucks = createRoute({
  getParentRoute: () => inside,
  path: '/truck',
  component: lazyScreen(() => import('./fleet/truck-list.tsx')),
})

const newTruck = createRoute({
  getParentRoute: () => inside,
  path: '/truck/create',
  component: lazyScreen(() => import('./fleet/truck-create.tsx')),
})

const truck = createRoute({
  getParentRoute: () => inside,
  path: '/truck/$id',
  component: lazyScreen(() => import('./fleet/truck-detail.tsx')),
})

const providerList = createRoute({
  getParentRoute: () => inside,
  path: '/provider',
  component: lazyScreen(() => import('./providers/provider-list.tsx')),
})

const newProvider = createRoute({
  getParentRoute: () => inside,
  path: '/provider/create',
  component: lazyScreen(() => import('./providers/provider-create.tsx')),
})

const provider = createRoute({
  getParentRoute: () => inside,
  path: '/provider/$id',
  component: lazyScreen(() => import('./providers/provider-detail.tsx')),
})

/** A tab of the provider's page, which stays as it is around it. */
const providerServices = createRoute({ getParentRoute: () => provider, path: 'services' })

const inventory = createRoute({
  getParentRoute: () => inside,
  path: '/inventario',
  component: lazyScreen(() => import('./supplies/supply-list.tsx')),
})

const newSupply = createRoute({
  getParentRoute: () => inside,
  path: '/nuevo-insumo',
  component: lazyScreen(() => import('./supplies/supply-create.tsx')),
})

const supply = createRoute({
  getParentRoute: () => inside,
  path: '/insumo/$id',
  component: lazyScreen(() => import('./supplies/supply-detail.tsx')),
})

const warehouseList = createRoute({
  getParentRoute: () => inside,
  path: '/warehouse',
  component: lazyScreen(() => import('./warehouses/warehouse-list.tsx')),
})

const newWarehouse = createRoute({
  getParentRoute: () => inside,
  path: '/warehouse/create',
  component: lazyScreen(() => import('./warehouses/warehouse-create.tsx')),
})

const warehouse = createRoute({
  getParentRoute: () => inside,
  path: '/warehouse/$id',
  component: lazyScreen(() => import('./warehouses/warehouse-detail.tsx')),
})

const reportSummary = createRoute({
  getParentRoute: () => inside,
  path: '/reportes',
  component: lazyScreen(() => import('./reports/summary.tsx')),
})

const reportRoutes = (
  [
    ['expenses-by-truck', () => import('./reports/by-truck.tsx')],
    ['expenses-by-suppliers', () => import('./reports/by-provider.tsx')],
    ['historical-expenses', () => import('./reports/historical.tsx')],
    ['expenses-by-category', () => import('./reports/by-category.tsx')],
    ['expenses-by-month', () => import('./reports/by-month.tsx')],
    ['equipment-availability', () => import('./reports/availability.tsx')],
    ['cost-supplies-by-truck', () => import('./reports/supplies-by-truck.tsx')],
  ] as const
).map(([name, load]) =>
  createRoute({ getParentRoute: () => inside, path: `/reportes/${name}` as const, component: lazyScreen(load) }),
)

const alertList = createRoute({
  getParentRoute: () => inside,
  path: '/maintenance-alerts',
  component: lazyScreen(() => import('./alerts/alert-list.tsx')),
})

const alertMails = createRoute({
  getParentRoute: () => inside,
  path: '/maintenance-alerts/correos',
  component: lazyScreen(() => import('./alerts/mail-list.tsx')),
})

const configuration = createRoute({
  getParentRoute: () => inside,
  path: '/configuracion',
  component: lazyScreen(() => import('./shell/configuration.tsx')),
})

const configurationPart = createRoute({
  getParentRoute: () => inside,
  path: '/configuracion/$section',
  component: lazyScreen(() => import('./shell/configuration.tsx')),
})

const elsewhere = createRoute({ getParentRoute: () => inside, path: '$', component: () => <NotFound /> })

const routeTree = root.addChildren([
  login,
  maintenance,
  setUp,
  invitation,
  inside.addChildren([
    home,
    board,
    calendar,
    newWorkOrder,
    workOrder,
    workOrderHistory,
    myWorks,
    trucks,
    newTruck,
    truck,
    providerList,
    newProvider,
    provider.addChildren([providerServices]),
    inventory,
    newSupply,
    supply,
    warehouseList,
    newWarehouse,
    warehouse,
    reportSummary,
    ...reportRoutes,
    alertList,
    alertMails,
    configuration,
    configurationPart,
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
  defaultPendingMinMs: 200,
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
  if (leaving || pathname === to || pathname === '/login') return
  leaving = true
  const go = () => router.navigate({ to, search: { next: href } as never, replace: true })
  try {
    await (to === '/login' ? forgetSession(go) : go())
  } finally {
    leaving = false
  }
}

gates.login = () => void leaveFor('/login')
gates.maintenance = () => void leaveFor('/maintenance')
