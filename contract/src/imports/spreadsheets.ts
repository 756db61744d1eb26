/** Cells as people in Chile type them and as Excel stores them. */

export type Cell = string | number | boolean | Date | null | undefined

const two = (n: number) => String(n).padStart(2, '0')

/** What a person reads in the cell. Text keeps its zeros; a date that Excel made of a text is written as a date. */
export function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime())
      ? ''
      : `${two(cell.getUTCDate())}-${two(cell.getUTCMonth() + 1)}-${cell.getUTCFullYear()}`
  if (typeof cell === 'boolean') return cell ? 'VERDADERO' : 'FALSO'
  return String(cell)
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replaceAll('\0', '')
    .replace(/[\u200b\ufeff]/g, '')
    .trim()
}

export const isFormulaError = (text: string) => /^#(REF!|N\/A|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!)$/.test(text)

/**
 * A number, however it is written: `1.234,56`, `$ 12.990`, `12.990.-`, `1,234.56`, `1234.5`. With one kind of separator,
 * a point before exactly three figures parts thousands and a comma parts decimals, as in Chile. Undefined: it is none.
 */
export function readNumber(cell: Cell): number | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : undefined
  if (typeof cell !== 'string') return undefined
  const text = cellText(cell)
    .replace(/^(-?)\s*(?:CLP|\$|US\$)\s*/i, '$1')
    .replace(/\s*(?:CLP|km|kms)\.?$/i, '')
    .replace(/[.,]-$/, '')
    .replace(/(\d)[ '’](?=\d{3}\b)/g, '$1')
    .trim()
  if (!/^[-+]?\d[\d.,]*$/.test(text)) return undefined
  const points = text.split('.').length - 1
  const commas = text.split(',').length - 1
  const grouped = (separator: string) =>
    new RegExp(`^[-+]?[1-9]\\d{0,2}(\\${separator}\\d{3})+$`).test(text.split(separator === '.' ? ',' : '.')[0] ?? '')
  let plain: string
  if (points > 0 && commas > 0) {
    const [thousands, decimal] = text.lastIndexOf(',') > text.lastIndexOf('.') ? ['.', ','] : [',', '.']
    if (text.split(decimal).length > 2 || !grouped(thousands)) return undefined
    plain = text.replaceAll(thousands, '').replace(decimal, '.')
  } else if (points > 1 || (points === 1 && grouped('.'))) {
    if (!grouped('.')) return undefined
    plain = text.replaceAll('.', '')
  } else if (commas > 1) {
    if (!grouped(',')) return undefined
    plain = text.replaceAll(',', '')
  } else plain = text.replace(',', '.')
  const number = Number(plain)
  return plain.endsWith('.') || !Number.isFinite(number) ? undefined : number
}

/** Lower case, without accents or signs: how headers and names are compared. */
export const plainText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

export const MAX_COLUMNS = 200

/** What each column of a header row is called: a name of its own, also where two are alike or one is blank. */
export function headersOf(cells: readonly Cell[]): string[] {
  const seen = new Map<string, number>()
  const last = cells.findLastIndex((cell) => cellText(cell) !== '')
  return cells.slice(0, Math.min(last + 1, MAX_COLUMNS)).map((cell, column) => {
    const text = cellText(cell).replace(/\s+/g, ' ').slice(0, 120) || `Columna ${letters(column)}`
    const times = (seen.get(text) ?? 0) + 1
    seen.set(text, times)
    return times === 1 ? text : `${text} (${times})`
  })
}

export interface Matchable {
  key: string
  label: string
  synonyms: readonly string[]
}

/** The column behind each field, by its header: alike first, then one that begins alike. A column serves one field. */
export function matchHeaders(headers: readonly string[], fields: readonly Matchable[]): Record<string, string> {
  const matched: Record<string, string> = {}
  const free = new Map(headers.map((header) => [header, plainText(header)]))
  const take = (alike: (header: string, name: string) => boolean) => {
    for (const { key, label, synonyms } of fields) {
      if (matched[key]) continue
      const names = [label, ...synonyms].map(plainText)
      const found = names.flatMap((name) => [...free].filter(([, plain]) => alike(plain, name)))[0]
      if (!found) continue
      matched[key] = found[0]
      free.delete(found[0])
    }
  }
  take((header, name) => header === name)
  take((header, name) => header.startsWith(`${name} `))
  return matched
}

const HEADER_WITHIN = 30

/** Which of the first rows holds the headers: the one that names most fields, else the first with several cells. */
export function findHeader(rows: readonly (readonly Cell[])[], fields: readonly Matchable[]): number {
  const scores = rows.slice(0, HEADER_WITHIN).map((row) => Object.keys(matchHeaders(headersOf(row), fields)).length)
  const best = Math.max(0, ...scores)
  if (best > 0) return scores.indexOf(best)
  const several = rows.findIndex((row) => row.filter((cell) => cellText(cell) !== '').length > 1)
  return several >= 0 ? several : rows.findIndex((row) => row.some((cell) => cellText(cell) !== ''))
}

/** The place of each chosen column in a row that has them all; undefined where the row is not the headers. */
export function placesOf(row: readonly Cell[], matched: Record<string, string>): Record<string, number> | undefined {
  const headers = headersOf(row)
  const places = Object.entries(matched).map(([field, header]): [string, number] => [field, headers.indexOf(header)])
  return places.every(([, place]) => place >= 0) ? Object.fromEntries(places) : undefined
}
