import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type AlertCategory, alertCategories, NewAlertCategory } from '#contract/alerts/categories.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { TextField } from '../ui/field.tsx'
import { alertsKey, categoriesQuery } from './queries.ts'

/** A category from inside the alert's form: a name, chosen at once. */
export function CategoryDrawer(props: {
  /** What was being looked for when it turned out to be missing. */
  looked: string
  onClose: () => void
  onMade: (made: AlertCategory) => void
}) {
  const client = useQueryClient()
  const form = useForm({ resolver: zodResolver(NewAlertCategory), defaultValues: { name: props.looked } })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => call(alertCategories.createCategory, { body, idempotencyKey }),
    refresh: [alertsKey],
    done: 'Categoría creada correctamente ✅',
    failed: 'Error al crear la categoría ❌',
    onDone: (made) => {
      client.setQueryData(categoriesQuery.queryKey, (list) => list && [...list, made])
      props.onMade(made)
    },
    // A wrong name says so under its field; any other failure leaves the drawer as it is, without a word.
    recover: ({ status }) => status !== 422,
  })
  return (
    <Drawer
      opened
      onClose={props.onClose}
      title="Nueva categoría"
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
    </Drawer>
  )
}
