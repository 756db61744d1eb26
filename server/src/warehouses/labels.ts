import { sql } from 'drizzle-orm'
import type { FileContent } from '#contract/base/wire.ts'
import { type Labels, MAX_LABELS } from '#contract/warehouses/stock.ts'
import { all } from '../platform/database/conditions.ts'
import { type Db, rows } from '../platform/database/db.ts'
import { matches } from '../platform/database/words.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { PAPER, pdfFile } from '../platform/outside/pdf.ts'
import { invalid } from '../platform/problems.ts'
import { suppliesTable } from '../supplies/tables.ts'
import { stockTable } from './tables.ts'
import { requireVisibleWarehouse } from './warehouses.ts'

const ACROSS = 3

/** Shelf labels: the code in letters, and in a QR that a scanner types into any search. */
export async function labels(db: Db, actor: Actor, warehouse_id: number, what: Labels): Promise<FileContent> {
  const warehouse = await requireVisibleWarehouse(db, actor, warehouse_id)
  const found = await rows<{ code: string; name: string }>(
    db,
    sql`select p.code, p.name from ${stockTable} s
        join ${suppliesTable} p on p.company_id = s.company_id and p.id = s.supply_id
        where ${all([
          sql`s.company_id = ${actor.company_id} and s.warehouse_id = ${warehouse_id} and s.attached`,
          what.all
            ? matches(sql`p.search`, what.search)
            : sql`s.supply_id = any(${sql.param(what.supplies ?? [])}::bigint[])`,
        ])} order by p.code limit ${MAX_LABELS}`,
  )
  if (found.length === 0) throw invalid({ supplies: 'Elija insumos de la bodega.' })
  const cells = found.map(({ code, name }) => ({
    columns: [
      { qr: code, fit: 62, width: 66 },
      {
        width: '*',
        stack: [
          { text: code, bold: true, fontSize: 10 },
          { text: name, fontSize: 8, margin: [0, 2, 0, 2] },
          { text: `${warehouse.code} · ${warehouse.name}`, fontSize: 7, color: PAPER.faint },
        ],
      },
    ],
    columnGap: 6,
    margin: [4, 6, 4, 6],
  }))
  const body = []
  for (let i = 0; i < cells.length; i += ACROSS)
    body.push(Array.from({ length: ACROSS }, (_, place) => cells[i + place] ?? { text: '' }))
  return pdfFile(`Etiquetas ${warehouse.name}.pdf`, {
    pageMargins: [24, 24, 24, 24],
    content: [
      {
        table: { widths: Array(ACROSS).fill('*'), body, dontBreakRows: true },
        layout: { hLineColor: PAPER.line, vLineColor: PAPER.line, hLineWidth: 0.5, vLineWidth: 0.5 },
      },
    ],
  })
}
