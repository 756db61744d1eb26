import { showDate, showDay } from '#contract/base/dates.ts'
import { showCost, showMoney, showQuantity, TAXES } from '#contract/base/money.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { showDni } from '#contract/base/rut.ts'
import type { FileContent } from '#contract/base/wire.ts'
import { PURCHASE_STATES, type PurchaseOrder } from '#contract/purchasing/purchasing.ts'
import type { Db } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { PAPER, pdfFile } from '../platform/outside/pdf.ts'
import { requireProvider } from '../providers/providers.ts'
import { requireWarehouse } from '../warehouses/warehouses.ts'
import { letterhead, settingsOf } from '../workshops/company.ts'
import { requirePurchaseOrder } from './purchase-orders.ts'

const named = (rows: [string, string | null][]) => ({
  table: {
    widths: ['auto', '*'],
    body: rows
      .filter(([, value]) => value)
      .map(([label, value]) => [{ text: label, color: PAPER.faint }, { text: value ?? '' }]),
  },
  layout: 'noBorders',
})
const end = (text: string, more: object = {}) => ({ text, alignment: 'right', noWrap: true, ...more })

/** The order as it goes to the provider: the same figures as on screen, in whole pesos. */
export async function purchaseOrderPdf(db: Db, actor: Actor, id: number): Promise<FileContent> {
  const order = await requirePurchaseOrder(db, actor, id)
  const provider = await requireProvider(db, actor, order.provider_id)
  const warehouse = await requireWarehouse(db, actor, order.warehouse_id)
  const { purchase_order_text } = await settingsOf(db, actor)
  const place = [warehouse.workshop_name, warehouse.direction].filter(Boolean).join(', ')
  return pdfFile(`${order.code}.pdf`, {
    info: { title: `Orden de compra ${order.code}` },
    footer: order.code,
    content: [
      {
        columns: [
          await letterhead(db, actor, [place]),
          [
            { text: 'ORDEN DE COMPRA', alignment: 'right', color: PAPER.faint, characterSpacing: 1 },
            { text: order.code, alignment: 'right', fontSize: 17, bold: true },
            { text: PURCHASE_STATES[order.status].label, alignment: 'right' },
          ],
        ],
        margin: [0, 0, 0, 18],
      },
      {
        columns: [
          named([
            ['Proveedor', provider.name],
            ['RUT', provider.dni && showDni(provider.dni)],
            ['Dirección', provider.address],
            ['Teléfono', provider.phone],
            ['Correo', provider.email],
          ]),
          named([
            ['Fecha', showDate(order.createdAt, actor.time_zone)],
            ['Entrega', order.deliveryAt && showDay(order.deliveryAt)],
            ['Entregar en', `${warehouse.code} · ${warehouse.name}`],
            ['Documento', order.document],
            ['Referencia', order.reference],
            ['Prioridad', PRIORITIES[order.priority].label],
          ]),
        ],
        columnGap: 24,
        margin: [0, 0, 0, 16],
      },
      lines(order),
      totals(order),
      ...(order.note ? [{ text: [{ text: 'Nota: ', bold: true }, order.note], margin: [0, 16, 0, 0] }] : []),
      ...(purchase_order_text
        ? [{ text: purchase_order_text, color: PAPER.faint, fontSize: 8, margin: [0, 16, 0, 0] }]
        : []),
      {
        columns: ['Solicitado por', 'Aprobado por', 'Recibido por'].map((label, i) => ({
          stack: [
            { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 150, y2: 0, lineColor: PAPER.line }] },
            { text: label, color: PAPER.faint, margin: [0, 3, 0, 0] },
            { text: [order.user_name, order.approved_by, ''][i] ?? '' },
          ],
        })),
        margin: [0, 60, 0, 0],
        unbreakable: true,
      },
    ],
  })
}

const lines = (order: PurchaseOrder) => ({
  table: {
    headerRows: 1,
    widths: ['auto', '*', 'auto', 'auto', 'auto', 'auto', 'auto', 'auto'],
    body: [
      ['Código', 'Insumo', 'Unidad', end('Cantidad'), end('Costo unitario'), 'Impuesto', end('Neto'), end('Total')].map(
        (cell) => ({ ...(typeof cell === 'string' ? { text: cell } : cell), bold: true, fillColor: PAPER.head }),
      ),
      ...order.supplies.map((line) => [
        { text: line.code, noWrap: true },
        line.name,
        line.unit ?? '',
        end(showQuantity(line.quantity)),
        end(showCost(line.unit_cost)),
        TAXES[line.tax_type].label,
        end(showMoney(line.net_cost)),
        end(showMoney(line.total_cost)),
      ]),
    ],
  },
  layout: { hLineWidth: 0.5, vLineWidth: 0, hLineColor: PAPER.line, paddingTop: 4, paddingBottom: 4 },
})

const totals = ({ subtotal, tax, total }: PurchaseOrder) => ({
  columns: [
    { text: '', width: '*' },
    {
      width: 'auto',
      table: {
        body: [
          ['Subtotal', end(showMoney(subtotal))],
          ['IVA', end(showMoney(tax))],
          [{ text: 'Total', bold: true, fontSize: 11 }, end(showMoney(total), { bold: true, fontSize: 11 })],
        ],
      },
      layout: 'noBorders',
    },
  ],
  margin: [0, 10, 0, 0],
  unbreakable: true,
})
