import type { z } from 'zod'
import { isObject, namesOf } from './fields.ts'

/*
 * Converts the bodies and queries of clients of the specification to the types of the schemas: text where a number
 * belongs, an empty field, a moment as a clock of the company shows it, another name of a field. What a field wants is read off its schema, and other
 * names off `readings`; what is not understood is left as it came, and the schema says what is wrong with it.
 */

type Schemas = readonly z.core.$ZodType[]
export interface Manner {
  /** The company's time zone. */
  zone: string
  /** The call edits what is there: an `id` in a line may be that of the line. */
  isEdit?: boolean
}

const NUMBER = /^\s*[+-]?\d{1,20}(\.\d{1,20})?\s*$/
const WHOLE = /^\d{1,16}$/
const YES_NO = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
])

/** A copy where something had to change, and otherwise `value` itself. Lists that are too long are not looked into. */
export function coerce(value: unknown, schemas: Schemas, manner: Manner): unknown {
  const { elements, longest, fields, reading } = namesOf(schemas)
  if (Array.isArray(value)) {
    if (elements.length === 0 || value.length > longest) return value
    return coerceList(value, elements, manner)
  }
  if (isObject(value) && fields.size > 0) return coerceFields(value, schemas, manner)
  const read = reading.value ? reading.value(value, manner.zone) : value
  return read === value ? coercePlain(value, schemas) : read
}

function coerceList(list: unknown[], elements: Schemas, manner: Manner) {
  let copy: unknown[] | undefined
  for (let i = 0; i < list.length; i++) {
    const after = coerce(list[i], elements, manner)
    if (after === list[i]) continue
    copy ??= [...list]
    copy[i] = after
  }
  return copy ?? list
}

function coerceFields(sent: Record<string, unknown>, schemas: Schemas, manner: Manner) {
  const { fields } = namesOf(schemas)
  const renamed = underItsNames(sent, schemas, manner)
  let copy: Record<string, unknown> | undefined
  for (const [name, field] of fields) {
    if (!Object.hasOwn(renamed, name)) continue
    const before = renamed[name]
    const after = isNumberOfChoice(renamed, name, field) ? Number(before) : coerce(before, field, manner)
    if (after === before) continue
    copy ??= { ...renamed }
    copy[name] = after
  }
  return copy ?? renamed
}

/** A choice by its number, typed as text, and not the words that a read gives beside its `…_id`. */
function isNumberOfChoice(sent: Record<string, unknown>, name: string, field: Schemas) {
  const value = sent[name]
  if (typeof value !== 'string' || !WHOLE.test(value) || Object.hasOwn(sent, `${name}_id`)) return false
  const { types } = namesOf(field)
  return types.has('number') && types.has('string')
}

function underItsNames(sent: Record<string, unknown>, schemas: Schemas, { isEdit = false }: Manner) {
  const { names = {}, missing = {}, thing } = namesOf(schemas).reading
  let renamed = sent
  const change = () => {
    if (renamed === sent) renamed = { ...sent }
    return renamed
  }
  for (const [other, name] of Object.entries(names)) {
    const [outer = '', inner] = other.split('.')
    const group = renamed[outer]
    if (inner === undefined) {
      if (!Object.hasOwn(renamed, outer)) continue
      if (!Object.hasOwn(renamed, name)) change()[name] = group
      delete change()[outer]
    } else if (isObject(group) && Object.hasOwn(group, inner)) {
      const { [inner]: value, ...rest } = group
      change()[outer] = rest
      if (!Object.hasOwn(renamed, name)) change()[name] = value
    }
  }
  if (thing && !isEdit && !Object.hasOwn(renamed, thing) && renamed.id) {
    const { id, ...rest } = renamed
    renamed = { ...rest, [thing]: id }
  }
  if (thing && isObject(renamed[thing])) change()[thing] = (renamed[thing] as { id?: unknown }).id
  for (const [name, find] of Object.entries(missing)) {
    if (Object.hasOwn(renamed, name)) continue
    const found = find(renamed)
    if (found !== undefined) change()[name] = found
  }
  return renamed
}

/** Converts a plain value: text, a number, yes or no. */
function coercePlain(value: unknown, schemas: Schemas): unknown {
  const { types, values, reading, nullable, optional, elements } = namesOf(schemas)
  if (values.has(value)) return value
  const isText = types.has('string') && !reading.value
  if (value === '') {
    if (types.has('boolean')) return false
    if (nullable) return null
    if (isText) return value
    return optional ? undefined : elements.length > 0 ? [] : value
  }
  if (typeof value === 'string') {
    if (isText) return value
    if (types.has('boolean') && YES_NO.has(value)) return YES_NO.get(value)
    const isNumber = types.has('number') || [...values].some((one) => typeof one === 'number')
    return isNumber && NUMBER.test(value) ? Number(value) : value
  }
  if (typeof value === 'number' && !types.has('number')) {
    if (types.has('boolean') && YES_NO.has(value)) return YES_NO.get(value)
    if (isText || values.has(String(value))) return String(value)
  }
  return value
}

/* After a `?` */

/** `warehouse_id`, `warehouseId`, `Warehouses` and `warehouse` name one thing. */
const stem = (name: string) =>
  name
    .replace(/_ids?$|Ids?$/, '')
    .replace(/[_-]/g, '')
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<=\w{2})s$/, '')

/** Names of the query by their stems, and of its filters. */
const queries = new WeakMap<z.core.$ZodType, { plain: Map<string, string>; filters: Map<string, string> }>()
const byStem = (names: Iterable<string>) => new Map([...names].map((name) => [stem(name), name]))
function namesOfQuery(schema: z.core.$ZodType) {
  let names = queries.get(schema)
  if (!names) {
    const { fields, reading } = namesOf([schema])
    const filters = namesOf(fields.get('filter') ?? [])
    names = { plain: byStem(fields.keys()), filters: byStem(filters.fields.keys()) }
    for (const [other, name] of Object.entries({ ...reading.names, ...filters.reading.names }))
      for (const group of [names.plain, names.filters]) {
        const known = group.get(stem(name))
        if (known) group.set(stem(other), known)
      }
    queries.set(schema, names)
  }
  return names
}

/** Filters are understood without their `filter[…]`, and either way in any spelling. */
export function coerceQuery(query: unknown, schema: z.core.$ZodType | undefined, manner: Manner): unknown {
  if (!schema || !isObject(query)) return query
  const { fields } = namesOf([schema])
  if (query.filter !== undefined && !isObject(query.filter)) return query
  const { plain, filters } = namesOfQuery(schema)
  const filterFields = namesOf(fields.get('filter') ?? []).fields
  const found: Record<string, unknown> = {}
  const filter: Record<string, unknown> = {}
  const unknown: Record<string, unknown> = {}
  const put = (into: Record<string, unknown>, name: string, value: unknown) => {
    if (!Object.hasOwn(into, name)) into[name] = value
  }
  const entries = Object.entries(query).filter(([name]) => name !== 'filter')
  const inner = Object.entries((query.filter ?? {}) as Record<string, unknown>)
  // Exact names first: another spelling of one that is there too is not looked at.
  for (const [name, value] of inner) if (filterFields.has(name)) filter[name] = value
  for (const [name, value] of entries) if (fields.has(name)) found[name] = value
  for (const [name, value] of inner) {
    if (filterFields.has(name)) continue
    const [asFilter, asPlain] = [filters.get(stem(name)), plain.get(stem(name))]
    if (asFilter) put(filter, asFilter, value)
    else if (asPlain) put(found, asPlain, value)
    else unknown[name] = value
  }
  for (const [name, value] of entries) {
    if (fields.has(name)) continue
    const [asFilter, asPlain] = [filters.get(stem(name)), plain.get(stem(name))]
    if (asFilter) put(filter, asFilter, value)
    else put(found, asPlain ?? name, value)
  }
  const whole = { ...filter, ...unknown }
  const named = Object.keys(whole).length > 0 ? { ...found, filter: whole } : found
  return coerce(named, [schema], manner)
}
