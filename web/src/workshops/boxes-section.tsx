import { IconBuildingWarehouse } from '@tabler/icons-react'
import { type Box, BoxEdit, workshops } from '#contract/workshops/workshops.ts'
import type { Column } from '../frames/list-table.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { TextField } from '../ui/field.tsx'
import { RosterDrawer, RosterSection } from './roster-section.tsx'

const columns: Column<Box>[] = [
  {
    key: 'name',
    label: 'Nombre',
    sort: true,
    width: 240,
    rank: 1,
    fixed: true,
    cell: (box) => box.name,
    file: (box) => box.name,
  },
]

export default function BoxesSection() {
  return (
    <RosterSection
      name="boxes"
      title="Boxes"
      lead="Los lugares del taller donde se atiende un equipo."
      about="Los lugares del taller donde se atiende un equipo, para elegirlos en las órdenes de trabajo."
      noun={{ one: 'box', many: 'boxes' }}
      icon={IconBuildingWarehouse}
      endpoint={workshops.listBoxes}
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
          create={(body: BoxEdit, idempotencyKey) => call(workshops.createBox, { body, idempotencyKey })}
          update={(id, body) => call(workshops.updateBox, { params: { id }, body })}
          remove={(id) => call(workshops.deleteBox, { params: { id } })}
          fields={(control) => (
            <TextField control={control} name="name" label="Nombre" required autoFocus maxLength={60} />
          )}
          onClose={onClose}
        />
      )}
    />
  )
}
