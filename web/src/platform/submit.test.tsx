// @vitest-environment happy-dom
import { zodResolver } from '@hookform/resolvers/zod'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/base/wire.ts'
import { show, stubServer } from '../test/stage.tsx'
import { TextField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { type ApiFailure, call } from './api.ts'
import { type Recovery, useSubmit } from './submit.ts'

const Alert = z.object({ name: z.string().min(1), plan: z.object({ kilometers: z.string(), date: z.string() }) })
const createAlert = endpoint({
  method: 'POST',
  path: '/v1/alerts',
  may: 'session',
  summary: 'For this test',
  body: Alert,
  reply: z.object({ id: z.number() }),
  status: 201,
})

type Typed = z.infer<typeof Alert>
interface AlertFormProps {
  onDone: () => void
  alsoSaid?: boolean
  recover?: (failure: ApiFailure, body: Typed) => Promise<Recovery<Typed>>
}

function AlertForm({ onDone, alsoSaid, recover }: AlertFormProps) {
  const form = useForm({
    resolver: zodResolver(Alert),
    defaultValues: { name: 'Aceite', plan: { kilometers: '1', date: '' } },
  })
  const { submit } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(createAlert, { body, idempotencyKey }),
    done: 'Alerta creada correctamente ✅',
    failed: 'Error al crear alerta ⛔️',
    onDone,
    alsoSaid,
    recover,
  })
  return (
    <form onSubmit={submit} noValidate>
      <TextField control={form.control} name="name" label="Nombre" />
      <TextField control={form.control} name="plan.kilometers" label="Kilometraje" />
      <TextField control={form.control} name="plan.date" label="Fecha" />
      <FormProblems />
      <button type="submit">Crear</button>
    </form>
  )
}

const press = () => userEvent.click(screen.getByRole('button', { name: 'Crear' }))

it('says it in the snackbar as well where that is asked for', async () => {
  stubServer(() => ({ status: 422, body: { message: 'Revise los datos.', errors: { name: ['Ya existe.'] } } }))
  await show(<AlertForm onDone={vi.fn()} alsoSaid />)
  await press()
  expect(await screen.findByText('Ya existe.')).toBeTruthy()
  expect(screen.getByText('Error al crear alerta ⛔️')).toBeTruthy()
})

it('puts what the server refuses under its fields, nested ones too, and focuses the first of the form', async () => {
  stubServer(() => ({
    status: 422,
    body: {
      message: 'Revise los datos.',
      errors: { 'plan.date': ['Falta la fecha.'], 'plan.kilometers': ['Debe ser mayor al actual.', 'Y otra.'] },
    },
  }))
  const done = vi.fn()
  await show(<AlertForm onDone={done} />)
  await press()
  expect(await screen.findByText('Debe ser mayor al actual.')).toBeTruthy()
  expect(screen.getByText('Falta la fecha.')).toBeTruthy()
  expect(screen.queryByText('Error al crear alerta ⛔️')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Kilometraje')))
  expect(screen.getByLabelText('Fecha').getAttribute('aria-invalid')).toBe('true')
  expect(done).not.toHaveBeenCalled()
})

it('says any other failure with the words of the form, keeps what was typed, and tries again as the same request', async () => {
  const log = stubServer(() => ({ status: 500, body: { message: 'Se cayó.' } }))
  await show(<AlertForm onDone={() => {}} />)
  await userEvent.type(screen.getByLabelText('Nombre'), ' de motor')
  await press()
  expect(await screen.findByText('Error al crear alerta ⛔️')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Nombre').value).toBe('Aceite de motor')
  await press()
  await waitFor(() => expect(log).toHaveLength(2))
  await userEvent.type(screen.getByLabelText('Nombre'), '!')
  await press()
  await waitFor(() => expect(log).toHaveLength(3))
  const [first, again, other] = log.map(({ headers }) => headers['Idempotency-Key'])
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

it('says it in the snackbar when the server names no field of the form', async () => {
  stubServer(() => ({ status: 422, body: { message: 'Sin stock.', errors: { 'lines.3.count': ['No hay stock'] } } }))
  await show(<AlertForm onDone={() => {}} />)
  await press()
  expect(await screen.findByText('Error al crear alerta ⛔️')).toBeTruthy()
  expect(screen.getByText('Sin stock.')).toBeTruthy()
})

it('shows above the buttons what belongs to no field on the form, beside what does, until it is sent again', async () => {
  const errors = {
    name: ['Ya existe.'],
    'plan.date': ['Falta la fecha.'],
    provider_id: ['El proveedor está inactivo.'],
  }
  let isWrong = true
  stubServer(() =>
    isWrong ? { status: 422, body: { message: 'Revise los datos.', errors } } : { status: 201, body: { id: 7 } },
  )
  await show(<AlertForm onDone={() => {}} />)
  await press()
  expect(await screen.findByText('El proveedor está inactivo.')).toBeTruthy()
  expect(screen.getAllByText('Ya existe.')).toHaveLength(1)
  expect(screen.getAllByText('Falta la fecha.')).toHaveLength(1)
  isWrong = false
  await press()
  await screen.findByText('Alerta creada correctamente ✅')
  expect(screen.queryByText('El proveedor está inactivo.')).toBeNull()
})

it('takes its error back once the same form is saved', async () => {
  let isDown = true
  stubServer(() => (isDown ? { status: 500, body: { message: 'Se cayó.' } } : { status: 201, body: { id: 7 } }))
  await show(<AlertForm onDone={() => {}} />)
  await press()
  expect(await screen.findByText('Error al crear alerta ⛔️')).toBeTruthy()
  isDown = false
  await press()
  expect(await screen.findByText('Alerta creada correctamente ✅')).toBeTruthy()
  expect(screen.queryByText('Error al crear alerta ⛔️')).toBeNull()
})

it('says so and closes once it is saved', async () => {
  stubServer(() => ({ status: 201, body: { id: 7 } }))
  const done = vi.fn()
  await show(<AlertForm onDone={done} />)
  await press()
  expect(await screen.findByText('Alerta creada correctamente ✅')).toBeTruthy()
  expect(done).toHaveBeenCalledWith({ id: 7 })
  await userEvent.click(screen.getByRole('button', { name: 'Cerrar' }))
  expect(screen.queryByText('Alerta creada correctamente ✅')).toBeNull()
})

it('says that there is no connection', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await show(<AlertForm onDone={() => {}} />)
  await press()
  expect(await screen.findByText(/No hay conexión con el servidor/)).toBeTruthy()
})

it('asks once: what was agreed to and lost on the way is tried again as the same request', async () => {
  let calls = 0
  const log = stubServer(({ body }) => {
    calls += 1
    if ((body as Typed).plan.date === '')
      return { status: 422, body: { message: '¿Hoy?', errors: { sure: ['¿Hoy?'] } } }
    return calls === 2 ? { status: 500, body: { message: 'Se cayó.' } } : { status: 201, body: { id: 7 } }
  })
  const recover = vi.fn(async ({ errors }: ApiFailure, body: Typed) =>
    errors.sure ? { again: { ...body, plan: { ...body.plan, date: 'hoy' } } } : false,
  )
  const done = vi.fn()
  await show(<AlertForm onDone={done} recover={recover} />)
  await press()
  expect(await screen.findByText('Error al crear alerta ⛔️')).toBeTruthy()
  await press()
  await waitFor(() => expect(done).toHaveBeenCalledWith({ id: 7 }))
  expect(log.map(({ body }) => (body as Typed).plan.date)).toEqual(['', 'hoy', 'hoy'])
  expect(log[2]?.headers['Idempotency-Key']).toBe(log[1]?.headers['Idempotency-Key'])
})

it('says it when what was tried instead fails too', async () => {
  stubServer(() => ({ status: 409, body: { message: 'Cambió.' } }))
  const recover = async () => Promise.reject(new Error('Sin conexión.'))
  await show(<AlertForm onDone={() => {}} recover={recover} />)
  await press()
  expect(await screen.findByText('Error al crear alerta ⛔️')).toBeTruthy()
})
