import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import type { RequestedSupply, RequestGroup } from '#contract/purchasing/purchasing.ts'
import { STOCK_FIELDS } from '#contract/warehouses/fields.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { tableColumns } from '../frames/fields.tsx'
import { useMay } from '../platform/session.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { Table } from '../ui/table.tsx'
import styles from '../warehouses/document.module.css'
import type { Draft } from './purchase-order-form.tsx'
import { requestsQuery } from './queries.ts'

interface RequestsProps {
  warehouse: Warehouse
  onOrder: (draft: Draft) => void
  onClose: () => void
}

const lacking = ({ supplies }: RequestGroup) => supplies.filter(({ suggested }) => suggested > 0)

const draftOf = (group: RequestGroup): Draft => ({
  ...(group.provider_id !== null && { provider_id: group.provider_id }),
  lines: lacking(group).map(({ supply_id, code, name, unit, suggested, unit_cost }) => ({
    supply_id,
    code,
    name,
    unit,
    quantity: suggested,
    unit_cost,
    tax_type: '19',
  })),
})

/** Who waits for it, each a way to its order. */
const Asked = ({ line }: { line: RequestedSupply }) => (
  <>
    {line.requests.map(({ origin_id, document, missing, user_name }, i) => (
      <span key={origin_id}>
        {i > 0 && ', '}
        <Link to="/ordenes-de-trabajo/$id" params={{ id: String(origin_id) }} title={user_name ?? undefined}>
          {document}
        </Link>
        {` (${showQuantity(missing)})`}
      </span>
    ))}
  </>
)

/** What work orders wait for, ready to become an order to its last provider. */
export default function Requests({ warehouse, onOrder, onClose }: RequestsProps) {
  const mayWrite = useMay('warehouses.write')
  const groups = useQuery(requestsQuery(warehouse.id))
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={`Solicitudes de repuestos · ${warehouse.name}`}
      footer={
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <div className={styles.sheet}>
        {groups.isError && <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />}
        {groups.data?.length === 0 && (
          <div className={styles.empty}>
            Ninguna orden de trabajo espera repuestos de esta bodega. Se piden desde la orden; lo que llega queda
            apartado para quien lo pidió primero.
          </div>
        )}
        {groups.data?.map((group) => (
          <section key={group.provider_id ?? 0} className={styles.sheet}>
            <div className={styles.linesHead}>
              <h2>{group.provider_name ?? 'Sin proveedor conocido'}</h2>
              {mayWrite && lacking(group).length > 0 && (
                <Button variant="default" onClick={() => onOrder(draftOf(group))}>
                  Crear orden de compra
                </Button>
              )}
            </div>
            <Table
              label={`Solicitudes: ${group.provider_name ?? 'sin proveedor'}`}
              rows={group.supplies}
              keyOf={(line) => line.supply_id}
              columns={[
                ...tableColumns<RequestedSupply, keyof typeof STOCK_FIELDS>(STOCK_FIELDS, {
                  code: { cell: (line) => <span className="mono">{line.code}</span> },
                  name: { grows: true },
                }),
                { label: 'Lo esperan', folds: true, cell: (line) => <Asked line={line} /> },
                { label: 'Solicitado', align: 'end', folds: true, cell: (line) => showQuantity(line.requested) },
                { label: 'Ya pedido', align: 'end', folds: true, cell: (line) => showQuantity(line.on_order) },
                {
                  label: 'Falta pedir',
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
