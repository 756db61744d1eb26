import { describe, expect, it } from 'vitest'
import { fleet } from '#contract/fleet/fleet.ts'
import { times } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

const house = openHouse()

describe('creating a truck', () => {
  it('keeps the plate one way, however it was typed', async () => {
    const ana = await house.given.member()
    const { status, body } = await house.call(ana, fleet.createTruck, {
      body: { ...house.given.newTruck(ana), code: '  C-100 ', patent: 'bbbb-12' },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ code: 'C-100', patent: 'BBBB12', state: 'active', mileage: 1000, coupled_id: null })
  })

  it('says under each field what is wrong with it', async () => {
    const ana = await house.given.member()
    const { status, failure } = await house.call(ana, fleet.createTruck, {
      body: { workshop_id: ana.workshop_id, code: ' ', patent: '??', mileage: -1 },
    })
    expect(status).toBe(422)
    expect(failure.errors).toEqual({
      code: ['Este campo es obligatorio.'],
      patent: ['La patente es obligatoria.', 'La patente debe tener entre 4 y 10 letras y números.'],
      mileage: ['El kilometraje no puede ser negativo.'],
    })
  })

  it('refuses a code or a plate the company already has, also when two arrive at once', async () => {
    const ana = await house.given.member()
    const first = await house.given.truck(ana)
    const again = await house.call(ana, fleet.createTruck, {
      body: house.given.newTruck(ana, { code: first.code.toLowerCase() }),
    })
    expect(again.failure.errors).toEqual({ code: ['Ya existe un equipo con este código.'] })

    const answers = await Promise.all(
      times(6, () => house.call(ana, fleet.createTruck, { body: house.given.newTruck(ana, { patent: 'ZZZZ99' }) })),
    )
    expect(answers.map((a) => a.status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    expect(answers.find((a) => a.status === 422)?.failure.errors).toEqual({
      patent: ['Ya existe un equipo con esta patente.'],
    })
  })

  it('takes only choices of its own workshop or shared by all', async () => {
    const ana = await house.given.member()
    const bob = await house.given.member({ company_id: ana.company_id })
    const brand = await house.given.brand(bob)
    const { failure } = await house.call(ana, fleet.createTruck, {
      body: house.given.newTruck(ana, { brand_id: brand.id }),
    })
    expect(failure.errors).toEqual({ brand_id: ['Elija una opción de la lista.'] })
  })

  it('belongs to the workshop of the person who creates it', async () => {
    const ana = await house.given.member()
    const other = await house.given.workshop(ana.company_id)
    const { failure } = await house.call(ana, fleet.createTruck, {
      body: house.given.newTruck(ana, { workshop_id: other }),
    })
    expect(failure.errors).toEqual({ workshop_id: ['Elija un taller de la lista.'] })
  })

  it('happens once for one Idempotency-Key, also when the calls cross', async () => {
    const ana = await house.given.member()
    const body = house.given.newTruck(ana)
    const headers = { 'idempotency-key': 'tablet-7-1' }
    const answers = await Promise.all(times(5, () => house.call(ana, fleet.createTruck, { body, headers })))
    expect(answers.map((a) => a.status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map((a) => a.body.id)).size).toBe(1)
    const { body: list } = await house.call(ana, fleet.listTrucks)
    expect(list.total).toBe(1)

    const other = await house.call(ana, fleet.createTruck, { body: house.given.newTruck(ana), headers })
    expect(other.status).toBe(422)
    expect(other.failure.message).toBe('Esta Idempotency-Key ya se usó con otros datos.')
  })

  it('can be tried again with the key of a try that was refused', async () => {
    const ana = await house.given.member()
    const headers = { 'idempotency-key': 'tablet-7-2' }
    const refused = await house.call(ana, fleet.createTruck, { body: house.given.newTruck(ana, { code: '' }), headers })
    expect(refused.status).toBe(422)
    const accepted = await house.call(ana, fleet.createTruck, { body: house.given.newTruck(ana), headers })
    expect(accepted.status).toBe(201)
  })
})

describe('the list', () => {
  it('finds by parts of code, plate, brand and type, in any order, accents aside', async () => {
    const ana = await house.given.member()
    const brand = await house.given.brand(ana, 'Citroën')
    const truck = await house.given.truck(ana, { code: 'TOLVA-7', patent: 'KRTX41', brand_id: brand.id })
    await house.given.truck(ana)
    for (const Search of ['krtx41', 'KRTX-41', 'krtx·41', '41 tolva', 'citroen', 'CITROËN krtx', 'tolva-7']) {
      const { body } = await house.call(ana, fleet.listTrucks, { query: { filter: { Search } } })
      expect([Search, body.data.map((t) => t.id)]).toEqual([Search, [truck.id]])
    }
    const { body } = await house.call(ana, fleet.listTrucks, { query: { filter: { Search: '%' } } })
    expect(body.total).toBe(0)
  })

  it('pages and sorts without losing or repeating a row', async () => {
    const ana = await house.given.member()
    await Promise.all(times(7, (i) => house.given.truck(ana, { mileage: 1000 + (i % 2) })))
    const seen: number[] = []
    for (const page of [1, 2, 3, 4]) {
      const { body } = await house.call(ana, fleet.listTrucks, { query: { page, perPage: 2, sort: '-mileage' } })
      expect(body).toMatchObject({ total: 7, page, per_page: 2 })
      seen.push(...body.data.map((t) => t.id))
    }
    expect(new Set(seen).size).toBe(7)
    const { body: beyond } = await house.call(ana, fleet.listTrucks, { query: { page: 9, per_page: 2 } })
    expect(beyond).toMatchObject({ data: [], total: 7 })
    const bad = await house.call(ana, fleet.listTrucks, { query: { sort: 'password' } })
    expect(bad.failure.errors).toEqual({ sort: ['Elija una de las opciones.'] })
    const much = await house.call(ana, fleet.listTrucks, { query: { per_page: 501 } })
    expect(much.failure.errors).toEqual({ per_page: ['Debe ser 500 o menos.'] })
  })

  it('answers a filter for another workshop with the own one; a super-admin may pick', async () => {
    const boss = await house.given.member({ role: 'super-admin' })
    const ana = await house.given.member({ company_id: boss.company_id })
    const bob = await house.given.member({ company_id: boss.company_id })
    const hers = await house.given.truck(ana)
    const his = await house.given.truck(bob)
    const ask = async (who: typeof ana, WorkshopId?: string) =>
      (await house.call(who, fleet.listTrucks, { query: { filter: { WorkshopId } } })).body.data.map((t) => t.id).sort()
    expect(await ask(ana, String(bob.workshop_id))).toEqual([hers.id])
    expect(await ask(boss, String(bob.workshop_id))).toEqual([his.id])
    expect(await ask(boss, `${ana.workshop_id},${bob.workshop_id}`)).toEqual([hers.id, his.id])
    expect(await ask(boss)).toEqual([hers.id, his.id])
  })
})

describe('editing', () => {
  it('is refused with 409 where somebody changed it meanwhile', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana)
    const edit = (code: string, updated_at: string) =>
      house.call(ana, fleet.updateTruck, { params: { id: truck.id }, body: { ...truck, code, updated_at } })
    const first = await edit('C-A', truck.updated_at)
    expect(first.status).toBe(200)
    const stale = await edit('C-B', truck.updated_at)
    expect(stale.status).toBe(409)
    expect(stale.failure.message).toContain('Otra persona cambió')
    expect((await edit('C-B', first.body.updated_at)).body.code).toBe('C-B')
  })

  it('leaves who, when and what from/to in the activity', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana)
    await house.call(ana, fleet.updateTruck, { params: { id: truck.id }, body: { ...truck, code: 'NUEVO' } })
    const { body } = await house.call(ana, fleet.truckActivity, { params: { id: truck.id } })
    expect(body.data.map((a) => [a.action, a.user_name])).toEqual([
      ['updated', ana.name],
      ['created', ana.name],
    ])
    expect(body.data[0]?.changes).toEqual({ code: [truck.code, 'NUEVO'] })
  })
})

describe('deleting', () => {
  it('removes a truck to which nothing has happened', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana)
    expect((await house.call(ana, fleet.deleteTruck, { params: { id: truck.id } })).status).toBe(204)
    expect((await house.call(ana, fleet.getTruck, { params: { id: truck.id } })).status).toBe(404)
  })

  it('refuses one with history and says what to do; deactivated it is no longer offered', async () => {
    const ana = await house.given.member()
    const truck = await house.given.truck(ana)
    await house.call(ana, fleet.recordReading, { params: { id: truck.id }, body: { km: 2000 } })
    const refused = await house.call(ana, fleet.deleteTruck, { params: { id: truck.id } })
    expect(refused.status).toBe(409)
    expect(refused.failure.message).toContain('Puede desactivarlo')
    await house.call(ana, fleet.updateTruck, {
      params: { id: truck.id },
      body: { ...truck, updated_at: undefined, state: 'inactive' },
    })
    expect((await house.call(ana, fleet.chooseTrucks)).body.data).toEqual([])
  })
})
