// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { formResolver } from '../platform/form-resolver.ts'
import { useSubmit } from '../platform/submit.ts'
import { show } from '../test/stage.tsx'
import { Combobox } from './combobox.tsx'
import { SelectField } from './field.tsx'

const Order = z.object({ truck: z.number({ error: 'Elija el equipo.' }), driver: z.number().nullable() })
type Order = z.infer<typeof Order>
const TRUCKS = [
  { value: 1, label: 'C-01 · BBBB·12' },
  { value: 2, label: 'C-02 · KRTX·40' },
  { value: 3, label: 'C-03 · Camión viejo' },
]
const DRIVERS = [
  { value: 7, label: 'Luis Gatica' },
  { value: 8, label: 'Ana Soto' },
]

interface FormProps {
  save: (body: Order) => void
  onAdd?: (text: string) => void
  truck?: number | null
}

function OrderForm({ save, onAdd, truck = 1 }: FormProps) {
  const form = useForm<{ truck: number | null; driver: number | null }, unknown, Order>({
    resolver: formResolver(Order),
    defaultValues: { truck, driver: null },
  })
  const { submit } = useSubmit({ form, save: async (body: Order) => save(body), failed: 'No se pudo' })
  return (
    <form onSubmit={submit} noValidate>
      <SelectField
        control={form.control}
        name="truck"
        label="Equipo"
        choices={TRUCKS}
        {...(onAdd && { onAdd, addLabel: 'Nuevo equipo' })}
      />
      <SelectField control={form.control} name="driver" label="Conductor" choices={DRIVERS} clearable />
      <button type="submit">Crear orden</button>
      <button type="button" onClick={() => form.reset()}>
        Descartar
      </button>
    </form>
  )
}

const truck = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Equipo' })
const driver = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Conductor' })
const type = async (input: HTMLInputElement, text: string) => {
  await userEvent.clear(input)
  await userEvent.type(input, text)
}

it('keeps no truck whose plate was typed over with one that does not exist, and sends nothing', async () => {
  const save = vi.fn()
  await show(<OrderForm save={save} />)
  expect(truck().value).toBe('C-01 · BBBB·12')
  await type(truck(), 'KRTX41{Enter}')
  expect(save).not.toHaveBeenCalled()
  expect(truck().value).toBe('KRTX41')
  expect(screen.getByText('«KRTX41» no está en la lista: elija uno.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Crear orden' }))
  expect(save).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(truck())
})

it('keeps a text that names nothing when the field is left, says so, and holds the form', async () => {
  const save = vi.fn()
  await show(<OrderForm save={save} />)
  await userEvent.type(driver(), 'Pedro')
  await userEvent.tab()
  expect(driver().value).toBe('Pedro')
  expect(screen.getByText('«Pedro» no está en la lista: elija uno.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Crear orden' }))
  expect(save).not.toHaveBeenCalled()
  await type(driver(), 'Luis{Enter}')
  await userEvent.click(screen.getByRole('button', { name: 'Crear orden' }))
  await waitFor(() => expect(save).toHaveBeenCalledWith({ truck: 1, driver: 7 }))
})

it('never sends the form with Enter, which takes the first match', async () => {
  const save = vi.fn()
  await show(<OrderForm save={save} />)
  await userEvent.type(truck(), '{Enter}')
  await type(truck(), 'camion{Enter}')
  expect(truck().value).toBe('C-03 · Camión viejo')
  await userEvent.type(truck(), '{Enter}')
  expect(save).not.toHaveBeenCalled()
})

it('understands a plate without its separator, also when the field is left with Tab', async () => {
  const save = vi.fn()
  await show(<OrderForm save={save} />)
  await type(truck(), 'krtx40')
  await userEvent.tab()
  expect(truck().value).toBe('C-02 · KRTX·40')
  await userEvent.click(screen.getByRole('button', { name: 'Crear orden' }))
  await waitFor(() => expect(save).toHaveBeenCalledWith({ truck: 2, driver: null }))
})

it('has no value once its text is emptied', async () => {
  const save = vi.fn()
  await show(<OrderForm save={save} />)
  await userEvent.clear(truck())
  await userEvent.click(screen.getByRole('button', { name: 'Crear orden' }))
  expect(await screen.findByText('Elija el equipo.')).toBeTruthy()
  expect(save).not.toHaveBeenCalled()
})

it('shows what is wrong with it when it takes the focus: the list stays closed', async () => {
  await show(<OrderForm save={vi.fn()} truck={null} />)
  await userEvent.click(screen.getByRole('button', { name: 'Crear orden' }))
  expect(await screen.findByText('Elija el equipo.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(truck()))
  expect(truck().getAttribute('aria-expanded')).toBe('false')
})

it('offers to create what is missing, and hands over its text', async () => {
  const onAdd = vi.fn()
  const save = vi.fn()
  await show(<OrderForm save={save} onAdd={onAdd} />)
  await type(truck(), 'KRTX41')
  expect(await screen.findByRole('option', { name: 'Crear equipo KRTX41' })).toBeTruthy()
  await userEvent.keyboard('{Enter}')
  expect(onAdd).toHaveBeenCalledWith('KRTX41')
  await type(truck(), 'KRTX42')
  await userEvent.click(screen.getByRole('button', { name: 'Nuevo equipo' }))
  expect(onAdd).toHaveBeenLastCalledWith('KRTX42')
  expect(save).not.toHaveBeenCalled()
})

it('goes back to the choice that stood with Escape, and to what the form had when that is discarded', async () => {
  await show(<OrderForm save={vi.fn()} />)
  await type(truck(), 'KR')
  await userEvent.keyboard('{Escape}')
  expect(truck().value).toBe('C-01 · BBBB·12')
  await userEvent.type(driver(), 'Pedro')
  await userEvent.click(screen.getByRole('button', { name: 'Descartar' }))
  await waitFor(() => expect(driver().value).toBe(''))
})

it('shows the choices of each group under its heading', async () => {
  const choices = [
    { value: 'a', label: 'Taller norte', group: 'Todo el archivo' },
    { value: 'b', label: 'Ubicación', group: 'Según la columna' },
  ]
  const onPick = vi.fn()
  await show(<Combobox<string> label="Taller" choices={choices} value={null} onPick={onPick} />)
  await userEvent.type(screen.getByRole('combobox', { name: 'Taller' }), 'ubi')
  expect(await screen.findByText('Según la columna')).toBeTruthy()
  await userEvent.keyboard('{Enter}')
  expect(onPick).toHaveBeenCalledWith('b')
})
