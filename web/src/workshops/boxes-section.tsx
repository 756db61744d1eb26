import { IconBuildingWarehouse } from '@tabler/icons-react'
import { BOX_FIELDS } from '#contract/workshops/fields.ts'
import { type Box, BoxEdit, rosters } from '#contract/workshops/rosters.ts'
import { inForm, listColumns } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { TextField } from '../ui/field.tsx'
import { RosterDrawer, RosterSection } from './roster-section.tsx'

const field = inForm(BOX_FIELDS)

const columns = listColumns<Box, keyof typeof BOX_FIELDS>(BOX_FIELDS, {
  name: { sort: true, width: 240, rank: 1, fixed: true },
})

export default function BoxesSection() {
  return (
    <RosterSection
      name="boxes"
      title="Boxes"
      lead="Los lugares del taller donde se atiende un equipo."
      about="Los lugares del taller donde se atiende un equipo, para elegirlos en las órdenes de trabajo."
      noun={{ one: 'box', many: 'boxes' }}
      icon={IconBuildingWarehouse}
      endpoint={rosters.listBoxes}
      columns={columns}
      searchLabel="Nombre"
      drawer={(row, onClose) => (
        <RosterDrawer
          row={row}
          thing="boxes"
          noun="box"
          nameOf={({ name }) => name}
          resolver={formResolver(BoxEdit)}
          values={{ name: row?.name ?? '' }}
          create={(body: BoxEdit, idempotencyKey) => call(rosters.createBox, { body, idempotencyKey })}
          update={(id, body) => call(rosters.updateBox, { params: { id }, body })}
          remove={(id) => call(rosters.deleteBox, { params: { id } })}
          fields={(control) => <TextField control={control} {...field('name')} required autoFocus maxLength={60} />}
          onClose={onClose}
        />
      )}
    />
  )
}
