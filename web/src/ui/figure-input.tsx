import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useEffect, useRef } from 'react'

interface FigureInputProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'onValueChange' | 'decimalScale'> {
  value: number | null | ''
  onFigure: (value: number | null) => void
  decimals?: number
}

const THOUSANDS = /^[1-9]\d*\.\d{3}$/

/**
 * A number, grouped as in Chile: a comma before the decimals, a dot between thousands. A dot that is typed may be
 * either, and what follows tells: 1.5 is one and a half, 15.000 is fifteen thousand. Where there are no decimals, what
 * comes after a comma is not taken for more of the whole number.
 */
export function FigureInput({ value, onFigure, decimals = 0, ref, onBlur, ...props }: FigureInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const dotted = useRef(false)
  const past = useRef(false)
  const isWhole = decimals === 0

  useEffect(() => {
    const field = input.current
    const look = (event: InputEvent) => {
      if (event.data === '.') dotted.current = true
      if (event.data === ',') dotted.current = false
      if (!isWhole) return
      if (event.inputType !== 'insertText') past.current = false
      else if (event.data === ',') past.current = true
      if (past.current) event.preventDefault()
    }
    // What is typed takes the place of what stood there, however soon it is typed.
    const choose = () => field?.select()
    field?.addEventListener('beforeinput', look)
    field?.addEventListener('focus', choose)
    return () => {
      field?.removeEventListener('beforeinput', look)
      field?.removeEventListener('focus', choose)
    }
  }, [isWhole])

  return (
    <NumberInput
      {...props}
      ref={useMergedRef(input, ref)}
      value={value ?? ''}
      onChange={(typed) => onFigure(typed === '' ? null : Number(typed))}
      onValueChange={({ value: typed }, { source }) => {
        if (source !== 'event' || !dotted.current || !THOUSANDS.test(typed)) return
        dotted.current = false
        onFigure(Number(typed.replace('.', '')))
      }}
      onPaste={(event) => {
        const [whole = '', ...rest] = event.clipboardData.getData('text').split(',')
        if (!isWhole || rest.length !== 1) return
        event.preventDefault()
        const digits = whole.replace(/\D/g, '')
        if (digits) onFigure(Number(digits))
      }}
      onBlur={(event) => {
        dotted.current = false
        past.current = false
        onBlur?.(event)
      }}
      thousandSeparator="."
      decimalSeparator=","
      allowDecimal={!isWhole}
      decimalScale={decimals}
      allowNegative={false}
      inputMode={isWhole ? 'numeric' : 'decimal'}
    />
  )
}
