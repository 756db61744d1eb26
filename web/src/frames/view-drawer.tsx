import { zodResolver } from '@hookform/resolvers/zod'
import { Button, MultiSelect, Switch } from '@mantine/core'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { ROLE_NAMES, ROLES } from '#contract/base/permissions.ts'
import { NewView, type View, views } from '#contract/identity/views.ts'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { stayInForm } from '../ui/combobox.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { TextField } from '../ui/field.tsx'

/** How a list is looked at now. */
export interface Look {
  /** What follows the `?` of the address, of the list. */
  query: string
  hidden: string[] | null
}

interface ViewDrawerProps {
  list: string
  look: Look
  /** The one that is changed; none while one is saved. */
  view: View | undefined
  onClose: () => void
  onSaved: (view: View) => void
}

const Typed = z.object({ name: NewView.shape.name, shared: z.boolean(), roles: z.array(z.enum(ROLE_NAMES)) })
const ROLE_CHOICES = ROLE_NAMES.map((role) => ({ value: role, label: ROLES[role].label }))

/** What a view is called, and who sees it. */
export default function ViewDrawer({ list, look, view, onClose, onSaved }: ViewDrawerProps) {
  const manages = useMay('people.manage')
  const form = useForm({
    resolver: zodResolver(Typed),
    defaultValues: { name: view?.name ?? '', shared: view?.shared ?? false, roles: view?.roles ?? [] },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (typed, idempotencyKey) =>
      view
        ? call(views.updateView, {
            params: { id: view.id },
            body: { ...typed, query: view.query, hidden: view.hidden },
          })
        : call(views.createView, { body: { list, ...look, ...typed }, idempotencyKey }),
    done: view ? 'Vista actualizada' : 'Vista guardada',
    failed: 'No se pudo guardar la vista',
    onDone: onSaved,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title={view ? 'Editar vista' : 'Guardar vista'}
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Guardar
          </Button>
        </>
      )}
    >
      <TextField
        control={form.control}
        name="name"
        label="Nombre"
        description={view ? undefined : 'Guarda los filtros, el orden y las columnas como están ahora'}
        required
        autoFocus
        maxLength={60}
      />
      {manages && (
        <>
          <Controller
            control={form.control}
            name="shared"
            render={({ field: { value, onChange, ...field } }) => (
              <Switch
                {...field}
                checked={value}
                onChange={(event) => onChange(event.currentTarget.checked)}
                label="Compartir"
                description="La ven todas las personas de la empresa"
              />
            )}
          />
          <Controller
            control={form.control}
            name="roles"
            render={({ field: { value, onChange, ...field } }) => (
              <MultiSelect
                onKeyDown={stayInForm}
                {...field}
                value={value}
                onChange={onChange}
                data={ROLE_CHOICES}
                label="Al abrir la lista"
                description="Quienes tienen estos roles parten con esta vista"
                placeholder={value.length === 0 ? 'Ningún rol' : undefined}
                clearable
              />
            )}
          />
        </>
      )}
    </Drawer>
  )
}
