// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import type { CountSheet } from '#contract/warehouses/stock.ts'
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

/** A server that keeps the figures it is sent; `isDown` refuses to. */
function serve(counted: Record<number, number | null> = {}) {
  const server = { isDown: false, counted }
  const sheet = () => ({
    ...count(null),
    counted_count: Object.values(server.counted).filter((one) => one !== null).length,
    lines: [line(1, 'Filtro', server.counted[1] ?? null), line(2, 'Correa', server.counted[2] ?? null)],
  })
  const sent = stubServer(({ path, method, body }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (method === 'PUT') {
      if (server.isDown) return { status: 500, body: { message: 'Se cayó.' } }
      for (const { supply_id, counted } of (body as CountSheet).lines) server.counted[supply_id] = counted
    }
    return { body: path.endsWith('/3') ? sheet() : { data: [sheet()], total: 1 } }
  })
  const puts = () => sent.filter(({ method }) => method === 'PUT').map(({ body }) => (body as CountSheet).lines)
  return { server, puts }
}

const open = () =>
  show(
    <Suspense>
      <Counts warehouse={{ id: 7, name: 'Central' } as Warehouse} onClose={() => {}} />
    </Suspense>,
    '/?count=3',
  )
const figure = (name: string) => screen.findByLabelText<HTMLInputElement>(`Contado de ${name}`)

it('goes to the next line with Enter, saves each line as it is counted and shows its difference at once', async () => {
  const { server, puts } = serve()
  await open()
  await userEvent.type(await figure('Filtro'), '5{Enter}')
  await userEvent.keyboard('7')
  expect(screen.getByText('+2')).toBeTruthy()
  expect((await figure('Correa')).value).toBe('7')
  await waitFor(() => expect(server.counted).toEqual({ 1: 5 }))
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(server.counted).toEqual({ 1: 5, 2: 7 }))
  expect(document.activeElement).toBe(screen.getByLabelText('Buscar en la hoja'))
  expect(puts().flat()).toEqual([
    { supply_id: 1, counted: 5 },
    { supply_id: 2, counted: 7 },
  ])
})

it('opens the sheet again after a reload, with what was counted', async () => {
  serve({ 1: 5 })
  await open()
  expect((await figure('Filtro')).value).toBe('5')
})

it('finds a line that is scanned and goes to its figure', async () => {
  const { server } = serve()
  await open()
  await userEvent.type(await screen.findByLabelText('Buscar en la hoja'), 'C-2{Enter}')
  await userEvent.keyboard('9{Enter}')
  await waitFor(() => expect(server.counted).toEqual({ 2: 9 }))
})

it('keeps a figure that could not be saved, says so, and saves it with the next one', async () => {
  const { server } = serve()
  server.isDown = true
  await open()
  await userEvent.type(await figure('Filtro'), '4{Enter}')
  expect(await screen.findByText('1 línea sin guardar')).toBeTruthy()
  expect((await figure('Filtro')).value).toBe('4')
  server.isDown = false
  await userEvent.keyboard('9{Enter}')
  await waitFor(() => expect(server.counted).toEqual({ 1: 4, 2: 9 }))
  expect(screen.queryByText('1 línea sin guardar')).toBeNull()
})

it('keeps what is counted while the save before it is on its way', async () => {
  const arrives = Promise.withResolvers<void>()
  const { server } = serve()
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const response = await answer(url, init)
    if (init?.method === 'PUT') await arrives.promise
    return response
  })
  await open()
  await userEvent.type(await figure('Filtro'), '4{Enter}')
  await userEvent.type(await figure('Correa'), '9')
  arrives.resolve()
  await waitFor(() => expect(screen.getByText('2 de 2 contados')).toBeTruthy())
  expect(server.counted).toEqual({ 1: 4, 2: 9 })
  expect((await figure('Filtro')).value).toBe('4')
  expect((await figure('Correa')).value).toBe('9')
})
