import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import pg from 'pg'
import type { Role } from '#contract/base/permissions.ts'
import { addCompany } from '#seeds/demo.ts'
import { CARRIER, type Cast } from '#seeds/people.ts'
import { runningPostgres } from '#server/platform/running/embedded-postgres.ts'

/*
 * Every journey works in a company of its own, so that journeys can run side by side, in any order and again. The company
 * is a small copy of the demonstration: one is made when the run begins, and each journey gets a copy of its rows. Keys of
 * a company's rows begin with the company, so a copy keeps all other ids.
 */

export interface Person {
  email: string
  name: string
  role: Role
  /** Opens a session without the form. */
  token: string
}

export type Ids = Record<'truck' | 'provider' | 'warehouse' | 'insumo' | 'ordenes-de-trabajo', number>

export interface Company {
  id: number
  name: string
  /** One of each to look at, under the name that it has in an address. */
  ids: Ids
  /** A super-admin; the others work in the first workshop. */
  owner: Person
  chief: Person
  storekeeper: Person
  mechanic: Person
  viewer: Person
}

const SIZE = 0.1
const TEMPLATE: Cast = {
  ...CARRIER,
  seed: 3,
  people: CARRIER.people.map((person) => ({
    ...person,
    email: person.email.replace('maestranza.demo', 'plantilla.cl'),
  })),
}
const isTemplate = `email like '%@plantilla.cl'`

/** The database of the product under test. */
export async function connect() {
  const url = process.env.E2E_DATABASE_URL ?? (await runningPostgres(join(process.env.E2E_DATA!, 'postgres')))
  if (!url) throw new Error(`No database is running in ${process.env.E2E_DATA}.`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { url, client }
}

/** Makes the company that journeys copy, where it is not there yet. */
export async function makeTemplate() {
  const { url, client } = await connect()
  try {
    const { rows } = await client.query(`select from users where ${isTemplate} limit 1`)
    if (rows.length === 0) await addCompany(url, TEMPLATE, { size: SIZE })
  } finally {
    await client.end()
  }
}

interface Template {
  id: number
  ids: Ids
  people: { id: number; email: string; name: string; role: Role }[]
  /** Tables with rows of companies: their columns, and which of these name a user. */
  tables: { name: string; columns: string[]; users: string[] }[]
}

/** Copies the template's rows into new companies. */
export class CompanyCopier {
  readonly #client: pg.Client
  readonly #template: Template

  private constructor(client: pg.Client, template: Template) {
    this.#client = client
    this.#template = template
  }

  static async open() {
    const { client } = await connect()
    const people = await client.query<Template['people'][number] & { company_id: number }>(
      `select u.id::int, u.email, u.name, m.role, m.company_id::int
       from users u join memberships m on m.user_id = u.id where ${isTemplate} order by u.id`,
    )
    const tables = await client.query<Template['tables'][number]>(`
      select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns,
        coalesce(array_agg(quote_ident(a.attname)) filter (where a.attname = 'user_id'), '{}') as users
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and exists (
        select from pg_attribute o where o.attrelid = c.oid and o.attname = 'company_id' and not o.attisdropped)
      group by c.relname order by c.relname`)
    const id = people.rows[0]!.company_id
    const ids = await client.query<Ids>(
      `select (select min(id) from trucks where company_id = $1)::int as truck,
         (select min(id) from providers where company_id = $1)::int as provider,
         (select min(id) from warehouses where company_id = $1)::int as warehouse,
         (select min(id) from supplies where company_id = $1)::int as insumo,
         (select max(id) from work_orders where company_id = $1 and status = 'FINALIZED')::int as "ordenes-de-trabajo"`,
      [id],
    )
    return new CompanyCopier(client, { id, ids: ids.rows[0]!, people: people.rows, tables: tables.rows })
  }

  close = () => this.#client.end()

  async copy(name: string): Promise<Company> {
    const { ids } = this.#template
    const mark = randomUUID().slice(0, 8)
    const people = this.#template.people.map(({ email, name, role }) => ({
      email: email.replace('@plantilla.cl', `-${mark}@taller.cl`),
      name,
      role,
      token: randomBytes(32).toString('base64url'),
    }))
    const client = this.#client
    // Foreign keys are not checked again: the rows are as consistent as those they are copied from.
    await client.query('begin; set local session_replication_role = replica')
    const company = await client.query(
      `insert into companies (name, dni, time_zone) select $1, dni, time_zone from companies where id = $2 returning id`,
      [name, this.#template.id],
    )
    const id = Number(company.rows[0].id)
    const users = await client.query(
      `insert into users (email, name, password_hash) select new.email, u.name, u.password_hash
       from unnest($1::bigint[], $2::text[]) as new (id, email) join users u using (id) order by u.id returning id`,
      [this.#template.people.map((person) => person.id), people.map(({ email }) => email)],
    )
    const oldIds = this.#template.people.map((person) => person.id).join()
    const newIds = users.rows.map((user) => user.id).join()
    const statements = this.#template.tables.map(({ name, columns, users }) => {
      const values = columns.map((column) => {
        if (column === 'company_id') return String(id)
        if (!users.includes(column)) return column
        return `coalesce((array[${newIds}])[array_position(array[${oldIds}]::bigint[], ${column})], ${column})`
      })
      return `insert into ${name} (${columns}) overriding system value select ${values} from ${name} where company_id = ${this.#template.id}`
    })
    await client.query(statements.join(';\n'))
    await client.query(
      `insert into sessions (token_hash, user_id, expires_at, agent, address)
       select decode(hash, 'hex'), id, now() + interval '1 day', '', '' from unnest($1::text[], $2::bigint[]) as new (hash, id)`,
      [people.map(({ token }) => createHash('sha256').update(token).digest('hex')), users.rows.map((user) => user.id)],
    )
    await client.query('commit')
    const [owner, chief, storekeeper, mechanic, viewer] = people
    return {
      id,
      name,
      ids,
      owner: owner!,
      chief: chief!,
      storekeeper: storekeeper!,
      mechanic: mechanic!,
      viewer: viewer!,
    }
  }
}

interface Fixtures {
  /** A company that this journey alone uses. */
  company: Company
  /** Another one, for journeys about two companies. */
  newCompany: (name: string) => Promise<Company>
}

export const test = base.extend<Fixtures, { copier: CompanyCopier }>({
  copier: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const copier = await CompanyCopier.open()
      await use(copier)
      await copier.close()
    },
    { scope: 'worker' },
  ],
  newCompany: async ({ copier }, use) => {
    await use((name) => copier.copy(name))
  },
  company: async ({ newCompany }, use) => {
    await use(await newCompany(CARRIER.company.name))
  },
})
