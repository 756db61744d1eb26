import { Button, Checkbox, Loader, MultiSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { showNumber } from '#contract/base/money.ts'
import { useZone } from '../platform/session.ts'
import { stayInForm } from '../ui/combobox.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { lazy } from '../ui/lazy.ts'
import styles from './list-filters.module.css'

export interface FilterChoice {
  value: string
  label: string
}

interface Filter {
  /** Its name in `filter[…]`. */
  key: string
  label: string
  /** Fixed for this person, and what to show: the filter is disabled and does not count. */
  locked?: string
  hint?: string
}

/** Some of a list; its value is a list. */
interface ChoiceFilter extends Filter {
  /** A hook: the choices are fetched when the drawer opens or a chip needs their names. */
  useChoices: () => FilterChoice[] | undefined
  placeholder?: string
  /** Offers to choose all at once, in these words. */
  selectAll?: string
  /** Only one of them: its value is a text. */
  one?: boolean
  dates?: undefined
}

/** A day, or from one day to another; its value is text. */
interface DateFilter extends Filter {
  dates: 'day' | 'range'
}

export type ListFilter = ChoiceFilter | DateFilter

type Filters = Record<string, unknown>

// Brings the calendar along.
const RangeFilterField = lazy(() => import('../ui/date-filter.tsx').then((m) => ({ default: m.RangeFilterField })))
const DayFilterField = lazy(() => import('../ui/date-filter.tsx').then((m) => ({ default: m.DayFilterField })))

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : [textOf(value)].filter((text) => text !== undefined)
const writtenAs = (filter: ChoiceFilter, chosen: string[]) =>
  chosen.length === 0 ? undefined : filter.one ? chosen.at(-1) : chosen

/** Short lists are ticked, long ones searched. */
const TICKED_UP_TO = 6

interface FilterDrawerProps {
  opened: boolean
  onClose: () => void
  title: string
  noun: { one: string; many: string }
  filters: ListFilter[]
  value: Filters
  onApply: (value: Filters) => void
  /** How many would be left, shown on the button before it is pressed. */
  count: (value: Filters, signal: AbortSignal) => Promise<number>
  countKey: QueryKey
}

/** Drawn from when it is first opened: most screens are left before that. */
export function FilterDrawer(props: FilterDrawerProps) {
  const [isAsked, setIsAsked] = useState(props.opened)
  if (props.opened && !isAsked) setIsAsked(true)
  return isAsked && <AskedDrawer {...props} />
}

function AskedDrawer(props: FilterDrawerProps) {
  const { onClose, title, noun, filters, value, onApply, count, countKey } = props
  const [opened, setOpened] = useState(false)
  // It opens once it is there: one that comes opened does not know whom to give the focus back to.
  useEffect(() => setOpened(props.opened), [props.opened])
  const [draft, setDraft] = useState(value)
  const [wasOpened, setWasOpened] = useState(opened)
  // What was chosen and not applied is forgotten.
  if (opened !== wasOpened) {
    setWasOpened(opened)
    if (opened) setDraft(value)
  }
  const [settled] = useDebouncedValue(draft, 150)
  const left = useQuery({
    queryKey: [...countKey, settled],
    queryFn: ({ signal }) => count(settled, signal),
    placeholderData: (before) => before,
    enabled: opened,
  })
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      onSubmit={(event) => {
        event.preventDefault()
        onApply(draft)
      }}
      footer={
        <>
          <Button variant="subtle" onClick={() => setDraft({ Search: draft.Search })}>
            Limpiar
          </Button>
          <Button type="submit">
            {left.data === undefined
              ? 'Aplicar filtros'
              : `Ver ${showNumber(left.data)} ${left.data === 1 ? noun.one : noun.many}`}
          </Button>
        </>
      }
    >
      {filters.map((filter) =>
        filter.dates ? (
          <DateField
            key={filter.key}
            filter={filter}
            value={textOf(draft[filter.key])}
            onChange={(chosen) => setDraft({ ...draft, [filter.key]: chosen })}
          />
        ) : (
          <FilterField
            key={filter.key}
            filter={filter}
            value={textsOf(draft[filter.key])}
            onChange={(chosen) => setDraft({ ...draft, [filter.key]: writtenAs(filter, chosen) })}
          />
        ),
      )}
    </Drawer>
  )
}

interface DateFieldProps {
  filter: DateFilter
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function DateField({ filter: { dates, label, hint }, value, onChange }: DateFieldProps) {
  const today = dayOf(new Date(), useZone())
  const Field = dates === 'range' ? RangeFilterField : DayFilterField
  return (
    <Suspense fallback={<TextInput label={label} description={hint} disabled />}>
      <Field label={label} hint={hint} today={today} value={value} onChange={onChange} />
    </Suspense>
  )
}

const showRange = (value: string) => [...new Set(value.split(',').map((end) => showDay(end.slice(0, 10))))].join(' – ')

interface FilterFieldProps {
  filter: ChoiceFilter
  value: string[]
  onChange: (value: string[]) => void
}

function FilterField({ filter, value, onChange }: FilterFieldProps) {
  const choices = filter.useChoices()
  if (filter.locked !== undefined)
    return <TextInput label={filter.label} description={filter.hint} value={filter.locked} disabled readOnly />
  const everyValue = choices?.map((choice) => choice.value) ?? []
  const isAll = everyValue.length > 0 && value.length === everyValue.length
  const all = filter.selectAll && (
    <Checkbox
      size="sm"
      label={filter.selectAll}
      checked={isAll}
      indeterminate={value.length > 0 && !isAll}
      disabled={everyValue.length === 0}
      onChange={() => onChange(isAll ? [] : everyValue)}
    />
  )
  if (choices && choices.length <= TICKED_UP_TO)
    return (
      <div className={styles.field}>
        <Checkbox.Group label={filter.label} description={filter.hint} value={value} onChange={onChange}>
          <div className={styles.ticks}>
            {choices.map((choice) => (
              <Checkbox key={choice.value} value={choice.value} label={choice.label} size="sm" />
            ))}
          </div>
        </Checkbox.Group>
        {all}
      </div>
    )
  return (
    <div className={styles.field}>
      <MultiSelect
        onKeyDown={stayInForm}
        label={filter.label}
        description={filter.hint}
        data={choices ?? []}
        value={value}
        onChange={onChange}
        searchable
        clearable
        hidePickedOptions
        placeholder={value.length > 0 ? undefined : (filter.placeholder ?? 'Todos')}
        rightSection={choices ? undefined : <Loader size={14} />}
      />
      {all}
    </div>
  )
}

interface FilterChipsProps {
  filters: ListFilter[]
  value: Filters
  onChange: (value: Filters) => void
  onClear?: () => void
}

/** What is filtered, each with a way to take it off. */
export function FilterChips({ filters, value, onChange, onClear }: FilterChipsProps) {
  const isOn = ({ key, dates }: ListFilter) =>
    dates ? textOf(value[key]) !== undefined : textsOf(value[key]).length > 0
  const active = filters.filter((filter) => filter.locked === undefined && isOn(filter))
  if (active.length === 0) return null
  return (
    <div className={styles.chips}>
      {active.map((filter) =>
        filter.dates ? (
          <Chip
            key={filter.key}
            name={filter.label}
            text={`${filter.label}: ${showRange(textOf(value[filter.key]) ?? '')}`}
            onRemove={() => onChange({ ...value, [filter.key]: undefined })}
          />
        ) : (
          <ChipsOf
            key={filter.key}
            filter={filter}
            value={textsOf(value[filter.key])}
            onChange={(chosen) => onChange({ ...value, [filter.key]: writtenAs(filter, chosen) })}
          />
        ),
      )}
      {onClear && (
        <Button variant="subtle" className={styles.clear} onClick={onClear}>
          Limpiar
        </Button>
      )}
    </div>
  )
}

function Chip({ name, text, onRemove }: { name: string; text: string; onRemove: () => void }) {
  const whole = text.startsWith(`${name}: `) ? text : `${name}: ${text}`
  return (
    <button
      type="button"
      className={styles.chip}
      title={whole}
      aria-label={`Quitar filtro ${whole}`}
      onClick={onRemove}
    >
      <span className={styles.chipText}>{text}</span>
      <IconX size={14} stroke={1.9} aria-hidden />
    </button>
  )
}

function ChipsOf({ filter, value, onChange }: FilterFieldProps) {
  const choices = filter.useChoices()
  if (filter.selectAll && choices && value.length === choices.length)
    return <Chip name={filter.label} text={`${filter.label}: todas`} onRemove={() => onChange([])} />
  return value.map((one) => (
    <Chip
      key={one}
      name={filter.label}
      text={choices?.find((choice) => choice.value === one)?.label ?? (choices ? one : '…')}
      onRemove={() => onChange(value.filter((other) => other !== one))}
    />
  ))
}
