import { Button } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { fleet, NewTruck, type Truck } from '#contract/fleet/fleet.ts'
import styles from '../frames/form-page.module.css'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { fleetKey } from './queries.ts'
import { blankTruck, TruckFields, type TruckTyped } from './truck-form.tsx'

interface TruckDrawerProps {
  workshop: number | undefined
  /** The text that no truck matched: most often a plate. */
  looked: string
  onClose: () => void
  onMade: (made: Truck) => void
}

/** A truck that another form lacks, created without leaving that form. */
export default function TruckDrawer({ workshop, looked, onClose, onMade }: TruckDrawerProps) {
  const text = looked.toUpperCase()
  const form = useForm<TruckTyped, unknown, NewTruck>({
    resolver: formResolver(NewTruck),
    defaultValues: { ...blankTruck(workshop), code: text, patent: text },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(fleet.createTruck, { body, idempotencyKey }),
    refresh: [fleetKey],
    done: 'Equipo creado correctamente ✅',
    failed: 'Error al crear el equipo',
    onDone: onMade,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Nuevo equipo"
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Crear equipo
          </Button>
        </>
      )}
    >
      <div className={styles.narrow}>
        <TruckFields form={form} />
      </div>
    </Drawer>
  )
}
