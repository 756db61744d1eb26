import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { NewTransfer } from '#contract/warehouses/transactions.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useSubmit } from '../platform/submit.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { SelectField, TextAreaField, TextField } from '../ui/field.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import styles from './document.module.css'
import { type Line, type LineErrors, LinesTable } from './lines.tsx'
import { warehouseChoicesQuery, warehousesKey } from './queries.ts'
import { SupplyDrawer } from './supply-drawer.tsx'

interface TransferTyped {
  warehouse_id: number
  to_warehouse_id: number | null
  document: string
  reference: string
  note: string
  supplies: Line[]
}

/** From this warehouse to another of the same workshop, in one step. */
export default function TransferForm({ warehouse, onClose }: { warehouse: Warehouse; onClose: () => void }) {
  const [editing, setEditing] = useState<number | 'new'>()
  const others = useQuery(warehouseChoicesQuery(warehouse.workshop_id)).data?.filter(({ id }) => id !== warehouse.id)
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
  const leaveSaved = useLeaveGuard(formState.isDirty)
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(warehouses.transfer, { body, idempotencyKey }),
    refresh: [warehousesKey],
    done: 'Traspaso ingresado correctamente ✅',
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
  const supplyErrors = formState.errors.supplies
  return (
    <>
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
              Traspasar
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
                choices={others?.map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` }))}
                autoFocus
              />
            </div>
            <TextField control={control} name="document" label="Documento" maxLength={60} />
            <TextField control={control} name="reference" label="Referencia" maxLength={120} />
            <div className={styles.full}>
              <TextAreaField control={control} name="note" label="Nota" rows={2} />
            </div>
          </div>
          <div className={styles.linesHead}>
            <h2>Insumos</h2>
            <span className={styles.hint}>Salen y entran a su costo promedio, al mismo tiempo</span>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} stroke={1.7} />}
              onClick={() => setEditing('new')}
            >
              Agregar insumo
            </Button>
          </div>
          {supplyErrors?.message && (
            <p className={styles.problem} role="alert">
              {supplyErrors.message}
            </p>
          )}
          <LinesTable
            lines={lines}
            errors={supplyErrors as LineErrors | undefined}
            priced={false}
            onEdit={setEditing}
            onRemove={(index) => setLines(lines.filter((_, i) => i !== index))}
            empty="Aún no hay insumos: agregue el primero, o escanee su código."
          />
        </div>
      </FullscreenDialog>
      {editing !== undefined && (
        <SupplyDrawer
          warehouse={warehouse.id}
          list="stock"
          priced={false}
          line={editing === 'new' ? undefined : lines[editing]}
          listed={lines.map((line) => line.supply_id)}
          onClose={() => setEditing(undefined)}
          onSave={(line) =>
            setLines(editing === 'new' ? [...lines, line] : lines.map((old, i) => (i === editing ? line : old)))
          }
        />
      )}
    </>
  )
}
