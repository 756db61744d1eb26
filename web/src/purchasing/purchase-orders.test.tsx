// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import type { PurchaseOrder } from '#contract/purchasing/purchasing.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { ana } from '../test/ana.ts'
import { show, stubServer } from '../test/stage.tsx'
import OrdersTab from './orders-tab.tsx'
import PurchaseOrderForm from './purchase-order-form.tsx'
import { updatePurchaseStatus } from './queries.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const warehouse = { id: 7, name: 'Central', workshop_id: 2 } as Warehouse
const line = {
  supply_id: 1,
  code: 'F-1',
  name: 'Filtro',
  unit: 'Unidad',
  quantity: 2,
  unit_cost: 500,
  tax_type: '19' as const,
}
const order = (id: number, status: PurchaseOrder['status']) => ({
  id,
  code: `OC-00000${id}`,
  warehouse_id: 7,
  warehouse_name: 'Central',
  workshop_id: 2,
  provider_id: 1,
  provider_name: 'Repuestos Sur',
  status,
  document: null,
  createdAt: '2026-11-10T12:00:00.000Z',
  deliveryAt: null,
  reference: null,
  priority: 'medium',
  note: null,
  supplies: [{ ...line, id: 1, received: 0, net_cost: 1000, tax: 190, total_cost: 1190 }],
  subtotal: 1000,
  tax: 190,
  total: 1190,
  user_name: 'Ana Rojas',
  approved_by: null,
  updated_at: '2026-11-10T12:00:00.000Z',
})
const PROVIDERS = { data: [{ id: 1, name: 'Repuestos Sur' }], total: 1 }

it('says that the order could not be made also where fields say why', async () => {
  stubServer(({ method, path }) => {
    if (path.endsWith('/me')) return { body: ana }
    if (method !== 'POST') return { body: PROVIDERS }
    return { status: 422, body: { message: 'Revise los datos.', errors: { reference: ['Ya se usó.'] } } }
  })
  await show(
    <Suspense>
      <PurchaseOrderForm warehouse={warehouse} draft={{ provider_id: 1, lines: [line] }} onClose={() => {}} />
    </Suspense>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Guardar' }))
  expect(await screen.findByText('Error al crear la orden de compra ❌')).toBeTruthy()
  expect(screen.getByText('Ya se usó.')).toBeTruthy()
})

it('says under the delivery date that it is past, keeps it as typed and sends nothing', async () => {
  const sent = stubServer(({ path }) => ({ body: path.endsWith('/me') ? ana : PROVIDERS }))
  await show(
    <Suspense>
      <PurchaseOrderForm warehouse={warehouse} draft={{ provider_id: 1, lines: [line] }} onClose={() => {}} />
    </Suspense>,
  )
  const delivery = await screen.findByLabelText<HTMLInputElement>('Fecha de entrega')
  await userEvent.type(delivery, '1/2/2020')
  await userEvent.tab()
  expect(screen.getByText('La fecha de entrega no puede ser anterior a hoy.')).toBeTruthy()
  expect(delivery.value).toBe('1/2/2020')
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
  expect(sent.some(({ method }) => method === 'POST')).toBe(false)
})

it('lets those that are pending be corrected, from the list and with the keyboard', async () => {
  const sent = stubServer(({ method, path }) => {
    if (path.endsWith('/me')) return { body: ana }
    if (method === 'PUT') return { body: order(1, 'pending') }
    if (path === '/api/v1/order_purchase')
      return { body: { data: [order(1, 'pending'), order(2, 'approved')], total: 2, page: 1, per_page: 25 } }
    return { body: PROVIDERS }
  })
  await show(
    <Suspense>
      <OrdersTab warehouse={warehouse} />
    </Suspense>,
  )
  const correct = await screen.findByRole('button', { name: 'Corregir OC-000001' })
  expect(screen.queryByRole('button', { name: 'Corregir OC-000002' })).toBeNull()
  correct.focus()
  await userEvent.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: /^Corregir OC-000001/ })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Guardar corrección' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')).toMatchObject({
      path: '/api/v1/order_purchase/1',
      body: { updated_at: '2026-11-10T12:00:00.000Z', supplies: [{ supply_id: 1, quantity: 2 }] },
    }),
  )
})

/** The tab of a warehouse's orders, of which the first is pending. */
async function openTab(at: string) {
  const sent = stubServer(({ path }) => {
    if (path.endsWith('/me')) return { body: ana }
    if (path === '/api/v1/order_purchase/1') return { body: order(1, 'pending') }
    if (path === '/api/v1/order_purchase')
      return { body: { data: [order(1, 'pending')], total: 1, page: 1, per_page: 25 } }
    if (path.startsWith('/api/v1/order_purchase/') && !path.includes('/1/'))
      return { status: 404, body: { message: 'No está.' } }
    return { body: PROVIDERS }
  })
  await show(
    <Suspense>
      <OrdersTab warehouse={warehouse} />
    </Suspense>,
    at,
  )
  return sent
}

it('shows an order read only: it can be approved, but neither edited nor deleted from there', async () => {
  await openTab('/?order=1')
  const dialog = await screen.findByRole('dialog', { name: /OC-000001/ })
  expect(await within(dialog).findByRole('button', { name: 'Aprobar' })).toBeTruthy()
  for (const name of ['Guardar', 'Editar', 'Corregir', 'Eliminar'])
    expect(within(dialog).queryByRole('button', { name })).toBeNull()
  expect(within(dialog).queryByRole('textbox')).toBeNull()
})

it('closes the correction with Escape where nothing was touched, and deletes from there', async () => {
  const sent = await openTab('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Corregir OC-000001' }))
  const dialog = await screen.findByRole('dialog', { name: /^Corregir OC-000001/ })
  expect(within(dialog).getByText(/Está corrigiendo una orden pendiente/)).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Corregir/ })).toBeNull())
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: 'Corregir OC-000001' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Eliminar' }))
  const sure = await screen.findByRole('dialog', { name: '¿Eliminar OC-000001?' })
  await userEvent.click(within(sure).getByRole('button', { name: 'Eliminar' }))
  await waitFor(() => expect(sent.find(({ method }) => method === 'DELETE')?.path).toBe('/api/v1/order_purchase/1'))
})

it.each(['/?order=99', '/?order=abc'])('says so where the order of the address does not exist: %s', async (at) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await openTab(at)
  expect(await screen.findByText('Esta orden de compra no existe')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Ver las órdenes de compra' }))
  await waitFor(() => expect(screen.queryByText('Esta orden de compra no existe')).toBeNull())
})

it('throws and logs what the specification says where a status cannot be changed', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  stubServer(({ path }) => ({ status: path.endsWith('/9') ? 404 : 422, body: { message: 'No.' } }))
  await expect(updatePurchaseStatus(9, 'approved')).rejects.toThrow('Purchase order with ID not found')
  await expect(updatePurchaseStatus(1, 'approved')).rejects.toThrow('Failed to update purchase order status')
  expect(log.mock.calls.map(([error]) => String(error))).toEqual([
    'Error: Purchase order with ID not found',
    'Error: Failed to update purchase order status',
  ])
})
