// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { permissionsOf } from '#contract/base/permissions.ts'
import type { Me } from '#contract/identity/identity.ts'
import { queryClient } from './platform/queries.ts'
import { preferencesQuery } from './platform/session.ts'
import { keep } from './platform/storage.ts'
import { router } from './router.tsx'
import { ana } from './test/ana.ts'
import { stubServer } from './test/stage.tsx'
import { theme } from './ui/theme.ts'

const open = (me: Me, at: string, state: { fails?: string } = {}, known: Me | null = me) => {
  stubServer(({ path }) => {
    if (path === state.fails) return { status: 422, body: { message: 'Ocurrió un error.' } }
    if (path === '/api/v1/me') return { body: me }
    return { body: { data: [], total: 0, page: 1, per_page: 25 } }
  })
  keep('token', 'good')
  keep('me', known && JSON.stringify(known))
  router.history.replace(at)
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

beforeEach(() => queryClient.clear())

// First: once they were read, a screen goes on with what is known.
it('says that what everything starts from could not be read, and tries again', async () => {
  const state = { fails: '/api/v1/me' }
  open(ana, '/truck', state, null)
  expect(await screen.findByText('Error al cargar los datos iniciales.')).toBeTruthy()
  state.fails = ''
  await userEvent.click(screen.getByRole('button', { name: 'Reintentar' }))
  expect(await screen.findByRole('heading', { name: 'Equipos' })).toBeTruthy()
})

it('says what a role may not see, and offers no buttons there', async () => {
  open({ ...ana, role: 'specialist', permissions: permissionsOf('specialist') }, '/inventario')
  for (const to of ['/inventario', '/warehouse', '/provider', '/reportes'] as const) {
    await act(() => router.navigate({ to }))
    expect(await screen.findByText('Su rol no permite ver esta página')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Nuev|Importar|Crear/ })).toBeNull()
  }
  await act(() => router.navigate({ to: '/nuevo-insumo' }))
  expect(await screen.findByText('No tiene permiso para crear insumos')).toBeTruthy()
})

it('says that the settings could not be read, and tries again', async () => {
  const state = { fails: '/api/v1/settings' }
  open(ana, '/ordenes-de-trabajo/nueva', state)
  await act(() => router.navigate({ to: '/ordenes-de-trabajo/nueva' }))
  expect(await screen.findByText('Error al cargar las configuraciones.')).toBeTruthy()
  expect(screen.getByText('Error al obtener las configuraciones.')).toBeTruthy()
  state.fails = ''
  await userEvent.click(screen.getByRole('button', { name: 'Reintentar' }))
  expect(await screen.findByRole('heading', { name: /orden de trabajo/i })).toBeTruthy()
})

it('says that the preferences could not be read', async () => {
  stubServer(() => ({ status: 422, body: { message: 'Ocurrió un error.' } }))
  await expect(queryClient.fetchQuery(preferencesQuery)).rejects.toThrow('Error al obtener las preferencias.')
})
