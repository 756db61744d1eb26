import '@mantine/dates/styles.css'
import 'dayjs/locale/es'
import { DatePickerInput, DatesProvider } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './date-field.module.css'

interface DayRangeProps {
  label: string
  hint?: string
  /** `2026-11-01,2026-11-30` */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

type Ends = [string | null, string | null]

/** From one day to another, both included. */
export default function DayRange({ label, hint, value, onChange }: DayRangeProps) {
  const given = (value?.split(',') ?? [null, null]) as Ends
  // While only the first end is chosen there is no range yet.
  const [half, setHalf] = useState<string | null>(null)
  return (
    <DatesProvider settings={{ locale: 'es', firstDayOfWeek: 1 }}>
      <DatePickerInput
        type="range"
        label={label}
        description={hint}
        placeholder="Desde – hasta"
        value={half ? [half, null] : given}
        onChange={([from, to]: Ends) => {
          setHalf(from && !to ? from : null)
          if (from && to) onChange(`${from},${to}`)
          else if (!from) onChange(undefined)
        }}
        valueFormat="DD MMM YYYY"
        allowSingleDateInRange
        clearable
        highlightToday
        leftSection={<IconCalendar size={16} stroke={1.7} aria-hidden />}
        leftSectionPointerEvents="none"
        clearButtonProps={{ 'aria-label': 'Borrar fechas' }}
        popoverProps={{ classNames: { dropdown: styles.dropdown }, withRoles: false }}
        ariaLabels={{
          nextMonth: 'Mes siguiente',
          previousMonth: 'Mes anterior',
          nextYear: 'Año siguiente',
          previousYear: 'Año anterior',
          nextDecade: 'Década siguiente',
          previousDecade: 'Década anterior',
        }}
        classNames={{ day: styles.day }}
      />
    </DatesProvider>
  )
}
