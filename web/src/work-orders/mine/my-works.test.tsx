// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { expect, it } from 'vitest'
import { show, stubServer } from '../../test/stage.tsx'
import MyWorks from './my-works.tsx'

const ME = {
  id: 1,
  name: 'Ana Soto',
  company_id: 1,
  specialist_id: 7,
  permissions: ['work-orders.read', 'work-orders.work'],
  companies: [{ id: 1, name: 'Cordillera', time_zone: 'America/Santiago' }],
}
const ORDER = {
  id: 5,
  code: 'OT-000005',
  patent: 'BBBB12',
  status: 'IN_PROCESS',
  request: 'Frenos',
  priority: 'high',
  works_total: 2,
  works_done: 0,
  planned_supplies: [],
}
const WORK = {
  id: 1,
  work_order_id: 5,
  specialist_id: 7,
  state: 'pending',
  description: 'Luces',
  times: [],
  hours: null,
  duration: null,
}
const clock = (specialist_id: number, specialist: string) => ({
  id: specialist_id,
  specialist_id,
  specialist,
  from_at: new Date().toISOString(),
  until_at: null,
  minutes: 0,
})

it('keeps every work where it stood when one of them is finished, and sorts them the next time', async () => {
  const other = { ...ORDER, id: 6, code: 'OT-000006', patent: 'CCCC34', works_total: 1, priority: 'low' }
  const works = [
    { work: { ...WORK, id: 1, state: 'running', times: [clock(7, 'Ana Soto')] }, order: { ...ORDER, works_total: 1 } },
    { work: { ...WORK, id: 2, work_order_id: 6, description: 'Eje' }, order: other },
  ]
  stubServer(({ path, method }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (method === 'GET') return { body: { data: works, total: 2 } }
    works[0] = { ...works[0]!, work: { ...works[0]!.work, state: 'done', times: [] } }
    return { body: works[0].work }
  })
  await show(
    <Suspense>
      <MyWorks />
    </Suspense>,
  )
  await userEvent.click((await screen.findAllByRole('button', { name: 'Terminar' }))[0]!)
  await screen.findByText('Luces: terminado')
  const codes = () => screen.getAllByRole('article').map((card) => /OT-\d+/.exec(card.textContent)?.[0])
  expect(codes()).toEqual(['OT-000005', 'OT-000006'])
  expect(screen.queryByText('Terminados hoy')).toBeNull()
  document.dispatchEvent(new Event('visibilitychange'))
  expect(await screen.findByText('Terminados hoy')).toBeTruthy()
  expect(codes()).toEqual(['OT-000006', 'OT-000005'])
})

it('asks before a mechanic leaves one work for another, and does nothing where they say no', async () => {
  const log = stubServer(({ path, method, body }) => {
    if (path.endsWith('/me')) return { body: ME }
    if (method === 'GET') return { body: { data: [{ work: WORK, order: ORDER }], total: 1 } }
    if ((body as { confirm_switch?: boolean }).confirm_switch)
      return { body: { ...WORK, state: 'running', times: [clock(7, 'Ana Soto')] } }
    return { status: 422, body: { message: 'x', errors: { confirm_switch: ['Ana está trabajando en «Aceite».'] } } }
  })
  await show(
    <Suspense>
      <MyWorks />
    </Suspense>,
  )
  const sent = () => log.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  await userEvent.click(await screen.findByRole('button', { name: 'Empezar' }))
  expect(await screen.findByText('Ana está trabajando en «Aceite».')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }))
  expect(sent()).toEqual([{ action: 'start' }])
  await userEvent.click(await screen.findByRole('button', { name: 'Empezar' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Pausar y cambiar' }))
  await waitFor(() => expect(sent().at(-1)).toEqual({ action: 'start', confirm_switch: true }))
})

it('pauses only what one is at oneself; who else is at it is said, and it is finished by whose it is', async () => {
  const works = [
    { ...WORK, id: 1, state: 'running', description: 'Motor', times: [clock(8, 'Luis Gatica')] },
    { ...WORK, id: 2, state: 'running', description: 'Eje', specialist_id: 8, times: [clock(7, 'Ana Soto')] },
  ]
  stubServer(({ path }) =>
    path.endsWith('/me')
      ? { body: ME }
      : { body: { data: works.map((work) => ({ work, order: ORDER })), total: works.length } },
  )
  await show(
    <Suspense>
      <MyWorks />
    </Suspense>,
  )
  expect(await screen.findByText('Ahora: Luis Gatica')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sumarme' })).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Pausar' })).toHaveLength(1)
  expect(screen.getAllByRole('button', { name: 'Terminar' })).toHaveLength(1)
})
