import type { TablerIcon } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, type Resolver, useForm } from 'react-hook-form'
import type { RosterState } from '#contract/workshops/rosters.ts'
import type { UsedThing } from '#contract/workshops/workshops.ts'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import type { ListEndpoint } from '../frames/use-list.ts'
import { useSubmit } from '../platform/submit.ts'
import { FormDrawer, StateField, WorkshopField } from './parts.tsx'
import { workshopsKey } from './queries.ts'
import { SectionHead, stateColumn, stateFilter, useRosterScope, workshopColumn } from './roster.tsx'

interface Placed {
  id: number
  workshop_id: number
  workshop_name: string | null
  state: RosterState
  updated_at: string
}

interface RosterSectionProps<Row extends Placed> {
  name: string
  title: string
  lead: string
  about: string
  noun: { one: string; many: string }
  icon: TablerIcon
  endpoint: ListEndpoint<Row>
  /** Its own; the workshop and the state follow them. */
  columns: Column<Row>[]
  searchLabel: string
  drawer: (row: Row | undefined, onClose: () => void) => ReactNode
}

/** The people or places of a workshop: their list, and the drawer of the one that was opened. */
export function RosterSection<Row extends Placed>({ title, lead, drawer, ...list }: RosterSectionProps<Row>) {
  const { filter, scope } = useRosterScope()
  const [opened, setOpened] = useState<Row | 'new'>()
  return (
    <>
      <SectionHead title={title}>{lead}</SectionHead>
      <ListScreen
        {...list}
        title={title}
        noun={{ ...list.noun, none: 'Ningún' }}
        queryKey={workshopsKey}
        scope={scope}
        columns={[...list.columns, ...workshopColumn<Row>(), ...stateColumn<Row>()]}
        filters={[filter, stateFilter]}
        open={setOpened}
        create={{ label: `Nuevo ${list.noun.one}`, act: () => setOpened('new') }}
        inside
      />
      {opened && drawer(opened === 'new' ? undefined : opened, () => setOpened(undefined))}
    </>
  )
}

interface RosterDrawerProps<Row extends Placed, Own extends FieldValues, Body> {
  row: Row | undefined
  thing: UsedThing
  /** `conductor`: one word that is masculine. */
  noun: string
  nameOf: (row: Row) => string
  resolver: Resolver<Own, unknown, Body>
  /** Its own fields as they start; the workshop and the state follow them. */
  values: Own
  create: (body: Body, idempotencyKey: string) => Promise<unknown>
  update: (id: number, body: Body) => Promise<unknown>
  remove: (id: number) => Promise<unknown>
  fields: (control: ReturnType<typeof useForm<Own, unknown, Body>>['control']) => ReactNode
  onClose: () => void
}

export function RosterDrawer<Row extends Placed, Own extends FieldValues, Body>(
  props: RosterDrawerProps<Row, Own, Body>,
) {
  const { row, thing, noun, nameOf, values, create, update, remove, fields, onClose } = props
  const { mayChoose, initial } = useRosterScope()
  const form = useForm<Own, unknown, Body>({
    resolver: props.resolver,
    defaultValues: {
      ...values,
      workshop_id: row?.workshop_id ?? initial,
      state: row?.state ?? 'active',
      updated_at: row?.updated_at,
    } as unknown as DefaultValues<Own>,
  })
  const Noun = noun.charAt(0).toUpperCase() + noun.slice(1)
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) => (row ? update(row.id, body) : create(body, idempotencyKey)),
    refresh: [workshopsKey],
    done: row ? `${Noun} actualizado correctamente ✅` : `${Noun} creado correctamente ✅`,
    failed: `No se pudo guardar el ${noun}`,
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={row ? nameOf(row) : `Nuevo ${noun}`}
      save={row ? 'Guardar' : `Crear ${noun}`}
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
      uses={row && { thing, id: row.id }}
      remove={row && { what: `«${nameOf(row)}»`, act: () => remove(row.id), refresh: workshopsKey }}
    >
      {fields(form.control)}
      <WorkshopField control={form.control} name={'workshop_id' as FieldPath<Own>} mayChoose={mayChoose} />
      {row && <StateField control={form.control} name={'state' as FieldPath<Own>} />}
    </FormDrawer>
  )
}
