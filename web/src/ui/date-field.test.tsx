// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { expect, it, vi } from 'vitest'
import { useSubmit } from '../platform/submit.ts'
import { show } from '../test/stage.tsx'
import { DayField } from './date-field.tsx'

function Days({ save, earliest }: { save: (day: string | null) => void; earliest?: string }) {
  const form = useForm<{ day: string | null }>({ defaultValues: { day: '2026-03-15' } })
  const { submit } = useSubmit({ form, save: async ({ day }: { day: string | null }) => save(day), failed: 'No' })
  return (
    <form onSubmit={submit} noValidate>
      <DayField
        control={form.control}
        name="day"
        label="Fecha"
        latest="2026-12-31"
        {...(earliest && { earliest, tooEarly: 'No puede ser anterior a hoy.' })}
      />
      <button type="submit">Guardar</button>
      <button type="button" onClick={() => form.reset()}>
        Descartar
      </button>
    </form>
  )
}

const field = () => screen.getByLabelText<HTMLInputElement>('Fecha')
const type = (text: string) => {
  fireEvent.change(field(), { target: { value: text } })
  fireEvent.blur(field())
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

it('says under the field why a day is not taken, keeps what was typed, and holds the form', async () => {
  const save = vi.fn()
  await show(<Days save={save} />)
  type('el otro día')
  expect(field().value).toBe('el otro día')
  expect(screen.getByText('No se entiende «el otro día». Escriba un día, como 15/3 o mañana.')).toBeTruthy()
  await press('Guardar')
  expect(save).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(field())
  type('3/2/2027')
  expect(screen.getByText('El último día es el 31 dic 2026.')).toBeTruthy()
  type('4/5/2026')
  expect(field().value).toBe('04 may 2026')
  expect(screen.queryByText(/No se entiende|último día/)).toBeNull()
  await press('Guardar')
  await waitFor(() => expect(save).toHaveBeenCalledWith('2026-05-04'))
})

it('says in the words of the form that a day is too early, and goes back to what stood when that is discarded', async () => {
  await show(<Days save={vi.fn()} earliest="2026-03-01" />)
  type('1/2/2026')
  expect(field().value).toBe('1/2/2026')
  expect(screen.getByText('No puede ser anterior a hoy.')).toBeTruthy()
  await press('Descartar')
  await waitFor(() => expect(field().value).toBe('15 mar 2026'))
  expect(screen.queryByText('No puede ser anterior a hoy.')).toBeNull()
})
