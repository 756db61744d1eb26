import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type FieldPath, type UseFormReturn, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { SUPPLY_FIELDS } from '#contract/supplies/fields.ts'
import type { NewSupply, SupplyEdit } from '#contract/supplies/supplies.ts'
import { inForm } from '../frames/fields.tsx'
import styles from '../frames/form-page.module.css'
import { useWorkshop } from '../platform/session.ts'
import { NumberField, SelectField, TextAreaField, TextField } from '../ui/field.tsx'
import { useSaid } from '../ui/snackbar.tsx'
import { AddDrawer } from '../workshops/add-drawer.tsx'
import { MEASUREMENT_UNITS, SUPPLY_CATEGORIES } from './catalogues.ts'
import { categoriesQuery, unitsQuery } from './queries.ts'

const field = inForm(SUPPLY_FIELDS)

/** What is typed: editing adds the state and when it was read. */
export type SupplyTyped = z.input<typeof NewSupply> & z.input<typeof SupplyEdit>

interface SupplyFieldsProps<Body> {
  form: UseFormReturn<SupplyTyped, unknown, Body>
  isNew?: boolean
}

/** The fields of a supply. A category or unit that is missing is added from here, and what was typed stays. */
export function SupplyFields<Body>({ form, isNew = false }: SupplyFieldsProps<Body>) {
  const { control, setValue, getValues } = form
  const client = useQueryClient()
  const workshop = useWorkshop()
  const workshopId = useWatch({ control, name: 'workshop_id' as FieldPath<SupplyTyped> }) as number
  const ofSupply = workshopId || undefined
  const categories = useQuery(categoriesQuery(ofSupply))
  const units = useQuery(unitsQuery(ofSupply))
  useSaid(categories.isError, 'Error al cargar categorias ⛔️')
  const [adding, setAdding] = useState<{ kind: 'category' | 'unit'; looked: string }>()

  const moveWorkshop = (id: number | null) => {
    // Choices may belong to the workshop that is left behind.
    if (id !== getValues('workshop_id'))
      for (const field of ['category_id', 'measurement_units_id'] as const) setValue(field, null, { shouldDirty: true })
    return true
  }

  return (
    <>
      <div className={styles.grid}>
        <TextField control={control} {...field('code')} required mono maxLength={40} autoFocus={isNew} />
        <TextField control={control} {...field('name')} required maxLength={120} />
        <SelectField
          control={control}
          {...field('workshop_id')}
          required
          choices={workshop.list.length > 0 ? workshop.list.map(asChoice) : undefined}
          disabled={!workshop.mayChoose}
          accept={moveWorkshop}
        />
        <NumberField control={control} {...field('cost')} required decimals={4} prefix="$ " />
        <SelectField
          control={control}
          {...field('category_id')}
          choices={categories.data?.map(asChoice)}
          isLost={categories.isError}
          clearable
          addLabel="Nueva categoría"
          onAdd={(looked) => setAdding({ kind: 'category', looked })}
        />
        <SelectField
          control={control}
          {...field('measurement_units_id')}
          choices={units.data?.map(asChoice)}
          isLost={units.isError}
          clearable
          addLabel="Nueva unidad"
          onAdd={(looked) => setAdding({ kind: 'unit', looked })}
        />
        <div className={styles.wide}>
          <TextAreaField control={control} {...field('description')} />
        </div>
      </div>
      {adding && (
        <AddDrawer
          to={adding.kind === 'category' ? SUPPLY_CATEGORIES : MEASUREMENT_UNITS}
          looked={adding.looked}
          onClose={() => setAdding(undefined)}
          onMade={(made) => {
            const query = adding.kind === 'category' ? categoriesQuery(ofSupply) : unitsQuery(ofSupply)
            client.setQueryData(query.queryKey, (list) => list && [...list, made])
            setValue(adding.kind === 'category' ? 'category_id' : 'measurement_units_id', made.id, {
              shouldDirty: true,
              shouldValidate: true,
            })
            setAdding(undefined)
          }}
        />
      )}
    </>
  )
}

const asChoice = ({ id, name }: { id: number; name: string }) => ({ value: id, label: name })
