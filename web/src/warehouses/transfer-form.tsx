import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { DOCUMENT_FIELDS } from '#contract/warehouses/fields.ts'
import { NewTransfer } from '#contract/warehouses/transactions.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { inForm } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useSubmit } from '../platform/submit.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { SelectField, TextAreaField, TextField } from '../ui/field.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import styles from './document.module.css'
import { DocumentLines } from './document-lines.tsx'
import type { Line } from './lines.tsx'
import { destinationsQuery, warehousesKey } from './queries.ts'

const field = inForm(DOCUMENT_FIELDS)

interface TransferTyped {
  warehouse_id: number
  to_warehouse_id: number | null
  document: string
  reference: string
  note: string
  supplies: Line[]
}

/** From this warehouse to another: of the same workshop in one step, of another one it is sent and received there. */
export default function TransferForm({
  warehouse,
  begin,
  onClose,
}: {
  warehouse: Warehouse
  /** The code of a supply to begin with. */
  begin?: string | undefined
  onClose: () => void
}) {
  const destinations = useQuery(destinationsQuery(warehouse.id)).data
  const form = useForm<TransferTyped, unknown, NewTransfer>({
    resolver: formResolver<TransferTyped, NewTransfer>(NewTransfer),
    defaultValues: {
      warehouse_id: warehouse.id,
      to_warehouse_id: null,
      document: '',
      reference: '',
      note: '',
      supplies: [],
    },
  })
  const { control, setValue, clearErrors, formState } = form
  const lines = useWatch({ control, name: 'supplies' })
  const to = useWatch({ control, name: 'to_warehouse_id' })
  const away = destinations?.find(({ id }) => id === to && id !== null)
  const isSent = away !== undefined && away.workshop_id !== warehouse.workshop_id
  const leaveSaved = useLeaveGuard(formState.isDirty)
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(warehouses.transfer, { body, idempotencyKey }),
    refresh: [warehousesKey],
    done: isSent ? 'Traslado enviado correctamente ✅' : 'Traspaso ingresado correctamente ✅',
    failed: 'Error al traspasar ❌',
    onDone: () => {
      leaveSaved()
      onClose()
    },
  })
  const setLines = (next: Line[]) => {
    clearErrors('supplies')
    setValue('supplies', next, { shouldDirty: true })
  }
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={`Traspaso desde ${warehouse.name}`}
      dirty={formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            {isSent ? 'Enviar' : 'Traspasar'}
          </Button>
        </>
      )}
    >
      <div className={styles.sheet}>
        <div className={styles.fields}>
          <div className={styles.half}>
            <SelectField
              control={control}
              name="to_warehouse_id"
              label="Bodega de destino"
              required
              choices={destinations?.map(({ id, code, name, workshop_id, workshop_name }) => ({
                value: id,
                label: [code, name, ...(workshop_id === warehouse.workshop_id ? [] : [workshop_name])].join(' · '),
              }))}
              description={
                isSent ? `Queda en tránsito hasta que lo reciban en ${away.workshop_name}` : 'De este taller o de otro'
              }
              autoFocus
            />
          </div>
          <TextField control={control} {...field('document')} maxLength={60} />
          <TextField control={control} {...field('reference')} maxLength={120} />
          <div className={styles.full}>
            <TextAreaField control={control} {...field('note')} rows={2} />
          </div>
        </div>
        <DocumentLines
          hint={
            isSent
              ? 'Salen a su costo promedio, y con él entran cuando se reciben'
              : 'Salen y entran a su costo promedio, al mismo tiempo'
          }
          empty="Aún no hay insumos: agregue el primero, o escanee su código."
          warehouse={warehouse.id}
          list="stock"
          priced={false}
          lines={lines}
          begin={begin}
          onChange={setLines}
          errors={formState.errors.supplies}
        />
      </div>
    </FullscreenDialog>
  )
}
