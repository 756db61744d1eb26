import { DEFAULT_ZONE } from '#contract/base/dates.ts'
import { isNumber, shortLabel, showField } from '#contract/base/fields.ts'
import { showAmount } from '#contract/base/units.ts'
import { PROVIDER_FIELDS } from '#contract/providers/fields.ts'
import { PURCHASE_FIELDS as F } from '#contract/purchasing/fields.ts'
import { PURCHASE_STATES, type PurchaseOrder } from '#contract/purchasing/purchasing.ts'
import { LINE_FIELDS } from '#contract/warehouses/fields.ts'
import type { Db } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { PAPER, pdfFile } from '../platform/outside/pdf.ts'
import { requireProvider } from '../providers/providers.ts'
import { requireWarehouse } from '../warehouses/warehouses.ts'
import { letterhead, settingsOf } from '../workshops/company.ts'
import { requirePurchaseOrder } from './purchase-orders.ts'

type Named = [label: string, value: string | null]
const named = (rows: Named[]) => ({
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
export async function purchaseOrderPdf(db: Db, actor: Actor, id: number) {
  const order = await requirePurchaseOrder(db, actor, id)
  const provider = await requireProvider(db, actor, order.provider_id)
  const warehouse = await requireWarehouse(db, actor, order.warehouse_id)
  const { purchase_order_text } = await settingsOf(db, actor)
  const shown = (name: 'createdAt' | 'deliveryAt' | 'document' | 'reference' | 'priority') =>
    showField(F[name], order[name], actor.time_zone)
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
            ...(['dni', 'address', 'phone', 'email'] as const).map(
              (name): Named => [
                PROVIDER_FIELDS[name].label,
                showField(PROVIDER_FIELDS[name], provider[name], actor.time_zone),
              ],
            ),
          ]),
          named([
            ['Fecha', shown('createdAt')],
            [shortLabel(F.deliveryAt), shown('deliveryAt')],
            ['Entregar en', `${warehouse.code} · ${warehouse.name}`],
            ...(['document', 'reference', 'priority'] as const).map((name): Named => [F[name].label, shown(name)]),
          ]),
        ],
        columnGap: 24,
        margin: [0, 0, 0, 16],
      },
      lines(order),
      totals(order),
      ...(order.closed_reason
        ? [
            {
              stack: [
                { text: [{ text: `${F.closed_reason.label}: `, bold: true }, order.closed_reason] },
                ...order.supplies
                  .filter(({ not_coming }) => not_coming > 0)
                  .map(({ name, unit, not_coming }) => `No llegará: ${name}, ${showAmount(not_coming, unit)}`),
              ],
              margin: [0, 16, 0, 0],
            },
          ]
        : []),
      ...(order.note ? [{ text: [{ text: `${F.note.label}: `, bold: true }, order.note], margin: [0, 16, 0, 0] }] : []),
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

const COLUMNS = ['code', 'name', 'unit', 'quantity', 'unit_cost', 'tax_type', 'net_cost', 'total_cost'] as const

const lines = (order: PurchaseOrder) => ({
  table: {
    headerRows: 1,
    widths: ['auto', '*', 'auto', 'auto', 'auto', 'auto', 'auto', 'auto'],
    body: [
      COLUMNS.map((name) => ({
        ...(isNumber(LINE_FIELDS[name]) ? end(LINE_FIELDS[name].label) : { text: LINE_FIELDS[name].label }),
        bold: true,
        fillColor: PAPER.head,
      })),
      ...order.supplies.map((line) =>
        COLUMNS.map((name) => {
          const text = showField(LINE_FIELDS[name], line[name], DEFAULT_ZONE) ?? ''
          return isNumber(LINE_FIELDS[name]) ? end(text) : name === 'code' ? { text, noWrap: true } : text
        }),
      ),
    ],
  },
  layout: { hLineWidth: 0.5, vLineWidth: 0, hLineColor: PAPER.line, paddingTop: 4, paddingBottom: 4 },
})

const figure = (order: PurchaseOrder, name: 'subtotal' | 'tax' | 'total', more: object = {}) => [
  { text: F[name].label, ...more },
  end(showField(F[name], order[name], DEFAULT_ZONE) ?? '', more),
]

const totals = (order: PurchaseOrder) => ({
  columns: [
    { text: '', width: '*' },
    {
      width: 'auto',
      table: {
        body: [figure(order, 'subtotal'), figure(order, 'tax'), figure(order, 'total', { bold: true, fontSize: 11 })],
      },
      layout: 'noBorders',
    },
  ],
  margin: [0, 10, 0, 0],
  unbreakable: true,
})
