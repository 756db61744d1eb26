/** What an xlsx file is before its cells are read. Runs on both sides: the browser asks first, the server trusts nothing. */

export const MAX_FILE_BYTES = 20 * 1024 * 1024
/** What the reader holds in memory whole: shared texts, styles, names. */
const MAX_HELD_BYTES = 80 * 1024 * 1024
/** What it streams: one sheet of 50,000 long rows stays well below. */
const MAX_SHEET_BYTES = 400 * 1024 * 1024
const MAX_WORKBOOK_BYTES = 1024 * 1024

export const BAD_FILE = {
  extension: 'El archivo debe ser un libro de Excel con extensión .xlsx.',
  size: 'El archivo supera el máximo de 20 MB.',
  notWorkbook: 'El archivo no es un libro de Excel (.xlsx) o está dañado. Ábralo en Excel y guárdelo de nuevo.',
  password: 'El libro está protegido con contraseña. Quítela y vuelva a subirlo.',
  old: 'El libro es de un Excel antiguo (.xls). Guárdelo como .xlsx y vuelva a subirlo.',
  expands: 'El archivo se expande a un tamaño que no se puede leer. Copie los datos a un libro nuevo.',
  entities: 'El libro contiene definiciones externas que no se permiten. Copie los datos a un libro nuevo.',
  slow: 'El libro tarda demasiado en leerse. Borre las filas y columnas vacías con formato, o copie los datos a un libro nuevo.',
} as const

/** A file that cannot be read; the message is for the person. */
export class BadFile extends Error {}

export interface SheetName {
  name: string
  hidden: boolean
}

interface Entry {
  name: string
  method: number
  compressed: number
  size: number
  offset: number
}

/** The sheets of a workbook, or why it is none. Only its directory and its list of sheets are read. */
export async function inspectWorkbook(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<SheetName[]> {
  if (!/\.xlsx$/i.test(name)) throw new BadFile(BAD_FILE.extension)
  if (bytes.length > MAX_FILE_BYTES) throw new BadFile(BAD_FILE.size)
  const entries = readDirectory(bytes)
  const isSheet = (entry: Entry) => /^xl\/worksheets\//i.test(entry.name)
  const isHeld = (entry: Entry) => /\.(xml|rels)$/i.test(entry.name) && !isSheet(entry)
  const sizeOf = (some: Entry[]) => some.reduce((sum, { size }) => sum + size, 0)
  if (
    // The reader stops at the size an entry declares; one that declares none would never stop.
    entries.some(({ size, compressed }) => (size === 0 && compressed > 2) || size === 0xffffffff) ||
    entries.some((entry) => isSheet(entry) && entry.size > MAX_SHEET_BYTES) ||
    sizeOf(
      entries.filter((entry) => isHeld(entry) && /^(xl\/[^/]+|xl\/_rels\/.*|_rels\/.*|\[Content)/i.test(entry.name)),
    ) > MAX_HELD_BYTES
  )
    throw new BadFile(BAD_FILE.expands)
  const workbook = entries.find((entry) => /^xl\/workbook\d*\.xml$/i.test(entry.name))
  if (!workbook || !entries.some((entry) => entry.name === '[Content_Types].xml'))
    throw new BadFile(BAD_FILE.notWorkbook)
  if (workbook.size > MAX_WORKBOOK_BYTES) throw new BadFile(BAD_FILE.expands)
  for (const entry of entries.filter((each) => isSheet(each) || isHeld(each)).slice(0, 200))
    if (/<!(DOCTYPE|ENTITY)/i.test(await readText(bytes, entry, 2048))) throw new BadFile(BAD_FILE.entities)
  const xml = await readText(bytes, workbook, MAX_WORKBOOK_BYTES)
  const sheets = [...xml.matchAll(/<(?:\w+:)?sheet\s([^>]*)>/g)].map(([, attributes = '']) => ({
    name: decode(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? ''),
    hidden: /\bstate="(hidden|veryHidden)"/.test(attributes),
  }))
  if (sheets.length === 0) throw new BadFile(BAD_FILE.notWorkbook)
  return sheets
}

/** The sheet that is meant where none is named: the first one a person sees. */
export const firstSheet = (sheets: SheetName[]) => (sheets.find(({ hidden }) => !hidden) ?? sheets[0])?.name

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decode = (text: string) =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, named) =>
    named ? (ENTITIES[named] ?? whole) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  )

const OLE = [0xd0, 0xcf, 0x11, 0xe0]
/** `EncryptedPackage` as the container writes it: UTF-16. */
const ENCRYPTED = [...'EncryptedPackage'].flatMap((letter) => [letter.charCodeAt(0), 0])

/** The central directory at the end of a zip. */
function readDirectory(bytes: Uint8Array): Entry[] {
  if (OLE.every((byte, i) => bytes[i] === byte))
    throw new BadFile(contains(bytes, ENCRYPTED) ? BAD_FILE.password : BAD_FILE.old)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  if (end === undefined) throw new BadFile(BAD_FILE.notWorkbook)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  const entries: Entry[] = []
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw new BadFile(BAD_FILE.notWorkbook)
    const nameLength = view.getUint16(at + 28, true)
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      method: view.getUint16(at + 10, true),
      compressed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function findEnd(view: DataView): number | undefined {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at--)
    if (view.getUint32(at, true) === 0x06054b50) return at
  return undefined
}

const contains = (bytes: Uint8Array, wanted: number[]) => {
  for (let at = bytes.indexOf(wanted[0]!); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1))
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return true
  return false
}

/** The first `max` characters of an entry, or a little more. */
async function readText(bytes: Uint8Array<ArrayBuffer>, entry: Entry, max: number): Promise<string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (entry.offset + 30 > bytes.length || view.getUint32(entry.offset, true) !== 0x04034b50)
    throw new BadFile(BAD_FILE.notWorkbook)
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true)
  const data = bytes.subarray(start, start + entry.compressed)
  if (entry.method === 0) return new TextDecoder().decode(data.subarray(0, max))
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (text.length < max) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
    return text
  } catch {
    throw new BadFile(BAD_FILE.notWorkbook)
  } finally {
    reader.cancel().catch(() => {
      // It has ended already.
    })
  }
}
