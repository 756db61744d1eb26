import type { FileContent } from '#contract/base/wire.ts'
import { PURCHASE_FIELDS } from '#contract/purchasing/fields.ts'
import { LINE_FIELDS } from '#contract/warehouses/fields.ts'
import type { Db } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { sheetOf, xlsxFile } from '../platform/outside/xlsx.ts'
import { requirePurchaseOrder } from './purchase-orders.ts'

const LINES = sheetOf(LINE_FIELDS, {
  code: 16,
  name: 40,
  unit: 12,
  quantity: 12,
  unit_cost: 16,
  tax_type: 10,
  net_cost: 14,
  tax: 14,
  total_cost: 14,
})

/** The lines of an order and under them its totals: the figures of the screen and of the PDF, as numbers. */
export async function purchaseOrderXlsx(db: Db, actor: Actor, id: number): Promise<FileContent> {
  const order = await requirePurchaseOrder(db, actor, id)
  const blank = LINES.columns.slice(2).map(() => null)
  return xlsxFile(`${order.code}.xlsx`, order.code, LINES.columns, [
    ...order.supplies.map((line) => LINES.cells(line, actor.time_zone)),
    ...(['subtotal', 'tax', 'total'] as const).map((name) => [...blank, PURCHASE_FIELDS[name].label, order[name]]),
  ])
}
