import pdfmake from 'pdfmake'
import fonts from 'pdfmake/fonts/Roboto.js'
import type { FileContent } from '#contract/base/wire.ts'

const fontFiles = new Set(Object.values(fonts.Roboto))
pdfmake.setFonts(fonts)
// Documents are made of what they are given: nothing is fetched, and only the fonts are read.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => fontFiles.has(path))

/** Grey of thin lines and of words that only name what is beside them. */
export const PAPER = { line: '#C5CEDB', faint: '#55627A', head: '#EEF1F6' }

/** A letter-size document, as pdfmake describes it. */
export async function pdfFile(name: string, definition: object): Promise<FileContent> {
  // It writes into what it is given.
  const content = await pdfmake
    .createPdf({
      pageSize: 'LETTER',
      pageMargins: [40, 40, 40, 50],
      defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.15 },
      ...definition,
    })
    .getBuffer()
  return { name, type: 'application/pdf', content: new Uint8Array(content) }
}
