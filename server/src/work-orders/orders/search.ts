import { type SQL, sql } from 'drizzle-orm'
import { normalPatent } from '#contract/fleet/fleet.ts'
import { coupledTable, trucksTable } from '../../fleet/tables.ts'
import { all } from '../../platform/database/conditions.ts'
import { type Db, rows } from '../../platform/database/db.ts'
import { hasByParts, hasPart, likeWord, matches } from '../../platform/database/words.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { workOrdersTable } from '../tables.ts'

/** The orders of the connection's company, where searches use the index of parts of words: see decision 0010. */
const SEARCHED = sql.raw('searched_work_orders o')

/** `OT-123`, `ot 000123`: what people say on the phone. */
const NUMBER = /^ot[-·. ]?0*(\d{1,9})$/i

/** The same inside a text, as orders have it: with six digits. */
export const wholeNumbers = (search: string | undefined) =>
  search?.replace(/\bot[-·.]?\s*0*(\d{1,6})(?=\s|$)/gi, (_, number: string) => `ot-${number.padStart(6, '0')}`)

export interface Words {
  from: SQL
  where: SQL
  /** The whole text is this number. */
  number: number | undefined
}

/** Every word is in the order, in the plate or code of its truck, or in the plate of its coupled unit. */
export async function searchWords(db: Db, actor: Actor, search: string | undefined): Promise<Words | undefined> {
  const text = (search ?? '').trim().replace(/\bot\s+(?=\d)/gi, 'ot-')
  const words = text
    .split(/\s+/)
    .filter((word) => matches(sql`o.search`, word))
    .slice(0, 8)
  if (words.length === 0) return undefined
  const parts = words.map((word) => ({ word, number: NUMBER.exec(word)?.[1] }))
  const vehicles = await vehiclesOf(
    db,
    actor,
    parts.filter(({ number }) => number === undefined).map(({ word }) => word),
  )
  const where = parts.map(({ word, number }) =>
    number === undefined ? inOrder(word, vehicles) : sql`o.number = ${Number(number)}`,
  )
  const only = words.length === 1 && /^\d{1,9}$/.test(words[0]!) ? Number(words[0]) : undefined
  const from = hasPart(text) ? SEARCHED : sql`${workOrdersTable} o`
  return { from, where: all(where), number: only }
}

interface Vehicles {
  word: string
  is_truck: boolean
  ids: number[]
}

/** Trucks and coupled units that have a word in their plate or code: by the index of parts of words, where it has some. */
async function vehiclesOf(db: Db, actor: Actor, words: string[]): Promise<Vehicles[]> {
  const lookups = words.flatMap((word) => {
    const plate = normalPatent(word)
    const trucks = sql`select ${word} as word, true as is_truck, array_agg(k.id) as ids
      from ${hasPart(word) ? sql.raw('searched_trucks') : trucksTable} k
      where k.company_id = ${actor.company_id} and ${matches(sql`k.search`, word)!} having count(*) > 0`
    const units = sql`select ${word} as word, false as is_truck, array_agg(u.id) as ids
      from ${hasPart(plate) ? sql.raw('searched_coupled') : coupledTable} u
      where u.company_id = ${actor.company_id} and u.patent like ${likeWord(plate)} having count(*) > 0`
    return plate ? [trucks, units] : [trucks]
  })
  return lookups.length > 0 ? rows<Vehicles>(db, sql.join(lookups, sql` union all `)) : []
}

function inOrder(word: string, vehicles: Vehicles[]): SQL {
  const arms = vehicles
    .filter((found) => found.word === word)
    .map(
      ({ is_truck, ids }) => sql`${is_truck ? sql`o.truck_id` : sql`o.coupled_id`} = any(${sql.param(ids)}::bigint[])`,
    )
  // What is searched has six digits of a number.
  if (/^\d{7,9}$/.test(word)) arms.push(sql`o.number = ${Number(word)}`)
  return sql`(${sql.join([sql`(${hasByParts(sql`o.search`, word)})`, ...arms], sql` or `)})`
}
