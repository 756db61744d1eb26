import pg from 'pg'
import { expect, it } from 'vitest'
import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { openHouse } from '../../../test/house.ts'

const house = openHouse()

const DATABASE_UNAVAILABLE = 'La base de datos no responde. Intente de nuevo en unos segundos.'

it('answers 503 with a sentence to the call whose database connection is lost, and serves the next', async () => {
  const ana = await house.given.member()
  const owner = await house.owner.connect()
  await owner.query('begin; lock table brands')
  const waiting = house.call(ana, fleetCatalogues.createBrand, { body: { name: 'Volvo' } })
  let lost: number | null = 0
  while (!lost)
    lost = (
      await house.owner.query(
        `select pg_terminate_backend(l.pid) from pg_locks l join pg_class c on c.oid = l.relation
         where c.relname = 'brands' and not l.granted`,
      )
    ).rowCount
  const { status, failure, headers } = await waiting
  await owner.query('rollback')
  owner.release()
  expect([status, failure, headers['retry-after']]).toEqual([
    503,
    { message: DATABASE_UNAVAILABLE, unavailable: true },
    '5',
  ])
  expect((await house.call(ana, fleetCatalogues.createBrand, { body: { name: 'Volvo' } })).status).toBe(201)
})

it('answers 503 with a sentence where the disk of the database is full', async () => {
  const ana = await house.given.member()
  const { database } = house.app
  const { write } = database
  const full = new pg.DatabaseError('could not extend file: No space left on device', 0, 'error')
  full.code = '53100'
  database.write = () => Promise.reject(full)
  const { status, failure } = await house.call(ana, fleetCatalogues.createBrand, { body: { name: 'Scania' } })
  database.write = write
  expect([status, failure.message]).toEqual([
    503,
    'El disco del servidor está lleno. Avise a quien administra Maestranza.',
  ])
})
