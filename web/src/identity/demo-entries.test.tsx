// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { show, stubServer } from '../test/stage.tsx'
import Login from './login.tsx'

const ENTRIES = [
  { role: 'super-admin', name: 'Marcela Riquelme Soto' },
  { role: 'specialist', name: 'Luis Gatica Muñoz' },
]

it('offers one-click entry for each role of a public demonstration, and says why it failed', async () => {
  const log = stubServer(({ method, path }) => {
    if (path === '/api/v1/setup') return { body: { needed: false } }
    if (path === '/api/v1/demo') return { body: { data: ENTRIES, total: 2, reset_hours: 6 } }
    if (method === 'POST' && path === '/api/v1/demo/entry')
      return { status: 503, body: { message: 'Se está preparando la demostración.', unavailable: true } }
    return undefined
  })
  await show(<Login />)
  const mechanic = await screen.findByRole('button', { name: /^Mecánico.*Luis Gatica Muñoz/ })
  expect(screen.getByRole('region', { name: 'Entrar a la demostración' }).querySelectorAll('button')).toHaveLength(2)
  await userEvent.click(mechanic)
  await waitFor(() =>
    expect(log.find(({ path }) => path === '/api/v1/demo/entry')?.body).toEqual({ role: 'specialist' }),
  )
  expect(await screen.findByText('No se pudo entrar')).toBeTruthy()
  expect(mechanic).toHaveProperty('disabled', false)
})

it('shows only the form where the demonstration is not public', async () => {
  const log = stubServer(({ path }) => {
    if (path === '/api/v1/setup') return { body: { needed: false } }
    if (path === '/api/v1/demo') return { body: { data: [], total: 0, reset_hours: null } }
    return undefined
  })
  await show(<Login />)
  await waitFor(() => expect(log.map(({ path }) => path)).toContain('/api/v1/demo'))
  expect(screen.queryByRole('region', { name: 'Entrar a la demostración' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Entrar' })).toBeTruthy()
})
