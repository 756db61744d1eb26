import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { inForm } from '../../frames/fields.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SelectField, TextAreaField } from '../../ui/field.tsx'
import { withChosen } from './fields.tsx'
import { EquipmentPart, PlanningPart, RequestPart, usePeople } from './general.tsx'
import styles from './order.module.css'
import { OrderSection } from './section.tsx'
import type { OrderForm, OrderTyped } from './typed.ts'

const field = inForm(WORK_ORDER_FIELDS)

const LINES: (keyof OrderTyped)[] = ['works', 'supplies', 'services', 'warehouse_id', 'has_warehouse', 'updated_at']

interface EditDrawerProps {
  form: OrderForm
  order: WorkOrder
  /** What was asked for. */
  at: keyof OrderTyped
  isPending: boolean
  /** Saves the order, and then closes. */
  onSave: () => void
  onClose: () => void
}

/** All of an order but its lines, on one form: it opens where it was asked for. */
export function EditDrawer({ form, order, at, isPending, onSave, onClose }: EditDrawerProps) {
  const { dirtyFields } = form.formState
  const changed = (Object.keys(dirtyFields) as (keyof OrderTyped)[]).filter((name) => !LINES.includes(name))
  useEffect(() => {
    // Once the drawer has taken the focus itself.
    const timer = setTimeout(() => form.setFocus(at), 120)
    return () => clearTimeout(timer)
  }, [form, at])
  return (
    <Drawer
      opened
      width={500}
      title={`Editar ${order.code}`}
      dirty={changed.length > 0}
      onClose={() => {
        for (const name of changed) form.resetField(name)
        onClose()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onSave()
      }}
      footer={(close) => (
        <>
          <Button variant="subtle" disabled={isPending} onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Guardar
          </Button>
        </>
      )}
    >
      <div className={styles.drawerParts}>
        <RequestPart form={form} order={order} />
        <EquipmentPart form={form} order={order} />
        <PlanningPart form={form} order={order} />
        <OrderSection id="cierre-editar" title="Cierre">
          <ClosingFields form={form} order={order} />
        </OrderSection>
      </div>
    </Drawer>
  )
}

export function ClosingFields({ form, order }: { form: OrderForm; order?: WorkOrder }) {
  const { control } = form
  const { specialists, drivers } = usePeople(useWatch({ control, name: 'workshop_id' }) || undefined)
  return (
    <div className={styles.grid}>
      <div className={styles.full}>
        <TextAreaField control={control} {...field('observation')} rows={2} />
      </div>
      <SelectField
        control={control}
        {...field('delivered_to_driver_id')}
        clearable
        placeholder="Nadie aún"
        choices={withChosen(drivers, order?.delivered_to_driver_id, order?.delivered_to_driver)}
      />
      <SelectField
        control={control}
        {...field('reviewed_by_specialist_id')}
        clearable
        placeholder="Nadie aún"
        choices={withChosen(specialists, order?.reviewed_by_specialist_id, order?.reviewed_by_specialist)}
      />
    </div>
  )
}
