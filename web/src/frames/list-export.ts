import { writeXlsxStream } from 'hucre/xlsx'
import { saveFile } from '../ui/save-file.ts'
import type { FileColumn } from './list-table.tsx'

export interface ListFile<Row> {
  title: string
  columns: FileColumn<Row>[]
  /** One page of what is shown, all filters and the order applied. How many there are is asked of the first one. */
  pages: (page: number) => Promise<{ data: Row[]; total: number }>
  perPage: number
}

/** Saves every row behind a list as a spreadsheet. */
export async function writeList<Row>({ title, columns, pages, perPage }: ListFile<Row>) {
  // The stream writes its columns' headers itself.
  async function* rows() {
    let total = 0
    for (let page = 1; ; page++) {
      const { data, ...counted } = await pages(page)
      if (page === 1) total = counted.total
      for (const row of data) yield columns.map((column) => column.file(row))
      if (data.length === 0 || page * perPage >= total) return
    }
  }
  const stream = writeXlsxStream(rows(), {
    name: title.slice(0, 31),
    columns: columns.map((column) => ({
      header: column.label,
      width: Math.max(column.label.length + 4, Math.round(column.width / 7)),
      numFmt: column.fileFormat,
    })),
    freezePane: { rows: 1 },
  })
  const blob = await new Response(stream).blob()
  saveFile(
    new Blob([blob], { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }),
    `${title.toLowerCase().replaceAll(' ', '-')}-${new Date().toLocaleDateString('sv-SE')}.xlsx`,
  )
}
