import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { inForm } from '../../frames/fields.tsx'
import { TextAreaField } from '../../ui/field.tsx'
import styles from './page.module.css'
import { Card } from './section.tsx'
import { Signatures } from './signatures.tsx'
import type { OrderForm, OrderTyped } from './typed.ts'

const field = inForm(WORK_ORDER_FIELDS)

interface ClosingCardProps {
  form: OrderForm
  order: WorkOrder
  readOnly: boolean
  saved: (then: () => void) => void
  onEdit?: (field: keyof OrderTyped) => void
}

/** What is said at the end, and who signs it. */
export function ClosingCard({ form, order, readOnly, saved, onEdit }: ClosingCardProps) {
  const text = useWatch({ control: form.control, name: 'observation' })
  const [writing, setWriting] = useState(false)
  const isTyped = !readOnly && (writing || form.formState.dirtyFields.observation)
  const names = [
    order.delivered_to_driver && `Entregado a ${order.delivered_to_driver}`,
    order.reviewed_by_specialist && `Revisado por ${order.reviewed_by_specialist}`,
  ].filter(Boolean)
  return (
    <Card
      id="cierre"
      title="Cierre y firmas"
      action={
        onEdit && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPencil size={14} stroke={1.7} />}
            onClick={() => onEdit('delivered_to_driver_id')}
          >
            Quién recibe y revisa
          </Button>
        )
      }
    >
      <div className={styles.closing}>
        {isTyped ? (
          // biome-ignore lint/a11y/noStaticElementInteractions: only hears that the field was left
          <div onBlur={() => setWriting(false)}>
            <TextAreaField control={form.control} {...field('observation')} rows={2} autoFocus={writing} />
          </div>
        ) : readOnly ? (
          text && <p className={styles.observation}>{text}</p>
        ) : (
          <button
            type="button"
            className={styles.observe}
            aria-label={text ? 'Editar observaciones' : 'Agregar observaciones'}
            onClick={() => setWriting(true)}
          >
            {text || 'Agregar observaciones…'}
          </button>
        )}
        {names.length > 0 && <p className={styles.faint}>{names.join(' · ')}</p>}
        <Signatures order={order} saved={saved} readOnly={isClosed(order)} />
      </div>
    </Card>
  )
}
