import { createReadStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type CellValue, streamXlsxRows } from 'hucre/xlsx'
import { type Field, fileField, fileFormat } from '#contract/base/fields.ts'
import { type FileContent, XLSX } from '#contract/base/wire.ts'
import { BAD_FILE, BadFile } from '#contract/base/workbook.ts'
import { ignore } from '../ignore.ts'
import { Problem } from '../problems.ts'
import { Broke, sheets } from './maker.ts'

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

/** The columns of the fields named, with their widths, and how a row stands in them. */
export const sheetOf = <Key extends string>(fields: Record<Key, Field>, widths: Partial<Record<Key, number>>) => {
  const names = Object.keys(widths) as Key[]
  return {
    columns: names.map(
      (name): XlsxColumn => ({ header: fields[name].label, width: widths[name], numFmt: fileFormat(fields[name]) }),
    ),
    cells: (row: Record<Key, unknown>, zone: string): CellValue[] =>
      names.map((name) => fileField(fields[name], row[name], zone)),
  }
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
  content: () => written({ name: sheet.slice(0, 31), columns, freezePane: { rows: 1 } }, rows),
})

/** Whole on disk before the first byte leaves: what goes wrong is answered, and a slow reader holds up nobody. */
async function written(options: object, rows: Iterable<CellValue[]> | AsyncIterable<CellValue[]>) {
  const folder = await fs.mkdtemp(join(tmpdir(), 'maestranza-file-'))
  const remove = () => fs.rm(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const path = join(folder, 'file.xlsx')
    await sheets.make('sheet', { path, options }, rows)
    const file = createReadStream(path, { highWaterMark: 256 * 1024 })
    file.once('close', () => void remove().catch(ignore('The folder is a temporary one.')))
    return Readable.toWeb(file) as ReadableStream<Uint8Array>
  } catch (error) {
    await remove()
    throw error instanceof Broke
      ? new Problem(500, 'No se pudo preparar el archivo. Elija un período más corto.')
      : error
  }
}
