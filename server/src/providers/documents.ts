import { type SQL, sql } from 'drizzle-orm'

/* One document is typed in several ways: letters in either case, and a number with or without leading zeros. */

/** The same value for every way of typing a document; `documentKey` says it of a value in memory. */
export const documentKeyOf = (document: SQL) =>
  sql`case when ${document} ~ '^[0-9]+$' then ltrim(${document}, '0') else lower(${document}) end`

export const documentKey = (document: string) =>
  /^[0-9]+$/.test(document) ? document.replace(/^0+/, '') : document.toLowerCase()
