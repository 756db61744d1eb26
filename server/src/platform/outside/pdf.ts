import type { FileContent } from '#contract/base/wire.ts'
import { Problem } from '../operations/problems.ts'
import { Broke, papers } from './maker.ts'

const NOT_MADE =
  'No se pudo preparar el documento. Intente de nuevo; si sigue igual, avise a quien administra Maestranza.'

/** Grey of thin lines and of words that only name what is beside them. */
export const PAPER = { line: '#C5CEDB', faint: '#55627A', head: '#EEF1F6' }

/**
 * A letter-size document, as pdfmake describes it but without functions: a layout's lines and paddings are values,
 * the footer is what stands before the number of the page, images are bytes.
 */
export const pdfFile = (name: string, definition: object) =>
  ({
    name,
    type: 'application/pdf',
    content: () =>
      papers.make<Uint8Array>('pdf', definition).catch((error: unknown) => {
        throw error instanceof Broke ? new Problem(500, NOT_MADE) : error
      }),
  }) satisfies FileContent
