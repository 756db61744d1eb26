import { useDocumentTitle } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { SUPPLY_STATES, type Supply, type SupplyState, supplies } from '#contract/supplies/supplies.ts'
import { DetailActions } from '../frames/detail-actions.tsx'
import styles from '../frames/detail-page.module.css'
import { DetailPage } from '../frames/detail-page.tsx'
import { useAddedTabs } from '../frames/slots.tsx'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { DetailFrame } from '../ui/detail-frame.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { UnitCost } from '../ui/unit-cost.tsx'
import { CostsTab } from './costs-tab.tsx'
import { GeneralTab } from './general-tab.tsx'
import { suppliesKey, supplyQuery } from './queries.ts'
import { SUPPLY_TABS } from './slots.ts'
import { SupplyActivity } from './supply-activity.tsx'

export default function SupplyDetail() {
  return (
    <DetailPage query={supplyQuery} missing="Este insumo no existe">
      {(supply) => <SupplyPage key={supply.id} supply={supply} />}
    </DetailPage>
  )
}

function SupplyPage({ supply }: { supply: Supply }) {
  const mayWrite = useMay('supplies.write')
  const added = useAddedTabs(SUPPLY_TABS, { supply })
  const state = SUPPLY_STATES[supply.state]
  useDocumentTitle(`${supply.name} · Maestranza`)
  return (
    <DetailFrame
      back={{ to: '/inventario', label: 'Inventario' }}
      header={
        <div className={styles.words}>
          <div className={styles.line}>
            <h1 className={styles.name}>{supply.name}</h1>
            <StatusPill tone={state.tone}>{state.label}</StatusPill>
          </div>
          <div className={styles.meta}>
            <span className="mono">{supply.code}</span>
            <span className={styles.strong}>
              <UnitCost value={supply.cost} />
              {supply.measurement_unit_name && ` por ${supply.measurement_unit_name.toLowerCase()}`}
            </span>
            {[supply.category_name, supply.workshop_name].filter(Boolean).map((word) => (
              <span key={word}>{word}</span>
            ))}
          </div>
        </div>
      }
      actions={
        mayWrite && (
          <>
            <ButtonLink
              to="."
              search={{ tab: 'general' }}
              variant="subtle"
              leftSection={<IconPencil size={16} stroke={1.7} />}
            >
              Editar
            </ButtonLink>
            <DetailActions
              row={supply}
              queryKey={supplyQuery(supply.id).queryKey}
              refresh={suppliesKey}
              state={{
                of: ({ state }) => state,
                put: (from, state) =>
                  call(supplies.updateSupply, { params: { id: from.id }, body: { ...from, state } }),
                said: SAID,
                failed: 'Error al actualizar el insumo ❌',
              }}
              remove={{
                act: () => call(supplies.deleteSupply, { params: { id: supply.id } }),
                title: `¿Eliminar el insumo ${supply.code}?`,
                message: 'No se puede deshacer. Un insumo que ya se usó se desactiva en vez de eliminarse.',
                done: 'Insumo eliminado correctamente ✅',
                failed: 'Error al eliminar el insumo ❌',
              }}
              leadsTo="/inventario"
            />
          </>
        )
      }
      tabs={[
        { value: 'general', label: 'General', content: <GeneralTab supply={supply} />, keep: true },
        ...added,
        { value: 'costs', label: 'Precios', content: <CostsTab supply={supply} /> },
        { value: 'activity', label: 'Actividad', content: <SupplyActivity supply={supply} /> },
      ]}
    />
  )
}

const SAID: Record<SupplyState, string> = { active: 'Insumo activado', inactive: 'Insumo desactivado' }
