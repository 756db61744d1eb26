import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openStore, type StorePlace } from '../src/platform/outside/store.ts'
import { loadDemo } from './demo.ts'
import { CARRIER, QUARRY } from './people.ts'

export interface Leaving {
  ownerUrl: string
  /** With what the house is set up afterwards; null: the demonstration comes back as it was at first. */
  code: string | null
  /** The store with the files of the demonstration, which are deleted with it. */
  files?: StorePlace
  /** The size of the demonstration that comes back; tests take a small one. */
  factor?: number
}

const CLOSED = 'Se está preparando la demostración. Vuelve en menos de un minuto.'
const NOT_ALONE = 'Aquí hay datos que no son de la demostración: no se borra nada.'
const BUSY = 'La demostración ya se está preparando.'
/** Any number will do, as long as every instance takes the same. */
export const LEAVING_LOCK = 7_214_905
/** Every instance has heard by then that the house is closed, and finished what it was at. */
const HEARD = 2_000

/** All that people see: what is left are how far the tables are, and that the house is closed. */
const TABLES = `select string_agg(format('%I', tablename), ', ') as names from pg_tables
  where schemaname = 'public' and tablename <> 'maintenance'`

const STRANGERS = `select from companies c where not exists (
    select from memberships m join users u on u.id = m.user_id
    where m.company_id = c.id and m.role = 'super-admin' and lower(u.email) = any($1))`

/**
 * Takes the demonstration out of a house that holds nothing else, and everybody's session with it. `closed` is told
 * once nobody gets in any more, or with the reason why nothing is done.
 */
export async function leaveDemo({ ownerUrl, code, files, factor = 1 }: Leaving, closed: (problem?: string) => void) {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const emails = [CARRIER, QUARRY].map(({ people }) => people[0]!.email)
    // Instances of a public demonstration begin it anew at the same moment: the first does it for all.
    const lock = await client.query('select pg_try_advisory_lock($1) as mine', [LEAVING_LOCK])
    if (!lock.rows[0].mine) return closed(BUSY)
    const { rows } = await client.query<{ id: string }>('select id from companies')
    const strangers = await client.query(STRANGERS, [emails])
    if (rows.length === 0 || strangers.rows.length > 0) return closed(NOT_ALONE)
    await client.query('insert into maintenance (message) values ($1)', [CLOSED])
    try {
      closed()
      await sleep(HEARD)
      const tables = await client.query<{ names: string }>(TABLES)
      await client.query('begin')
      await client.query(`set local lock_timeout = '30s'`)
      await client.query(`truncate ${tables.rows[0]!.names} restart identity`)
      if (code !== null) await client.query('insert into setup (code) values ($1)', [code])
      await client.query('commit')
      // A store that does not answer must not leave the product without its demonstration: the sweep takes them later.
      if (files)
        for (const { id } of rows)
          await deleteFiles(files, Number(id)).catch((error: unknown) =>
            console.error('Archivos de la demostración:', error),
          )
      if (code === null) await loadDemo(ownerUrl, { factor })
    } finally {
      await client.query('delete from maintenance where message = $1', [CLOSED])
    }
  } finally {
    await client.end()
  }
}

/** Deletes the files that visitors uploaded: no row names them any more, and they would fill the quota until the sweep. */
async function deleteFiles(place: StorePlace, company_id: number) {
  const store = openStore(place)
  for await (const lot of store.list(company_id)) for (const { hash } of lot) await store.delete({ company_id, hash })
}
