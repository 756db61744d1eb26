import '@mantine/dates/styles.css'
import 'dayjs/locale/es'
import { DateInput, DatePickerInput, DatesProvider } from '@mantine/dates'
import { useState } from 'react'
import { DATE_INPUT, DATE_SETTINGS, TYPED_INPUT, useTyped } from './date-field.tsx'
import { typedDay } from './typed-date.ts'

interface DateFilterFieldProps {
  label: string
  hint?: string | undefined
  /** A day of the zone the company lives in: `2026-12-04`. */
  today: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** One day, not after today. */
export function DayFilterField({ label, hint, today, value, onChange }: DateFilterFieldProps) {
  const { said, dateParser, leave, forget } = useTyped((text) => typedDay(text, today, { latest: today }), {
    latest: today,
  })
  return (
    <DatesProvider settings={DATE_SETTINGS}>
      <DateInput
        {...TYPED_INPUT}
        clearable
        dateParser={dateParser}
        error={said}
        onBlur={leave}
        label={label}
        description={hint}
        placeholder="Hoy"
        maxDate={today}
        value={value ?? null}
        onChange={(day) => {
          forget()
          onChange(day ?? undefined)
        }}
      />
    </DatesProvider>
  )
}

/** From one day to another, both included. */
export function RangeFilterField({ label, hint, today, value, onChange }: DateFilterFieldProps) {
  const [from = null, to = null] = value?.split(',').map((end) => end.slice(0, 10)) ?? []
  /** The first day of two, until there is a second. */
  const [begun, setBegun] = useState<string | null>(null)
  const change = ([first, last]: [string | null, string | null]) => {
    setBegun(last ? null : first)
    if (first && last) onChange(`${first} 00:00:00,${last} 23:59:59`)
    else if (!first) onChange(undefined)
  }
  return (
    <DatesProvider settings={DATE_SETTINGS}>
      <DatePickerInput
        {...DATE_INPUT}
        clearable
        popoverProps={{ ...DATE_INPUT.popoverProps, withRoles: false }}
        type="range"
        allowSingleDateInRange
        label={label}
        description={hint}
        placeholder="Desde – hasta"
        value={begun ? [begun, null] : [from, to]}
        onChange={change}
        presets={presetsOf(today)}
      />
    </DatesProvider>
  )
}

const presetsOf = (today: string): { label: string; value: [string, string] }[] => {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const at = (y: number, m: number, d: number) => new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10)
  /** Days since Monday. */
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  return [
    { label: 'Hoy', value: [today, today] },
    { label: 'Esta semana', value: [at(year, month, day - weekday), today] },
    { label: 'Este mes', value: [at(year, month, 1), today] },
    { label: 'Mes anterior', value: [at(year, month - 1, 1), at(year, month, 0)] },
    { label: 'Últimos 30 días', value: [at(year, month, day - 29), today] },
    { label: 'Últimos 12 meses', value: [at(year - 1, month, day + 1), today] },
    { label: 'Este año', value: [at(year, 1, 1), today] },
    { label: 'Año anterior', value: [at(year - 1, 1, 1), at(year - 1, 12, 31)] },
  ]
}
