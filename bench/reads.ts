import { queryOf, type recordable } from '../server/test/releases.ts'
import { shapeOf } from '../server/test/sample.ts'

const WORDS = ['a', 'volvo', 'filtro', '1']
const DAYS = ['2026-01-01,2026-12-31', '2026-10']

type Shape = ReturnType<typeof shapeOf>
/** What may stand there, as far as the schema tells. */
function valuesOf(name: string, shape: Shape): string[] {
  const some = shape.anyOf?.flatMap((each) => valuesOf(name, each)) ?? []
  if (some.length > 0) return [...new Set(some)]
  if (shape.enum) return shape.enum.map(String)
  if (shape.items) return valuesOf(name, shape.items)
  if (shape.type === 'boolean') return ['true', 'false']
  if (shape.type === 'integer' || shape.type === 'number') return ['1', '2']
  if (/date|month|from|until|day/i.test(name)) return DAYS
  if (shape.type === 'string') return WORDS
  return [...WORDS, 'true', ...DAYS]
}

/** Everything that may follow the `?` of a read, one at a time. */
export function variantsOf(e: (typeof recordable)[number], base = queryOf(e)): string[] {
  const { properties = {} } = e.query ? shapeOf(e.query) : {}
  const each = Object.entries(properties).flatMap(([name, shape]) =>
    name === 'filter'
      ? Object.entries(shape.properties ?? {}).flatMap(([filter, of]) =>
          valuesOf(filter, of).map((value) => [`filter[${filter}]`, value] as const),
        )
      : valuesOf(name, shape).map((value) => [name, value] as const),
  )
  const beside = base ? base.split('&') : []
  const all = each.map(([name, value]) =>
    [...beside.filter((part) => !part.startsWith(`${name}=`)), `${name}=${encodeURIComponent(value)}`].join('&'),
  )
  return [...new Set([base, '', ...all])]
}
