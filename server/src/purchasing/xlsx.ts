import type { FileContent } from '#contract/base/wire.ts'
import { PURCHASE_FIELDS, PURCHASE_LINE_FIELDS } from '#contract/purchasing/fields.ts'
import type { Db } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { sheetOf, xlsxFile } from '../platform/outside/xlsx.ts'
import { requirePurchaseOrder } from './purchase-orders.ts'

const LINES = sheetOf(PURCHASE_LINE_FIELDS, {
  code: 16,
  name: 40,
  unit: 12,
  quantity: 12,
  unit_cost: 16,
  tax_type: 10,
  net_cost: 14,
  tax: 14,
  total_cost: 14,
  received: 12,
  outstanding: 12,
  not_coming: 12,
  promised_on: 14,
})
/** Where the totals stand: under the last two figures in pesos. */
const BEFORE_TOTALS = 7

/** The lines of an order and under them its totals: the figures of the screen and of the PDF, as numbers. */
export async function purchaseOrderXlsx(db: Db, actor: Actor, id: number): Promise<FileContent> {
  const order = await requirePurchaseOrder(db, actor, id)
  return xlsxFile(`${order.code}.xlsx`, order.code, LINES.columns, [
    ...order.supplies.map((line) => LINES.cells(line, actor.time_zone)),
    ...(['subtotal', 'tax', 'total'] as const).map((name) => [
      ...Array<null>(BEFORE_TOTALS).fill(null),
      PURCHASE_FIELDS[name].label,
      order[name],
    ]),
  ])
}
