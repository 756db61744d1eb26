import { IconTemplate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { maintenanceTemplates, type TemplateRow } from '#contract/work-orders/templates.ts'
import { ListScreen } from '../frames/list-screen.tsx'
import type { Column } from '../frames/list-table.tsx'
import { useWorkshop } from '../platform/session.ts'
import { SectionHead, stateColumn, stateFilter } from '../workshops/roster.tsx'
import { workOrdersKey } from './queries.ts'
import TemplateDrawer from './template-drawer.tsx'
import { templateQuery } from './templates.ts'

const contents = ({ works_total, supplies_total }: TemplateRow) =>
  `${works_total} ${works_total === 1 ? 'trabajo' : 'trabajos'}, ${supplies_total} ${supplies_total === 1 ? 'insumo' : 'insumos'}`

const columns: Column<TemplateRow>[] = [
  {
    key: 'name',
    label: 'Nombre',
    sort: true,
    width: 260,
    rank: 1,
    fixed: true,
    card: 'title',
    cell: (row) => row.name,
    file: (row) => row.name,
  },
  {
    key: 'type_maintenance',
    label: 'Tipo de mantención',
    sort: true,
    width: 160,
    rank: 2,
    card: 'meta',
    plain: true,
    cell: (row) => row.type_maintenance,
    file: (row) => row.type_maintenance,
  },
  {
    key: 'works_total',
    label: 'Contiene',
    sort: true,
    width: 180,
    rank: 4,
    card: 'meta',
    plain: true,
    cell: contents,
    file: contents,
  },
  ...stateColumn<TemplateRow>(),
]

export default function TemplatesSection() {
  const [opened, setOpened] = useState<TemplateRow | 'new'>()
  return (
    <>
      <SectionHead title="Plantillas">
        Los trabajos e insumos de una mantención que se repite, para llenar con ellos una orden.
      </SectionHead>
      <ListScreen
        name="templates"
        title="Plantillas"
        noun={{ one: 'plantilla', many: 'plantillas', none: 'Ninguna' }}
        icon={IconTemplate}
        about="Mantención 15.000 km, cambio de frenos: lo que siempre lleva lo mismo. También se guardan desde una orden."
        endpoint={maintenanceTemplates.listTemplates}
        queryKey={workOrdersKey}
        columns={columns}
        filters={[stateFilter]}
        searchLabel="Nombre"
        open={setOpened}
        create={{ label: 'Nueva plantilla', act: () => setOpened('new') }}
        inside
      />
      {opened === 'new' && <TemplateDrawer onClose={() => setOpened(undefined)} />}
      {opened && opened !== 'new' && <OpenTemplate id={opened.id} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function OpenTemplate({ id, onClose }: { id: number; onClose: () => void }) {
  const workshop = useWorkshop()
  const template = useQuery(templateQuery(id, workshop.id)).data
  return template ? <TemplateDrawer key={template.updated_at} template={template} onClose={onClose} /> : null
}
