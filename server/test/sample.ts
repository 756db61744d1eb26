import { z } from 'zod'
import { PIXEL } from './given.ts'

/* A body that an endpoint takes, made from its schema; and where in it the numbers stand. */

interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  exclusiveMinimum?: number
  minimum?: number
  maxItems?: number
  maxLength?: number
}

export const shapeOf = (schema: z.ZodType, io: 'input' | 'output' = 'input') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Shape

const TEXTS: [RegExp, string][] = [
  [/email/, 'alguien@prueba.cl'],
  [/^image$/, PIXEL],
  [/closed_through|month/, '2026-01'],
  [/hour/, '10:30'],
  [/^(date|date_.*|deliveryAt)$/, '2026-01-15'],
  [/(_at|_time|^start|^end|^from|^until)$/, '2026-01-15T12:00:00Z'],
  [/password/, 'una-clave-larga'],
  [/time_zone/, 'America/Santiago'],
]

/** Everything the schema has, with numbers that are small and texts that their names suggest. */
export function sampleOf(shape: Shape, name = ''): unknown {
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  if (shape.anyOf) return sampleOf(shape.anyOf.find((one) => one.type !== 'null') ?? shape.anyOf[0]!, name)
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type
  if (type === 'object')
    return Object.fromEntries(Object.entries(shape.properties ?? {}).map(([key, one]) => [key, sampleOf(one, key)]))
  if (type === 'array') return shape.items ? [sampleOf(shape.items, name)] : []
  if (type === 'number' || type === 'integer') return Math.max(1, shape.minimum ?? 1)
  if (type === 'boolean') return true
  return TEXTS.find(([like]) => like.test(name))?.[1] ?? 'X'
}

/**
 * The largest body of at most `bytes` that the schema takes: texts as long as they may be, lists with as many lines as
 * fit. Every list gets the same number of lines, each with numbers of its own.
 */
export function largestOf(shape: Shape, bytes: number): string {
  for (let lines = 20_000; ; lines = Math.floor(lines / 2)) {
    const body = JSON.stringify(filledOf(shape, '', lines, 1))
    if (body.length <= bytes || lines === 0) return body
  }
}

function filledOf(shape: Shape, name: string, lines: number, line: number): unknown {
  if (shape.const !== undefined || shape.enum) return sampleOf(shape)
  if (shape.anyOf) return filledOf(shape.anyOf.find((one) => one.type !== 'null') ?? shape.anyOf[0]!, name, lines, line)
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(shape.properties ?? {}).map(([key, one]) => [key, filledOf(one, key, lines, line)]),
    )
  if (type === 'array') {
    const { items } = shape
    const many = Math.min(shape.maxItems ?? lines, lines)
    return items ? Array.from({ length: many }, (_, i) => filledOf(items, name, lines, i + 1)) : []
  }
  if (type === 'number' || type === 'integer') return Math.max(line, shape.minimum ?? 1)
  const isFree = type === 'string' && !TEXTS.some(([like]) => like.test(name))
  return isFree ? 'x'.repeat(Math.min(shape.maxLength ?? 30, MOST_LETTERS)) : sampleOf(shape, name)
}
/** Length of one text: texts without a maximum of their own are images. */
const MOST_LETTERS = 100_000

export type Path = (string | number)[]

/** The paths of all numbers. */
export function numbersOf(shape: Shape, path: Path = []): Path[] {
  if (shape.anyOf) return shape.anyOf.flatMap((one) => numbersOf(one, path)).slice(0, 1)
  const types = Array.isArray(shape.type) ? shape.type : [shape.type]
  if (types.includes('number') || types.includes('integer')) return [path]
  if (types.includes('array')) return shape.items ? numbersOf(shape.items, [...path, 0]) : []
  return Object.entries(shape.properties ?? {}).flatMap(([key, one]) => numbersOf(one, [...path, key]))
}

/** The same body with something else in one place. */
export function withAt(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(body)) return body.map((one, i) => (i === key ? withAt(one, rest, value) : one))
  return { ...(body as object), [key]: withAt((body as Record<string, unknown>)[key], rest, value) }
}

/** The length in bytes of the longest JSON that the schema takes, in letters of one byte; endless where a list has no maximum. */
export function longestOf(shape: Shape): number {
  if (shape.const !== undefined || shape.enum)
    return Math.max(...(shape.enum ?? [shape.const]).map((one) => JSON.stringify(one).length))
  if (shape.anyOf) return Math.max(...shape.anyOf.map(longestOf))
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type
  if (type === 'object')
    return Object.entries(shape.properties ?? {}).reduce((sum, [key, one]) => sum + key.length + 4 + longestOf(one), 2)
  if (type === 'array') return 2 + (shape.maxItems ?? Infinity) * (1 + (shape.items ? longestOf(shape.items) : 0))
  if (type === 'number' || type === 'integer') return 17
  return 2 + (type === 'string' ? (shape.maxLength ?? 30) : 5)
}
