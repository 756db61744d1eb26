// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { fleet, type Truck, type TruckEdit } from '#contract/fleet/fleet.ts'
import { call } from '../platform/api.ts'
import { show, stubServer } from '../test/stage.tsx'
import { BulkEdit } from './bulk-edit.tsx'

const truck = (id: number, more: Partial<Truck> = {}) =>
  ({ id, code: `C-${id}`, state: 'active', cost_center_id: id, ...more }) as Truck

const onDone = vi.fn()
const trucks = (rows: Truck[]) => (
  <BulkEdit
    rows={rows}
    noun={{ one: 'equipo', many: 'equipos' }}
    name={({ code }) => code}
    fields={[
      { key: 'state', label: 'Estado', useChoices: () => [{ value: 'inactive', label: 'Inactivo' }] },
      { key: 'cost_center_id', label: 'Centro', id: true, none: 'Sin centro', useChoices: () => [] },
    ]}
    save={({ id }, change) => call(fleet.updateTruck, { params: { id }, body: change as TruckEdit })}
    refresh={['fleet']}
    onDone={onDone}
  />
)
const choose = async (field: string, label: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: label }))
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
const sent = (log: { method: string; path: string; body?: unknown }[]) =>
  log.filter(({ method }) => method === 'PUT').map(({ path, body }) => [Number(path.split('/').at(-1)), body])

it('says which rows refused, changes the others, and tries only those again', async () => {
  let refuses = true
  const log = stubServer(({ path }) =>
    path.endsWith('/2') && refuses
      ? { status: 422, body: { message: 'Revise los datos.', errors: { state: ['Tiene una orden abierta.'] } } }
      : { body: truck(1) },
  )
  await show(trucks([truck(1), truck(2), truck(3, { state: 'inactive' })]))
  await userEvent.click(await screen.findByRole('button', { name: 'Editar' }))
  await choose('Estado', 'Inactivo')
  await save()
  const refused = await screen.findByRole('alert')
  expect(within(refused).getByText('C-2').parentElement?.textContent).toBe('C-2 Tiene una orden abierta.')
  expect(await screen.findByText('Cambios guardados en 1 equipo')).toBeTruthy()
  // The third was so already.
  expect(sent(log)).toEqual([
    [1, { state: 'inactive' }],
    [2, { state: 'inactive' }],
  ])
  expect(onDone).not.toHaveBeenCalled()
  refuses = false
  await save()
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(sent(log).slice(2)).toEqual([[2, { state: 'inactive' }]])
})

it('gives each row back what it had', async () => {
  const log = stubServer(() => ({ body: truck(1) }))
  await show(trucks([truck(1), truck(2)]))
  await userEvent.click(await screen.findByRole('button', { name: 'Editar' }))
  await choose('Centro', 'Sin centro')
  await save()
  expect(await screen.findByText('Cambios guardados en 2 equipos')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Deshacer' }))
  expect(await screen.findByText('2 equipos: como antes')).toBeTruthy()
  expect(sent(log)).toEqual([
    [1, { cost_center_id: null }],
    [2, { cost_center_id: null }],
    [1, { cost_center_id: 1 }],
    [2, { cost_center_id: 2 }],
  ])
})
