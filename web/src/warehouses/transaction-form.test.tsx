// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, it } from 'vitest'
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
