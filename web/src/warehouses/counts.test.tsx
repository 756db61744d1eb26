// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { show, stubServer } from '../test/stage.tsx'
import Counts from './counts.tsx'

const ME = {
  id: 1,
  name: 'Ana Soto',
  company_id: 1,
  permissions: ['warehouses.read', 'warehouses.write'],
  companies: [{ id: 1, name: 'Cordillera', time_zone: 'America/Santiago' }],
}
const line = (supply_id: number, name: string, counted: number | null) => ({
  supply_id,
  code: `C-${supply_id}`,
  name,
  unit: 'Unidad',
  expected: 5,
  counted,
  difference: null,
})
const count = (counted: number | null) => ({
  id: 3,
  state: 'open',
  blind: false,
  created_at: '2026-11-15T12:00:00Z',
  user_name: 'Ana Soto',
  counted_count: counted === null ? 0 : 1,
  lines_count: 2,
  lines: [line(1, 'Filtro', counted), line(2, 'Correa', null)],
})

it('keeps what is counted while the save before it is on its way', async () => {
  const arrives = Promise.withResolvers<void>()
  let saved: number | null = null
  stubServer(({ path, method, body }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (method === 'PUT') saved = (body as { lines: { counted: number }[] }).lines[0]?.counted ?? null
    return { body: path.endsWith('/3') || method === 'PUT' ? count(saved) : { data: [count(saved)], total: 1 } }
  })
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const response = await answer(url, init)
    if (init?.method === 'PUT') await arrives.promise
    return response
  })
  await show(
    <Suspense>
      <Counts warehouse={{ id: 7, name: 'Central' } as Warehouse} onClose={() => {}} />
    </Suspense>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Conteo 3' }))
  await userEvent.type(await screen.findByLabelText('Contado de Filtro'), '4')
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
  await userEvent.type(screen.getByLabelText('Contado de Correa'), '9')
  arrives.resolve()
  expect(await screen.findByText('Conteo guardado ✅')).toBeTruthy()
  await waitFor(() => expect(screen.getByText('1 de 2 contados')).toBeTruthy())
  expect(screen.getByLabelText<HTMLInputElement>('Contado de Filtro').value).toBe('4')
  expect(screen.getByLabelText<HTMLInputElement>('Contado de Correa').value).toBe('9')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Guardar' }).disabled).toBe(false)
})
