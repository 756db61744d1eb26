import { z } from 'zod'
import { SeenCost } from '#contract/base/money.ts'
import { type Reading, readings } from '#contract/base/readings.ts'
import type { Endpoint } from '#contract/base/wire.ts'

/* The names a call may carry, read off its schemas. */

interface Names {
  /** Schemas of each name of an object. */
  fields: Map<string, z.core.$ZodType[]>
  /** Schemas of the elements of a list. */
  elements: z.core.$ZodType[]
  /** The longest list that any of its lists takes. */
  longest: number
  /** It says which names there are. */
  closed: boolean
  /** Any name will do. */
  open: boolean
  /** The types of plain values that it takes. */
  types: Set<'string' | 'number' | 'boolean'>
  /** The values of its enums and literals. */
  values: Set<unknown>
  nullable: boolean
  optional: boolean
  reading: Reading
}

const kept = new WeakMap<object, Names>()

/** What a schema names, whatever it is wrapped in. It is read once: every call asks. */
export function namesOf(schemas: readonly z.core.$ZodType[]): Names {
  // What has several is the same list each time.
  const key = schemas.length === 1 ? schemas[0]! : schemas
  const known = kept.get(key)
  if (known) return known
  const names = readNames(schemas)
  kept.set(key, names)
  return names
}

/** The longest list that a schema takes. */
function longestOf({ _zod: { def } }: z.core.$ZodType) {
  for (const check of def.checks ?? []) {
    const { def: limit } = check._zod as z.core.$ZodCheckMaxLength['_zod']
    if (limit.check === 'max_length') return limit.maximum
  }
  return Infinity
}

function readNames(schemas: readonly z.core.$ZodType[]): Names {
  const names: Names = {
    fields: new Map(),
    elements: [],
    longest: 0,
    closed: false,
    open: false,
    types: new Set(),
    values: new Set(),
    nullable: false,
    optional: false,
    reading: {},
  }
  const look = (schema: z.core.$ZodType): void => {
    const { def } = schema._zod as z.core.$ZodTypes['_zod']
    Object.assign(names.reading, readings.get(schema))
    switch (def.type) {
      case 'string':
      case 'number':
      case 'boolean':
        names.types.add(def.type)
        break
      case 'enum':
        for (const value of Object.values(def.entries)) names.values.add(value)
        break
      case 'literal':
        for (const value of def.values) names.values.add(value)
        break
      case 'object':
        names.closed = true
        for (const [name, field] of Object.entries(def.shape))
          names.fields.set(name, [...(names.fields.get(name) ?? []), field])
        break
      case 'array':
        names.elements.push(def.element)
        names.longest = Math.max(names.longest, longestOf(schema))
        break
      case 'union':
        def.options.forEach(look)
        break
      case 'pipe':
        look(def.in)
        look(def.out)
        break
      case 'nullable':
        names.nullable = true
        look(def.innerType)
        break
      case 'optional':
      case 'default':
      case 'prefault':
        names.optional = true
        look(def.innerType)
        break
      case 'readonly':
      case 'catch':
      case 'nonoptional':
        look(def.innerType)
        break
      case 'record':
      case 'any':
      case 'unknown':
        names.open = true
    }
  }
  schemas.forEach(look)
  return names
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof File)

/** An answer lists no more unknown fields than this, each name cut to `MAX_NAME` characters. */
export const MAX_UNKNOWN = 10
const MAX_NAME = 100

/**
 * Where a body carries names that neither its schema nor what is `read` of the thing has: those would be ignored in
 * silence, and whoever sent them believes they were saved. The walk ends at the tenth, however many there are.
 */
export function unknownFields(
  value: unknown,
  body: readonly z.core.$ZodType[],
  read: readonly z.core.$ZodType[],
  path = '',
  unknown: string[] = [],
): string[] {
  const [taken, known] = [namesOf(body), namesOf(read)]
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && unknown.length < MAX_UNKNOWN; i++)
      unknownFields(value[i], taken.elements, known.elements, `${path}${i}.`, unknown)
    return unknown
  }
  if (!isObject(value) || taken.open || !taken.closed) return unknown
  for (const name of Object.keys(value)) {
    if (unknown.length >= MAX_UNKNOWN) break
    const [taking, knowing] = [taken.fields.get(name), known.fields.get(name)]
    if (taking) unknownFields(value[name], taking, knowing ?? NONE, `${path}${name}.`, unknown)
    else if (!knowing) unknown.push((path + name).slice(0, MAX_NAME))
  }
  return unknown
}

/**
 * The first list that is longer than its schema takes, with that maximum. The schema itself would look at every line
 * before it says so, and hundreds of thousands of wrong lines hold the main thread for seconds.
 */
export function tooLongList(
  value: unknown,
  schemas: readonly z.core.$ZodType[],
  path = '',
): { path: string; longest: number } | undefined {
  const { fields, elements, longest } = namesOf(schemas)
  if (Array.isArray(value)) {
    if (elements.length > 0 && value.length > longest) return { path, longest }
    for (const [i, inner] of value.entries()) {
      const found = tooLongList(inner, elements, join(path, i))
      if (found) return found
    }
  } else if (isObject(value))
    for (const [name, inner] of fields) {
      const found = name in value ? tooLongList(value[name], inner, join(path, name)) : undefined
      if (found) return found
    }
  return undefined
}
const join = (path: string, name: string | number) => (path === '' ? String(name) : `${path}.${name}`)

/** Whether there is a cost anywhere in what schemas name. */
export function nameCosts(schemas: readonly z.core.$ZodType[], seen = new Set<z.core.$ZodType>()): boolean {
  if (schemas.includes(SeenCost)) return true
  const fresh = schemas.filter((schema) => !seen.has(schema))
  for (const schema of fresh) seen.add(schema)
  const { fields, elements } = namesOf(fresh)
  return [...fields.values(), elements].some((inner) => inner.length > 0 && nameCosts(inner, seen))
}

/** The parts of a query (`sort` and filters) that name a cost of what the endpoint lists. */
export function costsAsked(query: unknown, { reply }: Endpoint): string[] {
  if (!isObject(query)) return []
  const { fields } = namesOf(entityOf(reply))
  const isCost = (name: string) => fields.get(name)?.includes(SeenCost) === true
  const filters = isObject(query.filter) ? Object.entries(query.filter) : []
  return [
    ...(typeof query.sort === 'string' && isCost(query.sort.replace(/^-/, '')) ? ['sort'] : []),
    ...filters.filter(([name, value]) => value !== undefined && isCost(name)).map(([name]) => `filter.${name}`),
  ]
}

/** A reply without its costs, for those who may not read them. */
export function withoutCosts(value: unknown, schemas: readonly z.core.$ZodType[]): unknown {
  if (schemas.includes(SeenCost)) return null
  const { fields, elements } = namesOf(schemas)
  if (Array.isArray(value)) return value.map((one) => withoutCosts(one, elements))
  if (!isObject(value) || fields.size === 0) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutCosts(inner, fields.get(name) ?? NONE)]),
  )
}

const NONE: readonly z.core.$ZodType[] = []
const NOTHING = z.object({})
const PAGE = z.object({ page: z.unknown(), per_page: z.unknown() })
const asked = new WeakMap<Endpoint, z.core.$ZodType[]>()

/**
 * The same of what follows the `?`: a filter that nobody knows would answer with everything, as if there were nothing
 * else. A list that is given whole may be asked for by pages.
 */
export function unknownQuery(query: unknown, endpoint: Endpoint): string[] {
  let schemas = asked.get(endpoint)
  if (!schemas) {
    const { query: schema = NOTHING, reply, echoes = [] } = endpoint
    schemas = [schema, ...(namesOf([reply]).fields.has('data') ? [PAGE] : []), ...echoes]
    asked.set(endpoint, schemas)
  }
  return unknownFields(query, schemas, NONE)
}

/** What a reply tells of the thing itself: the elements of a list, or the whole. */
export const entityOf = (reply: z.core.$ZodType): readonly z.core.$ZodType[] => {
  const data = namesOf([reply]).fields.get('data')
  return data ? namesOf(data).elements : [reply]
}

/** `sent`, with what it leaves out as it stands: fields of an object, and of the lines that bear the id of one. */
export function filledIn(sent: unknown, current: unknown, body: readonly z.core.$ZodType[]): unknown {
  const { fields, elements } = namesOf(body)
  if (Array.isArray(sent) && Array.isArray(current)) {
    const lines = linesById(current)
    return withThings(sent, current, elements).map((line) =>
      isObject(line) && line.id ? filledIn(line, lines.get(Number(line.id)), elements) : line,
    )
  }
  if (!isObject(sent) || !isObject(current) || fields.size === 0) return sent
  const whole = { ...sent }
  for (const [name, field] of fields)
    if (name in current)
      whole[name] =
        name in sent
          ? filledIn(sent[name], current[name], field)
          : // None under the name that reads give its words is none of it.
            sent[name.replace(/_id$/, '')] === null
            ? null
            : current[name]
  return whole
}

const linesById = (lines: unknown[]) => new Map(lines.filter(isObject).map((line) => [Number(line.id), line]))
const lacksThing = (line: unknown, thing: string): line is Record<string, unknown> =>
  isObject(line) && Boolean(line.id) && !Object.hasOwn(line, thing)

/** Whether lines of the body bear an `id` that may be the line's or that of the thing it is about. */
export function lacksThings(sent: unknown, body: readonly z.core.$ZodType[]): boolean {
  if (!isObject(sent)) return false
  return [...namesOf(body).fields].some(([name, field]) => {
    const [lines, { thing }] = [sent[name], namesOf(namesOf(field).elements).reading]
    return thing !== undefined && Array.isArray(lines) && lines.some((line) => lacksThing(line, thing))
  })
}

/** The body with the things of such lines, from what stands. */
export function fillThings(sent: unknown, current: object, body: readonly z.core.$ZodType[]): unknown {
  if (!isObject(sent)) return sent
  const whole = { ...sent }
  for (const [name, field] of namesOf(body).fields) {
    const [lines, there] = [sent[name], (current as Record<string, unknown>)[name]]
    if (Array.isArray(lines) && Array.isArray(there)) whole[name] = withThings(lines, there, namesOf(field).elements)
  }
  return whole
}

/**
 * An id of a line that stands is that line, unless it comes with a code that is not the line's; any other id is that of the
 * thing, and the line is new.
 */
function withThings(sent: unknown[], current: unknown[], elements: readonly z.core.$ZodType[]): unknown[] {
  const { thing } = namesOf(elements).reading
  if (thing === undefined || !sent.some((line) => lacksThing(line, thing))) return sent
  const lines = linesById(current)
  return sent.map((line) => {
    if (!lacksThing(line, thing)) return line
    const { id, ...rest } = line
    const there = lines.get(Number(id))
    if (there && (line.code === undefined || line.code === there.code)) return { ...line, [thing]: there[thing] }
    return { ...rest, [thing]: typeof id === 'string' && /^\d{1,16}$/.test(id) ? Number(id) : id }
  })
}
