// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { expect, it } from 'vitest'
import type { WorkOrderCard } from '#contract/work-orders/orders.ts'
import { show, stubServer } from '../../test/stage.tsx'
import { MyOrderSheet } from './my-order-sheet.tsx'

const ME = {
  id: 1,
  name: 'Ana Soto',
  company_id: 1,
  permissions: ['work-orders.read', 'work-orders.work'],
  companies: [{ id: 1, name: 'Cordillera', time_zone: 'America/Santiago' }],
}
const ORDER = { id: 5, code: 'OT-000005', patent: 'BBBB12', status: 'IN_PROCESS', request: 'Frenos' } as WorkOrderCard
const PART = {
  supply_id: 9,
  code: 'FRE-1',
  name: 'Pastilla',
  unit: 'Unidad',
  stock: 4,
  available: 4,
  cost: 1000,
  elsewhere: [],
}

it('says so when a scanned code cannot be looked up, and keeps it', async () => {
  stubServer(({ path }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (path.endsWith('/available_supplies')) return { status: 422, body: { message: 'No se pudo leer.' } }
    if (path.endsWith('/comments')) return { body: { data: [], total: 0 } }
    return { body: { ...ORDER, kilometer: null, supplies: [], planned_supplies: [], files_total: 0 } }
  })
  await show(
    <Suspense>
      <MyOrderSheet order={ORDER} onClose={() => {}} onFinish={() => {}} />
    </Suspense>,
  )
  const field = await screen.findByLabelText<HTMLInputElement>('Buscar repuesto')
  await userEvent.type(field, 'FRE-1{Enter}')
  expect(await screen.findByText('No se pudo buscar')).toBeTruthy()
  expect(field.value).toBe('FRE-1')
})

it('offers neither parts nor photos where the order is finalized: only notes', async () => {
  stubServer(({ path }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (path.endsWith('/comments')) return { body: { data: [], total: 0 } }
    return { body: { ...ORDER, kilometer: null, supplies: [], planned_supplies: [], files_total: 0 } }
  })
  await show(
    <Suspense>
      <MyOrderSheet order={{ ...ORDER, status: 'FINALIZED' }} onClose={() => {}} onFinish={() => {}} />
    </Suspense>,
  )
  expect(await screen.findByLabelText('Nota')).toBeTruthy()
  expect(screen.queryByLabelText('Buscar repuesto')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Tomar foto' })).toBeNull()
})

it('takes a part once and writes a note once, however often a lost answer makes the mechanic press', async () => {
  let lost = true
  const log = stubServer(({ method, path }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (path.endsWith('/available_supplies')) return { body: { data: [PART], total: 1 } }
    if (path.endsWith('/comments') && method === 'GET') return { body: { data: [], total: 0 } }
    if (method !== 'POST')
      return { body: { ...ORDER, kilometer: null, supplies: [], planned_supplies: [], files_total: 0 } }
    lost = !lost
    return lost ? { status: 201, body: {} } : { status: 500, body: { message: 'Se cortó.' } }
  })
  await show(
    <Suspense>
      <MyOrderSheet order={ORDER} onClose={() => {}} onFinish={() => {}} />
    </Suspense>,
  )
  const sent = (what: string) => log.filter(({ method, path }) => method === 'POST' && path.endsWith(what))
  const keys = (what: string) => sent(what).map(({ headers }) => headers['Idempotency-Key'])

  await userEvent.type(await screen.findByLabelText('Buscar repuesto'), 'FRE-1{Enter}')
  await userEvent.click(await screen.findByRole('button', { name: 'Usar' }))
  await screen.findByText('No se pudo agregar')
  await userEvent.click(screen.getByRole('button', { name: 'Usar' }))
  await waitFor(() => expect(sent('/supplies')).toHaveLength(2))
  const [first, again] = keys('/supplies')
  expect(first).toBeTruthy()
  expect(again).toBe(first)

  await userEvent.type(screen.getByLabelText('Nota'), 'Falta líquido')
  await userEvent.click(screen.getByRole('button', { name: 'Comentar' }))
  await screen.findByText('No se pudo enviar el comentario')
  await userEvent.click(screen.getByRole('button', { name: 'Comentar' }))
  await waitFor(() => expect(sent('/comments')).toHaveLength(2))
  expect(new Set(keys('/comments')).size).toBe(1)
})

it('says where else there is a part that is missing, and asks for it instead of taking it', async () => {
  const none = { ...PART, stock: 2, available: 0, elsewhere: [{ warehouse_name: 'Bodega norte', stock: 2 }] }
  const log = stubServer(({ method, path }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (path.endsWith('/available_supplies')) return { body: { data: [none], total: 1 } }
    if (path.endsWith('/comments') && method === 'GET') return { body: { data: [], total: 0 } }
    if (method === 'POST') return { status: 201, body: {} }
    return { body: { ...ORDER, kilometer: null, supplies: [], planned_supplies: [], files_total: 0 } }
  })
  await show(
    <Suspense>
      <MyOrderSheet order={ORDER} onClose={() => {}} onFinish={() => {}} />
    </Suspense>,
  )
  await userEvent.type(await screen.findByLabelText('Buscar repuesto'), 'FRE-1{Enter}')
  expect(await screen.findByText(/Hay en Bodega norte \(2 unidades\)/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Usar' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Pedir' }))
  await waitFor(() => expect(log.some(({ method }) => method === 'POST')).toBe(true))
  expect(log.find(({ method }) => method === 'POST')).toMatchObject({
    path: '/api/v1/order_workers/5/planned_supplies',
    body: { supply_id: 9, count: 1 },
  })
})

it('shows what is kept for the order, one tap away, and what it waits for', async () => {
  const planned = {
    id: 3,
    supply_id: 9,
    code: 'FRE-1',
    name: 'Pastilla',
    unit: 'Unidad',
    count: 3,
    reserved: 2,
    missing: 1,
  }
  const log = stubServer(({ method, path }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (path.endsWith('/comments')) return { body: { data: [], total: 0 } }
    if (method === 'POST') return { status: 201, body: {} }
    return { body: { ...ORDER, kilometer: null, supplies: [], planned_supplies: [planned], files_total: 0 } }
  })
  await show(
    <Suspense>
      <MyOrderSheet order={ORDER} onClose={() => {}} onFinish={() => {}} />
    </Suspense>,
  )
  expect(await screen.findByText('Apartado: 2 unidades')).toBeTruthy()
  expect(screen.getByText('Falta: 1 unidad')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Usar Pastilla' }))
  await waitFor(() => expect(log.some(({ method }) => method === 'POST')).toBe(true))
  expect(log.find(({ method }) => method === 'POST')).toMatchObject({
    path: '/api/v1/order_workers/5/supplies',
    body: { supply_id: 9, count: 2 },
  })
})
