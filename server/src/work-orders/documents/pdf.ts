import { showDate, showDay, showMoment } from '#contract/base/dates.ts'
import { shortLabel, showField } from '#contract/base/fields.ts'
import { showCost, showMoney, showQuantity } from '#contract/base/money.ts'
import { showDni } from '#contract/base/rut.ts'
import type { FileContent } from '#contract/base/wire.ts'
import { INVOICE_TYPES, PAYMENT_TYPES } from '#contract/warehouses/transactions.ts'
import { WORK_ORDER_FIELDS as F } from '#contract/work-orders/fields.ts'
import { sayPaper } from '#contract/work-orders/invoices.ts'
import { PLACES, SIGNATURE_KINDS, SIGNATURES, type WorkOrder } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { imageContent } from '../../platform/outside/files.ts'
import { PAPER, pdfFile } from '../../platform/outside/pdf.ts'
import { letterhead, settingsOf } from '../../workshops/company.ts'
import { signatureImage } from './signatures.ts'

type Cell = string | { text: string; [style: string]: unknown }
const end = (text: string, more: object = {}) => ({ text, alignment: 'right', noWrap: true, ...more })
const hoursOf = (hours: number | null) => (hours === null ? '' : `${showQuantity(Number(hours.toFixed(2)))} h`)

/** Pairs of a name and what it says; what says nothing is left out. */
const named = (pairs: [string, string | null | undefined][]) => ({
  table: {
    widths: ['auto', '*'],
    body: pairs
      .filter(([, value]) => value)
      .map(([label, value]) => [{ text: label, color: PAPER.faint, noWrap: true }, { text: value ?? '' }])
      .concat([[{ text: '', color: PAPER.faint, noWrap: true }, { text: '' }]]),
  },
  layout: { hLineWidth: 0, vLineWidth: 0, paddingTop: 1, paddingBottom: 1 },
})

const section = (title: string, content: object) => [
  { text: title.toUpperCase(), color: PAPER.faint, fontSize: 8, characterSpacing: 0.6, margin: [0, 10, 0, 3] },
  content,
]

const table = (widths: string[], head: Cell[], body: Cell[][]) => ({
  table: {
    headerRows: 1,
    dontBreakRows: true,
    widths,
    body: [
      head.map((cell) => ({
        ...(typeof cell === 'string' ? { text: cell } : cell),
        bold: true,
        fillColor: PAPER.head,
      })),
      ...body,
    ],
  },
  layout: { hLineWidth: 0.5, vLineWidth: 0, hLineColor: PAPER.line, paddingTop: 2.5, paddingBottom: 2.5 },
})

/** The order on paper, on one page where it fits: what was asked, done and used, what it cost, and who signed. */
export async function workOrderPdf(db: Db, actor: Actor, order: WorkOrder): Promise<FileContent> {
  const costs = actor.may.has('costs.read')
  const { work_order_text } = await settingsOf(db, actor)
  const images = await Promise.all(
    SIGNATURE_KINDS.map(async (kind) => {
      const found = await signatureImage(db, actor, order.id, kind)
      return found && imageContent(db, actor.company_id, found)
    }),
  )
  return pdfFile(`${order.code}.pdf`, {
    info: { title: `Orden de trabajo ${order.code}` },
    pageMargins: [36, 32, 36, 40],
    footer: order.code,
    content: [
      {
        columns: [
          await letterhead(db, actor, [order.workshop_name]),
          [
            { text: 'ORDEN DE TRABAJO', alignment: 'right', color: PAPER.faint, characterSpacing: 1 },
            { text: order.code, alignment: 'right', fontSize: 17, bold: true },
            { text: WORK_ORDER_STATES[order.status].label, alignment: 'right' },
          ],
        ],
        margin: [0, 0, 0, 10],
      },
      about(order, actor.time_zone),
      ...([order.request, order.description_of_requeriment].some(Boolean)
        ? section('Requerimiento', {
            stack: [
              ...(order.request ? [{ text: order.request, bold: true }] : []),
              ...(order.description_of_requeriment ? [{ text: order.description_of_requeriment }] : []),
            ],
          })
        : []),
      ...lines(order, costs),
      ...(costs ? [totals(order)] : []),
      ...(order.observation ? section('Observaciones', { text: order.observation }) : []),
      ...(work_order_text ? [{ text: work_order_text, color: PAPER.faint, fontSize: 8, margin: [0, 10, 0, 0] }] : []),
      signatures(order, images, actor.time_zone),
    ],
  })
}

const about = (order: WorkOrder, zone: string) => ({
  columns: [
    named([
      ['Equipo', [order.patent, order.truck_code].join(' · ')],
      [F.coupled_id.label, order.coupled_patent],
      [F.kilometer.label, showField(F.kilometer, order.kilometer, zone)],
      [F.applicant.label, order.applicant_driver ?? order.applicant],
      [F.responsible_specialist_id.label, order.responsible_specialist],
      [shortLabel(F.reviewed_by_specialist_id), order.reviewed_by_specialist],
      [F.delivered_to_driver_id.label, order.delivered_to_driver],
    ]),
    named([
      [
        'Mantención',
        [order.type_maintenance, order.planned ? 'planificada' : 'no planificada'].filter(Boolean).join(', '),
      ],
      [F.priority.label, showField(F.priority, order.priority, zone)],
      [F.place.label, [PLACES[order.place].label, order.box_name].filter(Boolean).join(', ')],
      [F.created_at.label, showDate(order.created_at, zone)],
      ['Estimada', order.date_estimed && [showDay(order.date_estimed), order.hour_estimed].filter(Boolean).join(' ')],
      [shortLabel(F.workshop_entry_at), showField(F.workshop_entry_at, order.workshop_entry_at, zone)],
      [shortLabel(F.workshop_departure_at), showField(F.workshop_departure_at, order.workshop_departure_at, zone)],
      [shortLabel(F.codes), order.codes],
    ]),
  ],
  columnGap: 20,
})

const lines = (order: WorkOrder, costs: boolean) => [
  ...(order.works.length > 0
    ? section(
        'Trabajos',
        table(
          ['*', 'auto', 'auto', 'auto'],
          ['Trabajo', 'Especialista', 'Tipo', end('Duración')],
          order.works.map((work) => [
            [work.task, work.description].filter(Boolean).join(': '),
            work.specialist ?? '',
            work.type_maintenance ?? '',
            end(hoursOf(work.duration)),
          ]),
        ),
      )
    : []),
  ...(order.supplies.length > 0
    ? section(
        'Insumos',
        table(
          ['auto', '*', 'auto', 'auto', ...(costs ? ['auto', 'auto'] : [])],
          ['Código', 'Insumo', 'Unidad', end('Cantidad'), ...(costs ? [end('Costo'), end('Monto')] : [])],
          order.supplies.map((line) => [
            { text: line.code, noWrap: true },
            line.name,
            line.unit ?? '',
            end(showQuantity(line.count)),
            ...(costs ? [end(showCost(line.cost)), end(showMoney(line.amount))] : []),
          ]),
        ),
      )
    : []),
  ...(order.planned_supplies.length > 0
    ? section(
        'Insumos por usar',
        table(
          ['auto', '*', 'auto', 'auto', 'auto'],
          ['Código', 'Insumo', 'Unidad', end('Cantidad'), end('Falta')],
          order.planned_supplies.map((line) => [
            { text: line.code, noWrap: true },
            line.name,
            line.unit ?? '',
            end(showQuantity(line.count)),
            end(line.missing > 0 ? showQuantity(line.missing) : ''),
          ]),
        ),
      )
    : []),
  ...(order.services.length > 0
    ? section(
        'Servicios',
        table(
          ['auto', '*', 'auto', 'auto', ...(costs ? ['auto', 'auto'] : [])],
          ['Proveedor', 'Servicio', 'Documento', end('Cantidad'), ...(costs ? [end('Precio'), end('Monto')] : [])],
          [
            ...order.services.map((line) => [
              line.provider_name,
              line.name,
              paperOf(order, line.provider_id),
              end(showQuantity(line.quantity)),
              ...(costs ? [end(showCost(line.unit_price)), end(showMoney(line.amount))] : []),
            ]),
            ...(costs
              ? order.service_adjustments.map((line) => [
                  line.provider_name,
                  sayPaper(line),
                  paperOf(order, line.provider_id),
                  '',
                  '',
                  end(showMoney(line.amount)),
                ])
              : []),
          ],
        ),
      )
    : []),
]

const signatures = (order: WorkOrder, images: (ReturnType<typeof imageContent> | undefined)[], zone: string) => ({
  columns: SIGNATURE_KINDS.map((kind, i) => {
    const signature = order.signatures.find((each) => each.kind === kind)
    const image = images[i]
    return {
      stack: [
        image ? { image, fit: [150, 52], margin: [0, 0, 0, 2] } : { text: '', margin: [0, 44, 0, 0] },
        { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 150, y2: 0, lineColor: PAPER.line }] },
        { text: SIGNATURES[kind].label, color: PAPER.faint, margin: [0, 3, 0, 0] },
        ...(signature
          ? [
              {
                text: [signature.name, signature.dni && showDni(signature.dni), showMoment(signature.signed_at, zone)]
                  .filter(Boolean)
                  .join(', '),
              },
            ]
          : []),
        ...(signature && !signature.holds
          ? [{ text: 'La orden cambió después de esta firma.', color: PAPER.faint, fontSize: 8 }]
          : []),
      ],
    }
  }),
  columnGap: 24,
  margin: [0, 16, 0, 0],
  unbreakable: true,
})

function paperOf(order: WorkOrder, provider_id: number) {
  const invoice = order.invoices.find((each) => each.provider_id === provider_id)
  if (!invoice) return ''
  return `${INVOICE_TYPES[invoice.bill_invoice].label} ${invoice.document} (${PAYMENT_TYPES[invoice.payment_type].label})`
}

const totals = ({ supplies_cost, services_cost, total_cost, labour, total_with_labour }: WorkOrder) => ({
  columns: [
    { text: '', width: '*' },
    {
      width: 'auto',
      table: {
        body: [
          ['Insumos', end(showMoney(supplies_cost))],
          ['Servicios', end(showMoney(services_cost))],
          [{ text: 'Total', bold: true, fontSize: 11 }, end(showMoney(total_cost), { bold: true, fontSize: 11 })],
          ...(labour === null
            ? []
            : [
                ['Mano de obra', end(showMoney(labour))],
                [{ text: 'Total con mano de obra', bold: true }, end(showMoney(total_with_labour), { bold: true })],
              ]),
        ],
      },
      layout: 'noBorders',
    },
  ],
  margin: [0, 8, 0, 0],
  unbreakable: true,
})
