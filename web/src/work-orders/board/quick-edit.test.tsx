// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import type { WorkOrderCard } from '#contract/work-orders/orders.ts'
import { show, stubServer } from '../../test/stage.tsx'
import QuickEdit from './quick-edit.tsx'

const ME = {
  id: 1,
  name: 'Ana Soto',
  company_id: 1,
  permissions: ['work-orders.read', 'work-orders.write', 'work-orders.work'],
  companies: [{ id: 1, name: 'Cordillera', time_zone: 'America/Santiago' }],
}
const CARD = {
  id: 5,
  code: 'OT-000005',
  workshop_id: 1,
  responsible_specialist_id: null,
  priority: 'medium',
  deadline_at: null,
  date_estimed: null,
  waiting_for_parts: false,
} as WorkOrderCard

const open = async (answer: { status?: number; body: object }) => {
  const log = stubServer(({ method, path }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (method === 'PUT') return answer
    return { body: { data: [], total: 0, page: 1, per_page: 500 } }
  })
  const onClose = vi.fn()
  await show(
    <Suspense>
      <QuickEdit card={CARD} onClose={onClose} />
    </Suspense>,
  )
  const sent = () => log.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  return { onClose, sent, save: await screen.findByRole('button', { name: 'Guardar' }) }
}

it('sends what was changed and nothing else, and takes it back', async () => {
  const { onClose, sent, save } = await open({ body: CARD })
  await userEvent.click(screen.getByRole('switch', { name: 'Espera repuestos' }))
  await userEvent.click(save)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent()).toEqual([{ waiting_for_parts: true }])
  await userEvent.click(await screen.findByRole('button', { name: 'Deshacer' }))
  await waitFor(() => expect(sent()[1]).toEqual({ waiting_for_parts: false }))
})

it('sends nothing where nothing was changed', async () => {
  const { onClose, sent, save } = await open({ body: CARD })
  await userEvent.click(save)
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sent()).toEqual([])
})

it('keeps what was chosen where the server refuses, and says why', async () => {
  const { onClose, save } = await open({ status: 409, body: { message: 'La orden está finalizada.' } })
  await userEvent.click(screen.getByRole('switch', { name: 'Espera repuestos' }))
  await userEvent.click(save)
  expect(await screen.findByText('La orden está finalizada.')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Espera repuestos' }).checked).toBe(true)
})
