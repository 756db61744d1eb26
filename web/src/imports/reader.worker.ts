import { streamXlsxRows } from 'hucre/xlsx'
import { BAD_FILE, BadFile, firstSheet, inspectWorkbook, type SheetName } from '#contract/base/workbook.ts'
import { IMPORT_KINDS, type ImportKind, MAX_ROWS } from '#contract/imports/imports.ts'
import { type Cell, cellText, findHeader, headersOf } from '#contract/imports/spreadsheets.ts'

/** Reads a workbook beside the page, which goes on answering: its sheets, headers, first rows and how many there are. */

export interface Question {
  file: File
  kind: ImportKind
  sheet?: string
}
export interface ReadSheet {
  sheets: SheetName[]
  sheet: string
  headers: string[]
  /** Data rows, blank ones aside. */
  count: number
  /** The first of them, and their number in the sheet. */
  sample: { row: number; cells: Cell[] }[]
}
export type Answer = { sheet: ReadSheet } | { problem: string }

const HEAD = 60
const SAMPLES = 5
const MAX_SCANNED = 4 * MAX_ROWS

async function read({ file, kind, sheet: asked }: Question): Promise<ReadSheet> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const sheets = await inspectWorkbook(file.name, bytes)
  const sheet = asked ?? firstSheet(sheets) ?? ''
  const head: { row: number; cells: Cell[] }[] = []
  let count = 0
  for await (const { index, values } of streamXlsxRows(bytes, { sheet, maxRows: MAX_SCANNED })) {
    if (values.every((cell) => cellText(cell) === '')) continue
    count += 1
    if (head.length < HEAD) head.push({ row: index + 1, cells: values.slice(0, 200) })
  }
  const at = findHeader(
    head.map(({ cells }) => cells),
    IMPORT_KINDS[kind].columns,
  )
  return {
    sheets,
    sheet,
    headers: headersOf(head[at]?.cells ?? []),
    count: Math.max(0, count - at - 1),
    sample: head.slice(at + 1, at + 1 + SAMPLES),
  }
}

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  const answer: Answer = await read(data).then(
    (sheet) => ({ sheet }),
    (error) => ({ problem: error instanceof BadFile ? error.message : BAD_FILE.notWorkbook }),
  )
  self.postMessage(answer)
}
