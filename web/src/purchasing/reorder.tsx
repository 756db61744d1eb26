import { useQuery } from '@tanstack/react-query'
import { showMoney, showQuantity } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import type { ReorderLine } from '#contract/purchasing/purchasing.ts'
import { STOCK_FIELDS } from '#contract/warehouses/fields.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { tableColumns } from '../frames/fields.tsx'
import type { Draft } from './purchase-order-form.tsx'
import { reorderQuery } from './queries.ts'
import { ToBuy } from './to-buy.tsx'

interface ReorderProps {
  warehouse: Warehouse
  onOrder: (draft: Draft) => void
  onClose: () => void
}

/** What is below its minimum, ready to become an order to its last provider. */
export default function Reorder({ warehouse, ...rest }: ReorderProps) {
  return (
    <ToBuy
      title={`Sugerencias de compra · ${warehouse.name}`}
      what="Sugerencias"
      groups={useQuery(reorderQuery(warehouse.id))}
      empty="Nada está bajo su mínimo. Los mínimos se fijan en cada insumo del stock."
      hint={({ subtotal }) => `${showMoney(subtotal)} neto`}
      columns={[
        ...tableColumns<ReorderLine, keyof typeof STOCK_FIELDS>(STOCK_FIELDS, {
          code: { cell: (line) => <span className="mono">{line.code}</span> },
          name: { grows: true },
          stock: { folds: true },
          reserved: { folds: true },
          minimum: { folds: true },
          maximum: { folds: true },
        }),
        {
          label: 'Ya pedido',
          align: 'end',
          folds: true,
          cell: (line) =>
            line.incoming > 0
              ? `${showQuantity(line.on_order)} y ${showQuantity(line.incoming)} en traslado`
              : showQuantity(line.on_order),
        },
        { label: 'Sugerido', align: 'end', cell: (line) => <strong>{showAmount(line.suggested, line.unit)}</strong> },
      ]}
      {...rest}
    />
  )
}
