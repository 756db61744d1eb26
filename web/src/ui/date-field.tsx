import '@mantine/dates/styles.css'
import 'dayjs/locale/es'
import { DatePickerInput, DatesProvider, DateTimePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import type { FieldValues } from 'react-hook-form'
import styles from './date-field.module.css'
import { type FieldProps, useField } from './field.tsx'

export const DATE_SETTINGS = { locale: 'es', firstDayOfWeek: 1 } as const

export const DATE_NAMES = {
  nextMonth: 'Mes siguiente',
  previousMonth: 'Mes anterior',
  nextYear: 'Año siguiente',
  previousYear: 'Año anterior',
  nextDecade: 'Década siguiente',
  previousDecade: 'Década anterior',
}

/** These inputs are buttons, and a button cannot be announced as required. */
function useButtonField<Typed extends FieldValues, Body>(props: FieldProps<Typed, Body>) {
  const { field, shown } = useField(props)
  const { 'aria-required': _, ...rest } = shown
  return { field, shown: rest }
}

/** A day and an hour as a clock shows them, `2026-12-04 14:30:00`; empty text where there is none. */
export function DateTimeField<Typed extends FieldValues, Body>({
  latest,
  ...props
}: FieldProps<Typed, Body> & { latest?: string }) {
  const { field, shown } = useButtonField(props)
  return (
    <DatesProvider settings={DATE_SETTINGS}>
      <DateTimePicker
        {...shown}
        ref={field.ref}
        value={field.value || null}
        onChange={(value) => field.onChange(value ?? '')}
        onBlur={field.onBlur}
        valueFormat="DD MMM YYYY HH:mm"
        maxDate={latest}
        clearable
        highlightToday
        leftSection={<IconCalendar size={16} stroke={1.7} aria-hidden />}
        leftSectionPointerEvents="none"
        clearButtonProps={{ 'aria-label': 'Borrar fecha' }}
        submitButtonProps={{ 'aria-label': 'Listo' }}
        timePickerProps={{ hoursInputLabel: 'Hora', minutesInputLabel: 'Minutos', format: '24h' }}
        popoverProps={{ classNames: { dropdown: styles.dropdown }, withRoles: false }}
        ariaLabels={DATE_NAMES}
        classNames={{ day: styles.day }}
      />
    </DatesProvider>
  )
}

interface DayProps {
  earliest?: string
  latest?: string
  clearable?: boolean
}

/** A day of the calendar, `2026-12-04`; null where there is none. */
export function DayField<Typed extends FieldValues, Body>({
  earliest,
  latest,
  clearable = false,
  ...props
}: FieldProps<Typed, Body> & DayProps) {
  const { field, shown } = useButtonField(props)
  return (
    <DatesProvider settings={DATE_SETTINGS}>
      <DatePickerInput
        {...shown}
        ref={field.ref}
        value={field.value || null}
        onChange={(value) => field.onChange(value)}
        onBlur={field.onBlur}
        valueFormat="DD MMM YYYY"
        minDate={earliest}
        maxDate={latest}
        clearable={clearable}
        highlightToday
        leftSection={<IconCalendar size={16} stroke={1.7} aria-hidden />}
        leftSectionPointerEvents="none"
        clearButtonProps={{ 'aria-label': 'Borrar fecha' }}
        popoverProps={{ classNames: { dropdown: styles.dropdown }, withRoles: false }}
        ariaLabels={DATE_NAMES}
        classNames={{ day: styles.day }}
      />
    </DatesProvider>
  )
}

/** A day outside a form, with its name read aloud only. */
export function DayInput(props: { label: string; value: string | null; onChange: (day: string | null) => void }) {
  return (
    <DatesProvider settings={DATE_SETTINGS}>
      <DatePickerInput
        aria-label={props.label}
        value={props.value}
        onChange={(day) => props.onChange(day)}
        valueFormat="DD MMM YYYY"
        placeholder="Vence el…"
        clearable
        highlightToday
        clearButtonProps={{ 'aria-label': 'Borrar fecha' }}
        popoverProps={{ classNames: { dropdown: styles.dropdown }, withRoles: false }}
        ariaLabels={DATE_NAMES}
        classNames={{ day: styles.day }}
      />
    </DatesProvider>
  )
}
