import pg from 'pg'

const { INT8, NUMERIC, TIMESTAMPTZ, DATE } = pg.types.builtins

/** Connections work in UTC and write `2026-12-04 14:30:00.5+00`; cutting that text is faster than parsing a date. */
const isoInstant = (text: string) => {
  const end = text.length - 3
  if (end < 19 || text[10] !== ' ' || !text.endsWith('+00')) return new Date(text).toISOString()
  const fraction = end > 19 ? text.slice(20, Math.min(end, 23)).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [NUMERIC, Number],
  [TIMESTAMPTZ, isoInstant],
  [DATE, (text) => text],
])

/** Numbers arrive as numbers, moments as ISO text and days as `2026-12-04`, as the contract has them. */
export const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

const NUMBER = /^-?\d+(\.\d+)?$/
const isNumber = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value))

/** Writes lists of numbers as the database does: the driver would look for characters to quote in each of thousands. */
export const toDriverValue = (value: unknown) =>
  Array.isArray(value) && value.every(isNumber) ? `{${value.join()}}` : value
