import { useQuery } from '@tanstack/react-query'
import { type Control, type FieldPath, type FieldValues, type PathValue, useWatch } from 'react-hook-form'
import { ROLE_NAMES, ROLES, type Role } from '#contract/base/permissions.ts'
import { USER_FIELDS } from '#contract/identity/fields.ts'
import { fullName } from '#contract/workshops/rosters.ts'
import { useMe } from '../platform/session.ts'
import { SelectField } from '../ui/field.tsx'
import { WordField, WorkshopField } from '../workshops/parts.tsx'
import { specialistChoicesQuery } from '../workshops/queries.ts'

/** Role, workshop, and which of the specialists the person is. */
export function PlaceFields<Typed extends FieldValues, Body>({ control }: { control: Control<Typed, unknown, Body> }) {
  const me = useMe()
  const name = (field: string) => field as FieldPath<Typed>
  const role = useWatch({ control, name: name('role') }) as PathValue<Typed, FieldPath<Typed>> as Role
  const workshop = useWatch({ control, name: name('workshop_id') }) as number | null | undefined
  const everyWorkshop = ROLES[role].everyWorkshop
  const specialists = useQuery({
    ...specialistChoicesQuery(workshop ?? me.workshop_id),
    enabled: role === 'specialist',
  }).data
  // Nobody gives a role of all workshops without having it.
  const roles = ROLE_NAMES.filter((one) => me.workshop_id === null || !ROLES[one].everyWorkshop)
  return (
    <>
      <WordField
        control={control}
        name={name('role')}
        label={USER_FIELDS.role.label}
        required
        choices={roles.map((value) => ({ value, label: ROLES[value].label }))}
        description={everyWorkshop ? 'Ve y hace todo, en todos los talleres.' : undefined}
      />
      <WorkshopField
        control={control}
        name={name('workshop_id')}
        mayChoose={!everyWorkshop && me.workshop_id === null}
      />
      {role === 'specialist' && (
        <SelectField
          control={control}
          name={name('specialist_id')}
          label={USER_FIELDS.specialist_id.label}
          description="Para que vea como suyos los trabajos que se le asignan."
          choices={specialists?.map((one) => ({ value: one.id, label: fullName(one) }))}
          clearable
        />
      )}
    </>
  )
}
