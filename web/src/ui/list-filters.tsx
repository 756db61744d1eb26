import { Button, Checkbox, Loader, MultiSelect, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { showDay } from '#contract/dates.ts'
import { showNumber } from '#contract/money.ts'
import { Drawer } from './drawer.tsx'
import styles from './list-filters.module.css'

export interface FilterChoice {
  value: string
  label: string
}

export interface ListFilter {
  /** Its name in `filter[…]`; its value is a list. */
  key: string
  label: string
  /** A hook: the choices are fetched when the drawer opens or a chip needs their names. */
  useChoices: () => FilterChoice[] | undefined
  /** Fixed for this person, and what to show: the filter is disabled and does not count. */
  locked?: string
  hint?: string
  placeholder?: string
  /** Offers to choose all at once, in these words. */
  selectAll?: string
  /** A range of days instead of choices: its value is `from,to`. */
  days?: boolean
  /** Only one of them: its value is a text. */
  one?: boolean
}

type Filters = Record<string, unknown>

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' && value ? [value] : []

const DayRange = lazy(() => import('./day-range.tsx'))

/** A range, or the only one chosen, is a text; everything else a list. */
const writtenAs = (filter: ListFilter, chosen: string[]) =>
  chosen.length === 0 ? undefined : filter.days || filter.one ? chosen.at(-1) : chosen

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

export function FilterDrawer(props: FilterDrawerProps) {
  const { opened, onClose, title, noun, filters, value, onApply, count, countKey } = props
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
      {filters.map((filter) => (
        <FilterField
          key={filter.key}
          filter={filter}
          value={textsOf(draft[filter.key])}
          onChange={(chosen) => setDraft({ ...draft, [filter.key]: writtenAs(filter, chosen) })}
        />
      ))}
    </Drawer>
  )
}

interface FilterFieldProps {
  filter: ListFilter
  value: string[]
  onChange: (value: string[]) => void
}

function FilterField({ filter, value, onChange }: FilterFieldProps) {
  const choices = filter.useChoices()
  if (filter.locked !== undefined)
    return <TextInput label={filter.label} description={filter.hint} value={filter.locked} disabled readOnly />
  if (filter.days)
    return (
      <Suspense fallback={<Skeleton h={62} />}>
        <DayRange
          label={filter.label}
          hint={filter.hint}
          value={value[0]}
          onChange={(range) => onChange(range ? [range] : [])}
        />
      </Suspense>
    )
  if (choices && choices.length <= TICKED_UP_TO)
    return (
      <Checkbox.Group label={filter.label} description={filter.hint} value={value} onChange={onChange}>
        <div className={styles.ticks}>
          {choices.map((choice) => (
            <Checkbox key={choice.value} value={choice.value} label={choice.label} size="sm" />
          ))}
        </div>
      </Checkbox.Group>
    )
  const everyValue = choices?.map((choice) => choice.value) ?? []
  const isAll = everyValue.length > 0 && value.length === everyValue.length
  return (
    <div className={styles.field}>
      <MultiSelect
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
      {filter.selectAll && (
        <Checkbox
          size="sm"
          label={filter.selectAll}
          checked={isAll}
          indeterminate={value.length > 0 && !isAll}
          disabled={everyValue.length === 0}
          onChange={() => onChange(isAll ? [] : everyValue)}
        />
      )}
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
  const active = filters.filter((filter) => filter.locked === undefined && textsOf(value[filter.key]).length > 0)
  if (active.length === 0) return null
  return (
    <div className={styles.chips}>
      {active.map((filter) => (
        <ChipsOf
          key={filter.key}
          filter={filter}
          value={textsOf(value[filter.key])}
          onChange={(chosen) => onChange({ ...value, [filter.key]: writtenAs(filter, chosen) })}
        />
      ))}
      {onClear && (
        <Button variant="subtle" className={styles.clear} onClick={onClear}>
          Limpiar
        </Button>
      )}
    </div>
  )
}

function ChipsOf({ filter, value, onChange }: FilterFieldProps) {
  const choices = filter.useChoices()
  if (filter.selectAll && choices && value.length === choices.length)
    return (
      <button
        type="button"
        className={styles.chip}
        aria-label={`Quitar filtro ${filter.label}: todas`}
        onClick={() => onChange([])}
      >
        <span className={styles.chipText}>{filter.label}: todas</span>
        <IconX size={14} stroke={1.9} aria-hidden />
      </button>
    )
  return value.map((one) => {
    const label = filter.days
      ? one
          .split(',')
          .map((day) => showDay(day))
          .join(' – ')
      : (choices?.find((choice) => choice.value === one)?.label ?? (choices ? one : '…'))
    return (
      <button
        key={one}
        type="button"
        className={styles.chip}
        title={`${filter.label}: ${label}`}
        aria-label={`Quitar filtro ${filter.label}: ${label}`}
        onClick={() => onChange(value.filter((other) => other !== one))}
      >
        <span className={styles.chipText}>{label}</span>
        <IconX size={14} stroke={1.9} aria-hidden />
      </button>
    )
  })
}
