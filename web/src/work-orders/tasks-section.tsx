import { zodResolver } from '@hookform/resolvers/zod'
import { IconChecklist } from '@tabler/icons-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Task, TaskEdit, workCatalogues } from '#contract/work-orders/catalogues.ts'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { TextField } from '../ui/field.tsx'
import { FormDrawer, StateField } from '../workshops/parts.tsx'
import { SectionHead, stateColumn, stateFilter } from '../workshops/roster.tsx'

const topic = ['work-orders'] as const

const columns: Column<Task>[] = [
  {
    key: 'code',
    label: 'Código',
    card: 'top',
    sort: true,
    width: 120,
    rank: 1,
    fixed: true,
    cell: (task) => <span className="mono">{task.code}</span>,
    file: (task) => task.code,
  },
  {
    key: 'name',
    label: 'Nombre',
    card: 'title',
    sort: true,
    width: 280,
    rank: 2,
    fixed: true,
    cell: (task) => task.name,
    file: (task) => task.name,
  },
  ...stateColumn<Task>(),
]

export default function TasksSection() {
  const [opened, setOpened] = useState<Task | 'new'>()
  return (
    <>
      <SectionHead title="Tareas">
        Lo que se hace una y otra vez, para elegirlo en los trabajos de una orden.
      </SectionHead>
      <ListScreen
        name="tasks"
        title="Tareas"
        noun={{ one: 'tarea', many: 'tareas', none: 'Ninguna' }}
        icon={IconChecklist}
        about="Cambio de aceite, revisión de frenos: lo que se elige en los trabajos de una orden."
        endpoint={workCatalogues.listTasks}
        queryKey={topic}
        columns={columns}
        filters={[stateFilter]}
        searchLabel="Código o nombre"
        open={setOpened}
        create={{ label: 'Nueva tarea', act: () => setOpened('new') }}
        inside
      />
      {opened && <TaskDrawer row={opened === 'new' ? undefined : opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function TaskDrawer({ row, onClose }: { row?: Task; onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(TaskEdit),
    defaultValues: {
      code: row?.code ?? '',
      name: row?.name ?? '',
      state: row?.state ?? 'active',
      updated_at: row?.updated_at,
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      row
        ? call(workCatalogues.updateTask, { params: { id: row.id }, body })
        : call(workCatalogues.createTask, { body, idempotencyKey }),
    refresh: [topic],
    done: row ? 'Tarea actualizada correctamente ✅' : 'Tarea creada correctamente ✅',
    failed: 'No se pudo guardar la tarea',
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={row ? row.name : 'Nueva tarea'}
      save={row ? 'Guardar' : 'Crear tarea'}
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      uses={row && { thing: 'tasks', id: row.id }}
      remove={
        row && {
          what: `«${row.name}»`,
          act: () => call(workCatalogues.deleteTask, { params: { id: row.id } }),
          refresh: topic,
        }
      }
    >
      <TextField control={form.control} name="code" label="Código" required mono autoFocus maxLength={40} />
      <TextField control={form.control} name="name" label="Nombre" required maxLength={160} />
      {row && <StateField control={form.control} name="state" />}
    </FormDrawer>
  )
}
