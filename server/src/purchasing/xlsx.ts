import { TAXES } from '#contract/base/money.ts'
import type { FileContent } from '#contract/base/wire.ts'
import type { Db } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { xlsxFile } from '../platform/outside/xlsx.ts'
import { requirePurchaseOrder } from './purchase-orders.ts'

const QUANTITY = '#,##0.####'
const PESOS = '#,##0'

/** The lines of an order and under them its totals: the figures of the screen and of the PDF, as numbers. */
export async function purchaseOrderXlsx(db: Db, actor: Actor, id: number): Promise<FileContent> {
  const order = await requirePurchaseOrder(db, actor, id)
  const total = (label: string, pesos: number) => [null, null, null, null, null, null, null, label, pesos]
  return xlsxFile(
    `${order.code}.xlsx`,
    order.code,
    [
      { header: 'Código', width: 16 },
      { header: 'Insumo', width: 40 },
      { header: 'Unidad', width: 12 },
      { header: 'Cantidad', width: 12, numFmt: QUANTITY },
      { header: 'Costo unitario', width: 16, numFmt: QUANTITY },
      { header: 'Impuesto', width: 10 },
      { header: 'Neto', width: 14, numFmt: PESOS },
      { header: 'IVA', width: 14, numFmt: PESOS },
      { header: 'Total', width: 14, numFmt: PESOS },
    ],
    [
      ...order.supplies.map((line) => [
        line.code,
        line.name,
        line.unit,
        line.quantity,
        line.unit_cost,
        TAXES[line.tax_type].label,
        line.net_cost,
        line.tax,
        line.total_cost,
      ]),
      total('Subtotal', order.subtotal),
      total('IVA', order.tax),
      total('Total', order.total),
    ],
  )
}
