import type { FileContent } from '#contract/base/wire.ts'
import { Problem } from '../problems.ts'
import { Broke, papers } from './maker.ts'
import { Lost } from './store.ts'

const NOT_MADE =
  'No se pudo preparar el documento. Intente de nuevo; si sigue igual, avise a quien administra Maestranza.'

/** Grey of thin lines and of words that only name what is beside them. */
export const PAPER = { line: '#C5CEDB', faint: '#55627A', head: '#EEF1F6' }

/**
 * A letter-size document, as pdfmake describes it but without functions: a layout's lines and paddings are values,
 * the footer is what stands before the number of the page, images are what gives their bytes.
 */
export const pdfFile = (name: string, definition: object) =>
  ({
    name,
    type: 'application/pdf',
    content: () =>
      withImages(definition)
        .then((whole) => papers.make<Uint8Array>('pdf', whole))
        .catch((error: unknown) => {
          throw error instanceof Broke ? new Problem(500, NOT_MADE) : error
        }),
  }) satisfies FileContent

/** One that is lost prints as such. */
async function withImages(node: unknown): Promise<unknown> {
  if (typeof node === 'function')
    return node().catch((error: unknown) => {
      if (error instanceof Lost) return new Uint8Array()
      throw error
    })
  if (Array.isArray(node)) return Promise.all(node.map(withImages))
  if (typeof node !== 'object' || node === null || ArrayBuffer.isView(node)) return node
  const entries = Object.entries(node).map(async ([key, value]) => [key, await withImages(value)] as const)
  return Object.fromEntries(await Promise.all(entries))
}
