import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { type Coupled, fleet, type Named, NewCostCenter, NewCoupled, NewNamed } from '#contract/fleet/fleet.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { TextAreaField, TextField } from '../ui/field.tsx'
import { fleetKey } from './queries.ts'

/* Small forms for what a truck's form lacks. Each hands over what it created, so that it can be chosen at once. */

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

const NAMED = {
  brand: {
    endpoint: fleet.createBrand,
    title: 'Nueva marca',
    label: 'Nombre',
    create: 'Crear marca',
    done: 'Marca creado correctamente ✅',
    failed: 'Error al crear el marca',
  },
  type: {
    endpoint: fleet.createTruckType,
    title: 'Nuevo tipo de equipo',
    label: 'Nombre',
    create: 'Crear tipo',
    done: 'Tipo creado correctamente ✅',
    failed: 'Error al crear el Tipo',
  },
} as const

/** A brand or a type: a name. Who works in every workshop adds it for all of them. */
export function NamedDrawer({ kind, looked, onClose, onMade }: AddDrawerProps<Named> & { kind: keyof typeof NAMED }) {
  const words = NAMED[kind]
  const form = useForm({ resolver: zodResolver(NewNamed), defaultValues: { name: looked } })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(words.endpoint, { body, idempotencyKey }),
    refresh: [fleetKey],
    done: words.done,
    failed: words.failed,
    onDone: onMade,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title={words.title}
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => <Buttons onClose={close} isPending={isPending} create={words.create} />}
    >
      <TextField control={form.control} name="name" label={words.label} required autoFocus maxLength={80} />
    </Drawer>
  )
}

export function CostCenterDrawer({ looked, onClose, onMade }: AddDrawerProps<Named>) {
  const form = useForm({ resolver: zodResolver(NewCostCenter), defaultValues: { name: looked, description: '' } })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(fleet.createCostCenter, { body, idempotencyKey }),
    refresh: [fleetKey],
    done: 'Centro de costo creado correctamente ✅',
    failed: 'Error al crear el centro de costo',
    onDone: onMade,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Nuevo centro de costo"
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => <Buttons onClose={close} isPending={isPending} create="Crear centro" />}
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={80} />
      <TextAreaField control={form.control} name="description" label="Descripción" />
    </Drawer>
  )
}

/** Its name is its plate. It belongs to the workshop of the truck that will pull it. */
export function CoupledDrawer({
  workshop,
  looked,
  onClose,
  onMade,
}: AddDrawerProps<Coupled> & { workshop: number | undefined }) {
  const form = useForm({
    resolver: zodResolver(NewCoupled),
    defaultValues: { patent: looked.toUpperCase(), workshop_id: workshop },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(fleet.createCoupled, { body, idempotencyKey }),
    refresh: [fleetKey],
    done: 'Acoplado creado correctamente ✅',
    failed: 'Error al crear el acoplado',
    onDone: onMade,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Nuevo acoplado"
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => <Buttons onClose={close} isPending={isPending} create="Crear acoplado" />}
    >
      <TextField
        control={form.control}
        name="patent"
        label="Nombre"
        description="La patente del acoplado"
        placeholder="JK·4521"
        format={(text) => text.toUpperCase()}
        mono
        required
        autoFocus
        maxLength={30}
      />
    </Drawer>
  )
}
