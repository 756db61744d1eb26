import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showMoment, showMonth } from '#contract/base/dates.ts'
import { showMoney, showNumber } from '#contract/base/money.ts'
import { WAREHOUSE_FIELDS } from '#contract/warehouses/fields.ts'
import { type Warehouse, WarehouseEdit, warehouses } from '#contract/warehouses/warehouses.ts'
import styles from '../frames/detail-page.module.css'
import { EditForm, useEdit } from '../frames/edit-form.tsx'
import { factsOf } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMay, useZone } from '../platform/session.ts'
import { Facts, Section } from '../ui/detail-frame.tsx'
import { closedMonthsQuery } from '../workshops/queries.ts'
import { warehouseQuery, warehousesKey } from './queries.ts'
import { typedOf, WarehouseFields, type WarehouseTyped } from './warehouse-form.tsx'

export function GeneralTab({ warehouse }: { warehouse: Warehouse }) {
  const mayWrite = useMay('warehouses.write')
  return (
    <div className={styles.columns}>
      {mayWrite ? <Edit warehouse={warehouse} /> : <ReadOnly warehouse={warehouse} />}
      <Aside warehouse={warehouse} />
    </div>
  )
}

function Edit({ warehouse }: { warehouse: Warehouse }) {
  const edit = useEdit<Warehouse, WarehouseTyped, WarehouseEdit>({
    row: warehouse,
    typedOf,
    resolver: formResolver(WarehouseEdit),
    query: warehouseQuery(warehouse.id),
    save: (body) => call(warehouses.updateWarehouse, { params: { id: warehouse.id }, body }),
    refresh: [warehousesKey],
    what: 'esta bodega',
    done: 'Bodega actualizada correctamente ✅',
    failed: 'Error al actualizar la bodega ❌',
    within: `/warehouse/${warehouse.id}`,
  })
  return (
    <EditForm edit={edit}>
      <WarehouseFields form={edit.form} fixedWorkshop={warehouse.supplies_count > 0} />
    </EditForm>
  )
}

function ReadOnly({ warehouse }: { warehouse: Warehouse }) {
  return (
    <Section title="Datos de la bodega">
      <Facts rows={factsOf(WAREHOUSE_FIELDS, warehouse)} />
    </Section>
  )
}

function Aside({ warehouse }: { warehouse: Warehouse }) {
  const zone = useZone()
  const { id, value, supplies_count, below_minimum } = warehouse
  const closed = useQuery(closedMonthsQuery).data?.closed_through
  return (
    <div className={styles.aside}>
      <Section title={WAREHOUSE_FIELDS.value.label}>
        <div className={styles.big}>{showMoney(value)}</div>
        <div className={styles.small}>
          {supplies_count === 1 ? '1 insumo en la bodega' : `${showNumber(supplies_count)} insumos en la bodega`}
        </div>
        {warehouse.sent_value > 0 && (
          <div
            className={styles.small}
          >{`${showMoney(warehouse.sent_value)} enviado a otros talleres, en tránsito`}</div>
        )}
        {warehouse.incoming_value > 0 && (
          <div className={styles.small}>{`${showMoney(warehouse.incoming_value)} por recibir de otros talleres`}</div>
        )}
        <Link className={styles.more} to="/warehouse/$id" params={{ id: String(id) }} search={{ tab: 'stock' }} replace>
          Ver stock
        </Link>
      </Section>
      <Section title="Bajo el mínimo">
        <div className={styles.big}>{showNumber(below_minimum)}</div>
        <div className={styles.small}>
          {below_minimum === 0 ? 'Nada por reponer.' : 'insumos con menos de lo que deberían tener'}
        </div>
        {below_minimum > 0 && (
          <Link
            className={styles.more}
            to="/warehouse/$id"
            params={{ id: String(id) }}
            search={{ tab: 'purchases-orders', reorder: 1 }}
            replace
          >
            Ver sugerencias de compra
          </Link>
        )}
      </Section>
      {closed && (
        <div className={styles.small}>Meses cerrados hasta {showMonth(closed)}: nada se puede fechar en ellos.</div>
      )}
      <div className={styles.small}>Última modificación: {showMoment(warehouse.updated_at, zone)}</div>
    </div>
  )
}
