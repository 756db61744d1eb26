import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import { ignore } from '../ignore.ts'
import { DISK_FULL, Problem, unavailable } from '../problems.ts'

/* Where the bytes of photos, documents, signatures and logos are: a folder, or a bucket of any S3. Both name what they
 * hold in the same way, so that one can be copied into the other. */

export interface Key {
  company_id: number
  /** SHA-256, as hex. */
  hash: string
}
export interface Found {
  hash: string
  size: number
}
/** A file as a row names it. */
export interface Kept {
  hash: string
  size: number
  type: string
}
type Bytes = ReadableStream<Uint8Array>

export interface Store {
  /** When it ends, the content survives a power cut. What is there already stays. */
  put(key: Key, content: Blob): Promise<void>
  /** As it is, not checked; undefined: there is none. */
  get(key: Key): Promise<{ size: number; content: Bytes } | undefined>
  delete(key: Key): Promise<void>
  /** All that a company has, a lot at a time. */
  list(company_id: number): AsyncGenerator<Found[]>
  /** Fails where nothing could be kept now. */
  check(): Promise<void>
}

/** The files of each company, as operations reach them. */
declare module '../database/context.ts' {
  interface AppContext {
    /** Photos, documents, signatures and logos. */
    files?: Files
  }
}

export interface Files {
  readonly store: Store
  /** How many bytes a company may have here; null for no limit. */
  readonly quota: number | null
  /** An upload: outside every transaction, and before the row that names it. Refused where it passes the quota. */
  keep(company_id: number, content: Blob | Uint8Array<ArrayBuffer>, type: string): Promise<Kept>
  /** The same of a file that the product makes, such as the PDF of a mail: it counts, and no quota refuses it. */
  keepMade(company_id: number, content: Blob | Uint8Array<ArrayBuffer>, type: string): Promise<Kept>
  /** For one call, which removes what it kept for nothing once it is refused. */
  ofCall(): Files & { discard(): Promise<void> }
  open(company_id: number, file: Omit<Kept, 'type'>): Promise<Bytes>
  read(company_id: number, file: Omit<Kept, 'type'>): Promise<Buffer>
}

/** How a store is found: by its folder, or by the address of a bucket. */
export type StorePlace =
  | { folder: string }
  | { s3: { url: string; region: string; accessKeyId: string; secretAccessKey: string } }

/** What holds bytes under names, be it a folder or a bucket. */
export interface Shelf {
  /** When it ends, the content survives a power cut. What is there already stays. */
  put(path: string, content: Blob, hash: string): Promise<void>
  get(path: string): Promise<{ size: number; content: Bytes } | undefined>
  delete(path: string): Promise<void>
  /** All below `folder/`, a lot at a time. */
  list(folder: string): AsyncGenerator<{ path: string; size: number }[]>
  /** Fails where nothing could be kept now. */
  check(): Promise<void>
}

export const openShelf = (place: StorePlace): Shelf => ('s3' in place ? new S3(place.s3) : new Folder(place.folder))

export function openStore(place: StorePlace): Store {
  const shelf = openShelf(place)
  return {
    put: (key, content) => shelf.put(pathOf(key), content, key.hash),
    get: (key) => shelf.get(pathOf(key)),
    delete: (key) => shelf.delete(pathOf(key)),
    async *list(company_id) {
      for await (const lot of shelf.list(`${company_id}/`))
        yield lot.flatMap(({ path, size }) => {
          const hash = path.split('/').at(-1) ?? ''
          return HASH.test(hash) ? { hash, size } : []
        })
    },
    check: () => shelf.check(),
  }
}

/** The company first: nobody gets at another's by its hash. */
export const pathOf = ({ company_id, hash }: Key) => `${company_id}/${hash.slice(0, 2)}/${hash}`
const HASH = /^[0-9a-f]{64}$/

export async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of content) hash.update(part)
  return hash.digest('hex')
}

const isCode = (error: unknown, ...codes: string[]) => codes.includes((error as { code?: string }).code ?? '')
const ifMissing = (error: unknown) => {
  if (!isCode(error, 'ENOENT', 'ENOTDIR')) throw error
  return undefined
}

const PART = '.part'
/** What is still being written is not older than this. */
const LONGEST_WRITE = 24 * 3600_000

/** Written beside its place, forced to the disk and only then given its name: what has a name is whole. */
class Folder implements Shelf {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(name: string, content: Blob, hash: string) {
    const path = join(this.#folder, name)
    const there = await fs.stat(path).catch(ifMissing)
    if (there?.size === content.size && (await hashOf(createReadStream(path))) === hash) return
    await makeFolder(dirname(path))
    const part = `${path}.${randomUUID()}${PART}`
    try {
      const file = await fs.open(part, 'wx', 0o600)
      try {
        for await (const bytes of content.stream()) await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await fs.rename(part, path)
      await syncFolder(dirname(path))
    } catch (error) {
      await fs.rm(part, { force: true }).catch(ignore('The error before it is the one to report.'))
      throw error
    }
  }

  async get(name: string) {
    const path = join(this.#folder, name)
    const found = await fs.stat(path).catch(ifMissing)
    return found && { size: found.size, content: Readable.toWeb(createReadStream(path)) as Bytes }
  }

  delete = (name: string) => fs.rm(join(this.#folder, name), { force: true })

  /** What a process that ended left half written goes on the way. */
  async *list(below: string): ReturnType<Shelf['list']> {
    const found: { path: string; size: number }[] = []
    for (const entry of (await fs.readdir(join(this.#folder, below), { withFileTypes: true }).catch(ifMissing)) ?? []) {
      const path = `${below}${entry.name}`
      if (entry.isDirectory()) {
        yield* this.list(`${path}/`)
        continue
      }
      const seen = await fs.stat(join(this.#folder, path)).catch(ifMissing)
      if (!seen) continue
      if (!entry.name.endsWith(PART)) found.push({ path, size: seen.size })
      else if (Date.now() - seen.mtimeMs > LONGEST_WRITE) await fs.rm(join(this.#folder, path), { force: true })
    }
    yield found
  }

  async check() {
    await makeFolder(this.#folder)
    await fs.access(this.#folder, fs.constants.W_OK)
  }
}

/** With every folder above it that is new, so that none is lost with the power. */
async function makeFolder(folder: string) {
  const first = await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  if (first) for (let at = folder; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at))
}

async function syncFolder(folder: string) {
  // There folders cannot be opened, and names are written with their files.
  if (process.platform === 'win32') return
  const opened = await fs.open(folder)
  await opened.sync().finally(() => opened.close())
}

/** Until the other side says the first word. */
const PATIENCE = 15_000
const PATIENCE_OF_PUT = 60_000

/** Any S3, by path (`https://host/bucket` and what may follow). */
class S3 implements Shelf {
  readonly #client: AwsClient
  readonly #bucket: URL
  readonly #prefix: string

  constructor({ url, ...keys }: Extract<StorePlace, { s3: unknown }>['s3']) {
    this.#client = new AwsClient({ ...keys, service: 's3', retries: 2 })
    const [, bucket = '', ...above] = new URL(url).pathname.split('/')
    this.#bucket = new URL(`/${bucket}`, url)
    this.#prefix = above
      .filter((part) => part !== '')
      .map((part) => `${part}/`)
      .join('')
  }

  async #ask(path: string, init: RequestInit, patience = PATIENCE): Promise<Response> {
    const ending = new AbortController()
    const clock = setTimeout(() => ending.abort(new Error('No answer')), patience)
    try {
      const send = () => this.#client.fetch(`${this.#bucket}${path}`, { ...init, signal: ending.signal })
      // A line that was kept open may turn out closed; nothing we ask does harm twice.
      const answer = await send().catch((error: unknown) => {
        if (ending.signal.aborted) throw error
        return send()
      })
      if (answer.ok || (answer.status === 404 && path.startsWith('/'))) return answer
      throw new Error(`${init.method ?? 'GET'}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    } finally {
      clearTimeout(clock)
    }
  }
  #path = (name: string) => `/${this.#prefix}${name}`

  /** The other side holds it against the hash before it takes it. */
  async put(name: string, content: Blob, hash: string) {
    const headers = { 'x-amz-content-sha256': hash }
    const answer = await this.#ask(this.#path(name), { method: 'PUT', headers, body: content }, PATIENCE_OF_PUT)
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`PUT: ${answer.status}`)
  }

  async get(name: string) {
    const { status, headers, body } = await this.#ask(this.#path(name), {})
    if (status === 404 || !body) return body?.cancel().then(() => undefined)
    return { size: Number(headers.get('content-length')), content: body as Bytes }
  }

  async delete(name: string) {
    const { body } = await this.#ask(this.#path(name), { method: 'DELETE' })
    await body?.cancel()
  }

  async *list(below: string) {
    for (let from: string | undefined = ''; from !== undefined; ) {
      const { page, next } = await this.#page(`${this.#prefix}${below}`, from)
      yield page
      from = next
    }
  }

  async #page(prefix: string, from: string, most = 1000) {
    const query = new URLSearchParams({ 'list-type': '2', prefix, 'max-keys': String(most) })
    if (from) query.set('continuation-token', from)
    const text = await (await this.#ask(`?${query}`, {})).text()
    const of = (name: string, inside: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(inside)?.[1]
    const page = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, each = '']) => {
      const key = of('Key', each) ?? ''
      return key.startsWith(this.#prefix)
        ? { path: key.slice(this.#prefix.length), size: Number(of('Size', each)) }
        : []
    })
    // Its only escaped letter in practice.
    return { page, next: of('NextContinuationToken', text)?.replaceAll('&amp;', '&') }
  }

  async check() {
    await this.#page(this.#prefix, '', 1)
  }
}

/** The row is there and its content is not, or is not what was kept. */
export class Lost extends Problem {
  readonly why: string

  constructor(why: 'no está' | 'está dañado') {
    super(500, `El archivo ${why} en el almacén. Avise a quien administra Maestranza.`)
    this.why = why
  }
}

/** A call that needs the store and cannot have it is told so; the log has the rest. */
export const fromStore = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  const full = isCode(error, 'ENOSPC', 'EDQUOT')
  return unavailable(full ? DISK_FULL : 'El almacén de archivos no responde. Intente en unos minutos.', error)
}

/** Its content as it is read, held against its hash: the last part of what is not the same never leaves. */
export async function openChecked(store: Store, key: Key & { size: number }): Promise<Bytes> {
  const found = await store.get(key).catch((error: unknown) => {
    throw fromStore(error)
  })
  if (!found) throw new Lost('no está')
  if (found.size !== key.size) {
    await found.content.cancel()
    throw new Lost('está dañado')
  }
  const hash = createHash('sha256')
  let held: Uint8Array | undefined
  return found.content.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, out) {
        hash.update(part)
        if (held) out.enqueue(held)
        held = part
      },
      flush(out) {
        if (hash.digest('hex') !== key.hash) throw new Lost('está dañado')
        if (held) out.enqueue(held)
      },
    }),
  )
}

export async function readChecked(store: Store, key: Key & { size: number }): Promise<Buffer> {
  const content = await openChecked(store, key)
  return Buffer.from(
    await new Response(content).arrayBuffer().catch((error: unknown) => {
      throw fromStore(error)
    }),
  )
}
