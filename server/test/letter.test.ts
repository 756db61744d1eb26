import { expect, it } from 'vitest'
import { alertCategories } from '#contract/alerts/categories.ts'
import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { openHouse } from './house.ts'

/* What clients of the specification rely on, to its letter. */

const house = openHouse()

it('coupled units, brands, cost centres and alert categories say whose they are', async () => {
  const ana = await house.given.member()
  const { company_id } = ana
  expect(await house.given.coupled(ana)).toMatchObject({ company_id })
  expect(await house.given.brand(ana)).toMatchObject({ company_id })
  expect(await house.given.costCenter(ana)).toMatchObject({ company_id })
  expect(await house.given.alertCategory(ana)).toMatchObject({ company_id })
  for (const endpoint of [
    fleet.listCoupled,
    fleetCatalogues.listBrands,
    fleetCatalogues.listCostCenters,
    alertCategories.listCategories,
  ])
    expect((await house.call(ana, endpoint)).body.data[0]).toMatchObject({ company_id })
})

it('what such a client sends along, its company too, is taken', async () => {
  const ana = await house.given.member()
  const { company_id, workshop_id } = ana
  const made = await house.call(ana, fleetCatalogues.createBrand, { body: { name: 'Volvo', company_id, workshop_id } })
  expect([made.status, made.body.name]).toEqual([201, 'Volvo'])
})

it('filters are understood without filter[]', async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  const far = { ...boss, workshop_id: await house.given.workshop(boss.company_id) }
  const [here, there] = [await house.given.specialist(boss), await house.given.specialist(far)]
  const ask = async (query: object) =>
    (await house.call(boss, rosters.listSpecialists, { query: { ...query } })).body.data.map(({ id }) => id)
  expect(await ask({ WorkshopId: boss.workshop_id })).toEqual([here.id])
  expect(await ask({ WorkshopId: far.workshop_id })).toEqual([there.id])
  expect(await ask({ filter: { WorkshopId: [far.workshop_id] } })).toEqual([there.id])
  expect(await ask({ WorkshopId: boss.workshop_id, Search: 'nadie' })).toEqual([])
})
