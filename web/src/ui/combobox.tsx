import { Select, type SelectProps } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { UNRESOLVED } from './unresolved.ts'

export interface ComboboxChoice<Value extends string | number> {
  value: Value
  label: string
  disabled?: boolean
  /** The heading it stands under; the choices come sorted by it. */
  group?: string
}

type Shown = Omit<
  SelectProps,
  | 'data'
  | 'value'
  | 'defaultValue'
  | 'onChange'
  | 'searchable'
  | 'searchValue'
  | 'onSearchChange'
  | 'onOptionSubmit'
  | 'onClear'
  | 'filter'
>

export interface ComboboxProps<Value extends string | number> extends Shown {
  choices: ComboboxChoice<Value>[] | undefined
  value: Value | null
  /** The one who holds the value may leave it as it was; the text then shows it again. */
  onPick: (value: Value | null) => unknown
  /** Offers to create what no choice matches, as in "Crear equipo KRTX41"; receives the text. */
  onCreate?: ((text: string) => void) | undefined
  createLabel?: string
  /** Receives the text of the field while it is typed; the empty text once a choice stands. */
  onText?: (text: string) => void
  /** Text to begin with, as if it had been typed. */
  startText?: string
  /** Enter on a typed text, as a scanner sends it; true when the caller deals with it. */
  onScan?: () => boolean
  /** The choices are already an answer to the text: none is filtered away here. */
  isFiltered?: boolean
  /** The form has not been touched since it was filled: a text that stood for nothing goes. */
  isPristine?: boolean
}

interface Typed<Value> {
  text: string
  /** The value that stood when it was typed: another one that arrives since then replaces the text. */
  over: Value | null
  /** The person went on, so that the field says when the text names nothing. */
  left: boolean
}

const CREATE = '+create'

/** Lower case, without accents and without the separators of plates and codes. */
const squeeze = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\s·.\-–—]/g, '')

/** The form around a combobox is sent by its button or by Ctrl+Enter, never by the Enter that takes a choice. */
export function stayInForm(event: KeyboardEvent) {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
}

const highlighted = (input: HTMLElement) =>
  document.getElementById(input.getAttribute('aria-controls') ?? '')?.querySelector('[data-combobox-selected]')

interface Option {
  value: string
  label: string
  disabled?: boolean
  group?: string
}

const grouped = (options: Option[]) =>
  [...Map.groupBy(options, ({ group }) => group)].flatMap<Option | { group: string; items: Option[] }>(
    (
      [group, items], // An item that names its group would be taken for a group itself.
    ) => (group === undefined ? items : [{ group, items: items.map(({ group: _, ...item }) => item) }]),
  )

/**
 * One of a list, typed or clicked. The value is always the one that the text names: a text that names none leaves no
 * value, stays where it is and says so, and the form is not sent meanwhile.
 */
export function Combobox<Value extends string | number>(props: ComboboxProps<Value>) {
  const { choices, value, onPick, onCreate, createLabel = 'Crear', onText, ...more } = props
  const { startText, onScan, isFiltered, isPristine, ...shown } = more
  const { clearable = false, error, onBlur, onKeyDown, ...rest } = shown
  const [typed, showTyped] = useState<Typed<Value> | undefined>(
    startText ? { text: startText, over: value, left: false } : undefined,
  )
  // Picking may move the focus, and with it leave this field, before the next drawing.
  const latest = useRef(typed)
  const setTyped = (next: Typed<Value> | undefined) => {
    latest.current = next
    showTyped(next)
  }
  const id = useId()
  const chosen = choices?.find((choice) => choice.value === value)
  const pending = typed && typed.over === value ? typed : undefined
  const text = pending?.text ?? chosen?.label ?? ''
  const wanted = pending?.text.trim() ?? ''
  const matches = (choice: ComboboxChoice<Value>) =>
    isFiltered || squeeze(choice.label).includes(squeeze(wanted)) || choice.label === wanted
  const matching = wanted ? (choices ?? []).filter(matches) : (choices ?? [])
  const isNew = Boolean(onCreate) && wanted !== '' && choices !== undefined && matching.length === 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form is filled again
  useEffect(() => {
    if (isPristine && document.activeElement?.id !== id) setTyped(undefined)
  }, [isPristine, id])

  const forget = () => {
    setTyped(undefined)
    onText?.('')
  }
  const pick = (next: Value | null) => {
    forget()
    if (next !== value) void onPick(next)
  }

  /** Turns what was typed into the choice it names; without one the field has no value. */
  const settle = () => {
    if (!pending || latest.current !== pending) return
    const exact = matching.find(({ label }) => squeeze(label) === squeeze(wanted))
    const only = !isFiltered && matching.length === 1 ? matching[0] : undefined
    const meant = wanted ? (exact ?? only) : undefined
    if (meant && !meant.disabled) return pick(meant.value)
    if (!wanted) return pick(null)
    setTyped({ text: pending.text, over: null, left: true })
    if (value !== null) void onPick(null)
  }

  const isUnresolved = pending !== undefined && wanted !== ''
  const offered = [
    ...matching.map(({ value: each, ...choice }) => ({ ...choice, value: String(each) })),
    ...(isNew ? [{ value: CREATE, label: `${createLabel} ${wanted}` }] : []),
  ]
  const unknown = `«${wanted}» no está en la lista: elija uno${onCreate ? ' o créelo' : ''}.`
  return (
    <Select
      {...rest}
      id={id}
      {...(isUnresolved && { [UNRESOLVED]: true })}
      data={grouped(offered)}
      filter={({ options }) => options}
      value={chosen ? String(chosen.value) : null}
      error={isUnresolved && pending?.left ? unknown : error}
      searchable
      searchValue={text}
      selectFirstOptionOnChange
      openOnFocus={false}
      clearable={clearable}
      allowDeselect={false}
      nothingFoundMessage={rest.nothingFoundMessage ?? (choices ? 'Nada coincide' : undefined)}
      onInput={(event) => {
        setTyped({ text: event.currentTarget.value, over: value, left: false })
        onText?.(event.currentTarget.value)
      }}
      onOptionSubmit={(key) => {
        if (key === CREATE) return onCreate?.(wanted)
        const next = choices?.find((choice) => String(choice.value) === key)
        if (next) pick(next.value)
      }}
      onClear={() => pick(null)}
      onBlur={(event: FocusEvent<HTMLInputElement>) => {
        settle()
        onBlur?.(event)
      }}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        onKeyDown?.(event)
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape' && pending) forget()
        if (event.key !== 'Enter') return
        stayInForm(event)
        const isTaken = event.currentTarget.getAttribute('aria-expanded') === 'true' && highlighted(event.currentTarget)
        if (!isTaken && !(pending && onScan?.())) flushSync(settle)
      }}
    />
  )
}
