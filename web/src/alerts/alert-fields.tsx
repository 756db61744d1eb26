import { ActionIcon, MultiSelect, Switch, TagsInput, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Control, useController, useWatch } from 'react-hook-form'
import type { NewAlerts } from '#contract/alerts/alerts.ts'
import { ALERT_FIELDS } from '#contract/alerts/fields.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { coupledQuery } from '../fleet/queries.ts'
import { stayInForm } from '../ui/combobox.tsx'
import { useSaid } from '../ui/snackbar.tsx'
import { AddDrawer } from '../workshops/add-drawer.tsx'
import styles from './alerts.module.css'
import { ALERT_CATEGORIES } from './catalogues.ts'
import { categoriesQuery, emailsQuery, truckChoicesQuery } from './queries.ts'

/** An alert as it is being typed. */
export interface AlertTyped {
  name: string
  category_maintenance_alert_id: number[]
  description: string
  selectedTrucks: number[]
  selectedCoupled: number[]
  expirationSettings: {
    dateSelected: boolean
    date: string | null
    kilometersSelected: boolean
    kilometers: number | null
  }
  alertSettings: {
    daysSelected: boolean
    days: number | null
    kilometersSelected: boolean
    kilometers_advance: number | null
  }
  repeatSettings: {
    dateSelected: boolean
    every: number | null
    unit: 'days' | 'months'
    kilometersSelected: boolean
    kilometers: number | null
    from: 'done' | 'planned'
  }
  emails_to_notifications: { selected: string[] }
}
export type AlertControl = Control<AlertTyped, unknown, NewAlerts>

type ToggleName =
  | `expirationSettings.${'date' | 'kilometers'}Selected`
  | `alertSettings.${'days' | 'kilometers'}Selected`
  | `repeatSettings.${'date' | 'kilometers'}Selected`

/** On or off, and what it switches on. */
export function Switched(props: {
  control: AlertControl
  name: ToggleName
  label: string
  disabled?: boolean
  children: ReactNode
}) {
  const { field } = useController({ control: props.control, name: props.name })
  const isOn = field.value && !props.disabled
  return (
    <div className={styles.switched}>
      <Switch
        label={props.label}
        checked={isOn}
        disabled={props.disabled}
        onChange={(event) => field.onChange(event.currentTarget.checked)}
        onBlur={field.onBlur}
      />
      {isOn && props.children}
    </div>
  )
}

export function CategoriesField({ control }: { control: AlertControl }) {
  const { field, fieldState } = useController({ control, name: 'category_maintenance_alert_id' })
  const categories = useQuery(categoriesQuery)
  const [looked, setLooked] = useState('')
  const client = useQueryClient()
  const [adding, setAdding] = useState<string>()
  useSaid(categories.isError, 'Error al cargar categorias ⛔️')
  return (
    <>
      <div className={styles.withAdd}>
        <MultiSelect
          onKeyDown={stayInForm}
          ref={field.ref}
          label={ALERT_FIELDS.categories.label}
          data={categories.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          value={field.value.map(String)}
          onChange={(chosen) => field.onChange(chosen.map(Number))}
          onBlur={field.onBlur}
          searchable
          clearable
          hidePickedOptions
          searchValue={looked}
          onSearchChange={setLooked}
          nothingFoundMessage="Ninguna coincide: agréguela con +"
          placeholder={field.value.length > 0 ? undefined : 'Elija una o más'}
          error={fieldState.error?.message}
        />
        <Tooltip label="Nueva categoría">
          <ActionIcon
            variant="default"
            aria-label="Nueva categoría"
            className={styles.add}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => setAdding(looked)}
          >
            <IconPlus size={16} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </div>
      {adding !== undefined && (
        <AddDrawer
          to={ALERT_CATEGORIES}
          looked={adding}
          onClose={() => setAdding(undefined)}
          onMade={(made) => {
            client.setQueryData(categoriesQuery.queryKey, (list) => list && [...list, made])
            setAdding(undefined)
            setLooked('')
            field.onChange([...field.value, made.id])
          }}
        />
      )}
    </>
  )
}

/** Trucks and coupled units in one list; each gets an alert of its own. */
export function UnitsField(props: { control: AlertControl; workshop: number | undefined; disabled?: boolean }) {
  const trucks = useController({ control: props.control, name: 'selectedTrucks' })
  const units = useController({ control: props.control, name: 'selectedCoupled' })
  const truckChoices = useQuery(truckChoicesQuery(props.workshop)).data
  const unitChoices = useQuery(coupledQuery(props.workshop)).data
  const data = [
    {
      group: 'Camiones',
      items:
        truckChoices?.map(({ id, code, patent }) => ({ value: `t${id}`, label: `${code} · ${showPatent(patent)}` })) ??
        [],
    },
    {
      group: 'Acoplados',
      items: unitChoices?.map(({ id, patent }) => ({ value: `c${id}`, label: `Acoplado ${showPatent(patent)}` })) ?? [],
    },
  ]
  const known = new Set(data.flatMap(({ items }) => items.map(({ value }) => value)))
  const value = [...trucks.field.value.map((id) => `t${id}`), ...units.field.value.map((id) => `c${id}`)]
  const numbers = (chosen: string[], letter: string) =>
    chosen.filter((one) => one.startsWith(letter)).map((one) => Number(one.slice(1)))
  return (
    <MultiSelect
      onKeyDown={stayInForm}
      ref={trucks.field.ref}
      label="Equipos"
      withAsterisk={!props.disabled}
      description={props.disabled ? 'El equipo de una alerta no se cambia' : 'Se crea una alerta por cada equipo'}
      data={data}
      value={value.filter((one) => known.has(one))}
      onChange={(chosen) => {
        trucks.field.onChange(numbers(chosen, 't'))
        units.field.onChange(numbers(chosen, 'c'))
      }}
      onBlur={trucks.field.onBlur}
      disabled={props.disabled}
      searchable
      clearable
      hidePickedOptions
      limit={60}
      placeholder={
        value.length > 0 ? undefined : truckChoices === undefined ? 'Cargando…' : 'Código, patente o acoplado'
      }
      nothingFoundMessage="Ningún equipo coincide"
      error={trucks.fieldState.error?.message}
    />
  )
}

export function EmailsField({ control }: { control: AlertControl }) {
  const { field, fieldState } = useController({ control, name: 'emails_to_notifications.selected' })
  const emails = useQuery(emailsQuery)
  useSaid(emails.isError, 'Error al cargar correos ⛔️')
  const names = new Map(emails.data?.map(({ email, name }) => [email, name]))
  return (
    <TagsInput
      onKeyDown={stayInForm}
      ref={field.ref}
      label="Correos"
      description="Se les avisa al activarse la alerta y otra vez si vence"
      data={emails.data?.map(({ email }) => email) ?? []}
      value={field.value}
      onChange={(chosen) => field.onChange(chosen.map((email) => email.trim().toLowerCase()))}
      onBlur={field.onBlur}
      acceptValueOnBlur
      clearable
      splitChars={[',', ';', ' ']}
      placeholder={field.value.length > 0 ? undefined : 'persona@empresa.cl'}
      renderOption={({ option }) => (
        <span>
          {option.value}
          {names.get(option.value) && <small className={styles.quiet}> · {names.get(option.value)}</small>}
        </span>
      )}
      error={fieldState.error?.message ?? fieldState.error?.root?.message}
    />
  )
}

export const useToggle = (control: AlertControl, name: ToggleName) => useWatch({ control, name })
