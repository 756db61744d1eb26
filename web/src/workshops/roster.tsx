import type { ReactNode } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { showDni } from '#contract/base/rut.ts'
import { fullName, ROSTER_STATES, type RosterState } from '#contract/workshops/workshops.ts'
import type { ListFilter } from '../frames/list-filters.tsx'
import type { Column } from '../frames/list-table.tsx'
import { useWorkshopFilter } from '../frames/workshop-filter.ts'
import { useWorkshop } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { TextField } from '../ui/field.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import styles from './section.module.css'

/* What the lists of boxes, specialists, drivers and users have in common. */

export const stateColumn = <Row extends { state: RosterState }>(): Column<Row> => ({
  key: 'state',
  label: 'Estado',
  sort: true,
  width: 110,
  rank: 3,
  cell: ({ state }) => <StatusPill tone={ROSTER_STATES[state].tone}>{ROSTER_STATES[state].label}</StatusPill>,
  file: ({ state }) => ROSTER_STATES[state].label,
})

export const workshopColumn = <Row extends { workshop_name?: string | null | undefined }>(all = ''): Column<Row> => ({
  key: 'workshop_name',
  label: 'Taller',
  sort: true,
  width: 160,
  rank: 6,
  cell: (row) => row.workshop_name ?? all,
  file: (row) => row.workshop_name ?? all,
})

interface Person {
  names: string
  last_name_p: string
  last_name_m: string | null
  dni: string | null
}
export const personColumns = <Row extends Person>(): Column<Row>[] => [
  {
    key: 'last_name_p',
    label: 'Nombre',
    sort: true,
    width: 230,
    rank: 1,
    fixed: true,
    cell: fullName,
    file: fullName,
  },
  {
    key: 'dni',
    label: 'RUT',
    sort: true,
    width: 120,
    rank: 4,
    cell: ({ dni }) => dni && <span className="figures">{showDni(dni)}</span>,
    file: ({ dni }) => dni && showDni(dni),
  },
]

const states = choicesOf(ROSTER_STATES)
export const stateFilter: ListFilter = { key: 'State', label: 'Estado', useChoices: () => states }
/** The workshop in use, and the filter that goes with it. */
export function useRosterScope() {
  const workshop = useWorkshop()
  const filter = useWorkshopFilter()
  return {
    filter,
    scope: { WorkshopId: workshop.id === undefined ? undefined : [workshop.id] },
    mayChoose: workshop.mayChoose,
    /** Where something new goes unless somebody says otherwise. */
    initial: workshop.id ?? (workshop.list.length === 1 ? workshop.list[0]?.id : undefined),
  }
}

export function SectionHead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <header className={styles.head}>
      <h2>{title}</h2>
      <p>{children}</p>
    </header>
  )
}

export function PersonFields<Typed extends FieldValues, Body>({ control }: { control: Control<Typed, unknown, Body> }) {
  const name = (field: string) => field as FieldPath<Typed>
  return (
    <>
      <TextField control={control} name={name('names')} label="Nombres" required autoFocus maxLength={80} />
      <TextField control={control} name={name('last_name_p')} label="Apellido paterno" required maxLength={60} />
      <TextField control={control} name={name('last_name_m')} label="Apellido materno" maxLength={60} />
      <TextField control={control} name={name('dni')} label="RUT" maxLength={40} />
    </>
  )
}

export const personValues = (who?: Person) => ({
  names: who?.names ?? '',
  last_name_p: who?.last_name_p ?? '',
  last_name_m: who?.last_name_m ?? '',
  dni: who?.dni ? showDni(who.dni) : '',
})
