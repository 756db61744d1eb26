import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { TextAreaField, TextField } from '../ui/field.tsx'
import { type Addable, CatalogueEntry, type CatalogueRow } from './catalogues.ts'

interface AddDrawerProps<Row extends CatalogueRow> {
  to: Addable<Row>
  /** What was being looked for when it turned out to be missing. */
  looked: string
  onClose: () => void
  /** Hands over what was created, so that it can be chosen at once. */
  onMade: (made: Row) => void
}

/** What a form's list lacks. Added by somebody who works in every workshop, it is for all of them. */
export function AddDrawer<Row extends CatalogueRow>({ to, looked, onClose, onMade }: AddDrawerProps<Row>) {
  const { title, button, done, failed } = to.adding
  const form = useForm({ resolver: zodResolver(CatalogueEntry), defaultValues: { name: looked, description: '' } })
  const { submit, isPending } = useSubmit({
    form,
    save: ({ name, description }, idempotencyKey) =>
      to.create(to.described ? { name, description } : { name }, idempotencyKey),
    refresh: [[to.topic]],
    done,
    failed: failed ?? '',
    onDone: onMade,
    recover: ({ status }) => failed === undefined && status !== 422,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title={title}
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            {button}
          </Button>
        </>
      )}
    >
      <TextField control={form.control} name="name" label="Nombre" required autoFocus maxLength={80} />
      {to.described && <TextAreaField control={form.control} name="description" label="Descripción" />}
    </Drawer>
  )
}
