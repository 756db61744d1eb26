import { inflateSync } from 'node:zlib'

/** What can be read on the pages of a PDF, one text per piece, in the order in which it was drawn. */
export function pdfText(pdf: Buffer): string[] {
  const objects = new Map<string, { head: string; stream: string | undefined }>()
  const source = pdf.toString('latin1')
  for (const [, id = '', body = ''] of source.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const at = body.indexOf('\nstream\n')
    const head = at < 0 ? body : body.slice(0, at)
    const raw = at < 0 ? undefined : Buffer.from(body.slice(at + 8, body.lastIndexOf('\nendstream')), 'latin1')
    const stream = raw && (head.includes('/FlateDecode') ? inflateSync(raw) : raw).toString('latin1')
    objects.set(id, { head, stream })
  }
  const referred = (head: string, name: string) => new RegExp(`/${name} (\\d+) 0 R`).exec(head)?.[1]

  /** Glyphs are numbered per font; each font brings the letters behind its numbers. */
  const letters = new Map<string, Map<string, string>>()
  for (const { head } of objects.values())
    for (const [, name = '', id = ''] of (/\/Font <<([\s\S]*?)>>/.exec(head)?.[1] ?? '').matchAll(
      /\/(F\d+) (\d+) 0 R/g,
    ))
      letters.set(name, glyphsOf(objects.get(referred(objects.get(id)?.head ?? '', 'ToUnicode') ?? '')?.stream ?? ''))

  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\n/.test(`${head}\n`))
  return pages.flatMap(({ head }) => {
    const drawn = objects.get(referred(head, 'Contents') ?? '')?.stream ?? ''
    const found: string[] = []
    let font = new Map<string, string>()
    for (const [, name, shown] of drawn.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name) font = letters.get(name) ?? new Map()
      else
        found.push(
          [...(shown ?? '').matchAll(/<([0-9a-f]+)>/gi)]
            .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
            .map((glyph) => font.get(glyph.toLowerCase()) ?? '?')
            .join(''),
        )
    }
    return found
  })
}

const character = (hex: string) =>
  String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)))

function glyphsOf(map: string) {
  const glyphs = new Map<string, string>()
  for (const [, from = '0', , list = ''] of map.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/gi))
    for (const [i, [, hex = '']] of [...list.matchAll(/<([0-9a-f]+)>/gi)].entries())
      glyphs.set((Number.parseInt(from, 16) + i).toString(16).padStart(4, '0'), character(hex))
  return glyphs
}
