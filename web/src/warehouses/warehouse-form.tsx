import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { WAREHOUSE_FIELDS } from '#contract/warehouses/fields.ts'
import type { Warehouse, WarehouseEdit } from '#contract/warehouses/warehouses.ts'
import { inForm } from '../frames/fields.tsx'
import styles from '../frames/form-page.module.css'
import { useWorkshop } from '../platform/session.ts'
import { SelectField, TextAreaField, TextField } from '../ui/field.tsx'

const field = inForm(WAREHOUSE_FIELDS)

export type WarehouseTyped = z.input<typeof WarehouseEdit>

/** No workshop yet: refused until one is chosen. */
const NONE = 0

/** Nothing typed yet. */
export const blankWarehouse = (workshop_id = NONE): WarehouseTyped => ({
  code: '',
  workshop_id,
  name: '',
  direction: '',
  description: '',
})

export const typedOf = (warehouse: Warehouse): WarehouseTyped => ({
  code: warehouse.code,
  workshop_id: warehouse.workshop_id,
  name: warehouse.name,
  direction: warehouse.direction ?? '',
  description: warehouse.description ?? '',
  updated_at: warehouse.updated_at,
})

export function WarehouseFields<Body>({
  form: { control },
  isNew = false,
  fixedWorkshop = false,
}: {
  form: UseFormReturn<WarehouseTyped, unknown, Body>
  isNew?: boolean
  /** Its supplies are of its workshop: it cannot move with them. */
  fixedWorkshop?: boolean
}) {
  const workshop = useWorkshop()
  return (
    <div className={styles.grid}>
      <TextField control={control} {...field('code')} required mono maxLength={40} autoFocus={isNew} />
      <SelectField
        control={control}
        {...field('workshop_id')}
        required
        choices={
          workshop.list.length > 0 ? workshop.list.map(({ id, name }) => ({ value: id, label: name })) : undefined
        }
        disabled={!workshop.mayChoose || fixedWorkshop}
      />
      <div className={styles.wide}>
        <TextField control={control} {...field('name')} required maxLength={120} />
      </div>
      <div className={styles.wide}>
        <TextField control={control} {...field('direction')} maxLength={200} />
      </div>
      <div className={styles.wide}>
        <TextAreaField control={control} {...field('description')} />
      </div>
    </div>
  )
}
