import { z } from 'zod'
import { QuantityOrZero, UnitCost } from '../base/money.ts'
import { Dni } from '../base/rut.ts'
import { Download, endpoint, Id, Instant, listing, page, Text } from '../base/wire.ts'
import { MAX_FILE_BYTES } from '../base/workbook.ts'
import { TRUCK_FIELDS } from '../fleet/fields.ts'
import { Patent, TRUCK_STATES } from '../fleet/fleet.ts'
import { Kilometers } from '../fleet/meter.ts'
import { PROVIDER_FIELDS } from '../providers/fields.ts'
import { OptionalEmail, PROVIDER_STATES } from '../providers/providers.ts'
import { SUPPLY_FIELDS } from '../supplies/fields.ts'
import { ChoiceName, SUPPLY_STATES, SupplyCode, SupplyDescription, SupplyName } from '../supplies/supplies.ts'
import { STOCK_FIELDS } from '../warehouses/fields.ts'
import { type Cell, cellText, isFormulaError, type Matchable, plainText, readNumber } from './spreadsheets.ts'

export const MAX_ROWS = 50_000
export const TOO_MANY_ROWS = 'El archivo tiene más de 50.000 filas. Divídalo en varios.'

/** Stands for all workshops where the file of a provider names them. */
export const EVERY_WORKSHOP = 0

/* Columns: what a spreadsheet can bring, and how each cell is understood. */

export interface ImportColumn extends Matchable {
  required: boolean
  /** In the example file. */
  example: (string | number)[]
  /** The value as it will be kept, or why it cannot be. Blank optional cells are not asked. */
  read: (cell: Cell) => { value: unknown } | { reason: string }
}

type Read = ImportColumn['read']

const checked =
  (schema: z.ZodType, value: (cell: Cell) => unknown): Read =>
  (cell) => {
    const parsed = schema.safeParse(value(cell))
    return parsed.success ? { value: parsed.data } : { reason: parsed.error.issues.at(-1)!.message }
  }
/** What has one line here may have been broken into several in its cell. */
const text = (schema: z.ZodType): Read => checked(schema, (cell) => cellText(cell).replace(/\s*[\r\n]+\s*/g, ' '))
const lines = (schema: z.ZodType): Read => checked(schema, cellText)
const number =
  (schema: z.ZodType, decimals: number): Read =>
  (cell) => {
    const found = readNumber(cell)
    if (found === undefined)
      return { reason: cellText(cell) === '' ? 'Este campo es obligatorio.' : 'No es un número.' }
    return checked(schema, () => Number(found.toFixed(decimals)))(cell)
  }

/** One of few words, as people read them. */
const word =
  (words: Record<string, { label: string }>): Read =>
  (cell) => {
    const said = plainText(cellText(cell))
    const found = Object.entries(words).find(([, { label }]) => plainText(label) === said)
    const labels = Object.values(words).map(({ label }) => label)
    return found ? { value: found[0] } : { reason: `Debe ser ${labels.join(' o ')}.` }
  }

const ID = {
  label: 'ID',
  required: false,
  synonyms: ['identificador', 'id insumo', 'id equipo', 'id proveedor'],
  example: [],
  read: number(Id, 0),
}
/** Called otherwise than the step at which a row is. */
const status = (words: Record<string, { label: string }>) => ({
  label: SUPPLY_FIELDS.state.label,
  required: false,
  synonyms: ['status', 'vigencia'],
  example: ['Activo', 'Activo', 'Activo'],
  read: word(words),
})

const SUPPLY_COLUMNS = {
  code: {
    label: SUPPLY_FIELDS.code.label,
    required: true,
    synonyms: [
      'cod',
      'code',
      'sku',
      'código insumo',
      'código de insumo',
      'código producto',
      'n° parte',
      'número de parte',
    ],
    example: ['FLT-00123', '00456', 'CRR-8PK'],
    read: text(SupplyCode),
  },
  location: {
    label: SUPPLY_FIELDS.workshop_id.label,
    required: true,
    synonyms: ['taller', 'sucursal', 'location', 'local', 'sede', 'workshop'],
    example: [],
    read: text(Text(200)),
  },
  name: {
    label: SUPPLY_FIELDS.name.label,
    required: true,
    synonyms: ['insumo', 'nombre insumo', 'nombre del insumo', 'producto', 'artículo', 'repuesto', 'name'],
    example: ['Filtro de aceite motor', 'Aceite 15W40', 'Correa alternador 8PK'],
    read: text(SupplyName),
  },
  unit_cost: {
    label: SUPPLY_FIELDS.cost.label,
    required: true,
    synonyms: [
      'costo',
      'precio',
      'precio unitario',
      'valor unitario',
      'valor',
      'costo neto',
      'precio neto',
      'unit cost',
      'cost',
      'price',
    ],
    example: [12990, 4590.5, 28900],
    read: number(UnitCost, 4),
  },
  measurement_unit_name: {
    label: SUPPLY_FIELDS.measurement_units_id.label,
    required: false,
    synonyms: ['unidad', 'um', 'u m', 'medida', 'unit', 'measurement unit'],
    example: ['Unidad', 'Litro', 'Unidad'],
    read: text(ChoiceName),
  },
  category_name: {
    label: SUPPLY_FIELDS.category_id.label,
    required: false,
    synonyms: ['familia', 'rubro', 'category', 'grupo', 'categoría insumo'],
    example: ['Filtros', 'Lubricantes', 'Correas'],
    read: text(ChoiceName),
  },
  description: {
    label: SUPPLY_FIELDS.description.label,
    required: false,
    synonyms: ['detalle', 'glosa', 'observación', 'observaciones', 'description'],
    example: ['Motor D13, cambio cada 40.000 km', '', 'Largo 1.230 mm'],
    read: lines(SupplyDescription),
  },
  status: status(SUPPLY_STATES),
  id: ID,
} satisfies Record<string, Omit<ImportColumn, 'key'>>

const TRUCK_COLUMNS = {
  code: {
    label: TRUCK_FIELDS.code.label,
    required: true,
    synonyms: ['cod', 'code', 'n° interno', 'número interno', 'interno', 'código equipo', 'equipo', 'móvil'],
    example: ['T-101', 'C-007', '0045'],
    read: text(Text(40)),
  },
  location: SUPPLY_COLUMNS.location,
  patent: {
    label: TRUCK_FIELDS.patent.label,
    required: true,
    synonyms: ['ppu', 'placa', 'placa patente', 'matrícula', 'patent', 'plate'],
    example: ['KRTX-41', 'BBBB·12', 'AB1234'],
    read: text(Patent),
  },
  mileage: {
    label: TRUCK_FIELDS.mileage.label,
    required: false,
    synonyms: ['km', 'kms', 'kilómetros', 'odómetro', 'mileage', 'kilometraje actual'],
    example: [182340, 45000, 320500],
    read: number(Kilometers, 0),
  },
  coupled_name: {
    label: TRUCK_FIELDS.coupled_id.label,
    required: false,
    synonyms: ['rampla', 'semirremolque', 'remolque', 'patente acoplado', 'acoplado patente', 'coupled'],
    example: ['JA-2041', '', ''],
    read: text(Patent),
  },
  brand_name: {
    label: TRUCK_FIELDS.brand_id.label,
    required: false,
    synonyms: ['brand', 'fabricante'],
    example: ['Volvo', 'Mercedes-Benz', 'Scania'],
    read: text(ChoiceName),
  },
  type_name: {
    label: TRUCK_FIELDS.type_of_truck_id.label,
    required: false,
    synonyms: ['tipo de camión', 'tipo equipo', 'tipo de equipo', 'type', 'clase'],
    example: ['Tractocamión', 'Camión tolva', 'Tractocamión'],
    read: text(ChoiceName),
  },
  cost_center_name: {
    label: TRUCK_FIELDS.cost_center_id.label,
    required: false,
    synonyms: ['centro costo', 'cc', 'c c', 'cost center'],
    example: [],
    read: text(ChoiceName),
  },
  status: status(TRUCK_STATES),
  id: ID,
} satisfies Record<string, Omit<ImportColumn, 'key'>>

const PROVIDER_COLUMNS = {
  name: {
    label: PROVIDER_FIELDS.name.label,
    required: true,
    synonyms: ['nombre', 'razón social', 'proveedor', 'empresa', 'nombre proveedor', 'name'],
    example: ['Frenos del Sur SpA', 'Lubricantes Andinos Ltda.', 'Taller Eléctrico Rojas'],
    read: text(Text(120)),
  },
  dni: {
    label: PROVIDER_FIELDS.dni.label,
    required: false,
    synonyms: ['r u t', 'rut proveedor', 'dni', 'identificación'],
    example: ['76.543.210-3', '77.123.456-9', ''],
    read: text(Dni),
  },
  phone: {
    label: PROVIDER_FIELDS.phone.label,
    required: false,
    synonyms: ['fono', 'celular', 'móvil', 'phone'],
    example: ['+56 2 2345 6789', '', '+56 9 8765 4321'],
    read: text(Text(40)),
  },
  email: {
    label: PROVIDER_FIELDS.email.label,
    required: false,
    synonyms: ['email', 'e mail', 'mail', 'correo electrónico'],
    example: ['ventas@frenosdelsur.cl', 'pedidos@lubricantesandinos.cl', ''],
    read: text(OptionalEmail),
  },
  address: {
    label: PROVIDER_FIELDS.address.label,
    required: false,
    synonyms: ['domicilio', 'address'],
    example: ['Av. Matta 1250, Santiago', '', ''],
    read: text(Text(200)),
  },
  location: {
    ...SUPPLY_COLUMNS.location,
    label: PROVIDER_FIELDS.workshop_id.label,
    required: false,
  },
  status: status(PROVIDER_STATES),
  id: ID,
} satisfies Record<string, Omit<ImportColumn, 'key'>>

const LIMIT_COLUMNS = {
  code: { ...SUPPLY_COLUMNS.code, example: [] },
  warehouse: {
    label: 'Bodega',
    required: true,
    synonyms: ['warehouse', 'código bodega', 'nombre bodega'],
    example: [],
    read: text(Text(200)),
  },
  location: SUPPLY_COLUMNS.location,
  minimum: {
    label: STOCK_FIELDS.minimum.label,
    required: false,
    synonyms: ['min', 'stock mínimo', 'minimum'],
    example: [],
    read: number(QuantityOrZero, 4),
  },
  maximum: {
    label: STOCK_FIELDS.maximum.label,
    required: false,
    synonyms: ['max', 'stock máximo', 'maximum'],
    example: [],
    read: number(QuantityOrZero, 4),
  },
} satisfies Record<string, Omit<ImportColumn, 'key'>>

const keyed = (columns: Record<string, Omit<ImportColumn, 'key'>>): ImportColumn[] =>
  Object.entries(columns).map(([key, column]) => ({ key, ...column }))

export const IMPORT_KINDS = {
  supplies: { noun: { one: 'insumo', many: 'insumos' }, columns: keyed(SUPPLY_COLUMNS) },
  trucks: { noun: { one: 'equipo', many: 'equipos' }, columns: keyed(TRUCK_COLUMNS) },
  providers: { noun: { one: 'proveedor', many: 'proveedores' }, columns: keyed(PROVIDER_COLUMNS) },
  limits: { noun: { one: 'nivel de stock', many: 'niveles de stock' }, columns: keyed(LIMIT_COLUMNS) },
} as const
export type ImportKind = keyof typeof IMPORT_KINDS
const KIND_NAMES = Object.keys(IMPORT_KINDS) as [ImportKind, ...ImportKind[]]

/** One cell as it will be kept: null where an optional one is blank. */
export function understand(column: ImportColumn, cell: Cell): { value: unknown } | { reason: string } {
  const shown = cellText(cell)
  if (isFormulaError(shown)) return { reason: 'La fórmula de la celda da error.' }
  return shown === '' && !column.required ? { value: null } : column.read(cell)
}

/* The wire */

const json = (value: unknown) => {
  if (typeof value !== 'string' || value === '') return undefined
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const fileOf = (kind: ImportKind) =>
  z.object({
    file: z.file('Elija un archivo.'),
    sheet: z.string().max(200).optional(),
    /** The headers the browser saw. */
    columns: z.preprocess(json, z.array(z.string().max(200)).max(500).optional()),
    /** The header of the column behind each field. Left out altogether: matched by the headers. */
    matched: z.partialRecord(z.enum(IMPORT_KINDS[kind].columns.map(({ key }) => key)), z.string().max(200)).optional(),
  })

/** The workshop of every row, for a file that has no column of it. */
const OfWorkshop = {
  workshop_id: z.preprocess((said) => (said === '' ? undefined : said), z.coerce.number().pipe(Id).optional()),
}
const SupplyFile = fileOf('supplies').extend(OfWorkshop)
const TruckFile = fileOf('trucks').extend({
  ...OfWorkshop,
  /** Somebody said that trucks did drive that far since they were last read. */
  confirm_leaps: z.preprocess((said) => said === true || said === 'true', z.boolean()).optional(),
})
const ProviderFile = fileOf('providers')
const LimitFile = fileOf('limits').extend(OfWorkshop)
export type ImportFile = z.infer<typeof SupplyFile> & Pick<z.infer<typeof TruckFile>, 'confirm_leaps'>

export const ImportResult = z.object({
  new_count: z.number(),
  updated_count: z.number(),
  same_count: z.number(),
  /** Of supplies: categories and units made on the way. */
  new_category_count: z.number(),
  new_unit_count: z.number(),
  /** Of trucks: brands, types and coupled units. */
  new_brand_count: z.number(),
  new_type_count: z.number(),
  new_coupled_count: z.number(),
  unique_key: z.string(),
  /** Events with this topic say that the import moved on. */
  channel: z.string(),
})
export type ImportResult = z.infer<typeof ImportResult>

const WrongRow = z.object({ row: z.number(), column: z.string(), value: z.string(), reason: z.string() })
/** What an import would do, without doing it. */
export const ImportPreview = ImportResult.omit({ unique_key: true, channel: true }).extend({
  row_count: z.number(),
  wrong_count: z.number(),
  /** The first of what would change, old → new. */
  changes: z.array(
    z.object({
      row: z.number(),
      code: z.string(),
      fields: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
    }),
  ),
  rows: z.array(WrongRow),
  rows_total: z.number(),
  /** Kilometres that are further than a truck drives in that time: saved once somebody says so. */
  leaps: z.array(WrongRow),
})
export type ImportPreview = z.infer<typeof ImportPreview>

/** `ended` and `failed` say how it went; `refusal` why it cannot be undone, none where something of it stands. */
export const IMPORT_STATES = {
  running: {
    label: 'En curso',
    tone: 'info',
    ended: false,
    failed: false,
    refusal: 'Esta importación no llegó a guardarse.',
  },
  done: { label: 'Lista', tone: 'success', ended: true, failed: false, refusal: null },
  failed: {
    label: 'Con errores',
    tone: 'danger',
    ended: true,
    failed: true,
    refusal: 'Esta importación no llegó a guardarse.',
  },
  undone: {
    label: 'Deshecha',
    tone: 'slate',
    ended: true,
    failed: false,
    refusal: 'Esta importación ya fue deshecha.',
  },
  partly_undone: { label: 'Deshecha en parte', tone: 'warning', ended: true, failed: false, refusal: null },
} as const
export type ImportState = keyof typeof IMPORT_STATES
const STATE_NAMES = Object.keys(IMPORT_STATES) as [ImportState, ...ImportState[]]

export const IMPORT_PHASES = {
  reading: 'Leyendo el archivo',
  checking: 'Revisando los datos',
  writing: 'Guardando',
  done: 'Listo',
} as const
export type ImportPhase = keyof typeof IMPORT_PHASES

export const Import = ImportResult.extend({
  kind: z.enum(KIND_NAMES),
  state: z.enum(STATE_NAMES),
  phase: z.enum(Object.keys(IMPORT_PHASES) as [ImportPhase, ...ImportPhase[]]),
  /** Rows read so far, and in all once that is known. */
  progress: z.number(),
  file_name: z.string(),
  user_name: z.string(),
  created_at: Instant,
  /** Why it failed. */
  message: z.string().nullable(),
  /** The header of the column behind each field: how the next file of its kind is likely to be read. */
  matched: z.record(z.string(), z.string()),
})
export type Import = z.infer<typeof Import>

export const Undone = z.object({
  unique_key: z.string(),
  deleted_count: z.number(),
  restored_count: z.number(),
  kept_count: z.number(),
  /** What could not be undone, and why; at most 500. */
  kept: z.array(z.object({ code: z.string(), reason: z.string() })),
})
export type Undone = z.infer<typeof Undone>

export const NO_IMPORT_CODE = 'Ingrese el código de la importación.'
const byCode = z.object({ hash_import: z.string().trim().min(1, NO_IMPORT_CODE).max(60).optional() })
const upload = { maxBytes: MAX_FILE_BYTES }

export const imports = {
  importSupplies: endpoint({
    method: 'POST',
    path: '/v1/supplies-import',
    may: 'imports.supplies',
    summary: 'Import supplies from a spreadsheet: all rows or none',
    body: SupplyFile,
    upload,
    reply: ImportResult,
  }),
  previewSupplies: endpoint({
    method: 'POST',
    path: '/v1/supplies-import/preview',
    may: 'imports.supplies',
    summary: 'What an import of supplies would create and change, without doing it',
    body: SupplyFile,
    upload,
    reply: ImportPreview,
  }),
  importTrucks: endpoint({
    method: 'POST',
    path: '/v1/trucks-import',
    may: 'imports.trucks',
    summary: 'Import trucks from a spreadsheet: all rows or none',
    body: TruckFile,
    upload,
    reply: ImportResult,
  }),
  previewTrucks: endpoint({
    method: 'POST',
    path: '/v1/trucks-import/preview',
    may: 'imports.trucks',
    summary: 'What an import of trucks would create and change, without doing it',
    body: TruckFile,
    upload,
    reply: ImportPreview,
  }),
  importProviders: endpoint({
    method: 'POST',
    path: '/v1/providers-import',
    may: 'imports.providers',
    summary: 'Import providers from a spreadsheet: all rows or none',
    body: ProviderFile,
    upload,
    reply: ImportResult,
  }),
  previewProviders: endpoint({
    method: 'POST',
    path: '/v1/providers-import/preview',
    may: 'imports.providers',
    summary: 'What an import of providers would create and change, without doing it',
    body: ProviderFile,
    upload,
    reply: ImportPreview,
  }),
  importLimits: endpoint({
    method: 'POST',
    path: '/v1/stock-limits-import',
    may: 'imports.limits',
    summary: 'Import minimum and maximum stock from a spreadsheet: all rows or none',
    body: LimitFile,
    upload,
    reply: ImportResult,
  }),
  previewLimits: endpoint({
    method: 'POST',
    path: '/v1/stock-limits-import/preview',
    may: 'imports.limits',
    summary: 'Which minimum and maximum stock an import would change, without doing it',
    body: LimitFile,
    upload,
    reply: ImportPreview,
  }),
  undoImport: endpoint({
    method: 'DELETE',
    path: '/v1/supplies-delete-imported',
    may: 'imports.supplies',
    summary: 'Undo an import, of whatever kind, by its code; says what could not be undone',
    query: byCode,
    body: byCode,
    reply: Undone,
  }),
  currentImport: endpoint({
    method: 'GET',
    path: '/v1/get-current-import',
    may: 'imports.supplies',
    summary: 'The last import of the person who asks, while it runs and after; null when there is none',
    query: z.object({ user_id: z.coerce.number().int().positive().optional() }),
    reply: Import.nullish(),
  }),
  listImports: endpoint({
    method: 'GET',
    path: '/v1/imports',
    may: 'imports.supplies',
    summary: 'Imports so far, newest first',
    query: listing(['created_at'], { Kind: z.enum(KIND_NAMES).optional() }),
    reply: page(Import),
  }),
  downloadExample: endpoint({
    method: 'GET',
    path: '/v1/download-excel',
    may: 'imports.supplies',
    summary: 'An example file whose headers match by themselves',
    query: z.object({ file: z.string().max(200).optional(), type: z.enum(KIND_NAMES).default('supplies') }),
    reply: Download,
  }),
}
