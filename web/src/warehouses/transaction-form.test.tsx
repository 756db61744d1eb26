// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { expect, it } from 'vitest'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { ana } from '../test/ana.ts'
import { show, stubServer } from '../test/stage.tsx'
import TransactionForm from './transaction-form.tsx'

it.each([
  ['entry', true],
  ['exit', false],
] as const)('an %s asks for the types of its call, and for the delivery where there is one', async (type, isEntry) => {
  const sent = stubServer(({ path }) => ({
    body: path.endsWith('/me') ? ana : { data: [{ id: 1, key: 'purchase', name: 'Compra', type }], total: 1 },
  }))
  await show(
    <Suspense>
      <TransactionForm warehouse={{ id: 7, name: 'Central', workshop_id: 2 }} type={type} onClose={() => {}} />
    </Suspense>,
  )
  expect(await screen.findByText(isEntry ? /^Nueva entrada/ : /^Nueva salida/)).toBeTruthy()
  expect(screen.queryAllByLabelText('Fecha de entrega').length > 0).toBe(isEntry)
  expect(sent.some(({ path, query }) => path === '/api/v1/type-transaction' && query.type === type)).toBe(true)
})

it.each([
  ['transaction.supplies', 'Ingrese al menos un insumo.'],
  ['warehouse_id', 'La bodega está cerrada.'],
])('shows what the server says about %s, though the form has no field of that name', async (key, message) => {
  const line = { supply_id: 1, code: 'F-1', name: 'Filtro', unit: 'Unidad', quantity: 2, unit_cost: 500 }
  stubServer(({ path, method }) => {
    if (path.endsWith('/me')) return { body: ana }
    if (method === 'GET')
      return { body: { data: [{ id: 1, key: 'purchase', name: 'Compra', type: 'entry' }], total: 1 } }
    return { status: 422, body: { message: 'Revise los datos.', errors: { [key]: [message] } } }
  })
  await show(
    <Suspense>
      <TransactionForm
        warehouse={{ id: 7, name: 'Central', workshop_id: 2 }}
        type="entry"
        onClose={() => {}}
        receiving={{
          title: 'Recibir',
          provider_id: 1,
          lines: [{ ...line, tax_type: '19' }],
          save: (body, idempotencyKey) => call(warehouses.recordTransaction, { body, idempotencyKey }),
          recover: async () => false,
        }}
      />
    </Suspense>,
  )
  await userEvent.type(await screen.findByLabelText('Documento'), '77')
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
  const problem = await screen.findByText(message)
  expect(screen.getByRole('dialog').contains(problem)).toBe(true)
})
