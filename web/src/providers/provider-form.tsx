import { type UseFormReturn, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { normalDni, showDni } from '#contract/base/rut.ts'
import { PROVIDER_FIELDS } from '#contract/providers/fields.ts'
import { NewProvider, ProviderEdit } from '#contract/providers/providers.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { inForm } from '../frames/fields.tsx'
import styles from '../frames/form-page.module.css'
import { useWorkshop } from '../platform/session.ts'
import { NumberField, SelectField, TextField } from '../ui/field.tsx'
import { Duplicates, useDuplicates } from './duplicates.tsx'

const field = inForm(PROVIDER_FIELDS)

/** A list needs a value to choose: the wire's null, all workshops, is this one on screen. */
export const ALL = 0
const WorkshopChoice = z.number().transform((id) => (id === ALL ? null : id))

export const NewProviderForm = NewProvider.extend({ workshop_id: WorkshopChoice })
export const ProviderEditForm = ProviderEdit.extend({ workshop_id: WorkshopChoice })

export interface ProviderTyped {
  name: string
  dni: string
  phone: string
  email: string
  address: string
  payment_days: number | null
  workshop_id: number
  updated_at?: string
}

interface ProviderFieldsProps<Body> {
  form: UseFormReturn<ProviderTyped, unknown, Body>
  /** The provider being edited; none while it is being created. */
  providerId?: number
}

export function ProviderFields<Body>({ form, providerId }: ProviderFieldsProps<Body>) {
  const { control, setValue, getValues } = form
  const workshop = useWorkshop()
  const [name, dni] = useWatch({ control, name: ['name', 'dni'] })
  const { byName, byDni } = useDuplicates(name, dni, providerId)

  const showAsRead = () => {
    const typed = getValues('dni')
    const shown = showDni(normalDni(typed))
    if (shown !== typed) setValue('dni', shown, { shouldDirty: true })
  }

  const choices = workshop.list.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div className={styles.grid}>
      <div className={styles.wide}>
        <TextField control={control} {...field('name')} required maxLength={120} autoFocus={providerId === undefined} />
        <Duplicates of={byName} because="name" />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: leaving the field inside writes the RUT as people read it */}
      <div onBlur={showAsRead}>
        <TextField control={control} {...field('dni')} placeholder="12.345.678-5" maxLength={40} />
        <Duplicates of={byDni} because="dni" />
      </div>
      <SelectField
        control={control}
        {...field('workshop_id')}
        choices={
          workshop.list.length === 0
            ? undefined
            : workshop.mayChoose
              ? [{ value: ALL, label: ALL_WORKSHOPS }, ...choices]
              : choices
        }
        disabled={!workshop.mayChoose}
      />
      <TextField control={control} {...field('phone')} type="tel" placeholder="+56 9 1234 5678" maxLength={40} />
      <TextField control={control} {...field('email')} type="email" placeholder="ventas@proveedor.cl" maxLength={200} />
      <NumberField control={control} {...field('payment_days')} suffix="días" />
      <div className={styles.wide}>
        <TextField control={control} {...field('address')} maxLength={200} />
      </div>
    </div>
  )
}
