import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import type { RequestedSupply } from '#contract/purchasing/purchasing.ts'
import { STOCK_FIELDS } from '#contract/warehouses/fields.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { tableColumns } from '../frames/fields.tsx'
import type { Draft } from './purchase-order-form.tsx'
import { requestsQuery } from './queries.ts'
import { ToBuy } from './to-buy.tsx'

interface RequestsProps {
  warehouse: Warehouse
  onOrder: (draft: Draft) => void
  onClose: () => void
}

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
export default function Requests({ warehouse, ...rest }: RequestsProps) {
  return (
    <ToBuy
      title={`Solicitudes de repuestos · ${warehouse.name}`}
      what="Solicitudes"
      groups={useQuery(requestsQuery(warehouse.id))}
      empty="Ninguna orden de trabajo espera repuestos de esta bodega. Se piden desde la orden; lo que llega queda apartado para quien lo pidió primero."
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
      {...rest}
    />
  )
}
