import { describe, expect, it } from 'vitest'
import { finder } from '#contract/base/finder.ts'
import { verifierOf, WRONG_VERIFIER } from '#contract/base/rut.ts'
import { providers } from '#contract/providers/providers.ts'
import { type Member, times } from '../../test/given.ts'
import { makeTable, openHouse } from '../../test/house.ts'

const house = openHouse()

let lastNumber = 76_000_000
const newRut = () => {
  lastNumber += 1
  return `${lastNumber}-${verifierOf(lastNumber)}`
}
const create = (who: Member, body: Record<string, unknown>) => house.call(who, providers.createProvider, { body })
const update = (who: Member, id: number, body: Record<string, unknown>) =>
  house.call(who, providers.updateProvider, { params: { id }, body })

/** A company with its super-admin and the chiefs of two of its workshops. */
async function company() {
  const boss = await house.given.member({ role: 'super-admin' })
  const ana = await house.given.member({ company_id: boss.company_id })
  const bob = await house.given.member({ company_id: boss.company_id })
  return { boss, ana, bob }
}

describe('creating a provider', () => {
  it('keeps the RUT one way, however it was typed, and a foreign id as it is', async () => {
    const ana = await house.given.member()
    const { status, body } = await create(ana, {
      name: '  Frenos del Sur SpA ',
      dni: '12.345.678-5',
      phone: '+56 9 8765 4321',
      email: ' Ventas@FrenosSur.CL ',
      address: '',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Frenos del Sur SpA',
      dni: '12345678-5',
      phone: '+56 9 8765 4321',
      email: 'ventas@frenossur.cl',
      address: null,
      workshop_id: ana.workshop_id,
      state: 'active',
      services_count: 0,
    })
    expect((await create(ana, { name: 'Repuestos Mendoza', dni: '30-71234567-8' })).body.dni).toBe('30-71234567-8')
  })

  it('says under each field what is wrong with it', async () => {
    const ana = await house.given.member()
    const { status, failure } = await create(ana, { name: ' ', dni: '12.345.678-4', email: 'no es correo' })
    expect(status).toBe(422)
    expect(failure.errors).toEqual({
      name: ['Este campo es obligatorio.'],
      dni: [WRONG_VERIFIER],
      email: ['El correo no es válido.'],
    })
  })

  it('refuses a RUT that the company already has, also when two arrive at once', async () => {
    const ana = await house.given.member()
    await create(ana, { name: 'Frenos del Sur', dni: '6.000.000-K' })
    const again = await create(ana, { name: 'Otro', dni: '6000000k' })
    expect(again.failure.errors).toEqual({ dni: ['Ya existe un proveedor con este RUT: Frenos del Sur.'] })

    const dni = newRut()
    const answers = await Promise.all(times(6, (i) => create(ana, { name: `Cruzado ${i}`, dni })))
    expect(answers.map((a) => a.status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    for (const { failure } of answers.filter((a) => a.status === 422))
      expect(failure.errors?.dni?.[0]).toContain('Ya existe un proveedor con este RUT')
  })

  it('lets two companies have the same RUT, and any number of providers have none', async () => {
    const [ana, stranger] = [await house.given.member(), await house.given.member()]
    const dni = newRut()
    expect((await create(ana, { name: 'Uno', dni })).status).toBe(201)
    expect((await create(stranger, { name: 'Uno', dni })).status).toBe(201)
    expect((await create(ana, { name: 'Sin RUT' })).status).toBe(201)
    expect((await create(ana, { name: 'Sin RUT' })).status).toBe(201)
  })

  it('says that a RUT is another workshop’s without saying whose', async () => {
    const { ana, bob } = await company()
    const dni = newRut()
    await create(bob, { name: 'Secreto Ltda', dni })
    const { status, failure } = await create(ana, { name: 'Mío', dni })
    expect(status).toBe(422)
    expect(failure.errors?.dni?.[0]).toContain('ya está registrado en otro taller')
    expect(JSON.stringify(failure)).not.toContain('Secreto')
  })
})

describe('near duplicates', () => {
  const alike = async (who: Member, query: object) =>
    (await house.call(who, providers.likeProviders, { query })).body.data.map(({ name, because }) => [name, because])

  it('are pointed out by RUT, and by name whatever the accents, the dots and the legal form', async () => {
    const ana = await house.given.member()
    await create(ana, { name: 'Neumáticos del Norte S.A.', dni: '12.345.678-5' })
    await create(ana, { name: 'Rectificadora Andes Ltda.' })
    for (const name of ['neumaticos del norte', 'Neumáticos Norte SpA', 'NEUMATICOS DEL NORTE Y CIA. LTDA'])
      expect([name, await alike(ana, { name })]).toEqual([name, [['Neumáticos del Norte S.A.', 'name']]])
    expect(await alike(ana, { name: 'Nada que ver', dni: '123456785' })).toEqual([['Neumáticos del Norte S.A.', 'dni']])
    for (const name of ['Frenos del Norte', 'Neu', 'Rectificados Maipo', ''])
      expect([name, await alike(ana, { name })]).toEqual([name, []])
  })

  it('are not the provider itself', async () => {
    const ana = await house.given.member()
    const { body } = await create(ana, { name: 'Grúas Lautaro', dni: newRut() })
    expect(await alike(ana, { name: 'Gruas Lautaro', dni: body.dni, except: body.id })).toEqual([])
  })

  it('of another workshop are told by RUT only, and without a name', async () => {
    const { ana, bob } = await company()
    const dni = newRut()
    await create(bob, { name: 'Hidráulica Biobío', dni })
    expect(await alike(ana, { name: 'Hidráulica Biobío' })).toEqual([])
    const { body } = await house.call(ana, providers.likeProviders, { query: { dni } })
    expect(body.data).toEqual([{ id: null, name: null, dni, state: 'active', because: 'dni' }])
  })
})

describe('a provider of all workshops', () => {
  it('is seen and chosen by all, and changed by those who work in all', async () => {
    const { boss, ana, bob } = await company()
    const shared = await house.given.provider(boss, { workshop_id: null, name: 'Copec' })
    for (const who of [ana, bob]) {
      const { body } = await house.call(who, providers.chooseProviders, { params: { id: who.workshop_id } })
      expect(body.data.map((p) => p.name)).toEqual(['Copec'])
    }
    const refused = await update(ana, shared.id, { name: 'Mía' })
    expect(refused.status).toBe(403)
    expect(refused.failure.message).toContain('todos los talleres')
    expect((await house.call(ana, providers.deleteProvider, { params: { id: shared.id } })).status).toBe(403)
    expect((await update(boss, shared.id, { name: 'Copec S.A.' })).body).toMatchObject({
      name: 'Copec S.A.',
      workshop_id: null,
      workshop_name: null,
    })
  })

  it('gives each workshop the services agreed with it, and everyone the common ones', async () => {
    const { boss, ana, bob } = await company()
    const { id } = await house.given.provider(boss, { workshop_id: null })
    await house.given.service(boss, { provider_id: id, code: 'COMUN' })
    await house.given.service(ana, { provider_id: id, code: 'LAVADO', unit_price: 100 })
    await house.given.service(bob, { provider_id: id, code: 'LAVADO', unit_price: 200 })
    const seen = async (who: Member) =>
      (await house.call(who, providers.listServices, { params: { id } })).body.data.map((s) => [s.code, s.unit_price])
    expect(await seen(ana)).toEqual([
      ['COMUN', 1000],
      ['LAVADO', 100],
    ])
    expect(await seen(bob)).toEqual([
      ['COMUN', 1000],
      ['LAVADO', 200],
    ])
    expect((await house.call(ana, providers.getProvider, { params: { id } })).body.services_count).toBe(2)
    expect((await house.call(boss, providers.getProvider, { params: { id } })).body.services_count).toBe(3)
    const refused = await update(boss, id, { name: 'De uno', workshop_id: ana.workshop_id })
    expect(refused.failure.errors?.workshop_id?.[0]).toContain('debe seguir en todos')
  })

  it('may be made of one that was a workshop’s, with its services', async () => {
    const { boss, ana, bob } = await company()
    const service = await house.given.service(ana)
    expect((await house.call(bob, providers.getService, { params: { id: service.id } })).status).toBe(404)
    await update(boss, service.provider_id, { name: 'De todos', workshop_id: null })
    expect((await house.call(bob, providers.getService, { params: { id: service.id } })).body.workshop_id).toBe(null)
    await update(boss, service.provider_id, { name: 'De Bob', workshop_id: bob.workshop_id })
    expect((await house.call(ana, providers.getService, { params: { id: service.id } })).status).toBe(404)
  })
})

describe('the list', () => {
  it('finds by parts of name, RUT, phone, mail and address', async () => {
    const ana = await house.given.member()
    const found = await house.given.provider(ana, {
      name: 'Lubricantes Ñuble',
      dni: '12345678-5',
      phone: '+56 42 221 3344',
      email: 'pedidos@nuble.cl',
      address: 'Av. O’Higgins 1200, Chillán',
    })
    await house.given.provider(ana)
    for (const Search of ['nuble', '12.345.678-5', '123456785', '345678', '42221', 'pedidos@', 'chillan lubricantes']) {
      const { body } = await house.call(ana, providers.listProviders, { query: { filter: { Search } } })
      expect([Search, body.data.map((p) => p.id)]).toEqual([Search, [found.id]])
    }
  })

  it('sorts by every column, and filters by state and workshop', async () => {
    const { boss, ana, bob } = await company()
    const [hers, his, shared] = [
      await house.given.provider(ana),
      await house.given.provider(bob),
      await house.given.provider(boss, { workshop_id: null }),
    ]
    await update(boss, shared.id, { ...shared, updated_at: undefined, state: 'inactive' })
    await house.given.service(bob, { provider_id: his.id })
    const ask = async (who: Member, query: object) =>
      (await house.call(who, providers.listProviders, { query })).body.data.map((p) => p.id)
    expect(await ask(boss, { sort: '-services_count', per_page: 1 })).toEqual([his.id])
    expect(await ask(boss, { filter: { WorkshopId: String(ana.workshop_id) }, sort: 'name' })).toEqual([
      hers.id,
      shared.id,
    ])
    expect(await ask(ana, { filter: { WorkshopId: String(bob.workshop_id), State: 'active' } })).toEqual([hers.id])
    for (const sort of ['dni', 'phone', 'email', 'address', 'workshop_name', '-state', '-updated_at'])
      expect((await ask(boss, { sort })).length).toBe(3)
  })

  it('feeds the palette, services included', async () => {
    const ana = await house.given.member()
    const service = await house.given.service(ana, { code: 'ALIN-01', name: 'Alineación de ejes' })
    const { body } = await house.call(ana, finder.find, { query: { text: 'alineacion' } })
    expect(body.data).toEqual([
      {
        kind: 'service',
        id: service.id,
        title: 'ALIN-01 · Alineación de ejes',
        detail: `${service.provider_name} · $1.000`,
        path: `/provider/${service.provider_id}/services?service=${service.id}`,
      },
    ])
  })
})

describe('editing and deleting', () => {
  it('is refused with 409 where somebody changed it meanwhile, and leaves who and what in the activity', async () => {
    const ana = await house.given.member()
    const provider = await house.given.provider(ana)
    const first = await update(ana, provider.id, { ...provider, name: 'Nuevo nombre' })
    expect(first.status).toBe(200)
    expect((await update(ana, provider.id, { ...provider, name: 'Otro' })).status).toBe(409)
    const { body } = await house.call(ana, providers.providerActivity, { params: { id: provider.id } })
    expect(body.data.map((a) => [a.action, a.user_name])).toEqual([
      ['updated', ana.name],
      ['created', ana.name],
    ])
    expect(body.data[0]?.changes).toEqual({ name: [provider.name, 'Nuevo nombre'] })
  })

  it('leaves the state as it is where it is not named', async () => {
    const ana = await house.given.member()
    const { id } = await house.given.provider(ana)
    await update(ana, id, { name: 'A', state: 'inactive' })
    expect((await update(ana, id, { name: 'B' })).body.state).toBe('inactive')
    const { body } = await house.call(ana, providers.chooseProviders, { params: { id: ana.workshop_id } })
    expect(body.data).toEqual([])
    const { failure } = await house.call(ana, providers.createService, {
      body: { provider_id: id, code: 'X', name: 'X', unit_price: 1 },
    })
    expect(failure.errors).toEqual({ provider_id: ['Elija un proveedor de la lista.'] })
  })

  it('removes a provider that was never used, with its services', async () => {
    const ana = await house.given.member()
    const service = await house.given.service(ana)
    const answer = await house.call(ana, providers.deleteProvider, { params: { id: service.provider_id } })
    expect(answer.status).toBe(204)
    expect((await house.call(ana, providers.getService, { params: { id: service.id } })).status).toBe(404)
  })

  it('refuses what is in use, and says what to do instead', async () => {
    const ana = await house.given.member()
    const service = await house.given.service(ana)
    await makeTable(
      house,
      'uses',
      `provider_id bigint, service_id bigint, foreign key (company_id, provider_id) references providers,
       foreign key (company_id, service_id) references provider_services`,
    )
    try {
      await house.owner.query('insert into uses values ($1, $2, $3)', [ana.company_id, service.provider_id, service.id])
      for (const [endpoint, id] of [
        [providers.deleteService, service.id],
        [providers.deleteProvider, service.provider_id],
      ] as const) {
        const { status, failure } = await house.call(ana, endpoint, { params: { id } })
        expect(status).toBe(409)
        expect(failure.message).toContain('Puede desactivarlo')
      }
      expect((await house.call(ana, providers.getService, { params: { id: service.id } })).status).toBe(200)
    } finally {
      await house.owner.query('drop table uses')
    }
  })
})
