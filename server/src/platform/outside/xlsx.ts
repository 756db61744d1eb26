import { type CellValue, streamXlsxRows, writeXlsxStream } from 'hucre/xlsx'
import { type FileContent, XLSX } from '#contract/base/wire.ts'
import { BAD_FILE, BadFile } from '#contract/base/workbook.ts'

export type { CellValue }

/** Rows of one sheet as they are read, blank ones included; never more than `maxRows`. */
export async function* sheetRows(bytes: Uint8Array, sheet: string, maxRows: number) {
  try {
    yield* streamXlsxRows(bytes, { sheet, maxRows })
  } catch (error) {
    throw error instanceof BadFile ? error : new BadFile(BAD_FILE.notWorkbook, { cause: error })
  }
}

export interface XlsxColumn {
  header: string
  width?: number
  /** As Excel writes it: `#,##0`, `dd-mm-yyyy`. */
  numFmt?: string
}

/** A spreadsheet with a header row that stays in sight; numbers and dates are real ones. */
export const xlsxFile = (
  name: string,
  sheet: string,
  columns: XlsxColumn[],
  rows: Iterable<CellValue[]> | AsyncIterable<CellValue[]>,
): FileContent => ({
  name,
  type: XLSX,
  content: writeXlsxStream(rows, { name: sheet.slice(0, 31), columns, freezePane: { rows: 1 } }),
})
