import { zodResolver } from '@hookform/resolvers/zod'
import { IconBuildingWarehouse } from '@tabler/icons-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Box, BoxEdit, workshops } from '#contract/workshops.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { TextField } from '../ui/field.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import type { Column } from '../ui/list-table.tsx'
import { FormDrawer, StateField, WorkshopField } from './parts.tsx'
import { workshopsKey } from './queries.ts'
import { SectionHead, stateColumn, stateFilter, useRosterScope, workshopColumn } from './roster.tsx'

const columns: Column<Box>[] = [
  {
    key: 'name',
    label: 'Nombre',
    sort: true,
    width: 240,
    rank: 1,
    fixed: true,
    cell: (box) => box.name,
    file: (box) => box.name,
  },
  workshopColumn(),
  stateColumn(),
]

export default function BoxesSection() {
  const { filter, scope } = useRosterScope()
  const [opened, setOpened] = useState<Box | 'new'>()
  return (
    <>
      <SectionHead title="Boxes">Los lugares del taller donde se atiende un equipo.</SectionHead>
      <ListScreen
        name="boxes"
        title="Boxes"
        noun={{ one: 'box', many: 'boxes', none: 'Ningún' }}
        icon={IconBuildingWarehouse}
        about="Los lugares del taller donde se atiende un equipo, para elegirlos en las órdenes de trabajo."
        endpoint={workshops.listBoxes}
        queryKey={workshopsKey}
        scope={scope}
        columns={columns}
        filters={[filter, stateFilter]}
        searchLabel="Nombre"
        open={setOpened}
        create={{ label: 'Nuevo box', act: () => setOpened('new') }}
        inside
      />
      {opened && <BoxDrawer row={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function BoxDrawer({ row, onClose }: { row?: Box; onClose: () => void }) {
  const { mayChoose, initial } = useRosterScope()
  const form = useForm({
    resolver: zodResolver(BoxEdit),
    defaultValues: {
      name: row?.name ?? '',
      workshop_id: row?.workshop_id ?? initial,
      state: row?.state ?? 'active',
      updated_at: row?.updated_at,
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      row
        ? call(workshops.updateBox, { params: { id: row.id }, body })
        : call(workshops.createBox, { body, idempotencyKey }),
    refresh: [workshopsKey],
    done: row ? 'Box actualizado correctamente ✅' : 'Box creado correctamente ✅',
    failed: 'No se pudo guardar el box',
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={row ? row.name : 'Nuevo box'}
      save={row ? 'Guardar' : 'Crear box'}
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      remove={
        row && {
          what: `«${row.name}»`,
          act: () => call(workshops.deleteBox, { params: { id: row.id } }),
          refresh: workshopsKey,
        }
      }
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={60} />
      <WorkshopField control={form.control} name="workshop_id" mayChoose={mayChoose} />
      {row && <StateField control={form.control} name="state" />}
    </FormDrawer>
  )
}
