import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { NewServiceCategory, providers, type ServiceCategory } from '#contract/providers/providers.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { TextAreaField, TextField } from '../ui/field.tsx'
import { providersKey } from './queries.ts'

interface CategoryDrawerProps {
  /** What was being looked for when it turned out to be missing. */
  looked: string
  onClose: () => void
  onMade: (made: ServiceCategory) => void
}

/** Who works in every workshop adds it for all of them. */
export function CategoryDrawer({ looked, onClose, onMade }: CategoryDrawerProps) {
  const form = useForm({ resolver: zodResolver(NewServiceCategory), defaultValues: { name: looked, description: '' } })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(providers.createServiceCategory, { body, idempotencyKey }),
    refresh: [providersKey],
    done: 'Categoría creada correctamente ✅',
    failed: 'Error al crear la categoría ❌',
    onDone: onMade,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Nueva categoría de servicio"
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Crear categoría
          </Button>
        </>
      )}
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={80} />
      <TextAreaField control={form.control} name="description" label="Descripción" />
    </Drawer>
  )
}
