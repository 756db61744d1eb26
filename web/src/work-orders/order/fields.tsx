import { Switch } from '@mantine/core'
import type { FieldValues } from 'react-hook-form'
import { type Choice, type FieldProps, useField } from '../../ui/field.tsx'

/** Yes or no, said in words beside it. */
export function SwitchField<Typed extends FieldValues, Body>(props: FieldProps<Typed, Body>) {
  const { field, shown } = useField(props)
  return (
    <Switch
      ref={field.ref}
      name={field.name}
      label={shown.label}
      description={shown.description}
      disabled={shown.disabled}
      checked={field.value === true}
      onChange={(event) => field.onChange(event.currentTarget.checked)}
      onBlur={field.onBlur}
    />
  )
}

/** What was chosen before stays choosable, though it is no longer offered, or the list is still on its way. */
export function withChosen(choices: Choice[] | undefined, id: number | null | undefined, label?: string | null) {
  if (!id || !label || choices?.some(({ value }) => value === id)) return choices
  return [{ value: id, label }, ...(choices ?? [])]
}
