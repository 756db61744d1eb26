import { ActionIcon, PasswordInput, Select, Textarea, TextInput, type TextInputProps, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Combobox } from './combobox.tsx'
import styles from './field.module.css'
import { FigureInput } from './figure-input.tsx'
import { InTurn } from './turns.tsx'

/* Fields of a react-hook-form form: each shows its label, its hint and what is wrong with it. */

export interface FieldProps<Typed extends FieldValues, Body> {
  control: Control<Typed, unknown, Body>
  name: FieldPath<Typed>
  label: string
  description?: string
  required?: boolean
  disabled?: boolean
  placeholder?: string
  autoFocus?: boolean
}

export function useField<Typed extends FieldValues, Body>({
  control,
  name,
  autoFocus,
  ...rest
}: FieldProps<Typed, Body>) {
  const { field, fieldState } = useController({ control, name })
  return {
    field,
    fieldState,
    shown: {
      ...rest,
      name: field.name,
      error: fieldState.error?.message,
      withAsterisk: rest.required,
      required: undefined,
      'aria-required': rest.required || undefined,
      autoFocus,
      'data-autofocus': autoFocus || undefined,
    },
  }
}

export function TextField<Typed extends FieldValues, Body>({
  mono,
  type,
  autoComplete = 'off',
  maxLength,
  format,
  ...props
}: FieldProps<Typed, Body> &
  Pick<TextInputProps, 'type' | 'autoComplete' | 'maxLength'> & {
    mono?: boolean
    /** As it is typed: upper case, say. */
    format?: (text: string) => string
  }) {
  const { field, shown } = useField(props)
  const Input = type === 'password' ? PasswordInput : TextInput
  return (
    <Input
      {...shown}
      ref={field.ref}
      value={field.value ?? ''}
      onChange={(event) => field.onChange(format ? format(event.currentTarget.value) : event.currentTarget.value)}
      onBlur={field.onBlur}
      type={type}
      autoComplete={autoComplete}
      maxLength={maxLength}
      classNames={mono ? { input: styles.mono } : undefined}
    />
  )
}

export function TextAreaField<Typed extends FieldValues, Body>(props: FieldProps<Typed, Body> & { rows?: number }) {
  const { rows = 3, ...rest } = props
  const { field, shown } = useField(rest)
  return <Textarea {...shown} {...field} value={field.value ?? ''} rows={rows} />
}

/** A number, grouped as in Chile; whole unless it has `decimals`. `digits` shows how many of them are used. */
export function NumberField<Typed extends FieldValues, Body>({
  digits,
  decimals = 0,
  prefix,
  suffix,
  ...props
}: FieldProps<Typed, Body> & { digits?: number; decimals?: number; prefix?: string; suffix?: string }) {
  const { field, shown } = useField(props)
  const used = String(field.value ?? '').replace(/\D/g, '').length
  return (
    <FigureInput
      {...shown}
      ref={field.ref}
      value={field.value ?? null}
      onFigure={field.onChange}
      onBlur={field.onBlur}
      decimals={decimals}
      prefix={prefix}
      isAllowed={({ value }) => digits === undefined || value.replace(/\D/g, '').length <= digits}
      rightSection={
        digits || suffix ? (
          <span className={styles.counter}>
            {suffix}
            {digits && <span aria-hidden>{`${used}/${digits}`}</span>}
          </span>
        ) : undefined
      }
      rightSectionWidth={(suffix ? 34 : 0) + (digits ? 46 : 0) || undefined}
      rightSectionPointerEvents="none"
      classNames={{ input: styles.figures }}
    />
  )
}

export interface Choice {
  value: number
  label: string
}

interface SelectFieldProps<Typed extends FieldValues, Body> extends FieldProps<Typed, Body> {
  choices: Choice[] | undefined
  /** The choices could not be read. */
  isLost?: boolean
  clearable?: boolean
  /** A button beside the list to add what is missing from it; gets what was being looked for. */
  onAdd?: (looked: string) => void
  addLabel?: string
  /** Decides whether a choice stands; false leaves the one before. */
  accept?: (value: number | null) => boolean | Promise<boolean>
}

/** One of a list, by its id. Much to draw, each of them: one after the other, but what waits for it to be typed into. */
export function SelectField<Typed extends FieldValues, Body>(props: SelectFieldProps<Typed, Body>) {
  return (
    <InTurn cost={0.5} place={styles.toCome} due={props.autoFocus}>
      <ListField {...props} />
    </InTurn>
  )
}

function ListField<Typed extends FieldValues, Body>({
  choices,
  isLost = false,
  clearable = false,
  onAdd,
  addLabel = 'Agregar',
  accept,
  ...props
}: SelectFieldProps<Typed, Body>) {
  const { field, fieldState, shown } = useField(props)
  const [looked, setLooked] = useState('')
  const select = (
    <Combobox<number>
      {...shown}
      ref={field.ref}
      choices={choices}
      value={field.value ?? null}
      onPick={async (value) => {
        if (!accept || (await accept(value))) field.onChange(value)
      }}
      onCreate={onAdd}
      createLabel={addLabel.replace(/^Nuev[oa] /, 'Crear ')}
      onText={setLooked}
      isPristine={!fieldState.isTouched}
      onBlur={field.onBlur}
      clearable={clearable}
      disabled={props.disabled}
      placeholder={
        choices ? (props.placeholder ?? 'Elija') : isLost ? 'No se pudo cargar: recargue la página' : 'Cargando…'
      }
      className={onAdd ? styles.grow : undefined}
    />
  )
  if (!onAdd) return select
  return (
    <div className={styles.withAdd} data-described={props.description ? true : undefined}>
      {select}
      <Tooltip label={addLabel}>
        <ActionIcon
          variant="default"
          aria-label={addLabel}
          className={styles.add}
          disabled={props.disabled}
          onClick={() => onAdd(looked.trim())}
        >
          <IconPlus size={16} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

/** One of a few words: a state, a kind. */
export function WordField<Typed extends FieldValues, Body>({
  choices,
  clearable = false,
  ...props
}: FieldProps<Typed, Body> & { choices: { value: string; label: string }[]; clearable?: boolean }) {
  const { field, shown } = useField(props)
  return (
    <Select
      {...shown}
      ref={field.ref}
      data={choices}
      value={field.value ?? null}
      onChange={field.onChange}
      onBlur={field.onBlur}
      clearable={clearable}
      allowDeselect={clearable}
      placeholder={props.placeholder ?? 'Elija'}
    />
  )
}
