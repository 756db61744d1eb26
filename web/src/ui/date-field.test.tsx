// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { show } from '../test/stage.tsx'
import { DayField } from './date-field.tsx'

function Days() {
  const { control } = useForm<{ day: string | null }>({ defaultValues: { day: '2026-03-15' } })
  return <DayField control={control} name="day" label="Fecha" latest="2026-12-31" />
}

it('a day that is not understood, or lies outside, is said where it was typed, and what stood there stays', async () => {
  await show(<Days />)
  const field = screen.getByLabelText('Fecha')
  const type = (text: string) => {
    fireEvent.change(field, { target: { value: text } })
    fireEvent.blur(field)
  }
  type('el otro día')
  expect(field).toHaveProperty('value', '15 mar 2026')
  expect(screen.getByText('No se entiende «el otro día». Escriba un día, como 15/3 o mañana.')).toBeTruthy()
  type('3/2/2027')
  expect(screen.getByText('El último día es el 31 dic 2026.')).toBeTruthy()
  type('4/5/2026')
  expect(field).toHaveProperty('value', '04 may 2026')
  expect(screen.queryByText(/No se entiende|último día/)).toBeNull()
})
