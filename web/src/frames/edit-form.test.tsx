import { queryOptions, useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint, STALE } from '#contract/base/wire.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { show, stubServer } from '../test/stage.tsx'
import { TextField } from '../ui/field.tsx'
import { DetailActions } from './detail-actions.tsx'
import { EditForm, useEdit } from './edit-form.tsx'

const Thing = z.object({
  id: z.number(),
  name: z.string(),
  note: z.string(),
  state: z.enum(['active', 'inactive']),
  updated_at: z.string(),
})
type Thing = z.infer<typeof Thing>
const things = {
  get: endpoint({ method: 'GET', path: '/v1/thing', may: 'session', summary: '', reply: Thing }),
  put: endpoint({ method: 'PUT', path: '/v1/thing', may: 'session', summary: '', body: Thing, reply: Thing }),
  remove: endpoint({ method: 'DELETE', path: '/v1/thing', may: 'session', summary: '', reply: z.undefined() }),
}
const thingQuery = queryOptions({ queryKey: ['thing'], queryFn: () => call(things.get) })

function Page() {
  const thing = useQuery(thingQuery).data
  return thing ? <Form thing={thing} /> : null
}

function Form({ thing }: { thing: Thing }) {
  const edit = useEdit<Thing, Thing, Thing>({
    row: thing,
    typedOf: (row) => row,
    resolver: formResolver(Thing),
    query: thingQuery,
    save: (body) => call(things.put, { body }),
    refresh: [],
    what: 'esta cosa',
    done: 'Guardada',
    failed: 'No se guardó',
  })
  return (
    <>
      <DetailActions
        row={thing}
        queryKey={thingQuery.queryKey}
        refresh={['others']}
        state={{
          of: ({ state }) => state,
          put: (from, state) => call(things.put, { body: { ...from, state } }),
          said: { active: 'Activada', inactive: 'Desactivada' },
          failed: 'No se cambió',
        }}
        remove={{
          act: () => call(things.remove),
          title: '¿Eliminar la cosa?',
          message: 'No se puede deshacer.',
          done: 'Eliminada',
          failed: 'No se eliminó',
        }}
      />
      <EditForm edit={edit}>
        <TextField control={edit.form.control} name="name" label="Nombre" />
        <TextField control={edit.form.control} name="note" label="Nota" />
      </EditForm>
      <span data-testid="state">{thing.state}</span>
    </>
  )
}

const THING: Thing = { id: 1, name: 'Antes', note: 'Vieja', state: 'active', updated_at: '1' }

it('loads what somebody else saved first, keeps what was typed, and saves it when asked again', async () => {
  const theirs = { ...THING, note: 'De otra persona', updated_at: '2' }
  let kept = THING
  const log = stubServer(({ method, body }) => {
    if (method === 'GET') return { body: kept }
    if ((body as Thing).updated_at !== kept.updated_at) return { status: 409, body: { message: STALE } }
    kept = { ...(body as Thing), updated_at: '3' }
    return { body: kept }
  })
  await show(<Page />)
  const user = userEvent.setup()
  const name = await screen.findByLabelText('Nombre')
  await user.clear(name)
  await user.type(name, 'Mío')
  kept = theirs
  await user.click(screen.getByRole('button', { name: 'Guardar cambios' }))
  await screen.findByText('Otra persona cambió esta cosa')
  await user.click(screen.getByRole('button', { name: 'Recargar' }))
  await waitFor(() => expect(screen.getByLabelText('Nota')).toHaveProperty('value', 'De otra persona'))
  expect(screen.getByLabelText('Nombre')).toHaveProperty('value', 'Mío')
  await user.click(screen.getByRole('button', { name: 'Guardar cambios' }))
  await screen.findByText('Guardada')
  expect(log.at(-1)?.body).toMatchObject({ name: 'Mío', note: 'De otra persona', updated_at: '2' })
})

it('offers to set aside what is in use and cannot be deleted', async () => {
  let kept = THING
  stubServer(({ method, body }) => {
    if (method === 'GET') return { body: kept }
    if (method === 'DELETE') return { status: 409, body: { message: 'Está en uso.' } }
    kept = body as Thing
    return { body: kept }
  })
  await show(<Page />)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Más acciones' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Eliminar' }))
  await user.click(await screen.findByRole('button', { name: 'Eliminar' }))
  await screen.findByText('Está en uso.')
  await user.click(screen.getByRole('button', { name: 'Desactivar' }))
  await screen.findByText('Desactivada')
  expect(screen.getByTestId('state').textContent).toBe('inactive')
})
