import { describe, expect, it } from 'vitest'
import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { fleet } from '#contract/fleet/fleet.ts'
import { identity } from '#contract/identity/identity.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import { supplies } from '#contract/supplies/supplies.ts'
import { companies } from '#contract/workshops/company.ts'
import { rosters } from '#contract/workshops/rosters.ts'
import { workshops } from '#contract/workshops/workshops.ts'
import { type Member, PIXEL } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()

describe('settings', () => {
  it('start with has_warehouse, and are changed by those who manage the company', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const chief = await house.given.member({ company_id: boss.company_id })
    const first = async () => (await house.call(chief, companies.listSettings)).body.data[0]
    expect(await first()).toMatchObject({ name: 'has_warehouse', pivot: { setting_value: true } })
    const body = { has_warehouse: false }
    expect((await house.call(chief, companies.updateSettings, { body })).status).toBe(403)
    expect((await house.call(boss, companies.updateSettings, { body })).status).toBe(200)
    expect(await first()).toMatchObject({ pivot: { setting_value: false } })
    const neighbour = await house.given.member()
    expect((await house.call(neighbour, companies.listSettings)).body.data[0]?.pivot.setting_value).toBe(true)
  })
})

describe('the company', () => {
  it('has a name, a RUT that is checked and a time zone, which holds on the next call', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const save = (more: object) =>
      house.call(boss, companies.updateCompany, {
        body: { name: 'Transportes Sur', dni: '76.418.203-0', time_zone: 'Pacific/Easter', ...more },
      })
    expect((await save({ dni: '76.418.203-1' })).failure.errors).toHaveProperty('dni')
    expect((await save({ time_zone: 'Mars/Olympus' })).failure.errors).toHaveProperty('time_zone')
    expect((await save({})).body).toMatchObject({ name: 'Transportes Sur', dni: '76418203-0' })
    expect((await house.call(boss, identity.me)).body.companies[0]?.time_zone).toBe('Pacific/Easter')
  })
})

describe('the logo', () => {
  const file = (content: Uint8Array<ArrayBuffer>) => new File([content], 'logo')
  const png = Buffer.from(PIXEL.split(',')[1]!, 'base64')

  it('is an image, and is printed on the documents', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const order = await house.given.purchaseOrder({ ...boss })
    const paper = async () => (await house.call(boss, purchasing.purchaseOrderPdf, { params: { id: order.id } })).body
    const images = async () => (await paper()).toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0
    expect((await house.call(boss, companies.getLogo)).status).toBe(404)
    expect(await images()).toBe(0)
    const refused = await house.call(boss, companies.updateLogo, {
      body: { file: file(new TextEncoder().encode('<svg>')) },
    })
    expect(refused.failure.errors).toEqual({ file: ['El logo debe ser una imagen PNG o JPG.'] })
    const big = await house.call(boss, companies.updateLogo, { body: { file: file(new Uint8Array(600 * 1024)) } })
    expect(big.status).toBe(413)
    const given = await house.call(boss, companies.updateLogo, { body: { file: file(new Uint8Array(png)) } })
    expect(given.body.has_logo).toBe(true)
    const got = await house.call(boss, companies.getLogo)
    expect(got.headers['content-type']).toBe('image/png')
    expect(await images()).toBeGreaterThan(0)
    expect((await house.call(boss, companies.deleteLogo)).status).toBe(204)
    expect((await house.call(boss, companies.getCompany)).body.has_logo).toBe(false)
  })
})

describe('what uses a thing', () => {
  it('is told across domains, each row once, to those who see the thing', async () => {
    const chief = await house.given.member()
    const specialist = await house.given.specialist(chief)
    const uses = (who: Member, thing: string, id: number) =>
      house.call(who, workshops.listUses, { params: { thing, id } })
    expect((await uses(chief, 'specialists', specialist.id)).body.data).toEqual([])
    await house.given.workOrder(chief, {
      responsible_specialist_id: specialist.id,
      reviewed_by_specialist_id: specialist.id,
      works: [{ description: 'Uno', specialist_id: specialist.id }],
    })
    expect((await uses(chief, 'specialists', specialist.id)).body.data).toEqual([
      { what: 'órdenes de trabajo', total: 1 },
      { what: 'trabajos', total: 1 },
    ])
    const neighbour = await house.given.member({ company_id: chief.company_id })
    expect((await uses(neighbour, 'specialists', specialist.id)).status).toBe(404)
    expect((await uses(chief, 'users', 1)).status).toBe(404)
  })
})

describe('workshops', () => {
  it('are made and renamed by those who manage the company, each name once', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const { status, body } = await house.call(boss, workshops.createWorkshop, { body: { name: 'Taller Arica' } })
    expect(status).toBe(201)
    const again = await house.call(boss, workshops.createWorkshop, { body: { name: 'Taller Arica' } })
    expect(again.failure.errors).toEqual({ name: ['Ya existe un taller con este nombre.'] })
    const renamed = await house.call(boss, workshops.updateWorkshop, {
      params: { id: body.id },
      body: { name: 'Taller Iquique', address: 'Ruta A-1', state: 'inactive' },
    })
    expect(renamed.body).toMatchObject({ name: 'Taller Iquique', state: 'inactive' })
    const offered = await house.call(boss, workshops.listWorkshops)
    expect(offered.body.data.map(({ id }) => id)).not.toContain(body.id)
    const known = await house.call(boss, workshops.listLocations, { query: { filter: { Search: 'iquique' } } })
    expect(known.body.data.map(({ id }) => id)).toEqual([body.id])
  })

  it('stay while something is in them, and one always stays', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const params = { id: boss.workshop_id }
    const only = await house.call(boss, workshops.deleteWorkshop, { params })
    expect(only.status).toBe(409)
    expect(only.failure.message).toMatch(/único taller activo/)
    await house.given.truck(boss)
    const second = await house.given.workshop(boss.company_id)
    expect((await house.call(boss, workshops.deleteWorkshop, { params })).failure.message).toMatch(/Puede desactivarlo/)
    expect((await house.call(boss, workshops.deleteWorkshop, { params: { id: second } })).status).toBe(204)
  })
})

describe('specialists, drivers and boxes', () => {
  it('are listed by workshop, and found by name or RUT', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const chief = await house.given.member({ company_id: boss.company_id })
    const luis = await house.given.specialist(chief, { names: 'Luis', dni: '12.345.678-5', position: 'Eléctrico' })
    await house.given.specialist(boss, { names: 'Otro' })
    const find = async (filter: object) =>
      (await house.call(chief, rosters.listSpecialists, { query: { filter } })).body.data.map(({ id }) => id)
    expect(luis).toMatchObject({ dni: '12345678-5', position: 'Eléctrico', state: 'active' })
    expect(await find({ WorkshopId: [boss.workshop_id] })).toEqual([luis.id])
    expect(await find({ Search: 'gatica electrico' })).toEqual([luis.id])
    expect(await find({ Search: '12.345.678-5' })).toEqual([luis.id])
    const all = await house.call(boss, rosters.listSpecialists, {
      query: { filter: { WorkshopId: [chief.workshop_id] } },
    })
    expect(all.body.data.map(({ id }) => id)).toEqual([luis.id])
  })

  it('keep a sound RUT, once per workshop, and a licence with its expiry', async () => {
    const chief = await house.given.member()
    const made = await house.call(chief, rosters.createDriver, {
      body: house.given.newSpecialist(chief, {
        dni: '12345678-5',
        licence_class: 'A5',
        licence_expires_on: '2027-03-31',
      }),
    })
    expect(made.body).toMatchObject({ licence_class: 'A5', licence_expires_on: '2027-03-31' })
    const wrong = (more: object) =>
      house.call(chief, rosters.createDriver, { body: house.given.newSpecialist(chief, more) })
    expect((await wrong({ dni: '12345678-5' })).failure.errors).toEqual({
      dni: ['El taller ya tiene un conductor con este RUT.'],
    })
    expect((await wrong({ dni: '12345678-9' })).failure.errors).toHaveProperty('dni')
    expect((await wrong({ licence_class: 'Z9' })).failure.errors).toHaveProperty('licence_class')
    expect((await wrong({ licence_expires_on: '2027-02-30' })).failure.errors).toHaveProperty('licence_expires_on')
  })

  it('go out of use, and are deleted only while nothing points at them', async () => {
    const chief = await house.given.member()
    const mate = await house.given.member({
      role: 'specialist',
      company_id: chief.company_id,
      workshop_id: chief.workshop_id,
    })
    const luis = await house.given.specialist(chief)
    const place = { role: 'specialist', workshop_id: chief.workshop_id, specialist_id: luis.id }
    await house.call(chief, identity.updateUser, { params: { id: mate.user_id }, body: place })
    const refused = await house.call(chief, rosters.deleteSpecialist, { params: { id: luis.id } })
    expect(refused.status).toBe(409)
    const { updated_at, ...rest } = luis
    const off = await house.call(chief, rosters.updateSpecialist, {
      params: { id: luis.id },
      body: { ...rest, state: 'inactive' },
    })
    expect(off.body.state).toBe('inactive')
    const stale = await house.call(chief, rosters.updateSpecialist, { params: { id: luis.id }, body: luis })
    expect([stale.status, updated_at]).toEqual([409, luis.updated_at])
    const box = await house.given.box(chief)
    expect((await house.call(chief, rosters.deleteBox, { params: { id: box.id } })).status).toBe(204)
  })
})

describe('catalogues', () => {
  it('are corrected and cleared by those who manage the workshop; what is in use stays', async () => {
    const chief = await house.given.member()
    const brand = await house.given.brand(chief, 'Volbo')
    const params = { id: brand.id }
    expect((await house.call(chief, fleetCatalogues.updateBrand, { params, body: { name: 'Volvo' } })).body.name).toBe(
      'Volvo',
    )
    const truck = await house.given.truck(chief, { brand_id: brand.id })
    expect((await house.call(chief, fleet.getTruck, { params: { id: truck.id } })).body.brand_name).toBe('Volvo')
    expect((await house.call(chief, fleetCatalogues.deleteBrand, { params })).status).toBe(409)
    const unused = await house.given.category(chief)
    expect((await house.call(chief, supplies.deleteCategory, { params: { id: unused.id } })).status).toBe(204)
  })

  it('that all workshops share are changed by those who work in all of them', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const chief = await house.given.member({ company_id: boss.company_id })
    const { body } = await house.call(boss, fleetCatalogues.createBrand, { body: { name: 'Scania' } })
    const edit = { params: { id: body.id }, body: { name: 'SCANIA' } }
    expect((await house.call(chief, fleetCatalogues.updateBrand, edit)).status).toBe(403)
    expect((await house.call(boss, fleetCatalogues.updateBrand, edit)).status).toBe(200)
  })
})
