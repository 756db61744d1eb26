// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm, useWatch } from 'react-hook-form'
import { describe, expect, it } from 'vitest'
import { show } from '../test/stage.tsx'
import { NumberField } from './field.tsx'

function Numbers({ decimals }: { decimals: number }) {
  const { control } = useForm<{ figure: number | null }>({ defaultValues: { figure: null } })
  const figure = useWatch({ control, name: 'figure' })
  return (
    <>
      <NumberField control={control} name="figure" label="Cifra" decimals={decimals} />
      <output>{String(figure)}</output>
    </>
  )
}

const figure = () => screen.getByRole('status').textContent

describe('a number', () => {
  it.each([
    ['1234', 0, '1234'],
    ['1.234', 0, '1234'],
    ['1.234,5', 0, '1234'],
    ['1234,56', 2, '1234.56'],
    ['1.234,5', 4, '1234.5'],
    ['1.234.567,25', 4, '1234567.25'],
    ['15.000', 4, '15000'],
    ['1.5', 4, '1.5'],
    ['0,125', 4, '0.125'],
    ['12,05', 4, '12.05'],
    ['12,500', 4, '12.5'],
    ['-3', 0, '3'],
  ])('typed or pasted as %s with %i decimals is %s', async (text, decimals, meant) => {
    await show(<Numbers decimals={decimals} />)
    const field = screen.getByLabelText('Cifra')
    await userEvent.type(field, text)
    expect(figure()).toBe(meant)
    await userEvent.clear(field)
    await userEvent.click(field)
    await userEvent.paste(text)
    expect(figure()).toBe(meant)
  })

  it('that is come to with Tab is replaced by what is typed', async () => {
    await show(<Numbers decimals={0} />)
    await userEvent.type(screen.getByLabelText('Cifra'), '18390')
    await userEvent.tab()
    await userEvent.tab({ shift: true })
    expect(document.activeElement).toBe(screen.getByLabelText('Cifra'))
    await userEvent.keyboard('1500')
    expect(figure()).toBe('1500')
  })
})
