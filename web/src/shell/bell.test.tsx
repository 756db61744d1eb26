// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { ana } from '../test/ana.ts'
import { show, stubServer } from '../test/stage.tsx'
import Bell from './bell.tsx'

const list = (data: object[]) => ({ body: { data, total: data.length, page: 1, per_page: 10 } })
const order = { id: 5, code: 'OC-000005', provider_name: 'Frenos Ruta 5', total: 1000, warehouse_id: 3 }
const alert = { id: 9, name: 'Cambio de aceite', patent: 'BBBB12', overdue: true, due_on: null }

it('does not ring for what arrived while its list was open', async () => {
  const user = userEvent.setup()
  const alerts = Promise.withResolvers<void>()
  stubServer(async ({ path }) => {
    if (path.endsWith('/me')) return { body: ana }
    if (path.endsWith('/order_purchase')) return list([order])
    if (!path.endsWith('/maintenance-alerts')) return list([])
    await alerts.promise
    return list([alert])
  })
  await show(<Bell onCounts={() => {}} />)
  await user.click(await screen.findByRole('button', { name: 'Avisos: 1 nuevo' }))
  await screen.findByRole('menuitem', { name: /OC-000005/ })
  alerts.resolve()
  await screen.findByRole('menuitem', { name: /Cambio de aceite/ })
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('button', { name: 'Avisos' })).toBeTruthy()
})
