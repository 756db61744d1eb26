import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { dayOf } from '#contract/base/dates.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { PURCHASE_FIELDS } from '#contract/purchasing/fields.ts'
import { type PurchaseOrder, PurchaseOrderEdit, purchasing } from '#contract/purchasing/purchasing.ts'
import { PAST_DELIVERY } from '#contract/warehouses/transactions.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { inForm } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { providerChoicesQuery } from '../providers/queries.ts'
import { choicesOf } from '../ui/choices.ts'
import { confirm } from '../ui/confirm.tsx'
import { DayField } from '../ui/date-field.tsx'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { SelectField, TextAreaField, TextField, WordField } from '../ui/field.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import { say } from '../ui/snackbar.tsx'
import styles from '../warehouses/document.module.css'
import { DocumentLines } from '../warehouses/document-lines.tsx'
import type { Line } from '../warehouses/lines.tsx'
import { purchasingKey } from './queries.ts'

const field = inForm(PURCHASE_FIELDS)

/** What an order starts with: nothing, or what the suggestions say. */
export interface Draft {
  provider_id?: number
  lines: Line[]
  /** The code of a supply to begin with. */
  begin?: string | undefined
}

interface OrderTyped {
  warehouse_id: number
  provider_id: number | null
  document: string
  deliveryAt: string | null
  reference: string
  priority: string
  note: string
  supplies: Line[]
  updated_at?: string
}

interface PurchaseOrderFormProps {
  warehouse: Warehouse
  draft: Draft
  /** The pending order that is corrected; left out, a new one is written. */
  order?: PurchaseOrder
  /** Gets the id of what was created. */
  onClose: (made?: number) => void
}

export default function PurchaseOrderForm({ warehouse, draft, order, onClose }: PurchaseOrderFormProps) {
  const today = dayOf(new Date(), useZone())
  const providers = useQuery(providerChoicesQuery(warehouse.workshop_id)).data
  const form = useForm<OrderTyped, unknown, PurchaseOrderEdit>({
    resolver: formResolver<OrderTyped, PurchaseOrderEdit>(PurchaseOrderEdit),
    defaultValues: {
      warehouse_id: warehouse.id,
      provider_id: order?.provider_id ?? draft.provider_id ?? null,
      document: order?.document ?? '',
      deliveryAt: order?.deliveryAt ?? null,
      reference: order?.reference ?? '',
      priority: order?.priority ?? 'medium',
      note: order?.note ?? '',
      supplies: order?.supplies ?? draft.lines,
      ...(order && { updated_at: order.updated_at }),
    },
  })
  const { control, setValue, clearErrors, formState } = form
  const lines = useWatch({ control, name: 'supplies' })
  const isDirty = formState.isDirty || draft.lines.length > 0
  const leaveSaved = useLeaveGuard(isDirty)
  const { submit, isPending } = useSubmit({
    form,
    save: ({ updated_at, ...body }, idempotencyKey) =>
      order
        ? call(purchasing.updatePurchaseOrder, { params: { id: order.id }, body: { ...body, updated_at } })
        : call(purchasing.createPurchaseOrder, { body, idempotencyKey }),
    refresh: [purchasingKey],
    done: order ? 'Orden de compra corregida correctamente ✅' : 'Orden de compra creada correctamente ✅',
    failed: order ? 'Error al corregir la orden de compra ❌' : 'Error al crear la orden de compra ❌',
    alsoSaid: true,
    onDone: ({ id }) => {
      leaveSaved()
      onClose(id)
    },
  })
  const setLines = (next: Line[]) => {
    clearErrors('supplies')
    setValue('supplies', next, { shouldDirty: true })
  }
  return (
    <FullscreenDialog
      opened
      onClose={() => onClose()}
      title={`${order ? `Corregir ${order.code}` : 'Nueva orden de compra'} · ${warehouse.name}`}
      dirty={isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          {order && (
            <Remove
              order={order}
              onDone={() => {
                leaveSaved()
                onClose()
              }}
            />
          )}
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            {order ? 'Guardar corrección' : 'Guardar'}
          </Button>
        </>
      )}
    >
      <div className={styles.sheet}>
        {order && (
          <p className={styles.hint}>
            Está corrigiendo una orden pendiente: al guardar reemplaza lo que decía, y el cambio queda en su actividad.
          </p>
        )}
        <div className={styles.fields}>
          <div className={styles.half}>
            <SelectField
              control={control}
              {...field('provider_id')}
              required
              autoFocus={draft.provider_id === undefined}
              choices={providers?.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </div>
          <TextField control={control} {...field('document')} maxLength={60} />
          <DayField control={control} {...field('deliveryAt')} earliest={today} tooEarly={PAST_DELIVERY} clearable />
          <div className={styles.half}>
            <TextField control={control} {...field('reference')} maxLength={120} />
          </div>
          <WordField control={control} {...field('priority')} choices={choicesOf(PRIORITIES)} />
          <div className={styles.full}>
            <TextAreaField control={control} {...field('note')} rows={2} />
          </div>
        </div>
        <DocumentLines
          hint="Lo que se pide y a qué precio"
          empty="Aún no hay insumos en la orden."
          warehouse={warehouse.id}
          list="workshop"
          lines={lines}
          begin={draft.begin}
          onChange={setLines}
          errors={formState.errors.supplies}
        />
      </div>
    </FullscreenDialog>
  )
}

/** A pending order that is not wanted any more; the one that is only shown offers no such thing. */
function Remove({ order, onDone }: { order: PurchaseOrder; onDone: () => void }) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const remove = async () => {
    const sure = await confirm({
      title: `¿Eliminar ${order.code}?`,
      message: 'No se puede deshacer.',
      accept: 'Eliminar',
      danger: true,
    })
    if (!sure) return
    setPending(true)
    try {
      await call(purchasing.deletePurchaseOrder, { params: { id: order.id } })
      say('Orden de compra eliminada correctamente ✅')
      onDone()
    } catch (error) {
      say('Error al eliminar la orden de compra ❌', {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: purchasingKey })
    }
  }
  return (
    <span className={styles.spread}>
      <Button variant="subtle" onClick={remove} loading={isPending}>
        Eliminar
      </Button>
    </span>
  )
}
