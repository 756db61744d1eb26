import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { hashOf, type Store } from '../outside/store.ts'
import { StartProblem } from '../problems.ts'
import { type Archive, type Base, type Chain, type Piece, reach, segmentName, sha256 } from './archive.ts'
import { copyOf, hasTable } from './archiver.ts'
import { recoverEmbedded, startEmbeddedPostgres } from './embedded-postgres.ts'
import { namedFiles } from './named-files.ts'

interface Way {
  base: Base
  pieces: Piece[]
  until: Date
}

/** From the newest copy of all that is not after the moment, on the newest chain that reaches it. */
export function wayTo(chains: Chain[], at: Date | undefined): Way {
  const ways = chains.flatMap((chain) =>
    chain.bases.flatMap((base) => {
      const reached = reach(chain, base)
      return reached ? { base, ...reached } : []
    }),
  )
  const fits = ways.filter(({ base, until }) => !at || (base.at <= at && at <= until))
  const way = at ? fits.at(-1) : ways.sort((a, b) => a.until.getTime() - b.until.getTime()).at(-1)
  if (way) return way
  if (ways.length === 0) throw new StartProblem('La copia continua no tiene todavía una copia completa.')
  const spans = chains.flatMap((chain) => {
    const [first] = chain.bases
    const reached = first && reach(chain, first)
    return reached ? [`de ${showMoment(first.at)} a ${showMoment(reached.until)}`] : []
  })
  throw new StartProblem(`La copia continua no llega a ese momento. Cubre ${spans.join('; ')}.`)
}

const ZONE = 'America/Santiago'
export const showMoment = (date: Date) => date.toLocaleString('sv-SE', { timeZone: ZONE })

/** `2026-11-16 10:15:00` as clocks in Chile show it, or with a zone of its own. */
export function readMoment(text: string): Date {
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:?\d\d)?$/.exec(text.trim())
  const [, day = '', time = '', zone] = found ?? []
  const asUtc = new Date(`${day}T${time}${zone ?? 'Z'}`)
  if (Number.isNaN(asUtc.getTime()))
    throw new StartProblem(`«${text}» no es un momento: escriba por ejemplo "2026-11-16 10:15:00".`)
  if (zone) return asUtc
  const shown = (date: Date) => new Date(`${showMoment(date).replace(' ', 'T')}Z`).getTime() + date.getMilliseconds()
  // Twice: where clocks were set in between, the first guess is an hour off.
  let guess = asUtc
  for (let i = 0; i < 2; i++) guess = new Date(guess.getTime() + asUtc.getTime() - shown(guess))
  return guess
}

/** Brings the database back to a moment, into a folder that has none, and its files into the store. */
export async function recover(archive: Archive, folder: string, store: Store, at: Date | undefined) {
  const way = wayTo(await archive.chains(), at)
  await recoverEmbedded(folder, { password: way.base.password, until: at }, async (data) => {
    await unpack(archive, way.base, data)
    for (const piece of way.pieces) await placeLog(archive, way.base, piece, data)
  })
  const { url, stop } = await startEmbeddedPostgres(folder)
  try {
    return { at: at ?? way.until, base: way.base.at, ...(await bringFiles(archive, store, url)) }
  } finally {
    await stop()
  }
}

async function unpack(archive: Archive, { folder, parts }: Base, data: string) {
  async function* packed() {
    for (const { name, hash } of parts) {
      const bytes = await archive.get(`${folder}/${name}`)
      if (!bytes || sha256(bytes) !== hash)
        throw new StartProblem(`${folder}/${name} falta o está dañado en la copia continua.`)
      yield bytes
    }
  }
  const input = Readable.from(packed())
  const plain = input.pipe(createGunzip())
  input.on('error', (error) => plain.destroy(error))
  await untar(plain, data)
}

async function placeLog(archive: Archive, { segmentSize: size }: Base, { path, timeline, from }: Piece, data: string) {
  const bytes = await archive.get(path, { packed: true })
  if (!bytes) throw new StartProblem(`${path} falta en la copia continua.`)
  const file = await fs.open(
    join(data, 'pg_wal', segmentName(timeline, from, size)),
    fs.constants.O_RDWR | fs.constants.O_CREAT,
    0o600,
  )
  try {
    await file.truncate(size)
    await file.write(bytes, 0, bytes.length, Number(from % BigInt(size)))
  } finally {
    await file.close()
  }
}

const BLOCK = 512

/** The tar that PostgreSQL writes: files and folders, with short names. */
async function untar(content: AsyncIterable<Buffer>, folder: string) {
  let held: Buffer = Buffer.alloc(0)
  let file: { handle: fs.FileHandle; left: number; padding: number } | undefined
  for await (const chunk of content) {
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    for (;;) {
      if (file) {
        const part = held.subarray(0, file.left)
        if (part.length > 0) await file.handle.write(part)
        file.left -= part.length
        held = held.subarray(part.length)
        if (file.left > 0 || held.length < file.padding) break
        held = held.subarray(file.padding)
        await file.handle.close()
        file = undefined
      }
      if (held.length < BLOCK) break
      const header = held.subarray(0, BLOCK)
      held = held.subarray(BLOCK)
      const text = (from: number, length: number) => header.toString('utf8', from, from + length).replace(/\0.*$/s, '')
      const name = text(0, 100)
      if (name === '') continue
      const path = join(folder, name)
      if (text(156, 1) === '5') await fs.mkdir(path, { recursive: true, mode: 0o700 })
      else {
        const left = Number.parseInt(text(124, 12), 8)
        file = { handle: await fs.open(path, 'w', 0o600), left, padding: (BLOCK - (left % BLOCK)) % BLOCK }
      }
    }
  }
  if (file) throw new StartProblem('La copia completa está cortada.')
}

/** Those that a row names and the store lacks, out of the copy. */
async function bringFiles(archive: Archive, store: Store, url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const lost: string[] = []
  let [files, brought] = [0, 0]
  try {
    for (const { name, size, ...key } of (await hasTable(client, 'files')) ? await namedFiles(client) : []) {
      files += 1
      const there = await store.get(key)
      const isThere =
        there?.size === size && (await hashOf(there.content as unknown as AsyncIterable<Uint8Array>)) === key.hash
      if (isThere) continue
      if (there && there.size !== size) await there.content.cancel()
      const bytes = await archive.get(copyOf(key))
      if (bytes && sha256(bytes) === key.hash) {
        await store.put(key, new Blob([new Uint8Array(bytes)]))
        brought += 1
      } else lost.push(name)
    }
  } finally {
    await client.end()
  }
  return { files, brought, lost }
}
