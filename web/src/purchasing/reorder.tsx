import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { showMoney, showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import type { ReorderGroup, ReorderLine } from '#contract/purchasing/purchasing.ts'
import { STOCK_FIELDS } from '#contract/warehouses/fields.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { tableColumns } from '../frames/fields.tsx'
import { useMay } from '../platform/session.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { Table } from '../ui/table.tsx'
import styles from '../warehouses/document.module.css'
import type { Draft } from './purchase-order-form.tsx'
import { reorderQuery } from './queries.ts'

interface ReorderProps {
  warehouse: Warehouse
  onOrder: (draft: Draft) => void
  onClose: () => void
}

const draftOf = ({ provider_id, supplies }: ReorderGroup): Draft => ({
  ...(provider_id !== null && { provider_id }),
  lines: supplies.map(({ supply_id, code, name, unit, suggested, unit_cost }) => ({
    supply_id,
    code,
    name,
    unit,
    quantity: suggested,
    unit_cost,
    tax_type: '19',
  })),
})

/** What is below its minimum, ready to become an order to its last provider. */
export default function Reorder({ warehouse, onOrder, onClose }: ReorderProps) {
  const mayWrite = useMay('warehouses.write')
  const groups = useQuery(reorderQuery(warehouse.id))
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={`Sugerencias de compra · ${warehouse.name}`}
      footer={
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <div className={styles.sheet}>
        {groups.isError && <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />}
        {groups.data?.length === 0 && (
          <div className={styles.empty}>Nada está bajo su mínimo. Los mínimos se fijan en cada insumo del stock.</div>
        )}
        {groups.data?.map((group) => (
          <section key={group.provider_id ?? 0} className={styles.sheet}>
            <div className={styles.linesHead}>
              <h2>{group.provider_name ?? 'Sin proveedor conocido'}</h2>
              <span className={styles.hint}>{`${showMoney(group.subtotal)} neto`}</span>
              {mayWrite && (
                <Button variant="default" onClick={() => onOrder(draftOf(group))}>
                  Crear orden de compra
                </Button>
              )}
            </div>
            <Table
              label={`Sugerencias: ${group.provider_name ?? 'sin proveedor'}`}
              rows={group.supplies}
              keyOf={(line) => line.supply_id}
              columns={[
                ...tableColumns<ReorderLine, keyof typeof STOCK_FIELDS>(STOCK_FIELDS, {
                  code: { cell: (line) => <span className="mono">{line.code}</span> },
                  name: { grows: true },
                  stock: { folds: true },
                  reserved: { folds: true },
                  minimum: { folds: true },
                  maximum: { folds: true },
                }),
                { label: 'Ya pedido', align: 'end', folds: true, cell: (line) => showQuantity(line.on_order) },
                {
                  label: 'Sugerido',
                  align: 'end',
                  cell: (line) => <strong>{showAmount(line.suggested, line.unit)}</strong>,
                },
              ]}
            />
          </section>
        ))}
      </div>
    </FullscreenDialog>
  )
}
