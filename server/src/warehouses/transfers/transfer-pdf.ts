import { showDay, showMoment } from '#contract/base/dates.ts'
import { showQuantity } from '#contract/base/money.ts'
import { TRANSFER_FIELDS as F, LINE_FIELDS } from '#contract/warehouses/fields.ts'
import { TRANSFER_STATES } from '#contract/warehouses/transfers.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { PAPER, pdfFile } from '../../platform/outside/pdf.ts'
import { letterhead } from '../../workshops/company.ts'
import { requireTransfer } from './sent-transfers.ts'

const end = (text: string, more: object = {}) => ({ text, alignment: 'right', noWrap: true, ...more })
const named = (rows: [label: string, value: string | null][]) => ({
  table: {
    widths: ['auto', '*'],
    body: rows
      .filter(([, value]) => value)
      .map(([label, value]) => [{ text: label, color: PAPER.faint }, { text: value ?? '' }]),
  },
  layout: 'noBorders',
})

/** The waybill that travels with the goods: lines, both ends and signatures, but no costs. */
export async function transferPdf(db: Db, actor: Actor, id: number) {
  const transfer = await requireTransfer(db, actor, id)
  const { code, supplies } = transfer
  const head = (text: string) => ({ text, bold: true, fillColor: PAPER.head })
  const people = [transfer.sent_by, null, transfer.received_by]
  return pdfFile(`Guía ${code}.pdf`, {
    info: { title: `Guía de traslado ${code}` },
    footer: code,
    content: [
      {
        columns: [
          await letterhead(db, actor, [transfer.workshop_name]),
          [
            { text: 'GUÍA DE TRASLADO', alignment: 'right', color: PAPER.faint, characterSpacing: 1 },
            { text: code, alignment: 'right', fontSize: 17, bold: true },
            { text: TRANSFER_STATES[transfer.state].label, alignment: 'right' },
          ],
        ],
        margin: [0, 0, 0, 18],
      },
      {
        columns: [
          named([
            [F.warehouse_id.label, `${transfer.warehouse_name}, ${transfer.workshop_name}`],
            [F.to_warehouse_id.label, `${transfer.to_warehouse_name}, ${transfer.to_workshop_name}`],
          ]),
          named([
            [F.date.label, showDay(transfer.date)],
            [F.document.label, transfer.document],
            [F.reference.label, transfer.reference],
            [F.received_at.label, transfer.received_at && showMoment(transfer.received_at, actor.time_zone)],
          ]),
        ],
        columnGap: 24,
        margin: [0, 0, 0, 16],
      },
      {
        table: {
          headerRows: 1,
          widths: ['auto', '*', 'auto', 'auto', 'auto'],
          body: [
            [
              head(LINE_FIELDS.code.label),
              head(LINE_FIELDS.name.label),
              head(LINE_FIELDS.unit.label),
              { ...head('Enviado'), alignment: 'right' },
              { ...head('Recibido'), alignment: 'right' },
            ],
            ...supplies.map((line) => [
              { text: line.code, noWrap: true },
              { stack: [line.name, ...(line.reason ? [{ text: line.reason, color: PAPER.faint, fontSize: 8 }] : [])] },
              line.unit ?? '',
              end(showQuantity(line.quantity)),
              end(line.received === null ? '' : showQuantity(line.received)),
            ]),
          ],
        },
        layout: { hLineWidth: 0.5, vLineWidth: 0, hLineColor: PAPER.line, paddingTop: 4, paddingBottom: 4 },
      },
      ...(transfer.note
        ? [{ text: [{ text: `${F.note.label}: `, bold: true }, transfer.note], margin: [0, 16, 0, 0] }]
        : []),
      {
        columns: ['Enviado por', 'Transportado por', 'Recibido por'].map((label, i) => ({
          stack: [
            { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 150, y2: 0, lineColor: PAPER.line }] },
            { text: label, color: PAPER.faint, margin: [0, 3, 0, 0] },
            { text: people[i] ?? '' },
          ],
        })),
        margin: [0, 60, 0, 0],
        unbreakable: true,
      },
    ],
  })
}
