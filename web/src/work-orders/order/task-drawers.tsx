import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useForm } from 'react-hook-form'
import {
  type MaintenanceType,
  NewMaintenanceType,
  NewTask,
  type Task,
  workCatalogues,
} from '#contract/work-orders/catalogues.ts'
import { call } from '../../platform/api.ts'
import { useSubmit } from '../../platform/submit.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { TextField } from '../../ui/field.tsx'
import { workOrdersKey } from '../queries.ts'

/* Small forms for what an order's form lacks. Each hands over what it created, so that it can be chosen at once. */

interface AddDrawerProps<Made> {
  /** What was being looked for when it turned out to be missing. */
  looked: string
  onClose: () => void
  onMade: (made: Made) => void
}

const Buttons = ({ onClose, isPending, create }: { onClose: () => void; isPending: boolean; create: string }) => (
  <>
    <Button variant="subtle" onClick={onClose}>
      Cancelar
    </Button>
    <Button type="submit" loading={isPending}>
      {create}
    </Button>
  </>
)

export function TaskDrawer({ looked, onClose, onMade }: AddDrawerProps<Task>) {
  const form = useForm({ resolver: zodResolver(NewTask), defaultValues: { code: '', name: looked } })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(workCatalogues.createTask, { body, idempotencyKey }),
    refresh: [[...workOrdersKey, 'tasks']],
    done: 'Tarea creada correctamente ✅',
    failed: 'Error al crear la tarea',
    onDone: onMade,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Nueva tarea"
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => <Buttons onClose={close} isPending={isPending} create="Crear tarea" />}
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={160} />
      <TextField control={form.control} name="code" label="Código" required mono maxLength={40} placeholder="FRE-01" />
    </Drawer>
  )
}

export function TypeDrawer({ looked, onClose, onMade }: AddDrawerProps<MaintenanceType>) {
  const form = useForm({ resolver: zodResolver(NewMaintenanceType), defaultValues: { name: looked } })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(workCatalogues.createMaintenanceType, { body, idempotencyKey }),
    refresh: [[...workOrdersKey, 'types']],
    done: 'Tipo de mantención creado correctamente ✅',
    failed: 'Error al crear el tipo de mantención',
    onDone: onMade,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Nuevo tipo de mantención"
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => <Buttons onClose={close} isPending={isPending} create="Crear tipo" />}
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={60} />
    </Drawer>
  )
}
