import { IconId } from '@tabler/icons-react'
import { SPECIALIST_FIELDS } from '#contract/workshops/fields.ts'
import { fullName, rosters, type Specialist, SpecialistEdit } from '#contract/workshops/rosters.ts'
import { inForm, listColumns } from '../frames/fields.tsx'
import type { Column } from '../frames/list-table.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { TextField } from '../ui/field.tsx'
import { PersonFields, personColumns, personValues } from './roster.tsx'
import { RosterDrawer, RosterSection } from './roster-section.tsx'

const field = inForm(SPECIALIST_FIELDS)

const columns: Column<Specialist>[] = [
  ...personColumns<Specialist>(),
  ...listColumns<Specialist, keyof typeof SPECIALIST_FIELDS>(SPECIALIST_FIELDS, {
    position: { sort: true, width: 170, rank: 2 },
  }),
]

export default function SpecialistsSection() {
  return (
    <RosterSection
      name="specialists"
      title="Especialistas"
      lead="Quienes hacen y revisan los trabajos. No necesitan un usuario para aparecer en una orden."
      about="Quienes hacen y revisan los trabajos, para elegirlos en las órdenes de trabajo."
      noun={{ one: 'especialista', many: 'especialistas' }}
      icon={IconId}
      endpoint={rosters.listSpecialists}
      columns={columns}
      searchLabel="Nombre, RUT o cargo"
      drawer={(row, onClose) => (
        <RosterDrawer
          row={row}
          thing="specialists"
          noun="especialista"
          nameOf={fullName}
          resolver={formResolver(SpecialistEdit)}
          values={{ ...personValues(row), position: row?.position ?? '' }}
          create={(body: SpecialistEdit, idempotencyKey) => call(rosters.createSpecialist, { body, idempotencyKey })}
          update={(id, body) => call(rosters.updateSpecialist, { params: { id }, body })}
          remove={(id) => call(rosters.deleteSpecialist, { params: { id } })}
          fields={(control) => (
            <>
              <PersonFields control={control} />
              <TextField control={control} {...field('position')} maxLength={80} />
            </>
          )}
          onClose={onClose}
        />
      )}
    />
  )
}
