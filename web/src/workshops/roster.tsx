import type { ReactNode } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { showDni } from '#contract/base/rut.ts'
import { PERSON_FIELDS, PLACED_FIELDS } from '#contract/workshops/fields.ts'
import { fullName, ROSTER_STATES, type RosterState } from '#contract/workshops/rosters.ts'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { useWorkshopFilter } from '../frames/workshop-filter.ts'
import { useWorkshop } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { TextField } from '../ui/field.tsx'
import styles from './section.module.css'

/* What the lists of boxes, specialists, drivers and users have in common. */

export const stateColumn = <Row extends { state: RosterState }>() =>
  listColumns<Row, 'state'>(PLACED_FIELDS, { state: { card: 'state', sort: true, width: 110, rank: 3 } })

export const workshopColumn = <Row extends object>() =>
  listColumns<Row, 'workshop_id'>(PLACED_FIELDS, { workshop_id: { card: 'end', sort: true, width: 160, rank: 6 } })

interface Person {
  names: string
  last_name_p: string
  last_name_m: string | null
  dni: string | null
}
export const personColumns = <Row extends Person>() =>
  listColumns<Row, 'last_name_p' | 'dni'>(PERSON_FIELDS, {
    last_name_p: { sort: true, width: 230, rank: 1, fixed: true, cell: fullName, file: fullName },
    dni: {
      sort: true,
      width: 120,
      rank: 4,
      cell: ({ dni }) => dni && <span className="figures">{showDni(dni)}</span>,
    },
  })

const states = choicesOf(ROSTER_STATES)
export const stateFilter: ListFilter = { key: 'State', label: PLACED_FIELDS.state.label, useChoices: () => states }
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
  const field = (name: keyof typeof PERSON_FIELDS) => ({
    name: name as string as FieldPath<Typed>,
    label: PERSON_FIELDS[name].label,
  })
  return (
    <>
      <TextField control={control} {...field('names')} required autoFocus maxLength={80} />
      <TextField control={control} {...field('last_name_p')} required maxLength={60} />
      <TextField control={control} {...field('last_name_m')} maxLength={60} />
      <TextField control={control} {...field('dni')} maxLength={40} />
    </>
  )
}

export const personValues = (who?: Person) => ({
  names: who?.names ?? '',
  last_name_p: who?.last_name_p ?? '',
  last_name_m: who?.last_name_m ?? '',
  dni: who?.dni ? showDni(who.dni) : '',
})
