import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { formatQuery, parseQuery } from '#contract/base/wire.ts'
import { newQueryClient, queryClient } from '../platform/queries.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import { theme } from '../ui/theme.ts'
import { drawAllAtOnce } from '../ui/turns.tsx'

/* What a browser has and the test's does not. */
window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    onchange: null,
    dispatchEvent: () => false,
  }) as MediaQueryList
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
if (!document.fonts) Object.defineProperty(document, 'fonts', { value: new EventTarget() })

export interface Sent {
  method: string
  path: string
  query: ReturnType<typeof parseQuery>
  body: unknown
  headers: Record<string, string>
}

type Answer = { status?: number; body?: unknown } | undefined

/** The server, as far as a screen can tell: answers what is sent to it, and remembers it. */
export function stubServer(answer: (sent: Sent) => Answer | Promise<Answer>) {
  const log: Sent[] = []
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const [path = '', query = ''] = String(input).split('?')
    const sent: Sent = {
      method: init.method ?? 'GET',
      path,
      query: parseQuery(query),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: (init.headers ?? {}) as Record<string, string>,
    }
    log.push(sent)
    const { status = 200, body } = (await answer(sent)) ?? { status: 404, body: { message: 'No está.' } }
    return new Response(status === 204 ? null : JSON.stringify(body), { status })
  })
  return log
}

const clients = new Set([queryClient])

/** Ends the queries of the screens shown so far: a retry would reach the stubbed server of the next test. */
export function endQueries() {
  for (const client of clients) client.clear()
  clients.clear()
  clients.add(queryClient)
}

/** A screen at an address, with everything around it that the real one has. */
export async function show(screen: ReactNode, at = '/') {
  drawAllAtOnce(true)
  const root = createRootRoute({ component: Outlet })
  const anywhere = createRoute({ getParentRoute: () => root, path: '$', component: () => screen })
  const home = createRoute({ getParentRoute: () => root, path: '/', component: () => screen })
  const router = createRouter({
    routeTree: root.addChildren([home, anywhere]),
    history: createMemoryHistory({ initialEntries: [at] }),
    parseSearch: (text) => parseQuery(text.replace(/^\?/, '')),
    stringifySearch: formatQuery,
  })
  await router.load()
  const client = newQueryClient()
  clients.add(client)
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
        <Confirm />
        <Snackbar />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { address: () => router.state.location.href }
}
