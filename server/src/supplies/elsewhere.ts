import { sql } from 'drizzle-orm'
import { type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { addToCatalogue, type Catalogue } from '../workshops/catalogues.ts'
import { CATEGORIES, MEASUREMENT_UNITS } from './catalogues.ts'
import { createSupply } from './supplies.ts'
import { categoriesTable, measurementUnitsTable, suppliesTable } from './tables.ts'

interface Here {
  id: number
  code: string
  name: string
  description: string | null
  cost: number
  category: string | null
  unit: string | null
}

/** Makes supplies of one workshop in another, with the categories and units they need there. Gives who became whom. */
export async function makeElsewhere(db: Db, actor: Actor, ids: number[], workshop_id: number) {
  const found = await rows<Here>(
    db,
    sql`select s.id, s.code, s.name, s.description, s.cost, c.name as category, m.name as unit from ${suppliesTable} s
        left join ${categoriesTable} c on c.company_id = s.company_id and c.id = s.category_id
        left join ${measurementUnitsTable} m on m.company_id = s.company_id and m.id = s.measurement_units_id
        where s.company_id = ${actor.company_id} and s.id = any(${sql.param(ids)}::bigint[]) order by s.id`,
  )
  const made = new Map<number, number>()
  for (const { id, category, unit, ...supply } of found) {
    const category_id = await choiceThere(db, actor, CATEGORIES, category, workshop_id)
    const measurement_units_id = await choiceThere(db, actor, MEASUREMENT_UNITS, unit, workshop_id)
    made.set(id, (await createSupply(db, actor, { ...supply, workshop_id, category_id, measurement_units_id })).id)
  }
  return made
}

/** The one of that name: the workshop's own before the one shared by all; made where there is none. */
async function choiceThere(db: Db, actor: Actor, of: Catalogue, name: string | null, workshop_id: number) {
  if (name === null) return null
  const found = await row<{ id: number }>(
    db,
    sql`select c.id from ${of.table} c where c.company_id = ${actor.company_id} and c.search = plain(${name})
          and (c.workshop_id is null or c.workshop_id = ${workshop_id}) order by c.workshop_id nulls last limit 1`,
  )
  return (found ?? (await addToCatalogue(db, actor, of, { name, workshop_id }))).id
}
