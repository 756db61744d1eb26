import { IconId } from '@tabler/icons-react'
import { SPECIALIST_FIELDS } from '#contract/workshops/fields.ts'
import { fullName, HourlyCosts, rosters, type Specialist, SpecialistEdit } from '#contract/workshops/rosters.ts'
import { inForm, listColumns } from '../frames/fields.tsx'
import type { Column } from '../frames/list-table.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { TextField } from '../ui/field.tsx'
import { HourlyCostFields, type HourlyTyped, useHourlyCosts } from './hourly-costs.tsx'
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
      drawer={(row, onClose) => <SpecialistDrawer row={row} onClose={onClose} />}
    />
  )
}

const Body = SpecialistEdit.and(HourlyCosts)
type Body = SpecialistEdit & HourlyCosts

function SpecialistDrawer({ row, onClose }: { row: Specialist | undefined; onClose: () => void }) {
  const { counts, values, isReady } = useHourlyCosts(row?.id)
  if (!isReady) return null
  const cost = (id: number, { hourly_costs }: Body) =>
    counts && call(rosters.updateHourlyCosts, { params: { id }, body: { hourly_costs } })
  const own: ReturnType<typeof personValues> & { position: string } & HourlyTyped = {
    ...personValues(row),
    position: row?.position ?? '',
    hourly_costs: values,
  }
  return (
    <RosterDrawer
      row={row}
      thing="specialists"
      noun="especialista"
      nameOf={fullName}
      resolver={formResolver<typeof own, Body>(Body)}
      values={own}
      create={async ({ hourly_costs, ...body }: Body, idempotencyKey) => {
        const made = await call(rosters.createSpecialist, { body, idempotencyKey })
        if (hourly_costs.length > 0) await cost(made.id, { ...body, hourly_costs })
      }}
      update={async (id, { hourly_costs, ...body }) => {
        await cost(id, { ...body, hourly_costs })
        await call(rosters.updateSpecialist, { params: { id }, body })
      }}
      remove={(id) => call(rosters.deleteSpecialist, { params: { id } })}
      fields={(control) => (
        <>
          <PersonFields control={control} />
          <TextField control={control} {...field('position')} maxLength={80} />
          {counts && <HourlyCostFields control={control} />}
        </>
      )}
      onClose={onClose}
    />
  )
}
