import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type MaintenanceType, MaintenanceTypeEdit, workCatalogues } from '#contract/work-orders/catalogues.ts'
import { ROSTER_STATES } from '#contract/workshops/rosters.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { TextField } from '../ui/field.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { ListSection } from '../workshops/catalogue-section.tsx'
import { FormDrawer, StateField } from '../workshops/parts.tsx'

const topic = ['work-orders'] as const

export default function MaintenanceTypesSection() {
  const list = useQuery({
    queryKey: [...topic, 'configuration', 'types'],
    queryFn: async ({ signal }) => (await call(workCatalogues.listMaintenanceTypes, { signal })).data,
  })
  return (
    <ListSection<MaintenanceType>
      title="Tipos de mantención"
      fresh="Nuevo tipo"
      about="Preventiva, correctiva, predictiva, y los que la empresa agregue. Los tres primeros no se eliminan."
      list={list}
      columns={[
        { label: 'Código', folds: true, cell: (row) => <span className="mono">{row.code}</span> },
        {
          label: 'Estado',
          cell: ({ state }) => <StatusPill tone={ROSTER_STATES[state].tone}>{ROSTER_STATES[state].label}</StatusPill>,
        },
      ]}
      drawer={(row, onClose) => <TypeDrawer row={row} onClose={onClose} />}
    />
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
