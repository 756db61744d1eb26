import { Button, Select, Switch } from '@mantine/core'
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEventHandler, ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { showNumber } from '#contract/base/money.ts'
import { type UsedThing, workshops } from '#contract/workshops/workshops.ts'
import { call } from '../platform/api.ts'
import { workshopsQuery } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { type FieldProps, SelectField, useField } from '../ui/field.tsx'
import { say } from '../ui/snackbar.tsx'
import { workshopsKey } from './queries.ts'
import styles from './section.module.css'

interface FormDrawerProps {
  title: string
  save: string
  dirty: boolean
  isPending: boolean
  submit: FormEventHandler
  onClose: () => void
  /** Left out where there is nothing to delete yet. */
  remove?: { what: string; act: () => Promise<unknown>; refresh: QueryKey }
  /** Where the thing is used is told below its fields. */
  uses?: UsesProps
  children: ReactNode
}

/** One thing of a list: its fields, and the ways out. */
export function FormDrawer({
  title,
  save,
  dirty,
  isPending,
  submit,
  onClose,
  remove,
  uses,
  children,
}: FormDrawerProps) {
  const client = useQueryClient()
  const erase = async () => {
    if (!remove) return
    const yes = await confirm({
      title: '¿Eliminar?',
      message: `${remove.what} se elimina para siempre. Si ya se usó, no se podrá eliminar.`,
      accept: 'Eliminar',
      danger: true,
    })
    if (!yes) return
    try {
      await remove.act()
      void client.invalidateQueries({ queryKey: remove.refresh })
      say('Eliminado correctamente ✅')
      onClose()
    } catch (error) {
      say('No se pudo eliminar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title={title}
      dirty={dirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          {remove && (
            <Button variant="subtle" color="red" className={styles.erase} onClick={() => void erase()}>
              Eliminar
            </Button>
          )}
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            {save}
          </Button>
        </>
      )}
    >
      {children}
      {uses && <Uses {...uses} />}
    </Drawer>
  )
}

interface UsesProps {
  thing: UsedThing
  id: number
}

/** `Se usa en 12 equipos y 3 órdenes de trabajo.` */
function Uses({ thing, id }: UsesProps) {
  const uses = useQuery({
    queryKey: [...workshopsKey, 'uses', thing, id],
    queryFn: async ({ signal }) => (await call(workshops.listUses, { params: { thing, id }, signal })).data,
    staleTime: 0,
  })
  if (!uses.data) return null
  const said = new Intl.ListFormat('es-CL').format(uses.data.map(({ what, total }) => `${showNumber(total)} ${what}`))
  return <p className={styles.uses}>{said ? `Se usa en ${said}.` : 'Aún no se usa: se puede eliminar.'}</p>
}

/** In use or not. */
export function StateField<Typed extends FieldValues, Body>({
  off = 'Deja de ofrecerse; su historial se conserva.',
  ...props
}: Omit<FieldProps<Typed, Body>, 'label'> & { off?: string }) {
  const { field, shown } = useField({ ...props, label: '' })
  const on = field.value === 'active'
  return (
    <Switch
      ref={field.ref}
      name={field.name}
      label="Activo"
      description={on ? undefined : off}
      error={shown.error}
      checked={on}
      onChange={(event) => field.onChange(event.currentTarget.checked ? 'active' : 'inactive')}
      onBlur={field.onBlur}
    />
  )
}

/** One of a few words. */
export function WordField<Typed extends FieldValues, Body>({
  choices,
  clearable = false,
  ...props
}: FieldProps<Typed, Body> & { choices: { value: string; label: string }[]; clearable?: boolean }) {
  const { field, shown } = useField(props)
  return (
    <Select
      {...shown}
      ref={field.ref}
      data={choices}
      value={field.value ?? null}
      onChange={field.onChange}
      onBlur={field.onBlur}
      clearable={clearable}
      allowDeselect={clearable}
      placeholder="Elija"
    />
  )
}

/** Shown to those who may choose; everyone else works in their own. */
export function WorkshopField<Typed extends FieldValues, Body>(
  props: Omit<FieldProps<Typed, Body>, 'label'> & { mayChoose: boolean },
) {
  const { mayChoose, ...rest } = props
  const list = useQuery(workshopsQuery).data
  if (!mayChoose) return null
  return (
    <SelectField
      {...rest}
      label="Taller"
      choices={list?.map(({ id, name }) => ({ value: id, label: name }))}
      required
    />
  )
}
