import { useQuery } from '@tanstack/react-query'
import { showDate, showMoment } from '#contract/base/dates.ts'
import { SUPPLY_FIELDS } from '#contract/supplies/fields.ts'
import { COST_SOURCES, type Supply, SupplyEdit, supplies } from '#contract/supplies/supplies.ts'
import styles from '../frames/detail-page.module.css'
import { EditForm, useEdit } from '../frames/edit-form.tsx'
import { factsOf } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMay, useZone } from '../platform/session.ts'
import { Facts, Section } from '../ui/detail-frame.tsx'
import { UnitCost } from '../ui/unit-cost.tsx'
import { CostLine } from './cost-line.tsx'
import { costsQuery, suppliesKey, supplyQuery } from './queries.ts'
import { SupplyFields, type SupplyTyped } from './supply-form.tsx'

export function GeneralTab({ supply }: { supply: Supply }) {
  const mayWrite = useMay('supplies.write')
  return (
    <div className={styles.columns}>
      {mayWrite ? <Edit supply={supply} /> : <ReadOnly supply={supply} />}
      <Aside supply={supply} />
    </div>
  )
}

const typedOf = (supply: Supply): SupplyTyped => ({
  code: supply.code,
  name: supply.name,
  workshop_id: supply.workshop_id,
  cost: supply.cost,
  category_id: supply.category_id,
  measurement_units_id: supply.measurement_units_id,
  description: supply.description ?? '',
  state: supply.state,
  updated_at: supply.updated_at,
})

function Edit({ supply }: { supply: Supply }) {
  const edit = useEdit<Supply, SupplyTyped, SupplyEdit>({
    row: supply,
    typedOf,
    resolver: formResolver(SupplyEdit),
    query: supplyQuery(supply.id),
    save: (body) => call(supplies.updateSupply, { params: { id: supply.id }, body }),
    refresh: [suppliesKey],
    what: 'este insumo',
    done: 'insumo actualizado correctamente',
    failed: 'Error al actualizar el insumo ❌',
  })
  return (
    <EditForm edit={edit}>
      <SupplyFields form={edit.form} />
    </EditForm>
  )
}

function ReadOnly({ supply }: { supply: Supply }) {
  return (
    <Section title="Datos del insumo">
      <Facts rows={factsOf(SUPPLY_FIELDS, supply, { state: undefined })} />
    </Section>
  )
}

function Aside({ supply }: { supply: Supply }) {
  const zone = useZone()
  const costs = useQuery(costsQuery(supply.id)).data?.data
  const last = costs?.[0]
  const before = costs?.[1]
  const change = last && before && before.cost > 0 ? Math.round((last.cost / before.cost - 1) * 100) : undefined
  return (
    <div className={styles.aside}>
      <Section title="Costo unitario">
        <div className={styles.big}>
          <UnitCost value={supply.cost} />
        </div>
        <div className={styles.small}>
          {last ? `${COST_SOURCES[last.source].label}, ${showDate(last.at, zone)}` : '\u00a0'}
        </div>
        {costs && costs.length > 1 && (
          <div className={styles.chart}>
            <CostLine costs={costs} height={72} />
          </div>
        )}
        {before && change !== undefined && change !== 0 && (
          <div className={styles.small}>
            {change > 0 ? `Subió ${change} %` : `Bajó ${-change} %`} desde <UnitCost value={before.cost} />.
          </div>
        )}
      </Section>
      <div className={styles.small}>Última modificación: {showMoment(supply.updated_at, zone)}</div>
    </div>
  )
}
