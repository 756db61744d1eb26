import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import type { Member } from '../../../test/given.ts'
import { openHouse } from '../../../test/house.ts'
import { erasePerson } from '../../identity/erase.ts'
import { rows } from '../database/db.ts'
import { brokenSeals, sealActivity } from './seals.ts'

const house = openHouse()
const KEY = 'una clave que la base de datos no conoce'

let ana: Member
let eva: Member
const sealed = () => house.app.database.write(ana.company_id, (db) => sealActivity(db, ana.company_id, KEY))
const broken = async () => {
  const found = await brokenSeals(house.owner, KEY)
  return found.map((problem) => problem.replace(`Empresa ${ana.company_id}: `, ''))
}
/** What somebody does who owns the database, seen, and taken back. */
async function seenAfter(...statements: string[]): Promise<string[]> {
  const client = await house.owner.connect()
  try {
    await client.query('begin')
    for (const statement of statements) await client.query(statement)
    return (await brokenSeals(client, KEY)).map((problem) => problem.replace(`Empresa ${ana.company_id}: `, ''))
  } finally {
    await client.query('rollback')
    client.release()
  }
}

beforeAll(async () => {
  ana = await house.given.member()
  eva = await house.given.member({ company_id: ana.company_id, workshop_id: ana.workshop_id })
  for (const name of ['Uno', 'Dos', 'Tres']) await house.call(ana, fleetCatalogues.createBrand, { body: { name } })
  await house.call(eva, fleetCatalogues.createBrand, { body: { name: 'Cuatro' } })
  expect(await sealed()).toBeGreaterThan(3)
  await house.call(ana, fleetCatalogues.createBrand, { body: { name: 'Cinco' } })
  expect([await sealed(), await sealed()]).toEqual([1, 0])
})

it('shows the first line that was changed, removed or added later, and seals that are not those that were put', async () => {
  expect(await broken()).toEqual([])
  const { rows } = await house.owner.query('select id from activity where company_id = $1 order by id', [
    ana.company_id,
  ])
  const [first, second, third] = rows.map(({ id }) => Number(id))
  const changed = [`la línea ${second} de la actividad no es la que se selló.`]
  for (const column of [`changes = '{"name":[null,"Otra"]}'`, `user_name = 'Otra'`, `action = 'deleted'`, 'at = now()'])
    expect(await seenAfter(`update activity set ${column} where id = ${second}`), column).toEqual(changed)
  expect(await seenAfter(`delete from activity where id in (${second}, ${third})`)).toEqual([
    `se quitó la línea ${second} de la actividad.`,
  ])
  const seal = expect.stringMatching(/^el sello del .*, o uno anterior, no es el que se puso\.$/)
  expect(
    await seenAfter(
      `delete from activity where id = ${first}`,
      `delete from sealed_activity where activity_id = ${first}`,
    ),
  ).toEqual([seal])
  expect(
    await seenAfter(
      'alter table sealed_activity drop constraint sealed_activity_seal',
      'delete from activity where id <= (select min(last_id) from activity_seals)',
      'delete from sealed_activity where seal_id = (select min(id) from activity_seals)',
      'delete from activity_seals where id = (select min(id) from activity_seals)',
    ),
  ).toEqual([seal])
  expect(
    await seenAfter(
      `update activity_seals set at = now() - interval '2 hours'`,
      `insert into activity (company_id, id, entity, entity_id, action, changes)
       values (${ana.company_id}, 0, 'brand', 1, 'updated', '{}')`,
    ),
  ).toEqual(['la línea 0 de la actividad se agregó después.'])
  expect(await brokenSeals(house.owner, 'otra clave')).toEqual([expect.stringContaining('otra clave que SEAL_KEY')])
})

it('seals what many lines say as one, each as it stands', async () => {
  const { rows } = await house.owner.query(
    `insert into activity (company_id, entity, entity_id, action, user_name, changes)
     select $1, 'brand', n, 'updated', nullif('Ana "' || n || '"', 'Ana "7"'), jsonb_build_object('name', array['a', n || ' é, {x}'])
     from generate_series(1, 1100) n returning id`,
    [ana.company_id],
  )
  expect(await sealed()).toBe(1100)
  expect(await broken()).toEqual([])
  const late = rows[900].id
  expect(await seenAfter(`update activity set entity_id = 1 where id = ${late}`)).toEqual([
    `la línea ${late} de la actividad no es la que se selló.`,
  ])
})

it('is written by nobody who serves', async () => {
  for (const statement of [
    `update activity set user_name = 'Otra'`,
    'delete from activity',
    `update activity_seals set mac = ''`,
    'delete from sealed_activity',
  ])
    await expect(
      house.app.database.write(ana.company_id, (db) => rows(db, sql.raw(statement))),
      statement,
    ).rejects.toThrow('permission denied')
})

it('holds when a person is erased, and no longer names them', async () => {
  const { rows } = await house.owner.query('select email, name from users where id = $1', [eva.user_id])
  const client = await house.owner.connect()
  try {
    expect(await erasePerson(client, rows[0].email)).toBe(1)
    expect(await erasePerson(client, rows[0].email)).toBeUndefined()
  } finally {
    client.release()
  }
  expect((await house.call(eva, fleetCatalogues.listBrands)).status).toBe(401)
  const left = await house.owner.query(
    `select from activity where user_name = $1 or changes::text like '%' || $1 || '%'`,
    [rows[0].name],
  )
  expect(left.rowCount).toBe(0)
  expect(await broken()).toEqual([])
  expect(await sealed()).toBe(1)
  expect(await broken()).toEqual([])
})
