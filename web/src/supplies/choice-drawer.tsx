import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { type Choice, NewChoice, supplies } from '#contract/supplies/supplies.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { TextField } from '../ui/field.tsx'
import { suppliesKey } from './queries.ts'

const WORDS = {
  category: {
    endpoint: supplies.createCategory,
    title: 'Nueva categoría',
    create: 'Crear categoría',
    done: 'Categoría creada correctamente ✅',
    failed: 'Error al crear la categoría ❌',
  },
  unit: {
    endpoint: supplies.createMeasurementUnit,
    title: 'Nueva unidad de medida',
    create: 'Crear unidad',
    done: 'Unidad creada correctamente ✅',
    failed: 'Error al crear la unidad ❌',
  },
} as const

interface ChoiceDrawerProps {
  kind: keyof typeof WORDS
  /** What was being looked for when it turned out to be missing. */
  looked: string
  onClose: () => void
  onMade: (made: Choice) => void
}

/** A category or a unit: a name. Who works in every workshop adds it for all of them. */
export function ChoiceDrawer({ kind, looked, onClose, onMade }: ChoiceDrawerProps) {
  const words = WORDS[kind]
  const form = useForm({ resolver: zodResolver(NewChoice), defaultValues: { name: looked } })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(words.endpoint, { body, idempotencyKey }),
    refresh: [suppliesKey],
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
      footer={
        <>
          <Button variant="subtle" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            {words.create}
          </Button>
        </>
      }
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={80} />
    </Drawer>
  )
}
