import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { openShelf, type Shelf, type StorePlace } from '../outside/store.ts'
import { StartProblem } from '../problems.ts'

/*
 * A continuous copy of the embedded database (decision 0024), in a folder or a bucket:
 *
 *     archive.json                                   what it is, and how it is closed
 *     chains/<began>/base/<at>/0000…, whole.json     all of the database, taken while it works; whole.json comes last
 *     chains/<began>/wal/<segment>.<from>-<to>.<at>  what it wrote since; by then everything up to `at` is in the copy
 *     files/<company>/<ab>/<hash>                    photos and documents, where they are not in a bucket by themselves
 *     files-gone.json                                those that the product has no longer, and since when
 *
 * A chain has no gap. Whatever makes one (another folder, a log that was not waited for) begins the next.
 */

const FORMAT = 1
const NONCE = 12
const TAG = 16
const pack = promisify(gzip)
const unpack = promisify(gunzip)

export interface Base {
  folder: string
  /** When it was whole. */
  at: Date
  /** From where on the log is needed, and to where at least. */
  from: bigint
  to: bigint
  timeline: number
  segmentSize: number
  password: string
  parts: { name: string; hash: string }[]
}
export interface Piece {
  path: string
  timeline: number
  from: bigint
  to: bigint
  at: Date
}
export interface Chain {
  name: string
  bases: Base[]
  pieces: Piece[]
}

/** Positions in the log, as PostgreSQL writes them. */
export const parseLsn = (text: string) => {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
export const showLsn = (lsn: bigint) => `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase()
const hex8 = (value: bigint | number) => value.toString(16).toUpperCase().padStart(8, '0')

export function segmentName(timeline: number, lsn: bigint, size: number) {
  const number = lsn / BigInt(size)
  const perFile = 0x100000000n / BigInt(size)
  return `${hex8(timeline)}${hex8(number / perFile)}${hex8(number % perFile)}`
}

/** `20261116T101500123Z`: names that sort as time goes. */
export const stampOf = (date: Date) => date.toISOString().replace(/[-:.]/g, '')
const dateOf = (stamp: string) =>
  new Date(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, '$1-$2-$3T$4:$5:$6.$7Z'))

export const pieceName = (segment: string, from: number, to: number, at: Date) =>
  `${segment}.${hex8(from)}-${hex8(to)}.${stampOf(at)}`

function parsePiece(path: string, size: number): Piece | undefined {
  const found = /\/([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})\.([0-9A-F]{8})-([0-9A-F]{8})\.(\w+)$/.exec(path)
  if (!found) return undefined
  const [timeline, high, low, from, to] = found.slice(1, 6).map((text) => Number.parseInt(text, 16))
  const start = BigInt(high!) * 0x100000000n + BigInt(low!) * BigInt(size)
  const at = dateOf(found[6]!)
  return { path, timeline: timeline!, from: start + BigInt(from!), to: start + BigInt(to!), at }
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The bytes of a copy: packed where that helps, closed where there is a passphrase. */
export class Archive {
  readonly shelf: Shelf
  readonly #key: Buffer | undefined

  private constructor(shelf: Shelf, key: Buffer | undefined) {
    this.shelf = shelf
    this.#key = key
  }

  static async open(place: StorePlace, passphrase: string | undefined, { create = false } = {}): Promise<Archive> {
    const shelf = openShelf(place)
    const plain = new Archive(shelf, undefined)
    let about = await plain.#read('archive.json')
    if (!about) {
      if (!create) throw new StartProblem('Ahí no hay una copia continua de Maestranza.')
      const salt = passphrase ? randomBytes(16).toString('hex') : null
      about = Buffer.from(JSON.stringify({ maestranza_archive: FORMAT, salt }))
      await plain.#write('archive.json', about)
    }
    const { maestranza_archive: format, salt } = parseJson<{ maestranza_archive?: number; salt?: string }>(about) ?? {}
    if (format !== FORMAT) throw new StartProblem('Lo que hay ahí no es una copia continua de esta versión.')
    if (salt && !passphrase)
      throw new StartProblem('La copia continua está cifrada: indique su frase en BACKUP_PASSPHRASE.')
    if (!salt && passphrase)
      throw new StartProblem(
        'La copia continua que hay ahí no está cifrada: elija otro lugar, o quite BACKUP_PASSPHRASE.',
      )
    if (!salt) return plain
    const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 }
    return new Archive(shelf, scryptSync(passphrase!, Buffer.from(salt, 'hex'), 32, cost))
  }

  async #write(path: string, bytes: Buffer) {
    await this.shelf.put(path, new Blob([new Uint8Array(bytes)]), sha256(bytes))
  }
  async #read(path: string): Promise<Buffer | undefined> {
    const found = await this.shelf.get(path)
    return found && Buffer.from(await new Response(found.content).arrayBuffer())
  }

  /** The path is closed in with it: nothing can be put in another's place. */
  async put(path: string, plain: Buffer, { packed = false } = {}) {
    const bytes = packed ? await pack(plain, { level: 3 }) : plain
    if (!this.#key) return this.#write(path, bytes)
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(path))
    await this.#write(path, Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]))
  }

  async get(path: string, { packed = false } = {}): Promise<Buffer | undefined> {
    const bytes = await this.#read(path)
    if (!bytes) return undefined
    try {
      const plain = this.#key ? this.#open(this.#key, path, bytes) : bytes
      return packed ? await unpack(plain) : plain
    } catch {
      throw new StartProblem(
        `${path} está dañado en la copia continua${this.#key ? ', o la frase no es la suya' : ''}.`,
      )
    }
  }

  #open(key: Buffer, path: string, bytes: Buffer) {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE)).setAAD(Buffer.from(path))
    decipher.setAuthTag(bytes.subarray(-TAG))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()])
  }

  async paths(folder: string): Promise<string[]> {
    const found: string[] = []
    for await (const lot of this.shelf.list(folder)) for (const { path } of lot) found.push(path)
    return found
  }

  /** Oldest first. */
  async chains(): Promise<Chain[]> {
    const chains = new Map<string, Chain>()
    const paths = await this.paths('chains/')
    for (const path of paths) {
      const [, name = ''] = path.split('/')
      const chain = chains.get(name) ?? { name, bases: [], pieces: [] }
      chains.set(name, chain)
      if (path.endsWith('/whole.json')) {
        const { from, to, at, ...told } = parseJson<Told>(await this.get(path))!
        const times = { at: new Date(at), from: parseLsn(from), to: parseLsn(to) }
        chain.bases.push({ ...told, ...times, folder: path.slice(0, -'/whole.json'.length) })
      }
    }
    for (const path of paths) {
      const chain = chains.get(path.split('/')[1] ?? '')!
      const piece = parsePiece(path, chain.bases[0]?.segmentSize ?? SEGMENT)
      if (piece) chain.pieces.push(piece)
    }
    for (const { bases, pieces } of chains.values()) {
      bases.sort((a, b) => a.at.getTime() - b.at.getTime())
      pieces.sort((a, b) => Number(a.from - b.from) || Number(b.to - a.to))
    }
    return [...chains.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

/** Unless somebody built it otherwise. */
export const SEGMENT = 16 * 1024 * 1024

type Told = Omit<Base, 'folder' | 'at' | 'from' | 'to'> & { at: string; from: string; to: string }
export const baseJson = ({ folder: _, at, from, to, ...told }: Base): Buffer =>
  Buffer.from(JSON.stringify({ ...told, at: at.toISOString(), from: showLsn(from), to: showLsn(to) } satisfies Told))

export function parseJson<T>(bytes: Buffer | undefined): T | undefined {
  try {
    return JSON.parse(bytes?.toString() ?? '') as T
  } catch {
    return undefined
  }
}

export const segmentStart = (lsn: bigint, size: number) => lsn - (lsn % BigInt(size))

/** The pieces of the log from a position on, without a gap. */
export function unbroken(pieces: Piece[], from: bigint): Piece[] {
  const found: Piece[] = []
  let at = from
  for (const piece of pieces) {
    if (piece.from > at) break
    if (piece.to <= at) continue
    found.push(piece)
    at = piece.to
  }
  return found
}

/** What of a chain leads from a copy of all to the last moment it reaches; nothing where the copy itself is not reached. */
export function reach(chain: Chain, base: Base): { pieces: Piece[]; until: Date } | undefined {
  const pieces = unbroken(chain.pieces, segmentStart(base.from, base.segmentSize))
  const last = pieces.at(-1)
  return last && last.to >= base.to ? { pieces, until: last.at } : undefined
}
