import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { type Coupled, fleet, NewCoupled } from '#contract/fleet/fleet.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { TextField } from '../ui/field.tsx'
import { fleetKey } from './queries.ts'

interface CoupledDrawerProps {
  /** That of the truck that will pull it. */
  workshop: number | undefined
  /** What was being looked for when it turned out to be missing. */
  looked: string
  onClose: () => void
  onMade: (made: Coupled) => void
}

/** A coupled unit that a form lacks. Its name is its plate. */
export function CoupledDrawer({ workshop, looked, onClose, onMade }: CoupledDrawerProps) {
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
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Crear acoplado
          </Button>
        </>
      )}
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
