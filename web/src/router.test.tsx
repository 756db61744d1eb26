// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { queryClient } from './platform/queries.ts'
import { safePath } from './platform/safe-path.ts'
import { keep, recall } from './platform/storage.ts'
import { router } from './router.tsx'
import { ana } from './test/ana.ts'
import { stubServer } from './test/stage.tsx'
import { theme } from './ui/theme.ts'

const open = (at: string) => {
  router.history.replace(at)
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}
const here = () => decodeURIComponent(router.state.location.href)

// Reading the screens' files takes a busy machine longer than anything here waits for.
beforeAll(() => Promise.all([import('./identity/login.tsx'), import('./fleet/truck-list.tsx')]))
beforeEach(() => queryClient.clear())

/** A server that knows one session, `good`. */
const server = (state = { maintenance: false }) =>
  stubServer(({ path, headers }) => {
    if (path === '/api/health') return { status: state.maintenance ? 503 : 200, body: {} }
    if (path === '/api/v1/login' && !state.maintenance) return { body: { token: 'good', user: ana } }
    if (state.maintenance) return { status: 503, body: { message: 'En mantención.' } }
    if (headers.Authorization !== 'Bearer good') return { status: 401, body: { message: 'Ingrese para continuar.' } }
    if (path === '/api/v1/me') return { body: ana }
    return { body: { data: [], total: 0, page: 1, per_page: 25 } }
  })

it('sends people who lost their session to log in, and back to where they were', async () => {
  server()
  keep('token', 'expired')
  keep('me', JSON.stringify(ana))
  open('/truck?filter[Search]=volvo')
  expect(await screen.findByRole('heading', { name: 'Iniciar sesión' })).toBeTruthy()
  expect(here()).toContain('/login?next=/truck?filter[Search]=volvo')
  expect(recall('token')).toBeNull()

  await userEvent.type(screen.getByLabelText('Correo'), 'ana@demo.cl')
  await userEvent.type(screen.getByLabelText('Contraseña'), 'secreta{Enter}')
  await waitFor(() => expect(here()).toBe('/truck?filter[Search]=volvo'))
  expect(await screen.findByRole('heading', { name: 'Equipos' })).toBeTruthy()
  expect(screen.getByText('Taller Quilicura')).toBeTruthy()
})

it('waits out a maintenance and comes back by itself', async () => {
  const state = { maintenance: true }
  server(state)
  keep('token', 'good')
  keep('me', JSON.stringify(ana))
  open('/truck')
  expect(await screen.findByText('Estamos en mantención')).toBeTruthy()
  state.maintenance = false
  await waitFor(() => expect(here()).toBe('/truck'), { timeout: 8_000 })
})

it('leads to the maintenance page from the login too', async () => {
  const state = { maintenance: true }
  server(state)
  open('/login')
  expect(await screen.findByText('Estamos en mantención')).toBeTruthy()
  state.maintenance = false
  await waitFor(() => expect(here()).toContain('/login'), { timeout: 8_000 })
})

it('goes on only inside this site', () => {
  expect(safePath('/truck/7?tab=mileage')).toBe('/truck/7?tab=mileage')
  for (const bad of ['//evil.cl', '/\\evil.cl', 'https://evil.cl', '/login?next=/login', '/', undefined, 7])
    expect(safePath(bad)).toBe('/inicio')
})
