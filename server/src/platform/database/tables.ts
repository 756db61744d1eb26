import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  customType,
  foreignKey,
  integer,
  pgPolicy,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'

/** A moment, as ISO text on both sides: the wire, the form and the column hold the same value. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})
/** Stretches of time; read and written in the database only. */
export const ranges = customType<{ data: string }>({ dataType: () => 'tstzmultirange' })
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const ref = () => bigint({ mode: 'number' })

/** What every table of a company starts with; `ofCompany` keys and fences it. */
export const companyColumns = { company_id: ref().notNull(), id: ref().notNull().generatedByDefaultAsIdentity() }
export const stamps = {
  created_at: instant().notNull().default(sql`now()`),
  updated_at: instant().notNull().default(sql`now()`),
}

/** Only rows of the company that the connection works for can be seen or written. */
export const companyFence = () =>
  pgPolicy('company_fence', {
    using: sql`company_id = nullif(current_setting('app.company_id', true), '')::bigint`,
  })

export const ofCompany = (t: { company_id: AnyPgColumn; id: AnyPgColumn }) => [
  primaryKey({ columns: [t.company_id, t.id] }),
  companyFence(),
]

/** A foreign key inside one company; its name is what turns a violation into a message. */
export const refers = (
  name: string,
  from: { company_id: AnyPgColumn },
  column: AnyPgColumn,
  to: { company_id: AnyPgColumn; id: AnyPgColumn },
) => foreignKey({ name, columns: [from.company_id, column], foreignColumns: [to.company_id, to.id] })

/** The last number given of each kind: kept in a row of its own, so that no number is ever given twice. */
export const countersTable = pgTable(
  'counters',
  { company_id: ref().notNull(), kind: text().notNull(), last: integer().notNull() },
  (t) => [primaryKey({ columns: [t.company_id, t.kind] }), companyFence()],
)
