import { zodResolver } from '@hookform/resolvers/zod'
import { IconId } from '@tabler/icons-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { fullName, type Specialist, SpecialistEdit, workshops } from '#contract/workshops.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { TextField } from '../ui/field.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import type { Column } from '../ui/list-table.tsx'
import { FormDrawer, StateField, WorkshopField } from './parts.tsx'
import { workshopsKey } from './queries.ts'
import {
  PersonFields,
  personColumns,
  personValues,
  SectionHead,
  stateColumn,
  stateFilter,
  useRosterScope,
  workshopColumn,
} from './roster.tsx'

const columns: Column<Specialist>[] = [
  ...personColumns<Specialist>(),
  {
    key: 'position',
    label: 'Cargo',
    sort: true,
    width: 170,
    rank: 2,
    cell: (row) => row.position,
    file: (row) => row.position,
  },
  workshopColumn(),
  stateColumn(),
]

export default function SpecialistsSection() {
  const { filter, scope } = useRosterScope()
  const [opened, setOpened] = useState<Specialist | 'new'>()
  return (
    <>
      <SectionHead title="Especialistas">
        Quienes hacen y revisan los trabajos. No necesitan un usuario para aparecer en una orden.
      </SectionHead>
      <ListScreen
        name="specialists"
        title="Especialistas"
        noun={{ one: 'especialista', many: 'especialistas', none: 'Ningún' }}
        icon={IconId}
        about="Quienes hacen y revisan los trabajos, para elegirlos en las órdenes de trabajo."
        endpoint={workshops.listSpecialists}
        queryKey={workshopsKey}
        scope={scope}
        columns={columns}
        filters={[filter, stateFilter]}
        searchLabel="Nombre, RUT o cargo"
        open={setOpened}
        create={{ label: 'Nuevo especialista', act: () => setOpened('new') }}
        inside
      />
      {opened && <SpecialistDrawer row={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function SpecialistDrawer({ row, onClose }: { row?: Specialist; onClose: () => void }) {
  const { mayChoose, initial } = useRosterScope()
  const form = useForm({
    resolver: zodResolver(SpecialistEdit),
    defaultValues: {
      ...personValues(row),
      position: row?.position ?? '',
      workshop_id: row?.workshop_id ?? initial,
      state: row?.state ?? 'active',
      updated_at: row?.updated_at,
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      row
        ? call(workshops.updateSpecialist, { params: { id: row.id }, body })
        : call(workshops.createSpecialist, { body, idempotencyKey }),
    refresh: [workshopsKey],
    done: row ? 'Especialista actualizado correctamente ✅' : 'Especialista creado correctamente ✅',
    failed: 'No se pudo guardar el especialista',
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={row ? fullName(row) : 'Nuevo especialista'}
      save={row ? 'Guardar' : 'Crear especialista'}
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      remove={
        row && {
          what: fullName(row),
          act: () => call(workshops.deleteSpecialist, { params: { id: row.id } }),
          refresh: workshopsKey,
        }
      }
    >
      <PersonFields control={form.control} />
      <TextField control={form.control} name="position" label="Cargo" maxLength={80} />
      <WorkshopField control={form.control} name="workshop_id" mayChoose={mayChoose} />
      {row && <StateField control={form.control} name="state" />}
    </FormDrawer>
  )
}
