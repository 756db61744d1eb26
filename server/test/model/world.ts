import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { companies } from '#contract/workshops/company.ts'
import type { Member } from '../given.ts'
import type { House } from '../house.ts'
import type { World } from './operations.ts'

/** A cost centre of all workshops. */
const centreOf = async ({ call, given }: House, who: Member) =>
  (await call(who, fleetCatalogues.createCostCenter, { body: { name: given.next('Centro '), workshop_id: null } })).body
    .id

/** A company with two workshops, or a small one with one; everyone in it may do everything. */
export async function makeWorld(house: House, size: { workshops: number; supplies: number; trucks: number }) {
  const { given } = house
  const who: Member = await given.member({ role: 'super-admin' })
  const { company_id: company } = who
  const settings = await house.call(who, companies.updateSettings, { body: { labour_counts: true } })
  if (settings.status !== 200) throw new Error(JSON.stringify(settings.failure))
  const workshops = [who.workshop_id]
  while (workshops.length < size.workshops) workshops.push(await given.workshop(company))
  const world: World = {
    company,
    workshops,
    warehouses: [],
    supplies: [],
    trucks: [],
    services: [],
    specialists: [],
    centres: [],
  }
  for (let i = 0; i < 2; i++) world.centres.push(await centreOf(house, who))
  const codes = Array.from({ length: size.supplies }, () => given.next('MOD-'))
  for (const workshop of workshops) {
    const own = { ...who, workshop_id: workshop }
    const categories = [await given.category(own), await given.category(own)]
    for (let i = 0; i < 2; i++) world.warehouses.push({ id: (await given.warehouse(own)).id, workshop })
    for (const [i, code] of codes.entries()) {
      const category = categories[i % 3]?.id ?? null
      const { id } = await given.supply(own, { code, category_id: category })
      world.supplies.push({ id, workshop, category })
    }
    for (let i = 0; i < 2; i++) {
      const provider = await given.provider(own)
      for (const price of [15_000, 3333.3333]) {
        const { id } = await given.service(own, { provider_id: provider.id, unit_price: price })
        world.services.push({ id, provider: provider.id, price, workshop })
      }
    }
    for (let i = 0; i < 2; i++) world.specialists.push({ id: (await given.specialist(own)).id, workshop })
  }
  for (let i = 0; i < size.trucks; i++) {
    const workshop = workshops[i % workshops.length]!
    const centre = [...world.centres, null][i % 3]!
    const truck = await given.truck({ ...who, workshop_id: workshop }, { cost_center_id: centre, mileage: 10_000 })
    const at = Date.parse(truck.registered_at)
    world.trucks.push({ id: truck.id, workshop, centre, registered: at, reading: { id: 0, km: 10_000, at } })
  }
  return { who, world }
}
