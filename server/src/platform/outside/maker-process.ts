/** What `Maker` runs in a process of its own. Whatever it is sent arrives as data: no function, no connection. */

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { CellValue, writeXlsxStream } from 'hucre/xlsx'
import { ignore } from '../ignore.ts'

export interface Asked {
  id: number
  task: 'image' | 'pdf' | 'sheet' | 'rows'
  input: unknown
}
export type Said =
  | { id: number; type: 'done'; result: unknown }
  /** What was sent cannot be used: a sentence for the person. */
  | { id: number; type: 'refused'; message: string }
  | { id: number; type: 'failed'; message: string }
  | { id: number; type: 'more' }

class Refusal extends Error {}

export interface ImageTask {
  bytes: Uint8Array
  /** Of what the file may declare, before a pixel of it is decoded. */
  maxPixels: number
  maxSide: number
  /** What is kept is no larger than this. */
  fit: { width: number; height: number }
}
const DAMAGED = 'La imagen está dañada o no se puede leer. Guárdela de nuevo como JPG o PNG.'
const FORMATS = ['png', 'jpeg', 'webp'] as const

/** Decoded and encoded anew: what leaves here holds pixels and nothing else, turned as the camera was held. */
async function image({ bytes, maxPixels, maxSide, fit }: ImageTask) {
  const { default: sharp } = await import('sharp')
  // No image comes twice.
  sharp.cache(false)
  const options = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true } as const
  const head = await sharp(bytes, options).metadata().catch(ignore('The next line refuses the image.'))
  const format = FORMATS.find((each) => each === head?.format)
  if (!head || !format) throw new Refusal(DAMAGED)
  const { width, height } = head
  if (width > maxSide || height > maxSide || width * height > maxPixels)
    throw new Refusal(`La imagen es demasiado grande: mide ${width} × ${height} y se admiten ${maxSide} por lado.`)
  try {
    const made = sharp(bytes, options)
      .rotate()
      .resize({ ...fit, fit: 'inside', withoutEnlargement: true })
    const encoded = format === 'png' ? made.png() : format === 'jpeg' ? made.jpeg({ quality: 85 }) : made.webp()
    return { content: new Uint8Array(await encoded.toBuffer()), type: `image/${format}` }
  } catch {
    throw new Refusal(DAMAGED)
  }
}

const PRINTED: Omit<ImageTask, 'bytes'> = { maxPixels: 16e6, maxSide: 6000, fit: { width: 1200, height: 600 } }
type Node = Record<string, unknown>

/** A document as pdfmake describes it, with what it wants as functions said as values, and images as bytes. */
async function prepare(node: unknown): Promise<unknown> {
  if (Array.isArray(node)) return Promise.all(node.map(prepare))
  if (typeof node !== 'object' || node === null) return node
  const made: Node = {}
  for (const [key, value] of Object.entries(node as Node)) {
    if (key === 'image') {
      const { content, type } = await image({ bytes: value as Uint8Array, ...PRINTED }).catch((error: unknown) => {
        if (error instanceof Refusal) return { content: undefined, type: '' }
        throw error
      })
      if (!content) return { text: 'imagen dañada', italics: true, color: '#55627A', margin: (node as Node).margin }
      made.image = `data:${type};base64,${Buffer.from(content).toString('base64')}`
    } else if (key === 'layout' && typeof value === 'object')
      made.layout = Object.fromEntries(Object.entries(value as Node).map(([name, constant]) => [name, () => constant]))
    else made[key] = await prepare(value)
  }
  return made
}

async function pdf({ footer, ...definition }: Node) {
  const [{ default: pdfmake }, { default: fonts }] = await Promise.all([
    import('pdfmake'),
    import('pdfmake/fonts/Roboto.js'),
  ])
  const fontFiles = new Set(Object.values(fonts.Roboto))
  pdfmake.setFonts(fonts)
  // Documents are made of what they are given: nothing is fetched, and only the fonts are read.
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy((path) => fontFiles.has(path))
  const made = await pdfmake
    .createPdf({
      pageSize: 'LETTER',
      pageMargins: [40, 40, 40, 50],
      defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.15 },
      ...((await prepare(definition)) as Node),
      ...(footer !== undefined && {
        footer: (page: number, pages: number) => ({
          text: `${footer} · página ${page} de ${pages}`,
          alignment: 'center',
          color: '#55627A',
          fontSize: 8,
          margin: [0, 14, 0, 0],
        }),
      }),
    })
    .getBuffer()
  return new Uint8Array(made)
}

export interface SheetTask {
  path: string
  options: Parameters<typeof writeXlsxStream>[1]
}
interface Lot {
  rows: CellValue[][]
  last: boolean
}
const feeds = new Map<number, (lot: Lot | null) => void>()

/** Written to a file as its rows arrive: however long it is, little of it is ever in memory. */
async function sheet({ path, options }: SheetTask, id: number) {
  const { writeXlsxStream } = await import('hucre/xlsx')
  async function* rows() {
    for (;;) {
      const lot = await new Promise<Lot | null>((resolve) => {
        feeds.set(id, resolve)
        say({ id, type: 'more' })
      })
      if (!lot) throw new Error('No more rows will come')
      yield* lot.rows
      if (lot.last) return
    }
  }
  try {
    await pipeline(
      Readable.fromWeb(writeXlsxStream(rows(), options) as ReadableStream),
      createWriteStream(path, { mode: 0o600 }),
    )
  } finally {
    feeds.delete(id)
  }
}

const say = (said: Said) => process.send?.(said)

if (process.send) {
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ id, task, input }: Asked) => {
    if (task === 'rows') return feeds.get(id)?.(input as Lot | null)
    try {
      const result =
        task === 'image'
          ? await image(input as ImageTask)
          : task === 'pdf'
            ? await pdf(input as Node)
            : await sheet(input as SheetTask, id)
      say({ id, type: 'done', result })
    } catch (error) {
      const message = (error as Error).message
      say({ id, type: error instanceof Refusal ? 'refused' : 'failed', message })
    }
  })
}
