import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type MaintenanceType, MaintenanceTypeEdit, workCatalogues } from '#contract/work-orders/catalogues.ts'
import { ROSTER_STATES } from '#contract/workshops/workshops.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import { SimpleTable } from '../ui/simple-table.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { FormDrawer, StateField } from '../workshops/parts.tsx'
import styles from '../workshops/section.module.css'

const topic = ['work-orders'] as const

export default function MaintenanceTypesSection() {
  const [opened, setOpened] = useState<MaintenanceType | 'new'>()
  const list = useQuery({
    queryKey: [...topic, 'configuration', 'types'],
    queryFn: async ({ signal }) => (await call(workCatalogues.listMaintenanceTypes, { signal })).data,
  })
  return (
    <>
      <header className={styles.head}>
        <h2>Tipos de mantención</h2>
        <Button leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setOpened('new')}>
          Nuevo tipo
        </Button>
        <p>Preventiva, correctiva, predictiva, y los que la empresa agregue. Los tres primeros no se eliminan.</p>
      </header>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <ScreenSkeleton />
      ) : (
        <SimpleTable<MaintenanceType>
          label="Tipos de mantención"
          rows={list.data}
          keyOf={(row) => row.id}
          columns={[
            {
              label: 'Nombre',
              grows: true,
              cell: (row) => (
                <button type="button" className={styles.open} onClick={() => setOpened(row)}>
                  {row.name}
                </button>
              ),
            },
            { label: 'Código', folds: true, cell: (row) => <span className="mono">{row.code}</span> },
            {
              label: 'Estado',
              cell: ({ state }) => (
                <StatusPill tone={ROSTER_STATES[state].tone}>{ROSTER_STATES[state].label}</StatusPill>
              ),
            },
          ]}
        />
      )}
      {opened && <TypeDrawer row={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function TypeDrawer({ row, onClose }: { row?: MaintenanceType; onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(MaintenanceTypeEdit),
    defaultValues: { name: row?.name ?? '', state: row?.state ?? 'active', updated_at: row?.updated_at },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      row
        ? call(workCatalogues.updateMaintenanceType, { params: { id: row.id }, body })
        : call(workCatalogues.createMaintenanceType, { body, idempotencyKey }),
    refresh: [topic],
    done: 'Guardado correctamente ✅',
    failed: 'No se pudo guardar',
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={row ? row.name : 'Nuevo tipo de mantención'}
      save={row ? 'Guardar' : 'Crear tipo'}
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      uses={row && { thing: 'maintenance_types', id: row.id }}
      remove={
        row && !row.built_in
          ? {
              what: `«${row.name}»`,
              act: () => call(workCatalogues.deleteMaintenanceType, { params: { id: row.id } }),
              refresh: topic,
            }
          : undefined
      }
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={60} />
      {row && <StateField control={form.control} name="state" />}
    </FormDrawer>
  )
}
