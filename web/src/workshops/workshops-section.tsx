import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { WORKSHOP_FIELDS } from '#contract/workshops/fields.ts'
import { ROSTER_STATES } from '#contract/workshops/rosters.ts'
import { type Location, WorkshopEdit, workshops } from '#contract/workshops/workshops.ts'
import { inForm } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table } from '../ui/table.tsx'
import { FormDrawer, StateField } from './parts.tsx'
import { locationsQuery, workshopsKey } from './queries.ts'
import styles from './section.module.css'

const field = inForm(WORKSHOP_FIELDS)

export default function WorkshopsSection() {
  const list = useQuery(locationsQuery)
  const [opened, setOpened] = useState<Location | 'new'>()
  return (
    <>
      <header className={styles.head}>
        <h2>Talleres</h2>
        <Button leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setOpened('new')}>
          Nuevo taller
        </Button>
        <p>Cada persona, equipo, insumo y bodega es de un taller.</p>
      </header>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data ? (
        <Table<Location>
          label="Talleres"
          rows={list.data}
          keyOf={(row) => row.id}
          faded={(row) => row.state === 'inactive'}
          columns={[
            {
              label: WORKSHOP_FIELDS.name.label,
              cell: (row) => (
                <button type="button" className={styles.open} onClick={() => setOpened(row)}>
                  {row.name}
                </button>
              ),
            },
            { label: WORKSHOP_FIELDS.address.label, grows: true, folds: true, cell: (row) => row.address },
            {
              label: WORKSHOP_FIELDS.state.label,
              cell: ({ state }) => (
                <StatusPill tone={ROSTER_STATES[state].tone}>{ROSTER_STATES[state].label}</StatusPill>
              ),
            },
          ]}
        />
      ) : (
        <ScreenSkeleton />
      )}
      {opened && (
        <WorkshopDrawer workshop={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}

function WorkshopDrawer({ workshop, onClose }: { workshop?: Location; onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(WorkshopEdit),
    defaultValues: {
      name: workshop?.name ?? '',
      address: workshop?.address ?? '',
      state: workshop?.state ?? 'active',
      updated_at: workshop?.updated_at,
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      workshop
        ? call(workshops.updateWorkshop, { params: { id: workshop.id }, body })
        : call(workshops.createWorkshop, { body, idempotencyKey }),
    refresh: [workshopsKey],
    done: workshop ? 'Taller actualizado correctamente ✅' : 'Taller creado correctamente ✅',
    failed: 'No se pudo guardar el taller',
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={workshop?.name ?? 'Nuevo taller'}
      save={workshop ? 'Guardar' : 'Crear taller'}
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      uses={workshop && { thing: 'workshops', id: workshop.id }}
      remove={
        workshop && {
          what: `«${workshop.name}»`,
          act: () => call(workshops.deleteWorkshop, { params: { id: workshop.id } }),
          refresh: workshopsKey,
        }
      }
    >
      <TextField control={form.control} {...field('name')} required autoFocus maxLength={80} />
      <TextField control={form.control} {...field('address')} maxLength={200} />
      {workshop && <StateField control={form.control} name="state" />}
    </FormDrawer>
  )
}
