import { beforeAll, describe, expect, it } from 'vitest'
import { type Member, PIXEL } from './given.ts'
import { openHouse } from './house.ts'

/*
 * A client that knows the specification and nothing else: its paths, its names of fields, text where a form has text. It
 * names no schema of the contract, so that what it may send does not change with them.
 */

const house = openHouse()

/** JSON as a client without types reads it. */
type Json = ReturnType<typeof JSON.parse>
interface Answer {
  status: number
  body: Json
}

async function send(who: Member, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const response = await house.app.http.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${who.token}` },
    ...(body && { payload: body }),
  })
  return { status: response.statusCode, body: response.body === '' ? {} : response.json() } as Answer
}

let me: Member
let at: { workshop_id: string; company_id: string }
const get = async (path: string) => {
  const { status, body } = await send(me, 'GET', path)
  expect([path, status, body.errors]).toEqual([path, 200, undefined])
  return body
}
const post = async (path: string, body: object, expected = 201) => {
  const answer = await send(me, 'POST', path, body)
  expect([path, answer.status, answer.body.errors]).toEqual([path, expected, undefined])
  return answer.body
}
const put = async (path: string, body: object) => {
  const answer = await send(me, 'PUT', path, body)
  expect([path, answer.status, answer.body.errors]).toEqual([path, 200, undefined])
  return answer.body
}
const del = async (path: string) => expect((await send(me, 'DELETE', path)).status).toBe(204)
const errors = async (method: 'POST' | 'PUT', path: string, body: object) => {
  const answer = await send(me, method, path, body)
  expect([path, answer.status]).toEqual([path, 422])
  return answer.body.errors as Record<string, string[]>
}
const ids = (list: Json) => list.data.map((one: Json) => one.id)
/** All it asks for is there, under any spelling of the query. */
async function lists(id: number, ...paths: string[]) {
  for (const path of paths) expect([path, ids(await get(path))]).toEqual([path, expect.arrayContaining([id])])
}

let count = 0
const next = (word: string) => `${word} ${++count}`

beforeAll(async () => {
  me = await house.given.member({ role: 'super-admin' })
  await house.given.setting(me.company_id, 'has_warehouse', false)
  at = { workshop_id: String(me.workshop_id), company_id: String(me.company_id) }
})

const newSupply = (more: object = {}) =>
  post('/v1/supplies', {
    workshop_id: at.workshop_id,
    code: next('S'),
    name: next('Filtro'),
    description: '',
    cost: '1200.5',
    category_id: '',
    measurement_units_id: '',
    ...more,
  })
/** A document of another day than today, and recent enough to be taken without a question. */
const YESTERDAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Santiago' }).format(Date.now() - 86_400_000)

const newProvider = () =>
  post('/v1/providers', {
    name: next('Repuestos'),
    dni: '',
    phone: 912345678,
    email: '',
    address: '',
    workshop_id: at.workshop_id,
  })
const newService = async (more: object = {}) =>
  post('/v1/provider/services/create', {
    code: next('SV'),
    name: next('Torno'),
    description: '',
    unit_price: '15000',
    provider_id: String((await newProvider()).id),
    ...at,
    category_id: '',
    ...more,
  })
const newWarehouse = () =>
  post('/v1/warehouses', {
    code: next('B'),
    name: next('Bodega'),
    description: '',
    direction: '',
    workshop_id: at.workshop_id,
  })
const newTruck = async (more: object = {}) =>
  post('/v1/trucks', {
    workshop_id: at.workshop_id,
    code: next('C'),
    patent: `ABCD${10 + ++count}`,
    coupled_id: '',
    type_of_truck_id: '',
    brand_id: '',
    cost_center_id: '',
    ...more,
  })
const withStock = async (quantity = '10', cost = '1000') => {
  const [warehouse, supply] = [await newWarehouse(), await newSupply()]
  await post('/v1/transaction', {
    warehouse_id: String(warehouse.id),
    transaction: {
      typeTrasactionId: '1',
      typeInvoice: 'bill',
      document: next('F'),
      date: '',
      payment_type: 'Cash',
      supplies: [{ supply: supply.id, quantity, unit_cost: cost, tax_type: '19' }],
    },
  })
  return { warehouse, supply }
}

describe('supplies', () => {
  it('are created, read, changed, listed and deleted', async () => {
    const category = await post('/v1/categories', { name: next('Filtros'), workshop_id: at.workshop_id })
    const unit = await post('/v1/measurement_units', { name: next('Unidad'), workshop_id: at.workshop_id })
    const made = await newSupply({ category_id: String(category.id), measurement_units_id: String(unit.id) })
    expect(made).toMatchObject({ cost: 1200.5, category_id: category.id, description: null })
    expect(await get(`/v1/supplies/${made.id}`)).toMatchObject({ id: made.id, measurement_units_id: unit.id })
    const { cost, category_id } = await put(`/v1/supplies/${made.id}`, { cost: '1300', category_id: '' })
    expect([cost, category_id]).toEqual([1300, null])
    await put(`/v1/supplies/${made.id}`, { category_id: category.id })
    await lists(
      made.id,
      `/v1/supplies?filter[Search]=${encodeURIComponent(made.name)}&filter[WorkshopId]=${at.workshop_id}&page=1`,
      `/v1/supplies?search=${encodeURIComponent(made.name)}&workshop_id=${at.workshop_id}&perPage=5&page=`,
      `/v1/supplies?filter[category_id]=${category.id}`,
      `/v1/supplies?category_id=${category.id}&filter[WorkshopId]=`,
    )
    await lists(category.id, `/v1/categories?filter[WorkshopId]=${at.workshop_id}`)
    await lists(unit.id, `/v1/measurement_units?WorkshopId=${at.workshop_id}`)
    await del(`/v1/supplies/${made.id}`)
  })

  it('say what is no number', async () => {
    const wrong = await errors('POST', '/v1/supplies', {
      ...at,
      company_id: undefined,
      code: 'X',
      name: 'X',
      cost: 'mil',
      category_id: 'otra',
    })
    expect(wrong).toEqual({ cost: ['El costo debe ser un número.'], category_id: ['Debe ser un número.'] })
    expect(await errors('POST', '/v1/supplies', { workshop_id: '', code: '', name: '', cost: '' })).toMatchObject({
      workshop_id: ['Este campo es obligatorio.'],
      code: ['Este campo es obligatorio.'],
      name: ['Este campo es obligatorio.'],
      cost: [expect.any(String)],
    })
  })
})

describe('equipment', () => {
  it('is created with its catalogues, read, changed, listed and deleted', async () => {
    const brand = await post('/v1/brands', { name: next('Volvo'), ...at })
    const type = await post('/v1/type_of_truck', { name: next('Tolva'), workshop_id: at.workshop_id })
    const center = await post('/v1/center_costs', { name: next('Norte'), description: '', ...at })
    const coupled = await post('/v1/coupled', { patent: `JA${1000 + ++count}`, ...at })
    const truck = await newTruck({
      brand_id: `${brand.id}`,
      type_of_truck_id: `${type.id}`,
      cost_center_id: `${center.id}`,
    })
    expect(truck).toMatchObject({ brand_id: brand.id, type_of_truck_id: type.id, coupled_id: null })
    expect(await put(`/v1/trucks/${truck.id}`, { coupled_id: `${coupled.id}`, brand_id: '' })).toMatchObject({
      coupled_id: coupled.id,
      brand_id: null,
      cost_center_id: center.id,
    })
    await put(`/v1/trucks/${truck.id}`, { brand_id: brand.id, coupled_id: '' })
    await lists(
      truck.id,
      `/v1/trucks?filter[WorkshopId]=${at.workshop_id}&filter[Brand]=${brand.id}`,
      `/v1/trucks?workshop_id=${at.workshop_id}&brand_id=${brand.id}&cost_center_id=${center.id}`,
      `/v1/list-trucks?WorkshopId=${at.workshop_id}`,
    )
    await lists(brand.id, `/v1/getBrands?workshop_id=${at.workshop_id}`)
    await lists(type.id, '/v1/getTypeOfTruck', '/v1/type_of_truck')
    await lists(center.id, '/v1/center_costs')
    await lists(coupled.id, '/v1/get-coupled')
    expect((await get(`/v1/trucks/${truck.id}`)).coupled_id).toBeNull()
    await del(`/v1/trucks/${(await newTruck()).id}`)
  })
})

describe('providers', () => {
  it('are created, read, changed, listed and deleted', async () => {
    const made = await newProvider()
    expect(made).toMatchObject({ phone: '912345678', email: null, dni: null })
    expect(await put(`/v1/providers/${made.id}`, { email: 'Ventas@Repuestos.cl' })).toMatchObject({
      name: made.name,
      email: 'ventas@repuestos.cl',
    })
    expect(await get(`/v1/providers/${made.id}`)).toMatchObject({ id: made.id })
    await lists(made.id, `/v1/providers?workshop_id=${at.workshop_id}`, `/v1/provider-by-workshop/${at.workshop_id}`)
    await del(`/v1/providers/${made.id}`)
  })

  it('have services in categories, ten to a page', async () => {
    const category = await post('/v1/provider/services-categories', { name: next('Tornería'), description: '', ...at })
    await lists(category.id, '/v1/provider/services-categories')
    const made = await newService({ category_id: String(category.id) })
    expect(made).toMatchObject({ unit_price: 15000, category_id: category.id })
    expect(await put(`/v1/provider/services/${made.id}`, { unit_price: '16000', category_id: '' })).toMatchObject({
      unit_price: 16000,
      category_id: null,
    })
    expect(await get(`/v1/provider/services/${made.id}`)).toMatchObject({ code: made.code })
    const list = await get(
      `/v1/service-by-provider/${made.provider_id}?filter[Search]=${encodeURIComponent(made.name)}`,
    )
    expect([list.per_page, ids(list)]).toEqual([10, [made.id]])
    await del(`/v1/provider/services/${made.id}`)
  })
})

describe('warehouses', () => {
  it('are created, read, changed, listed and deleted', async () => {
    const made = await newWarehouse()
    expect(await put(`/v1/warehouses/${made.id}`, { direction: 'Camino Lo Boza 120', name: made.name })).toMatchObject({
      direction: 'Camino Lo Boza 120',
      code: made.code,
    })
    await lists(
      made.id,
      `/v1/warehouses?filter[WorkshopId]=${at.workshop_id}`,
      `/v1/warehouses?workshop=${at.workshop_id}`,
    )
    await lists(made.id, `/v1/warehouses-by-workshop/${at.workshop_id}`)
    expect(await get(`/v1/warehouses/${made.id}`)).toMatchObject({ id: made.id })
    await del(`/v1/warehouses/${made.id}`)
  })

  it('have supplies attached, five to a page unless more are asked for', async () => {
    const warehouse = await newWarehouse()
    const made = [await newSupply(), await newSupply(), await newSupply()]
    for (let i = 0; i < 5; i++) await newSupply()
    await put(`/v1/stock/${warehouse.id}`, { supplies: made.map(({ id }) => String(id)), selectedAll: '' })
    expect(ids(await get(`/v1/stock/${warehouse.id}?search=`)).toSorted()).toEqual(ids({ data: made }).toSorted())
    const list = await get(`/v1/supplie_from_warehouse?warehouseId=${warehouse.id}&page=1`)
    expect([list.per_page, list.data.length]).toEqual([5, 5])
    expect((await get(`/v1/supplie_from_warehouse?warehouse_id=${warehouse.id}&perPage=7`)).data).toHaveLength(7)
    await lists(made[0]!.id, `/v1/supplies-attached?warehouse_id=${warehouse.id}`)
    expect((await get(`/v1/supplies-in-stock?filter[Warehouse]=${warehouse.id}`)).total).toBe(0)
  })
})

describe('transactions', () => {
  it('take the direction and the supplies inside, or from the type', async () => {
    const [warehouse, supply, provider] = [await newWarehouse(), await newSupply(), await newProvider()]
    const entry = await post('/v1/transaction', {
      warehouse_id: String(warehouse.id),
      transaction: {
        transaction: 'entry',
        typeTrasactionId: '1',
        typeInvoice: 'bill',
        document: 4711,
        date: `${YESTERDAY} 23:30:00`,
        date_delivery: '',
        payment_type: 'Credit',
        reference: '',
        providerId: String(provider.id),
        note: '',
        supplies: [
          {
            supply: { id: supply.id, name: supply.name },
            unit: '',
            unitRequest: '4',
            unitCost: '1000',
            taxObject: { label: '21%', factor: 1.21 },
            neto: 4000,
            tax: 840,
            total: 4840,
          },
        ],
      },
    })
    expect(entry).toMatchObject({ type: 'entry', subtotal: 4000, tax: 840, total: 4840 })
    expect(entry.transaction).toMatchObject({ document: '4711', date: YESTERDAY, providerId: provider.id })

    const exit = await post('/v1/transaction', {
      warehouse_id: warehouse.id,
      transaction: { typeTrasactionId: 5, supplies: [{ id: supply.id, quantity: '1' }] },
    })
    expect([exit.type, exit.supplies[0].supply_id]).toEqual(['exit', supply.id])

    for (const query of ['filter[Type]=entry', 'type=entry', 'transaction=entry', 'filter[transaction]=entry'])
      expect(ids(await get(`/v1/transaction?warehouse_id=${warehouse.id}&${query}`))).toEqual([entry.id])
    for (const query of [
      `filter[Warehouse]=${warehouse.id}`,
      `warehouse=${warehouse.id}`,
      `warehouseId=${warehouse.id}`,
    ])
      expect(ids(await get(`/v1/transaction?${query}&transaction=exit`))).toEqual([exit.id])
    expect(await get(`/v1/verify-stock?supply_id=${supply.id}&warehouse_id=${warehouse.id}&quantity=3`)).toMatchObject({
      stock: 3,
    })
    expect((await get('/v1/type-transaction')).data.length).toBeGreaterThan(5)
  })

  it.each([
    [19, '19'],
    ['19', '19'],
    ['21', '21'],
    ['Exento', 'exempt'],
    [1.19, '19'],
    [{ value: 0 }, 'exempt'],
  ])('take %j for a tax', async (tax_type, expected) => {
    const [warehouse, supply] = [await newWarehouse(), await newSupply()]
    const made = await post('/v1/transaction', {
      warehouse_id: warehouse.id,
      type: 'entry',
      transaction: { typeTrasactionId: 1, document: next('F') },
      supplies: [{ supply_id: supply.id, quantity: 1, unit_cost: 10, tax_type }],
    })
    expect(made.supplies[0].tax_type).toBe(expected)
  })

  it('name everything that is wrong at once, and their own sentences', async () => {
    expect(
      await errors('POST', '/v1/transaction', {
        warehouse_id: '',
        transaction: { typeTrasactionId: '', transaction: 'entry', date: '31-02-2026', supplies: [] },
      }),
    ).toEqual({
      warehouse_id: ['Este campo es obligatorio.'],
      'transaction.typeTrasactionId': ['Este campo es obligatorio.'],
      'transaction.date': ['La fecha no es válida.'],
      supplies: ['En necesario ingresar al menos un insumo para poder guardar la entrada.'],
    })
    expect(Object.keys(await errors('POST', '/v1/transaction', { inventado: 1 })).toSorted()).toEqual([
      'inventado',
      'supplies',
      'transaction.typeTrasactionId',
      'type',
      'warehouse_id',
    ])
    const line = await errors('POST', '/v1/transaction', {
      warehouse_id: 'x',
      transaction: { typeTrasactionId: '1', supplies: [{ supply: '3', unitRequest: 'dos', unitCost: '' }] },
    })
    expect(line).toMatchObject({
      warehouse_id: ['Debe ser un número.'],
      'supplies.0.quantity': ['La cantidad debe ser un número no negativo o mayor a 0'],
    })
  })
})

describe('purchase orders', () => {
  it('are created, read, changed, listed and deleted, their lines under either spelling', async () => {
    const [warehouse, provider, one, other] = [
      await newWarehouse(),
      await newProvider(),
      await newSupply(),
      await newSupply(),
    ]
    const made = await post('/v1/order_purchase', {
      warehouse_id: String(warehouse.id),
      provider_id: String(provider.id),
      document: 12,
      deliveryAt: '2099-01-05 00:00:00',
      reference: '',
      priority: '',
      note: '',
      supplies: [
        {
          supply: String(one.id),
          unit: '',
          unitRequest: '2',
          unitCost: '1000',
          taxObject: '19',
          neto: '2000',
          tax: '380',
          total: '2380',
        },
      ],
      subtotal: '2000',
      tax: '380',
      total: '2380',
    })
    expect(made).toMatchObject({ deliveryAt: '2099-01-05', priority: 'medium', subtotal: 2000, tax: 380, total: 2380 })
    const changed = await put(`/v1/order_purchase/${made.id}`, {
      note: 'Urgente',
      supplies: [
        { id: made.supplies[0].id, quantity: '3' },
        { supply: other.id, quantity: 1, unit_cost: '500', total_cost: 595, tax_type: 19, net_cost: 500 },
      ],
    })
    expect(changed.supplies.map((line: Json) => [line.supply_id, line.quantity, line.unit_cost])).toEqual([
      [one.id, 3, 1000],
      [other.id, 1, 500],
    ])
    expect([changed.note, changed.deliveryAt]).toEqual(['Urgente', '2099-01-05'])
    for (const query of [
      `warehouse=${warehouse.id}`,
      `warehouse_id=${warehouse.id}`,
      `filter[WarehouseId]=${warehouse.id}`,
    ])
      await lists(made.id, `/v1/order_purchase?${query}`)
    expect((await put(`/v1/order-purchase-update-status/${made.id}`, { status: 'approved' })).status).toBe('approved')
    const read = await get(`/v1/order_purchase/${made.id}`)
    expect(read.total).toBe(changed.total)
    const second = await post('/v1/order_purchase', {
      warehouse_id: warehouse.id,
      provider_id: provider.id,
      supplies: [{ supply: one.id, quantity: 1, unit_cost: 1 }],
    })
    await del(`/v1/order_purchase/${second.id}`)
  })
})

describe('maintenance alerts', () => {
  const newAlert = (more: object) =>
    post('/v1/maintenance-alerts', {
      name: next('Cambio de aceite'),
      description: '',
      category_maintenance_alert_id: [],
      expirationSettings: { dateSelected: true, date: '2099-01-01 00:00:00', kilometersSelected: '', kilometers: '' },
      alertSettings: { daysSelected: '1', days: '15', kilometersSelected: false, kilometers_advance: '' },
      emails_to_notifications: { selected: ['jefe@taller.cl'], suggestions: [] },
      ...more,
    })

  it('are created, read, changed, listed, executed and deleted', async () => {
    const truck = await newTruck()
    const category = await post('/v1/maintenance-alerts/categories', { name: next('Motor'), ...at })
    await lists(category.id, '/v1/maintenance-alerts/categories')
    const { data } = await newAlert({
      selectedTrucks: [String(truck.id)],
      category_maintenance_alert_id: [String(category.id)],
    })
    const [made] = data
    expect(made).toMatchObject({
      expirationSettings: { date: '2099-01-01', kilometers: null },
      alertSettings: { days: 15 },
      category_maintenance_alert_id: [category.id],
    })
    const read = await get(`/v1/maintenance-alerts/${made.id}`)
    expect(read.emails_to_notifications.selected).toEqual(['jefe@taller.cl'])
    expect(read.emails_to_notifications.suggestions).toEqual(expect.arrayContaining([me.email, 'jefe@taller.cl']))
    expect((await get('/v1/maintenance-alerts/emails-users')).data.length).toBeGreaterThan(0)
    const changed = await put(`/v1/maintenance-alerts/${made.id}`, {
      ...read,
      updated_at: undefined,
      expirationSettings: { dateSelected: '', date: '', kilometersSelected: 'true', kilometers: '20000' },
      alertSettings: { daysSelected: '0', days: '', kilometersSelected: 1, kilometers_advance: '500' },
    })
    expect(changed).toMatchObject({ expirationSettings: { dateSelected: false, kilometers: 20000 } })
    for (const query of [
      `filter[Trucks]=${truck.id}`,
      `truck_id=${truck.id}`,
      `filter[Categories]=${category.id}&filter[Status]=created`,
    ])
      await lists(made.id, `/v1/maintenance-alerts?${query}&per_page=5`)
    const executed = await post('/v1/maintenance-alerts/status', { ids: [String(made.id)], status: 'executed' }, 200)
    expect(executed.executed).toBe(1)
    const { data: more } = await newAlert({ selectedTrucks: [{ id: String(truck.id) }] })
    expect((await post('/v1/maintenance-alerts/delete-many', { ids: [`${more[0].id}`] }, 200)).deleted).toBe(1)
  })

  it('name all that an empty form lacks', async () => {
    expect(Object.keys(await errors('POST', '/v1/maintenance-alerts', {})).toSorted()).toEqual([
      'expirationSettings.kilometers',
      'name',
      'selectedTrucks',
    ])
    const wrong = await errors('POST', '/v1/maintenance-alerts', {
      name: '',
      selectedTrucks: [],
      expirationSettings: { dateSelected: true, date: '', kilometersSelected: '1', kilometers: 'muchos' },
      emails_to_notifications: { selected: ['nadie'] },
    })
    expect(Object.keys(wrong).toSorted()).toEqual([
      'emails_to_notifications.selected',
      'expirationSettings.date',
      'expirationSettings.kilometers',
      'name',
      'selectedTrucks',
    ])
  })
})

describe('catalogues of work orders', () => {
  it('have tasks and types of maintenance, by their codes', async () => {
    const task = await post('/v1/tasks', { code: 12, name: next('Cambiar filtro') })
    expect(task.code).toBe('12')
    await lists(task.id, '/v1/tasks')
    const type = await post('/v2/types_maintenance', { code: 'garantia', name: next('En garantía') })
    expect(type.code).toBe('GARANTIA')
    expect(await put(`/v2/types_maintenance/${type.id}`, { code: 'GARANTIA_2' })).toMatchObject({
      code: 'GARANTIA_2',
      name: type.name,
    })
    expect(await errors('POST', '/v2/types_maintenance', { code: 'GARANTIA_2', name: next('Otra') })).toEqual({
      code: ['Ya existe un tipo con ese código.'],
    })
    await lists(type.id, '/v2/types_maintenance')
    expect(await get(`/v2/types_maintenance/${type.id}`)).toMatchObject({ id: type.id })
    await del(`/v2/types_maintenance/${type.id}`)
  })
})

describe('work orders', () => {
  const newOrder = async (more: object = {}) => {
    const truck_id = String((await newTruck()).id)
    const made = await post('/v1/order_workers', {
      workshop_id: at.workshop_id,
      warehouse_id: '',
      has_warehouse: '',
      planned: '1',
      box_id: '',
      truck_id,
      coupled_id: '',
      applicant: '',
      applicant_driver_id: '',
      responsible_specialist_id: '',
      reviewed_by_specialist_id: '',
      delivered_to_driver_id: '',
      kilometer: '1200',
      request: 'Ruido al frenar',
      description_of_requeriment: '',
      date_estimed: '2026-12-04 00:00:00',
      hour_estimed: '08:30:00',
      place: 'WORKSHOP',
      type_of_maintenance: 'PREVENTIVE',
      type_maintenance_id: '',
      priority: 'high',
      status: '',
      codes: '',
      observation: '',
      deadline_at: '2026-12-05 18:00:00',
      works: [],
      supplies: [],
      services: [],
      ...more,
    })
    return made
  }
  beforeAll(async () => {
    if ((await get('/v2/types_maintenance')).total === 0)
      await post('/v2/types_maintenance', { name: 'Preventive', code: 'PREVENTIVE' })
  })

  it('are created from a form, read, listed, changed and deleted', async () => {
    const made = await newOrder()
    expect(made).toMatchObject({
      planned: true,
      kilometer: 1200,
      has_warehouse: false,
      date_estimed: '2026-12-04',
      hour_estimed: '08:30',
      // Six in the afternoon of a summer's day in Santiago.
      deadline_at: '2026-12-05T21:00:00.000Z',
      priority: 'high',
      status: 'PENDING',
    })
    const changed = await put(`/v1/order_workers/${made.id}`, {
      deadline_at: '2026-12-06',
      hour_estimed: '',
      planned: '',
    })
    expect(changed).toMatchObject({ deadline_at: '2026-12-06T03:00:00.000Z', hour_estimed: null, planned: false })
    for (const query of [
      `filter[WorkshopId]=${at.workshop_id}&filter[Truck]=${made.truck_id}`,
      `workshop_id=${at.workshop_id}&truck_id=${made.truck_id}`,
      `filter[truck_id]=${made.truck_id}&priority=high&status=PENDING`,
    ]) {
      await lists(made.id, `/v1/order_workers?${query}`, `/v1/history_order_workers?${query}`)
      const board = await get(`/v2/order_workers_by_group?${query}`)
      expect(ids(board.pending)).toContain(made.id)
    }
    expect(ids(await get('/v2/calendar_order_work?filter[BetweenDate]=2026-12-01,2026-12-31'))).toContain(made.id)
    const moved = await put(`/v1/update_status/${made.id}`, {
      status: 'IN_PROCESS',
      positions: [{ id: `${made.id}`, position: '5' }],
    })
    expect(moved.data).toContainEqual(expect.objectContaining({ id: made.id, status: 'IN_PROCESS', position: 5 }))
    await put('/v1/sync_cards', { works_orders: [{ id: `${made.id}`, status: 'IN_REVIEW', position: '7' }] })
    expect((await get(`/v1/order_workers/${made.id}`)).status).toBe('IN_REVIEW')
    await del(`/v1/order_workers/${made.id}`)
  })

  it('have works whose choices and times are text', async () => {
    const task = await post('/v1/tasks', { code: next('T'), name: next('Cambiar balatas') })
    const specialist = await house.given.specialist(me)
    const made = await newOrder({
      works: [
        {
          description: '',
          task: String(task.id),
          specialist: String(specialist.id),
          reviewed_by_specialist_id: '',
          hours: '1.5',
          start_time: '2026-11-10 08:00:00',
          end_time: '2026-11-10 10:00:00',
          target_start_at: '',
          priority: 'high',
          type_maintenance: '',
        },
      ],
    })
    const [work] = made.works
    expect(work).toMatchObject({ task_id: task.id, specialist_id: specialist.id, duration: 2, hours: 1.5 })
    expect(work.start_time).toBe('2026-11-10T11:00:00.000Z')
    const { works } = await put(`/v1/order_workers/${made.id}`, {
      works: [{ id: String(work.id), hours: '3', task: '', description: 'Balatas' }],
    })
    expect(works).toEqual([
      expect.objectContaining({ id: work.id, hours: 3, task_id: null, specialist_id: specialist.id }),
    ])
    expect(await send(me, 'DELETE', `/v2/order_workers/work/${work.id}`)).toMatchObject({ status: 204 })
  })

  it('take supply lines by the id of the supply, and those that are there by their own', async () => {
    const supplies = [await newSupply(), await newSupply(), await newSupply()]
    const line = ({ id, code, name, description }: Json, count: string) => ({
      id: String(id),
      code,
      name,
      description,
      amount: '',
      cost: '700',
      count,
    })
    const made = await newOrder({ supplies: [line(supplies[0]!, '2'), line(supplies[1]!, '1')] })
    const linesOf = (order: Json) => order.supplies.map((one: Json) => [one.supply_id, one.count, one.cost])
    expect(linesOf(made)).toEqual([
      [supplies[0]!.id, 2, 700],
      [supplies[1]!.id, 1, 700],
    ])
    const [first, second] = made.supplies
    const own = (one: Json, count: string) => ({ ...line({ ...one }, count), id: String(one.id) })
    for (const whole of [{}, made]) {
      const fresh = await get(`/v1/order_workers/${made.id}`)
      const changed = await put(`/v1/order_workers/${made.id}`, {
        ...whole,
        ...('updated_at' in whole && { updated_at: fresh.updated_at }),
        supplies: [own(first, '5'), own(second, '1'), line(supplies[2]!, '4')],
      })
      expect(linesOf(changed)).toEqual([
        [supplies[0]!.id, 5, 700],
        [supplies[1]!.id, 1, 700],
        [supplies[2]!.id, 4, 700],
      ])
    }
    expect(await send(me, 'DELETE', `/v1/order_workers/supply/${first.id}`)).toMatchObject({ status: 204 })
  })

  it('tell the line from a supply of the same number by the code that comes with it', async () => {
    const made = await newOrder({ supplies: [{ id: (await newSupply()).id, count: 1 }] })
    const [line] = made.supplies
    let twin = await newSupply()
    // Lines and supplies are numbered apart: one of each will have the same number.
    while (twin.id < line.id) twin = await newSupply()
    const same = await send(me, 'GET', `/v1/supplies/${line.id}`)
    if (same.status !== 200 || same.body.id === line.supply_id) throw new Error('No supply with the number of the line')
    const { id, code, name } = same.body
    const { supplies } = await put(`/v1/order_workers/${made.id}`, {
      supplies: [
        { id: line.id, code: line.code, count: '3' },
        { id, code, name, count: '2' },
      ],
    })
    expect(supplies.map((one: Json) => [one.supply_id, one.count])).toEqual([
      [line.supply_id, 3],
      [id, 2],
    ])
  })

  it('take services by the id of the provider’s service, as it stands in its list', async () => {
    const service = await newService()
    const [listed] = (await get(`/v1/service-by-provider/${service.provider_id}`)).data
    const made = await newOrder({ services: [listed] })
    expect(made.services[0]).toMatchObject({ service_id: service.id, quantity: 1, unit_price: 15000 })
    const other = await newService()
    const { services } = await put(`/v1/order_workers/${made.id}`, {
      services: [
        { id: String(made.services[0].id), unit_price: '20000' },
        { id: String(other.id), code: other.code },
      ],
    })
    expect(services.map((one: Json) => [one.service_id, one.unit_price])).toEqual([
      [service.id, 20000],
      [other.id, 15000],
    ])
    const invoice = await post('/v1/invoice', {
      bill_invoice: 'bill',
      date: YESTERDAY,
      document: 991,
      payment_type: 'Credit',
      note: '',
      ...at,
      work_order_id: String(made.id),
      provider_id: String(service.provider_id),
    })
    expect(await put(`/v1/invoice/${invoice.id}`, { document: '992', note: 'x' })).toMatchObject({ document: '992' })
    expect(ids(await get(`/v1/invoice/work-order/${made.id}`))).toEqual([invoice.id])
    const [, second] = services
    expect(await send(me, 'DELETE', `/v1/work-order/service/${second.id}`)).toMatchObject({ status: 204 })
  })

  it('leave a warehouse where they have one', async () => {
    const { warehouse, supply } = await withStock()
    const body = {
      workshop_id: at.workshop_id,
      warehouse_id: String(warehouse.id),
      has_warehouse: '1',
      truck_id: String((await newTruck()).id),
      supplies: [{ id: String(supply.id), count: '4' }],
    }
    const made = await post('/v2/order_workers_with_warehouse', body)
    expect(made.supplies[0]).toMatchObject({ supply_id: supply.id, cost: 1000, amount: 4000 })
    const path = `/v2/order_workers_with_warehouse/${made.id}`
    expect((await put(path, { supplies: [{ id: made.supplies[0].id, count: '6' }] })).supplies[0].count).toBe(6)
    expect(await errors('PUT', path, { supplies: [{ id: made.supplies[0].id, count: '60' }] })).toEqual({
      'supplies.0.count': ['No hay stock suficiente'],
    })
    expect(await get(`/v1/verify-stock?supply=${supply.id}&warehouse=${warehouse.id}&quantity=4`)).toMatchObject({
      stock: 4,
    })
  })

  it('carry the images of their signatures', async () => {
    const driver = await house.given.driver(me)
    const made = await newOrder()
    expect([made.has_delivered_signature, made.delivered_signature]).toEqual([false, undefined])
    const changed = await put(`/v1/order_workers/${made.id}`, { reviewed_signature: PIXEL, delivered_signature: '' })
    expect([changed.has_reviewed_signature, changed.has_delivered_signature]).toEqual([true, false])
    const read = await get(`/v1/order_workers/${made.id}`)
    expect(read.signatures).toEqual([expect.objectContaining({ kind: 'reviewed', name: me.name, holds: true })])
    expect(read.reviewed_signature).toMatch(/^data:image\/png;base64,/)

    // Sending back the image that was read signs nothing.
    const { updated_at: _, ...back } = read
    expect((await put(`/v1/order_workers/${made.id}`, back)).signatures).toEqual(read.signatures)
    expect(
      await errors('PUT', `/v1/order_workers/${made.id}`, { delivered_signature: 'x', request: 5, kilometer: 'x' }),
    ).toEqual({
      delivered_signature: ['Firme en el recuadro.'],
      kilometer: [expect.any(String)],
    })
    expect(
      await errors('PUT', `/v1/order_workers/${made.id}`, {
        delivered_to_driver_id: driver.id,
        delivered_signature: PIXEL,
      }),
    ).toEqual({ delivered_signature: ['Indique el RUT de quien firma.'] })
    // Both at the end, as the order is closed.
    const closed = await put(`/v1/order_workers/${made.id}`, { status: 'FINALIZED', delivered_signature: PIXEL })
    expect(closed).toMatchObject({ status: 'FINALIZED', has_delivered_signature: true, has_reviewed_signature: true })
  })
})

it('reads settings, preferences, people and reports', async () => {
  const [first] = (await get('/v1/settings')).data
  expect(first.pivot).toHaveProperty('setting_value')
  await get('/v1/preferences')
  await get(`/v1/preferences/${me.user_id}`)
  for (const path of ['users', 'specialists', 'drivers', 'boxes'])
    for (const query of [`filter[WorkshopId]=${at.workshop_id}`, `workshop_id=${at.workshop_id}`, 'WorkshopId='])
      await get(`/v1/${path}?${query}`)
  await get('/v1/locations_by_company')
  await get('/v1/workshops')
  const range = `filter[BetweenDate]=2026-11-01,2026-11-30&filter[WorkshopId]=&filter[Truck]=`
  for (const path of [
    'expenses-by-provider',
    'chart_cost_supplies_by_truck',
    'list_cost_supplies_by_truck',
    'expenses_by_truck',
    'expenses_by_category_supply',
    'equipment_availability',
  ])
    for (const query of [range, `BetweenDate=2026-11-01 00:00:00,2026-11-30 23:59:59&workshop_id=${at.workshop_id}`])
      await get(`/v1/${path}?${encodeURI(query)}`)
  await get('/v1/expenses_by_category_month?filter[BetweenYear]=2025,2026')
})
