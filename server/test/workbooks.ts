import { type WriteOptions, writeXlsx } from 'hucre/xlsx'
import { XLSX } from '#contract/base/wire.ts'

type Rows = NonNullable<WriteOptions['sheets'][number]['rows']>

/** A workbook as Excel would send it. */
export async function workbook(rows: Rows, more: Partial<WriteOptions> & { name?: string } = {}): Promise<File> {
  const { name = 'insumos.xlsx', ...options } = more
  const bytes = await writeXlsx({ sheets: [{ name: 'Hoja1', rows }], ...options })
  return new File([new Uint8Array(bytes)], name, { type: XLSX })
}

export const SUPPLY_HEADERS = [
  'Código',
  'Ubicación',
  'Nombre',
  'Costo unitario',
  'Unidad de medida',
  'Categoría',
  'Descripción',
]
