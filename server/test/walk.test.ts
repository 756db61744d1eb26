import { beforeAll, describe, expect, it } from 'vitest'
import { contract } from '#contract/all.ts'
import { PERMISSIONS, ROLE_NAMES, type Role } from '#contract/base/permissions.ts'
import { Download, type Endpoint, Nothing, pathOf } from '#contract/base/wire.ts'
import { withoutCosts } from '../src/platform/http/fields.ts'
import { type Given, type Member, PIXEL } from './given.ts'
import { openHouse } from './house.ts'
import { numbersOf, sampleOf, shapeOf, withAt } from './sample.ts'

/**
 * Every endpoint of the contract: bound, closed without a session, closed to roles without the permission, and blind
 * to the ids of a neighbour, whether company or workshop.
 */

const house = openHouse()

/** Who owns the thing an id belongs to, by the start of the path. A new kind of id needs a line here. */
const OWNERS: Record<string, (given: Given, owner: Member) => Promise<{ id: number }>> = {
  '/v1/trucks/:id': (given, owner) => given.truck(owner),
  '/v1/views/:id': (given, owner) => given.view(owner),
  '/v1/coupled/:id': (given, owner) => given.coupled(owner),
  '/v1/couplings/:id': (given, owner) => given.coupling(owner),
  '/v1/readings/:id': (given, owner) => given.reading(owner),
  '/v1/providers/:id': (given, owner) => given.provider(owner),
  '/v1/service-by-provider/:id': (given, owner) => given.provider(owner),
  '/v1/provider/services/:id': (given, owner) => given.service(owner),
  '/v1/provider-by-workshop/:id': async (_given, owner) => ({ id: owner.workshop_id }),
  '/v1/supplies/:id': (given, owner) => given.supply(owner),
  '/v1/warehouses/:id': (given, owner) => given.warehouse(owner),
  '/v1/stock/:warehouse': (given, owner) => given.warehouse(owner),
  '/v1/warehouses-by-workshop/:id': async (_given, owner) => ({ id: owner.workshop_id }),
  '/v1/transfer/:id': (given, owner) => given.sentTransfer(owner),
  '/v1/transaction/:id': (given, owner) => given.entry(owner),
  '/v1/stock-count/:id': (given, owner) => given.count(owner),
  '/v1/order_purchase/:id': (given, owner) => given.purchaseOrder(owner),
  '/v1/order-purchase-update-status/:id': (given, owner) => given.purchaseOrder(owner),
  '/v1/order_workers/:id': (given, owner) => given.workOrder(owner),
  '/v2/order_workers_with_warehouse/:id': async (given, owner) =>
    given.workOrder(owner, { has_warehouse: true, warehouse_id: (await given.warehouse(owner)).id }),
  '/v1/update_status/:id': (given, owner) => given.workOrder(owner),
  '/v2/calendar_order_work/:id': (given, owner) => given.workOrder(owner),
  '/v1/invoice/work-order/:id': (given, owner) => given.workOrder(owner),
  '/v2/planner/orders/:id': (given, owner) => given.workOrder(owner),
  '/v2/planner/works/:id': (given, owner) => given.partOfOrder(owner, 'work'),
  '/v2/calendar_works/:id': (given, owner) => given.partOfOrder(owner, 'work'),
  '/v1/order_workers/work/:id': (given, owner) => given.partOfOrder(owner, 'work'),
  '/v1/order_workers/work_time/:id': (given, owner) => given.partOfOrder(owner, 'time'),
  '/v2/order_workers/work/:id': (given, owner) => given.partOfOrder(owner, 'work'),
  '/v1/order_workers/supply/:id': (given, owner) => given.partOfOrder(owner, 'supply'),
  '/v1/order_workers/planned_supply/:id': (given, owner) => given.partOfOrder(owner, 'planned'),
  '/v1/work-order/service/:id': (given, owner) => given.partOfOrder(owner, 'service'),
  '/v1/order_workers/file/:id': (given, owner) => given.partOfOrder(owner, 'file'),
  '/v1/payables/payments/:id': (given, owner) => given.payment(owner),
  '/v1/payables/:id': async (given, owner) => ({ id: (await given.partOfOrder(owner, 'invoice')).id * 2 }),
  '/v1/invoice/provider/:id': (given, owner) => given.provider(owner),
  '/v1/invoice/note/:id': (given, owner) => given.partOfOrder(owner, 'note'),
  '/v1/invoice/:id': (given, owner) => given.partOfOrder(owner, 'invoice'),
  '/v2/types_maintenance/:id': (given, owner) => given.maintenanceType(owner),
  '/v1/tasks/:id': (given, owner) => given.task(owner),
  '/v2/maintenance_templates/:id': (given, owner) => given.template(owner),
  '/v1/workshops/:id': async (_given, owner) => ({ id: owner.workshop_id }),
  '/v1/uses/:thing/:id': (given, owner) => given.box(owner),
  '/v1/boxes/:id': (given, owner) => given.box(owner),
  '/v1/specialists/:id': (given, owner) => given.specialist(owner),
  '/v1/drivers/:id': (given, owner) => given.driver(owner),
  '/v1/users/:id': async (_given, owner) => ({ id: owner.user_id }),
  '/v1/preferences/:id': async (_given, owner) => ({ id: owner.user_id }),
  '/v1/me/factors/:id': (given, owner) => given.factor(owner),
  '/v1/api-tokens/:id': (given, owner) => given.apiToken(owner),
  '/v1/webhooks/:id': (given, owner) => given.webhook(owner),
  '/v1/webhook-deliveries/:id': (given, owner) => given.delivery(owner),
  '/v1/sessions/:id': (given, owner) => given.openSession(owner),
  '/v1/brands/:id': (given, owner) => given.brand(owner),
  '/v1/type_of_truck/:id': (given, owner) => given.truckType(owner),
  '/v1/center_costs/:id': (given, owner) => given.costCenter(owner),
  '/v1/categories/:id': (given, owner) => given.category(owner),
  '/v1/measurement_units/:id': (given, owner) => given.measurementUnit(owner),
  '/v1/provider/services-categories/:id': (given, owner) => given.serviceCategory(owner),
  '/v1/maintenance-alerts/:id': (given, owner) => given.alert(owner),
  '/v1/maintenance-alerts/categories/:id': (given, owner) => given.alertCategory(owner),
  '/v1/maintenance-alerts/mails/:id': (given, owner) => given.alertMail(owner),
}

const ownerOf = (e: Endpoint) => Object.entries(OWNERS).find(([path]) => e.path.startsWith(path))?.[1]

/** Catalogues that every workshop of a company shares. */
const OF_ALL_WORKSHOPS = ['/v2/types_maintenance/:id', '/v1/tasks/:id', '/v2/maintenance_templates/:id']

/** A body the contract accepts, so that the id is what decides. */
const BODIES: Record<string, (given: Given, who: Member) => object> = {
  'PUT /v1/trucks/:id': (given, who) => given.newTruck(who),
  'PUT /v1/views/:id': () => ({ name: 'X', query: '' }),
  'POST /v1/trucks/:id/readings': () => ({ km: 999_999 }),
  'POST /v1/trucks/:id/couplings': () => ({ coupled_id: 1, from: new Date().toISOString() }),
  'PUT /v1/couplings/:id': () => ({ coupled_id: 1, from: new Date().toISOString() }),
  'PUT /v1/providers/:id': (given, who) => given.newProvider(who),
  'PUT /v1/provider/services/:id': () => ({ code: 'X', name: 'X', unit_price: 1 }),
  'PUT /v1/supplies/:id': (given, who) => given.newSupply(who),
  'PUT /v1/warehouses/:id': (given, who) => given.newWarehouse(who),
  'PUT /v1/stock/:warehouse': () => ({ selectedAll: true }),
  'PUT /v1/stock/:warehouse/limits': () => ({ levels: [{ supply_id: 1, minimum: 1, maximum: 2 }] }),
  'PUT /v1/stock-count/:id': () => ({ lines: [{ supply_id: 1, counted: 1 }] }),
  'PUT /v1/order_purchase/:id': () => ({
    warehouse_id: 1,
    provider_id: 1,
    supplies: [{ supply_id: 1, quantity: 1, unit_cost: 1 }],
  }),
  'PUT /v1/order-purchase-update-status/:id': () => ({ status: 'approved' }),
  'POST /v1/order_purchase/:id/receive': () => ({ transaction: {}, supplies: [{ supply_id: 1, quantity: 1 }] }),
  'POST /v1/order_purchase/:id/send': () => ({ to: 'ventas@repuestos.cl' }),
  'POST /v1/order_purchase/:id/answer': () => ({ answered_on: '2026-01-01' }),
  'PUT /v1/order_workers/:id': (_given, who) => ({ workshop_id: who.workshop_id, truck_id: 1 }),
  'PUT /v2/order_workers_with_warehouse/:id': (_given, who) => ({ workshop_id: who.workshop_id, truck_id: 1 }),
  'PUT /v1/update_status/:id': () => ({ status: 'IN_PROCESS' }),
  'PUT /v2/calendar_order_work/:id': () => ({ start: new Date().toISOString() }),
  'PUT /v2/planner/orders/:id': () => ({ box_id: null }),
  'PUT /v2/planner/works/:id': () => ({ specialist_id: null }),
  'PUT /v2/calendar_works/:id': () => ({ start: new Date().toISOString() }),
  'POST /v1/order_workers/:id/works': () => ({ description: 'X' }),
  'PUT /v1/order_workers/work/:id/progress': () => ({ action: 'finish' }),
  'PUT /v1/order_workers/work_time/:id': () => ({ from_at: '2026-01-05T12:00:00Z', until_at: '2026-01-05T13:00:00Z' }),
  'POST /v1/order_workers/:id/supplies': () => ({ supply_id: 1, count: 1 }),
  'POST /v1/order_workers/:id/planned_supplies': () => ({ supply_id: 1, count: 1 }),
  'POST /v1/order_workers/:id/files': () => ({ file: new File(['%PDF-1.4'], 'x.pdf') }),
  'POST /v1/order_workers/:id/comments': () => ({ text: 'X' }),
  'PUT /v1/order_workers/:id/signature/:kind': () => ({ image: PIXEL, name: 'X', dni: '12345678-5' }),
  'POST /v1/invoice/:id/notes': () => ({ kind: 'credit', date: '2026-01-01', document: 'X', amount: 1 }),
  'POST /v1/transaction/:id/notes': () => ({ kind: 'credit', date: '2026-01-01', document: 'X', amount: 1 }),
  'POST /v1/transaction/:id/complete': () => ({ document: 'X' }),
  'POST /v1/transaction/:id/invoice': () => ({
    typeInvoice: 'bill',
    date: '2026-01-01',
    document: 'X',
    payment_type: 'Cash',
  }),
  'PUT /v1/invoice/note/:id': () => ({ kind: 'credit', date: '2026-01-01', document: 'X', amount: 1 }),
  'PUT /v1/payables/:id': () => ({ due_date: '2030-01-01' }),
  'PUT /v1/payables/:id/paid': () => ({ paid: true }),
  'PUT /v1/invoice/:id': () => ({ bill_invoice: 'bill', date: '2026-01-01', document: 'X', payment_type: 'Cash' }),
  'PUT /v2/types_maintenance/:id': () => ({ name: 'X' }),
  'PUT /v1/tasks/:id': () => ({ code: 'X', name: 'X' }),
  'PUT /v2/maintenance_templates/:id': () => ({ name: 'X', works: [{ description: 'X' }] }),
  'PUT /v1/workshops/:id': () => ({ name: 'X' }),
  'PUT /v1/boxes/:id': (_given, who) => ({ name: 'X', workshop_id: who.workshop_id }),
  'PUT /v1/specialists/:id': (_given, who) => ({ names: 'X', last_name_p: 'Y', workshop_id: who.workshop_id }),
  'PUT /v1/specialists/:id/hourly-costs': () => ({ hourly_costs: [{ from_day: '2026-01-01', amount: 9000 }] }),
  'PUT /v1/drivers/:id': (_given, who) => ({ names: 'X', last_name_p: 'Y', workshop_id: who.workshop_id }),
  'PUT /v1/users/:id': (_given, who) => ({ role: 'viewer', workshop_id: who.workshop_id }),
  'PUT /v1/webhooks/:id': () => ({ name: 'X', url: 'https://x.cl', events: ['stock.low'] }),
  'PUT /v1/brands/:id': () => ({ name: 'X' }),
  'PUT /v1/type_of_truck/:id': () => ({ name: 'X' }),
  'PUT /v1/center_costs/:id': () => ({ name: 'X' }),
  'PUT /v1/categories/:id': () => ({ name: 'X' }),
  'PUT /v1/measurement_units/:id': () => ({ name: 'X' }),
  'PUT /v1/provider/services-categories/:id': () => ({ name: 'X' }),
  'PUT /v1/maintenance-alerts/:id': (given) => given.newAlert(),
  'PUT /v1/maintenance-alerts/categories/:id': () => ({ name: 'X' }),
}

const endpoints: [name: string, Endpoint][] = Object.entries(contract).flatMap(([domain, calls]) =>
  Object.entries(calls).map(([name, e]): [string, Endpoint] => [`${domain}.${name}`, e]),
)
const closed = endpoints.filter(([, e]) => e.may !== 'public')
const withId = endpoints.filter(([, e]) => e.path.includes(':'))

const opensTo = ({ may }: Endpoint, role: Role) =>
  may === 'public' || may === 'session' || (PERMISSIONS[may].roles as readonly Role[]).includes(role)

const members = {} as Record<Role, Member>
beforeAll(async () => {
  const company_id = await house.given.company()
  const workshop_id = await house.given.workshop(company_id)
  for (const role of ROLE_NAMES) members[role] = await house.given.member({ role, company_id, workshop_id })
})

/** The id under whatever name the path gives it. */
const paramsOf = (e: Endpoint, id: number | string) =>
  Object.fromEntries(
    [...e.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, { kind: 'delivered', thing: 'boxes' }[name!] ?? id]),
  )

const ask = (who: Member | undefined, e: Endpoint, id = 1) => house.call(who, e, { params: paramsOf(e, id) })

it('binds every endpoint, each path once', () => {
  expect(endpoints.filter(([, e]) => !house.app.bound.has(e)).map(([name]) => name)).toEqual([])
  const paths = endpoints.map(([, e]) => `${e.method} ${pathOf(e)}`)
  expect(new Set(paths).size).toBe(paths.length)
  expect(house.app.bound.size).toBe(endpoints.length)
})

it('gives no cost to mechanics, wherever it comes along', () => {
  const costs = endpoints
    .filter(([, e]) => opensTo(e, 'specialist') && e.reply !== Download && e.reply !== Nothing)
    .flatMap(([name, e]) => {
      const told = JSON.stringify(withoutCosts(sampleOf(shapeOf(e.reply, 'output')), [e.reply]))
      return [...told.matchAll(/"(\w*(?:cost|price|amount)\w*)":\d/g)].map(([, field]) => `${name} ${field}`)
    })
  expect(costs.filter((field) => !field.endsWith(' cost_center_id'))).toEqual([])
})

describe.each(closed)('%s', (_name, e) => {
  it('answers 401 without a session, and with one that is not', async () => {
    expect((await ask(undefined, e)).status).toBe(401)
    expect((await ask({ ...members.viewer, token: 'nobody' }, e)).status).toBe(401)
  })

  it('answers 403 to people who are not in the company', async () => {
    const stranger = await house.given.member()
    expect((await ask({ ...stranger, company_id: members.admin.company_id }, e)).status).toBe(403)
  })

  // Logging out ends the session the others need.
  it.each(e.path === '/v1/logout' ? [] : ROLE_NAMES)('opens to %s only with the permission', async (role) => {
    const { status } = await ask(members[role], e, 999_999_999)
    if (opensTo(e, role)) expect([401, 403, 500]).not.toContain(status)
    else expect(status).toBe(403)
  })
})

describe.each(withId)('%s', (_name, e) => {
  const owner = ownerOf(e)

  it('answers 404 for the id of a neighbour company and of a neighbour workshop, and leaves it untouched', async () => {
    if (!owner) throw new Error(`No line in OWNERS for ${e.path}`)
    const role = opensTo(e, 'admin') ? 'admin' : 'super-admin'
    const me = await house.given.member({ role })
    const neighbours = [await house.given.member()]
    // People who work in all workshops have no neighbour in their own company.
    if (role === 'admin' && !OF_ALL_WORKSHOPS.includes(e.path))
      neighbours.push(await house.given.member({ company_id: me.company_id }))
    for (const neighbour of neighbours) {
      const thing = await owner(house.given, neighbour)
      const body = BODIES[`${e.method} ${e.path}`]?.(house.given, me)
      const answer = await house.call(me, e, { params: paramsOf(e, thing.id), ...(body && { body }) })
      expect(answer.status).toBe(404)
      expect(answer.failure).toEqual({ message: 'No encontrado.' })
    }
  })

  it('answers 404 for an id that is none', async () => {
    for (const id of ['abc', '0', '-1', '1.5', '99999999999999999999', "1'--"])
      expect((await house.call(members['super-admin'], e, { params: paramsOf(e, id) })).status).toBe(404)
  })
})

/** What a PUT does other than change some fields of a thing. */
const ACTIONS = [
  '/v1/me/password',
  '/v1/company/logo',
  '/v1/settings',
  '/v1/stock/:warehouse',
  '/v1/stock/:warehouse/limits',
  '/v1/stock-count/:id',
  '/v1/closed-months',
  '/v1/budgets',
  '/v1/order-purchase-update-status/:id',
  '/v1/update_status/:id',
  '/v1/sync_cards',
  '/v1/load_initial_positions',
  '/v2/calendar_order_work/:id',
  '/v2/calendar_works/:id',
  '/v2/planner/orders/:id',
  '/v2/planner/works/:id',
  '/v1/order_workers/work/:id/progress',
  '/v1/order_workers/work_time/:id',
  '/v1/order_workers/:id/signature/:kind',
  '/v1/order_workers/:id/presence',
  '/v1/payables/:id/paid',
]

describe('an edit', () => {
  it('is every PUT that is not an action', () => {
    const puts = endpoints.map(([, e]) => e).filter((e) => e.method === 'PUT' && !ACTIONS.includes(e.path))
    expect(puts.filter((e) => !house.app.edits.has(e)).map((e) => e.path)).toEqual([])
  })

  it.each(endpoints.filter(([, e]) => e.method === 'PUT' && !ACTIONS.includes(e.path)))(
    '%s changes the fields it carries and no others, and names those that nobody knows',
    async (_name, e) => {
      const me = await house.given.member({ role: 'super-admin' })
      const thing = (await ownerOf(e)?.(house.given, me)) ?? { id: 1 }
      const put = (body: object) => house.call(me, e, { params: paramsOf(e, thing.id), body })
      const { updated_at, ...before } = (await put({})).body as Record<string, unknown>
      const same = { ...before, ...(updated_at !== undefined && { updated_at: expect.any(String) }) }

      expect((await put({})).body).toEqual(same)
      expect((await put(before)).body).toEqual(same)
      if (updated_at !== undefined) {
        const stale = await put({ ...before, updated_at: '2001-01-01T00:00:00Z' })
        expect([stale.status, stale.failure.errors]).toEqual([409, undefined])
      }
      const wrong = await put({ ...before, inventado: 1 })
      expect([wrong.status, Object.keys(wrong.failure.errors ?? {})]).toEqual([422, ['inventado']])
    },
  )
})

it('names a field that nobody knows, in every call that has some', async () => {
  for (const [name, e] of endpoints.filter(([, e]) => e.body && !e.upload)) {
    const { status, failure } = await house.call(members['super-admin'], e, {
      params: paramsOf(e, 1),
      body: { inventado: 1 },
    })
    expect([name, status, failure.errors?.inventado]).toEqual([name, 422, ['No se conoce este campo.']])
  }
})

it('names what nobody knows after the ?, in every call', async () => {
  const asked = async (who: Member, e: Endpoint, query: string) => {
    const response = await house.app.http.inject({
      method: e.method,
      url: `/api${pathOf(e, paramsOf(e, 1))}?${query}`,
      headers: { authorization: `Bearer ${who.token}` },
    })
    const errors: object = response.statusCode === 422 ? (response.json().errors ?? {}) : {}
    return [response.statusCode, errors] as const
  }
  const who = await house.given.member({ role: 'super-admin' })
  const NOT_KNOWN = ['No se conoce este campo.']
  for (const [name, e] of endpoints) {
    const [status, errors] = await asked(who, e, 'inventado=1&filter[Inventado]=2&filter[a][b]=3')
    expect([name, status, errors]).toMatchObject([name, 422, { inventado: NOT_KNOWN, 'filter[a][b]': NOT_KNOWN }])
    expect([name, Object.keys(errors).some((key) => key.startsWith('filter'))]).toEqual([name, true])
  }
  // What the specification lets its clients send, also where it narrows nothing.
  const reports = 'filter[BetweenDate]=2026-01-01,2026-01-31&filter[WorkshopId]=1&filter[Truck]=1'
  const lists = 'page=1&perPage=5'
  for (const [name, e] of endpoints.filter(([, e]) => e.method === 'GET')) {
    const isReport =
      e.path === '/v1/workshops' || /^\/v1\/(expenses|chart|list_cost|equipment_av|download_[est])/.test(e.path)
    const isList = 'data' in (shapeOf(e.reply, 'output').properties ?? {})
    for (const query of [...(isReport ? [reports] : []), ...(isList ? [lists] : [])])
      expect([name, Object.values((await asked(who, e, query))[1]).flat()]).toEqual([
        name,
        expect.not.arrayContaining(NOT_KNOWN),
      ])
  }
})

it('never lets bad input become a 500', async () => {
  const junk = [
    null,
    [],
    'x',
    0,
    { name: 7 },
    { name: 'x'.repeat(100_000) },
    { workshop_id: 1e308, km: '∞', patent: {} },
  ]
  for (const [name, e] of endpoints.filter(([, e]) => e.method !== 'GET' && e.path !== '/v1/logout'))
    for (const body of junk) {
      const response = await house.app.http.inject({
        method: e.method,
        url: `/api${pathOf(e, paramsOf(e, 1))}`,
        headers: { authorization: `Bearer ${members['super-admin'].token}`, 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      })
      expect([name, JSON.stringify(body).slice(0, 50), response.statusCode < 500]).toEqual([
        name,
        expect.anything(),
        true,
      ])
    }
  for (const [name, e] of endpoints.filter(([, e]) => e.method === 'GET'))
    for (const query of [
      '?page=x',
      '?filter=1',
      '?filter[Search]=%',
      '?filter[WorkshopId]=a,b',
      '?sort=;drop',
      '?filter[__proto__][x]=1',
      '?per_page=1e9',
      '?page=999999&per_page=500',
      '?text=%E0%A4%A',
      '?filter[Search]=%00',
    ]) {
      const response = await house.app.http.inject({
        url: `/api${pathOf(e, paramsOf(e, 1))}${query}`,
        headers: { authorization: `Bearer ${members['super-admin'].token}` },
      })
      expect([name, query, response.statusCode < 500]).toEqual([name, query, true])
    }
})

describe('numbers that nothing can be worked out with', () => {
  const HUGE = [1e305, -1e305, 1e16]
  let owner: Member
  beforeAll(async () => {
    owner = await house.given.member({ role: 'super-admin' })
  })
  const refused = (e: Endpoint, url: string, payload?: unknown) =>
    house.app.http.inject({
      method: e.method,
      url: `/api${url}`,
      headers: { authorization: `Bearer ${owner.token}` },
      ...(payload !== undefined && { payload: payload as object }),
    })

  it('are refused in every field of every body', async () => {
    let fields = 0
    for (const [name, e] of endpoints.filter(([, e]) => e.body && !e.upload)) {
      const shape = shapeOf(e.body!)
      const sample = sampleOf(shape)
      const paths = numbersOf(shape)
      // Some look for what the path names before they read the body: it is there.
      const thing = paths.length > 0 && (await ownerOf(e)?.(house.given, owner))
      for (const path of paths) {
        fields += 1
        for (const n of HUGE) {
          const { statusCode } = await refused(e, pathOf(e, paramsOf(e, thing ? thing.id : 1)), withAt(sample, path, n))
          expect([name, path.join('.'), n, statusCode]).toEqual([name, path.join('.'), n, 422])
        }
      }
    }
    expect(fields).toBeGreaterThan(100)
  })

  it('are refused in every query', async () => {
    for (const [name, e] of endpoints.filter(([, e]) => e.method === 'GET' && e.query)) {
      for (const path of numbersOf(shapeOf(e.query!, 'output')))
        for (const n of HUGE) {
          const [first, ...inner] = path.filter((key) => typeof key === 'string')
          const query = `${first}${inner.map((key) => `[${key}]`).join('')}=${n}`
          const { statusCode } = await refused(e, `${pathOf(e, paramsOf(e, 1))}?${query}`)
          expect([name, query, statusCode]).toEqual([name, query, 422])
        }
    }
  })
})
