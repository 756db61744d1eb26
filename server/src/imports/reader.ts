import type { WrongCell } from '#contract/base/wire.ts'
import { BadFile, firstSheet, inspectWorkbook } from '#contract/base/workbook.ts'
import {
  EVERY_WORKSHOP,
  IMPORT_KINDS,
  type ImportKind,
  MAX_ROWS,
  TOO_MANY_ROWS,
  understand,
} from '#contract/imports/imports.ts'
import {
  type Cell,
  cellText,
  findHeader,
  headersOf,
  matchHeaders,
  placesOf,
  plainText,
} from '#contract/imports/spreadsheets.ts'
import { ALL_WORKSHOPS } from '#contract/workshops/workshops.ts'
import { sheetRows } from '../platform/outside/xlsx.ts'

/** Reads and checks a spreadsheet in a process of its own: whatever the file does to it, requests go on being answered. */

export interface Task {
  kind: ImportKind
  name: string
  bytes: Uint8Array<ArrayBuffer>
  sheet: string | undefined
  /** The header behind each field; undefined: by the headers. */
  matched: Record<string, string> | undefined
  workshops: { id: number; name: string }[]
  /** Of every row, where no column says it. */
  workshop_id: number | undefined
}
export type Said =
  | { type: 'progress'; read: number }
  /** Rows as they will be kept, as JSON that the database reads. */
  | { type: 'rows'; json: string }
  | { type: 'wrong file'; message: string; field: string }
  | { type: 'failed'; message: string }
  | {
      type: 'done'
      read: number
      matched: Record<string, string>
      wrong: WrongCell[]
      wrong_total: number
      wrong_rows: number
    }

export const MAX_WRONG = 1000
const CHUNK = 5000
/** Blank rows between the others are passed over, but not for ever. */
const MAX_SCANNED = 4 * MAX_ROWS
const HEADER_WITHIN = 30

/** What may come once in a file, and what is said when it comes again. */
const UNIQUE: Record<ImportKind, { fields: string[]; column: string; named: string }[]> = {
  supplies: [
    { fields: ['workshop_id', 'code'], column: 'code', named: 'El código' },
    { fields: ['id'], column: 'id', named: 'El ID' },
  ],
  trucks: [
    { fields: ['code'], column: 'code', named: 'El código' },
    { fields: ['patent'], column: 'patent', named: 'La patente' },
    { fields: ['coupled_name'], column: 'coupled_name', named: 'El acoplado' },
    { fields: ['id'], column: 'id', named: 'El ID' },
  ],
  providers: [
    { fields: ['dni'], column: 'dni', named: 'El RUT' },
    { fields: ['id'], column: 'id', named: 'El ID' },
  ],
  limits: [{ fields: ['workshop_id', 'warehouse', 'code'], column: 'code', named: 'El código' }],
}

class WrongField extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

async function read(task: Task, say: (said: Said) => void) {
  const sheets = await inspectWorkbook(task.name, task.bytes)
  const sheet = task.sheet ?? firstSheet(sheets) ?? ''
  if (!sheets.some(({ name }) => name === sheet))
    throw new WrongField('sheet', `El libro no tiene una hoja «${sheet}».`)
  const { columns } = IMPORT_KINDS[task.kind]
  const workshops = new Map(task.workshops.map(({ id, name }) => [plainText(name), id]))
  if (task.kind === 'providers') workshops.set(plainText(ALL_WORKSHOPS), EVERY_WORKSHOP)
  const seen = UNIQUE[task.kind].map((rule) => ({ ...rule, rows: new Map<string, number>() }))

  const ofAll = task.workshop_id === undefined ? {} : { workshop_id: task.workshop_id }
  let { matched } = task
  let places: Record<string, number> | undefined
  const head: Cell[][] = []
  const wrong: WrongCell[] = []
  let wrong_total = 0
  let wrong_rows = 0
  let scanned = 0
  let count = 0
  let chunk: object[] = []

  const flush = () => {
    if (chunk.length > 0) say({ type: 'rows', json: JSON.stringify(chunk) })
    chunk = []
  }

  const takeRow = (index: number, cells: readonly Cell[]) => {
    const row = index + 1
    const values: Record<string, unknown> = { row, ...ofAll }
    let isWrong = false
    const refuse = (key: string, reason: string) => {
      isWrong = true
      wrong_total += 1
      if (wrong.length < MAX_WRONG)
        wrong.push({ row, column: matched![key] ?? key, value: cellText(cells[places![key]!]).slice(0, 200), reason })
    }
    for (const column of columns) {
      const place = places![column.key]
      const understood = place === undefined ? { value: null } : understand(column, cells[place])
      if ('reason' in understood) refuse(column.key, understood.reason)
      else if (column.key === 'location' && understood.value !== null) {
        const workshop = workshops.get(plainText(String(understood.value)))
        if (workshop === undefined) refuse('location', 'No existe un taller con este nombre, o no es el suyo.')
        else values.workshop_id = workshop
      } else if (column.key !== 'location') values[column.key] = understood.value
    }
    for (const { fields, column, named, rows } of seen) {
      const parts = fields.map((field) => values[field])
      if (parts.some((part) => part === null || part === undefined)) continue
      const key = parts.join('\n').toLowerCase()
      const first = rows.get(key)
      if (first === undefined) rows.set(key, row)
      else refuse(column, `${named} está repetido: también está en la fila ${first}.`)
    }
    if (isWrong) wrong_rows += 1
    count += 1
    if (count > MAX_ROWS) throw new BadFile(TOO_MANY_ROWS)
    if (wrong_total === 0) chunk.push(values)
    if (count % CHUNK === 0) {
      flush()
      say({ type: 'progress', read: count })
    }
  }

  const isBlank = (cells: readonly Cell[]) => cells.every((cell) => cellText(cell) === '')
  const held: [number, Cell[]][] = []
  /** Without a mapping, the first rows are held back until it is clear which of them are the headers. */
  const matchHeld = () => {
    const at = findHeader(head, columns)
    const names = headersOf(head[at] ?? [])
    matched = matchHeaders(names, columns)
    requireColumns(matched)
    places = placesOf(head[at]!, matched)
    for (const [index, cells] of held.slice(at + 1)) takeRow(index, cells)
  }
  const requireColumns = (chosen: Record<string, string>) => {
    for (const { key, label, required } of columns)
      if (required && !chosen[key] && !(key === 'location' && task.workshop_id !== undefined))
        throw new WrongField(`matched.${key}`, `Falta elegir la columna de ${label}.`)
  }

  if (matched) requireColumns(matched)
  for await (const { index, values } of sheetRows(task.bytes, sheet, MAX_SCANNED)) {
    scanned += 1
    if (isBlank(values)) continue
    if (places) {
      takeRow(index, values)
      continue
    }
    if (matched) {
      places = placesOf(values, matched)
      if (!places) head.push(values)
      if (head.length >= HEADER_WITHIN) break
      continue
    }
    head.push(values)
    held.push([index, values])
    if (held.length === HEADER_WITHIN) matchHeld()
  }
  if (!matched && held.length > 0) matchHeld()
  if (!places) {
    const names = new Set(head.flatMap((row) => headersOf(row)))
    const [field, missing] = Object.entries(matched ?? {}).find(([, header]) => !names.has(header)) ?? ['sheet', '']
    throw missing
      ? new WrongField(`matched.${field}`, `La hoja «${sheet}» no tiene una columna «${missing}».`)
      : new WrongField('sheet', `La hoja «${sheet}» no tiene datos.`)
  }
  if (scanned >= MAX_SCANNED) throw new BadFile(TOO_MANY_ROWS)
  if (count === 0) throw new WrongField('sheet', `La hoja «${sheet}» no tiene datos.`)
  flush()
  say({ type: 'done', read: count, matched: matched!, wrong, wrong_total, wrong_rows })
}

if (process.send) {
  const say = (said: Said) => process.send?.(said)
  process.on('disconnect', () => process.exit())
  process.on('message', (task: Task) =>
    read(task, say).catch((error: Error) => {
      if (error instanceof BadFile) say({ type: 'wrong file', message: error.message, field: 'file' })
      else if (error instanceof WrongField) say({ type: 'wrong file', message: error.message, field: error.field })
      else say({ type: 'failed', message: error.message })
    }),
  )
}
