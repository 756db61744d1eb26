import '@mantine/dates/styles.css'
import 'dayjs/locale/es'
import { DateInput, DatesProvider } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { showDay } from '#contract/base/dates.ts'
import styles from './date-field.module.css'
import { type FieldProps, useField } from './field.tsx'
import { typedDay, typedMoment } from './typed-date.ts'
import { UNRESOLVED } from './unresolved.ts'

export const DATE_SETTINGS = { locale: 'es', firstDayOfWeek: 1 } as const

export const DATE_NAMES = {
  nextMonth: 'Ir al mes siguiente',
  previousMonth: 'Ir al mes anterior',
  nextYear: 'Ir al año siguiente',
  previousYear: 'Ir al año anterior',
  nextDecade: 'Ir a la década siguiente',
  previousDecade: 'Ir a la década anterior',
}

/** The day it is where the person sits. */
const localToday = () => dayjs().format('YYYY-MM-DD')

/** What every field with a calendar under it looks like. */
export const DATE_INPUT = {
  valueFormat: 'DD MMM YYYY',
  highlightToday: true,
  leftSection: <IconCalendar size={16} stroke={1.7} aria-hidden />,
  leftSectionPointerEvents: 'none',
  clearButtonProps: { 'aria-label': 'Borrar fecha' },
  popoverProps: { classNames: { dropdown: styles.dropdown } },
  ariaLabels: DATE_NAMES,
  classNames: { day: styles.day },
} as const

/** One that takes what is typed, in place of what stood there. */
export const TYPED_INPUT = {
  ...DATE_INPUT,
  onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
}

interface Ends {
  earliest?: string | undefined
  latest?: string | undefined
  /** The words for a day before `earliest`. */
  tooEarly?: string | undefined
}

/** Reads what is typed; why it is no day that may be chosen is said once the field is left. */
export function useTyped(read: (text: string) => string | undefined, ends: Ends = {}) {
  const { earliest, latest, tooEarly } = ends
  const [wrong, setWrong] = useState<string>()
  const [isLeft, setLeft] = useState(false)
  const problemOf = (text: string, day: string | undefined) => {
    if (!text) return 'Escriba un día, como 15/3 o mañana.'
    if (!day) return `No se entiende «${text}». Escriba un día, como 15/3 o mañana.`
    if (latest && day.slice(0, 10) > latest.slice(0, 10)) return `El último día es el ${showDay(latest)}.`
    if (earliest && day.slice(0, 10) < earliest.slice(0, 10))
      return tooEarly ?? `El primer día es el ${showDay(earliest)}.`
    return undefined
  }
  return {
    wrong,
    said: isLeft ? wrong : undefined,
    dateParser(text: string) {
      const day = read(text)
      setWrong(problemOf(text.trim(), day))
      setLeft(false)
      return day ?? null
    },
    leave: () => setLeft(true),
    forget() {
      setWrong(undefined)
      setLeft(false)
    },
  }
}

/** In a form, a text that is no day stays as it was typed and holds the form until it is mended. */
function useHeldText({ wrong, leave, forget }: ReturnType<typeof useTyped>, isTouched: boolean) {
  const input = useRef<HTMLInputElement>(null)
  const [fill, setFill] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form is filled again
  useEffect(() => {
    if (isTouched || wrong === undefined || document.activeElement === input.current) return
    forget()
    setFill(fill + 1)
  }, [isTouched])
  return {
    key: fill,
    held: {
      fixOnBlur: wrong === undefined,
      ...(wrong !== undefined && { [UNRESOLVED]: true }),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Enter') leave()
      },
    },
    hold: (element: HTMLInputElement | null) => {
      input.current = element
    },
  }
}

interface MomentProps {
  latest?: string
  /** The hour of a day that is named without one. */
  hour?: string
}

/** A day and an hour as a clock shows them, `2026-12-04 14:30:00`; empty text where there is none. */
export function DateTimeField<Typed extends FieldValues, Body>({
  latest,
  hour = '00:00',
  ...props
}: FieldProps<Typed, Body> & MomentProps) {
  const { field, fieldState, shown } = useField(props)
  const typed = useRef<string>(undefined)
  const reading = useTyped(
    (text) => {
      typed.current = typedMoment(text, localToday(), hour, { latest })
      return typed.current
    },
    { latest },
  )
  const { said, dateParser, leave, forget } = reading
  const { key, held, hold } = useHeldText(reading, fieldState.isTouched)
  const change = (value: string | null) => {
    forget()
    // A day of the calendar has no hour: it keeps the one that stood there.
    const clicked = value && value !== typed.current
    const time = field.value ? String(field.value).slice(11) : `${hour}:00`
    field.onChange(clicked ? `${value.slice(0, 10)} ${time}` : (value ?? ''))
  }
  return (
    <DatesProvider settings={DATE_SETTINGS}>
      <DateInput
        {...TYPED_INPUT}
        placeholder="hoy, mañana 8:30, 15/3 14:00"
        {...shown}
        {...held}
        key={key}
        error={said ?? shown.error}
        ref={(element: HTMLInputElement | null) => {
          hold(element)
          field.ref(element)
        }}
        withTime
        value={field.value || null}
        onChange={change}
        onBlur={() => {
          field.onBlur()
          leave()
        }}
        valueFormat="DD MMM YYYY HH:mm"
        dateParser={dateParser}
        maxDate={latest}
        clearable
      />
    </DatesProvider>
  )
}

interface DayProps {
  earliest?: string
  /** The words for a day before `earliest`. */
  tooEarly?: string
  latest?: string
  clearable?: boolean
}

/** A day of the calendar, `2026-12-04`; null where there is none. */
export function DayField<Typed extends FieldValues, Body>({
  earliest,
  tooEarly,
  latest,
  clearable = false,
  ...props
}: FieldProps<Typed, Body> & DayProps) {
  const { field, fieldState, shown } = useField(props)
  const ends = { earliest, latest, tooEarly }
  const reading = useTyped((text) => typedDay(text, localToday(), ends), ends)
  const { said, dateParser, leave, forget } = reading
  const { key, held, hold } = useHeldText(reading, fieldState.isTouched)
  return (
    <DatesProvider settings={DATE_SETTINGS}>
      <DateInput
        {...TYPED_INPUT}
        placeholder="hoy, mañana, 15/3"
        {...shown}
        {...held}
        key={key}
        error={said ?? shown.error}
        ref={(element: HTMLInputElement | null) => {
          hold(element)
          field.ref(element)
        }}
        value={field.value || null}
        onChange={(value) => {
          forget()
          field.onChange(value)
        }}
        onBlur={() => {
          field.onBlur()
          leave()
        }}
        dateParser={dateParser}
        minDate={earliest}
        maxDate={latest}
        clearable={clearable}
      />
    </DatesProvider>
  )
}

/** A day outside a form, with its name read aloud only. */
export function DayInput(props: { label: string; value: string | null; onChange: (day: string | null) => void }) {
  const { said, dateParser, leave, forget } = useTyped((text) => typedDay(text, localToday()))
  return (
    <DatesProvider settings={DATE_SETTINGS}>
      <DateInput
        {...TYPED_INPUT}
        aria-label={props.label}
        value={props.value}
        error={said}
        onChange={(day) => {
          forget()
          props.onChange(day)
        }}
        onBlur={leave}
        dateParser={dateParser}
        placeholder="Vence el…"
        clearable
      />
    </DatesProvider>
  )
}
