import { beforeAll, describe, expect, it } from 'vitest'
import { identity } from '#contract/identity/identity.ts'
import { NO_STOCK } from '#contract/warehouses/stock.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { WORK_ORDER_ACTIONS } from '#contract/work-orders/activity.ts'
import { workCatalogues } from '#contract/work-orders/catalogues.ts'
import { WORK_STATES } from '#contract/work-orders/lines.ts'
import { OWN_REVIEW, type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { type Member, PIXEL } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { pdfText } from '../../test/pdf-text.ts'

const house = openHouse()

let chief: Member
let mechanic: Member
let specialist: { id: number }
beforeAll(async () => {
  const boss = await house.given.member({ role: 'super-admin' })
  chief = await house.given.member({ company_id: boss.company_id, workshop_id: boss.workshop_id })
  const { company_id, workshop_id } = chief
  mechanic = await house.given.member({ role: 'specialist', company_id, workshop_id })
  specialist = await house.given.specialist(chief)
  const placed = await house.call(boss, identity.updateUser, {
    params: { id: mechanic.user_id },
    body: { role: 'specialist', workshop_id, specialist_id: specialist.id },
  })
  expect(placed.status).toBe(200)
})

const read = async (id: number) => (await house.call(chief, workOrders.getWorkOrder, { params: { id } })).body
const act = (who: Member, id: number, action: string) =>
  house.call(who, workOrderParts.progressWork, { params: { id }, body: { action, confirm_switch: true } })
const finalize = (who: Member, id: number) =>
  house.call(who, workOrders.moveWorkOrder, { params: { id }, body: { status: 'FINALIZED' } })
const activityOf = async (id: number) =>
  (await house.call(chief, workOrders.workOrderActivity, { params: { id } })).body.data
/** An order with one work of the mechanic and a warehouse with five of a supply. */
const atWork = async (more: object = {}) => {
  const { warehouse_id, supplies } = await house.given.entry(chief)
  const order = await house.given.workOrder(chief, {
    has_warehouse: true,
    warehouse_id,
    works: [{ description: 'Cambiar pastillas', specialist_id: specialist.id }],
    ...more,
  })
  return { order, work: order.works[0]!, supply_id: supplies[0]!.supply_id, warehouse_id }
}
const stockOf = async (warehouse: number, supply_id: number) =>
  (await house.call(chief, warehouses.listStock, { params: { warehouse }, query: { filter: { Supply: [supply_id] } } }))
    .body.data[0]!.stock

it('a mechanic reads an order, its activity and its paper without costs, and adds to it without erasing them', async () => {
  const { order, supply_id } = await atWork()
  const service = await house.given.service(chief)
  const used = await house.call(mechanic, workOrderParts.useSupply, {
    params: { id: order.id },
    body: { supply_id, count: 2 },
  })
  expect(used.body).toMatchObject({ count: 2, cost: null, amount: null })
  const before = await read(order.id)
  const supplies = before.supplies.map((line) => ({ ...line, cost: null }))
  const saved = await house.call(chief, workOrders.updateWorkOrder, {
    params: { id: order.id },
    body: { ...before, supplies, services: [{ service_id: service.id, quantity: 1, unit_price: 7777 }] },
  })
  expect(saved.body).toMatchObject({ supplies_cost: before.supplies_cost, services_cost: 7777 })

  const seen = await house.call(mechanic, workOrders.getWorkOrder, { params: { id: order.id } })
  expect(seen.body).toMatchObject({ code: order.code, supplies_cost: null, services_cost: null, total_cost: null })
  expect(seen.body.services).toMatchObject([{ quantity: 1, unit_price: null, amount: null }])
  const list = await house.call(mechanic, workOrders.workOrderHistory, { query: { filter: { Search: order.code } } })
  expect([list.body.data[0]!.total_cost, list.body.totals.total_cost]).toEqual([null, null])
  const told = async (who: Member) =>
    JSON.stringify((await house.call(who, workOrders.workOrderActivity, { params: { id: order.id } })).body.data)
  expect(await told(chief)).toContain('($7.777)')
  expect(await told(mechanic)).not.toContain('$')
  const paper = async (who: Member) =>
    pdfText((await house.call(who, workOrders.workOrderPdf, { params: { id: order.id } })).body).join('')
  expect(await paper(chief)).toMatch(/Monto.*Total\$7\.977/)
  expect(await paper(mechanic)).not.toMatch(/Monto|Costo|Precio|Total/)
})

describe('a work', () => {
  it('that was never paused lasts from its start to its end', async () => {
    const { work } = await atWork()
    expect((await act(mechanic, work.id, 'start')).body).toMatchObject({ state: 'running', duration: null })
    await house.owner.query(`update works set start_time = now() - interval '90 minutes' where id = $1`, [work.id])
    const { body } = await act(mechanic, work.id, 'finish')
    expect(body).toMatchObject({ state: 'done', end_time: expect.any(String) })
    expect(body.duration).toBeCloseTo(1.5, 2)
  })

  it('adds up what was worked between pauses, and can be taken up again', async () => {
    const { work } = await atWork()
    for (const _ of [1, 2]) {
      await act(mechanic, work.id, 'start')
      await house.owner.query(`update works set start_time = now() - interval '1 hour' where id = $1`, [work.id])
      expect((await act(mechanic, work.id, 'pause')).body.state).toBe('paused')
    }
    expect((await act(mechanic, work.id, 'finish')).body.duration).toBeCloseTo(2, 2)
    expect((await act(mechanic, work.id, 'reopen')).body).toMatchObject({ state: 'paused' })
    await act(mechanic, work.id, 'start')
    await house.owner.query(`update works set start_time = now() - interval '1 hour' where id = $1`, [work.id])
    expect((await act(mechanic, work.id, 'finish')).body.duration).toBeCloseTo(3, 2)
    const { order } = { order: await read(work.work_order_id) }
    const actions = (await activityOf(order.id)).map(({ action }) => action)
    expect(actions).toContain('work_pause')
    for (const action of actions) expect(Object.keys(WORK_ORDER_ACTIONS), 'people read it in words').toContain(action)
  })

  it('tapped twice does it once; what makes no sense is refused in words', async () => {
    const { work } = await atWork()
    const both = await Promise.all([act(mechanic, work.id, 'start'), act(mechanic, work.id, 'start')])
    expect(both.map(({ body }) => body.start_time)).toEqual([both[0]!.body.start_time, both[0]!.body.start_time])
    await act(mechanic, work.id, 'finish')
    const refused = await act(mechanic, work.id, 'pause')
    expect([refused.status, refused.failure.message]).toEqual([409, 'El trabajo no está en curso.'])
  })

  it('is moved on by whose it is, or by a chief; and by nobody once the order is finalized', async () => {
    const other = await house.given.specialist(chief)
    const { order, work } = await atWork({ works: [{ description: 'Soldar', specialist_id: other.id }] })
    expect((await act(mechanic, work.id, 'start')).status).toBe(403)
    expect((await act(chief, work.id, 'start')).status).toBe(200)
    await finalize(chief, order.id)
    expect((await act(chief, work.id, 'finish')).status).toBe(409)
  })

  it('that begins first moves the order on; a later one leaves it where a chief put it', async () => {
    const { order, work } = await atWork()
    const move = (status: 'IN_REVIEW') =>
      house.call(chief, workOrders.moveWorkOrder, { params: { id: order.id }, body: { status } })
    expect(order.status).toBe('PENDING')
    await act(mechanic, work.id, 'start')
    expect(await read(order.id)).toMatchObject({ status: 'IN_PROCESS', workshop_entry_at: expect.any(String) })
    const second = await house.call(mechanic, workOrderParts.addWork, {
      params: { id: order.id },
      body: { description: 'Otro' },
    })
    await move('IN_REVIEW')
    await act(mechanic, second.body.id, 'start')
    expect((await read(order.id)).status).toBe('IN_REVIEW')
  })

  it('of a colleague that is not done keeps a mechanic from finalizing, and no chief', async () => {
    const { order, work } = await atWork()
    const other = await house.given.specialist(chief)
    const added = await house.call(chief, workOrderParts.addWork, {
      params: { id: order.id },
      body: { description: 'De otro', specialist_id: other.id },
    })
    const refused = await finalize(mechanic, order.id)
    expect([refused.status, refused.failure.message]).toEqual([403, expect.stringContaining(other.names)])
    await act(chief, added.body.id, 'finish')
    // What is left is their own.
    expect(WORK_STATES[(await read(order.id)).works.find(({ id }) => id === work.id)!.state].done).toBe(false)
    expect((await finalize(mechanic, order.id)).status).toBe(200)
  })

  it('that a mechanic adds is their own; they see it among theirs', async () => {
    const { order } = await atWork({ works: [] })
    const added = await house.call(mechanic, workOrderParts.addWork, {
      params: { id: order.id },
      body: { description: 'Apretar ruedas', specialist_id: (await house.given.specialist(chief)).id },
    })
    expect(added.body).toMatchObject({ description: 'Apretar ruedas', specialist_id: specialist.id, state: 'pending' })
    const mine = (await house.call(mechanic, workOrderParts.myWorks)).body.data
    expect(mine.find(({ work }) => work.id === added.body.id)?.order.code).toBe(order.code)
    expect((await house.call(chief, workOrderParts.myWorks)).body.data).toEqual([])
    await act(mechanic, added.body.id, 'finish')
    expect((await house.call(mechanic, workOrderParts.myWorks)).body.data.at(-1)?.work.state).toBe('done')
    const nobody = await house.given.member({
      role: 'specialist',
      company_id: chief.company_id,
      workshop_id: chief.workshop_id,
    })
    const refused = await house.call(nobody, workOrderParts.addWork, {
      params: { id: order.id },
      body: { description: 'X' },
    })
    expect(refused.status).toBe(403)
  })
})

describe('one supply at a time', () => {
  const use = (who: Member, id: number, supply_id: number, count: number) =>
    house.call(who, workOrderParts.useSupply, { params: { id }, body: { supply_id, count } })

  it('leaves the stock, grows the line that is there, and goes back when it is struck out', async () => {
    const { order, supply_id, warehouse_id } = await atWork()
    expect((await use(chief, order.id, supply_id, 2)).body).toMatchObject({ count: 2, cost: 100, amount: 200 })
    expect((await use(mechanic, order.id, supply_id, 1)).body).toMatchObject({ count: 3, amount: null })
    expect([await stockOf(warehouse_id, supply_id), (await read(order.id)).supplies_cost]).toEqual([2, 300])
    const short = await use(mechanic, order.id, supply_id, 3)
    expect([short.status, short.failure.errors]).toEqual([422, { count: [NO_STOCK] }])
    const [line] = (await read(order.id)).supplies
    const struck = await house.call(chief, workOrderParts.deleteSupplyLine, { params: { id: line!.id } })
    expect(struck.status).toBe(204)
    expect([await stockOf(warehouse_id, supply_id), (await read(order.id)).total_cost]).toEqual([5, 0])
  })

  it('is for the orders a mechanic works on; what is offered comes by code, in stock first', async () => {
    const { order, supply_id, warehouse_id } = await atWork({ works: [] })
    expect((await use(mechanic, order.id, supply_id, 1)).status).toBe(403)
    const empty = await house.given.supply(chief, { name: 'Aaa agotado' })
    await house.call(chief, warehouses.attachSupplies, {
      params: { warehouse: warehouse_id },
      body: { supplies: [empty.id] },
    })
    const offered = await house.call(mechanic, workOrderParts.availableSupplies, { params: { id: order.id } })
    expect(offered.body.data.map((each) => [each.supply_id, each.stock])).toEqual([
      [supply_id, 5],
      [empty.id, 0],
    ])
    const scanned = await house.call(mechanic, workOrderParts.availableSupplies, {
      params: { id: order.id },
      query: { search: empty.code.toLowerCase() },
    })
    expect(scanned.body.data[0]).toMatchObject({ supply_id: empty.id, code: empty.code, elsewhere: [] })
    // Words that an index of parts knows, and those too short for it.
    for (const search of ['agotado', 'do aa'])
      expect(
        (await house.call(mechanic, workOrderParts.availableSupplies, { params: { id: order.id }, query: { search } }))
          .body.data,
      ).toEqual([offered.body.data[1]])
    // Where else there is some.
    const other = await house.given.entry(chief)
    await house.call(chief, warehouses.attachSupplies, {
      params: { warehouse: warehouse_id },
      body: { supplies: [other.supplies[0]!.supply_id] },
    })
    const again = await house.call(mechanic, workOrderParts.availableSupplies, { params: { id: order.id } })
    const missing = again.body.data.find((each) => each.supply_id === other.supplies[0]!.supply_id)
    expect(missing).toMatchObject({ stock: 0, elsewhere: [{ warehouse_name: expect.any(String), stock: 5 }] })
  })
})

describe('an invoice', () => {
  const paper = (order: WorkOrder, provider_id: number, more: object = {}) => ({
    work_order_id: order.id,
    provider_id,
    bill_invoice: 'bill',
    date: '2026-05-04',
    confirm_old: true,
    document: house.given.next('F-'),
    payment_type: 'Credit',
    ...more,
  })

  it("is one per provider, counts that provider's services, and may come after the order was finalized", async () => {
    const service = await house.given.service(chief, { unit_price: 1250.5 })
    const order = await house.given.workOrder(chief, { services: [{ service_id: service.id, quantity: 3 }] })
    await finalize(chief, order.id)
    const made = await house.call(chief, workOrderParts.createInvoice, { body: paper(order, service.provider_id) })
    expect([made.status, made.body.amount]).toEqual([201, 3752])
    const again = await house.call(chief, workOrderParts.createInvoice, { body: paper(order, service.provider_id) })
    expect(again.failure.errors).toEqual({ provider_id: ['Este proveedor ya tiene una factura en la orden.'] })
    const stranger = await house.given.provider(chief)
    const none = await house.call(chief, workOrderParts.createInvoice, { body: paper(order, stranger.id) })
    expect(none.failure.errors).toEqual({ provider_id: ['Este proveedor no tiene servicios en la orden.'] })
    const edited = await house.call(chief, workOrderParts.updateInvoice, {
      params: { id: made.body.id },
      body: { ...paper(order, service.provider_id), date: '2026-06-01', updated_at: made.body.updated_at },
    })
    expect(edited.body.date).toBe('2026-06-01')
    const stale = await house.call(chief, workOrderParts.updateInvoice, {
      params: { id: made.body.id },
      body: { ...paper(order, service.provider_id), updated_at: made.body.updated_at },
    })
    expect(stale.status).toBe(409)
    const listed = await house.call(chief, workOrderParts.listInvoices, { params: { id: order.id } })
    expect(listed.body.data).toMatchObject([{ id: made.body.id, amount: 3752 }])
  })

  it('keeps its services in the order until it is deleted', async () => {
    const service = await house.given.service(chief)
    const order = await house.given.workOrder(chief, { services: [{ service_id: service.id, quantity: 1 }] })
    const made = await house.call(chief, workOrderParts.createInvoice, { body: paper(order, service.provider_id) })
    const line = { params: { id: order.services[0]!.id } }
    expect((await house.call(chief, workOrderParts.deleteServiceLine, line)).status).toBe(422)
    expect((await house.call(chief, workOrderParts.deleteInvoice, { params: { id: made.body.id } })).status).toBe(204)
    expect((await house.call(chief, workOrderParts.deleteServiceLine, line)).status).toBe(204)
    expect((await read(order.id)).services).toEqual([])
  })
})

describe('photos and files', () => {
  const add = (who: Member, id: number, file: File) =>
    house.call(who, workOrderParts.addFile, { params: { id }, body: { file } })
  const png = () => new File([Buffer.from(PIXEL.split(',')[1]!, 'base64')], 'freno ñandú.png', { type: 'image/gif' })

  it('come back as what they are and not as what they say', async () => {
    const { order } = await atWork()
    const added = await add(mechanic, order.id, png())
    expect(added.body).toMatchObject({ name: 'freno ñandú.png', type: 'image/png', user_name: mechanic.name })
    const got = await house.call(chief, workOrderParts.getFile, { params: { id: added.body.id } })
    expect(got.headers['content-type']).toBe('image/png')
    expect((await read(order.id)).files_total).toBe(1)
  })

  it('keep the name they have, quotes too', async () => {
    const { order } = await atWork()
    const named = new File([png()], `peñón "chico" 100% 'b'.png`)
    const added = await add(mechanic, order.id, named)
    expect(added.body.name).toBe(named.name)
    const got = await house.call(chief, workOrderParts.getFile, { params: { id: added.body.id } })
    expect(String(got.headers['content-disposition'])).toContain(encodeURIComponent(named.name))
  })

  it('are images or PDFs, are deleted by those who added them or a chief, and stay once the order is finalized', async () => {
    const { order } = await atWork()
    const page = await add(mechanic, order.id, new File(['<script>'], 'foto.png', { type: 'image/png' }))
    expect(page.failure.errors).toEqual({ file: ['Solo se admiten fotos (JPG, PNG, WebP) y documentos PDF.'] })
    expect((await add(mechanic, order.id, new File([], 'foto.png'))).status).toBe(422)
    const ofChief = await add(chief, order.id, png())
    const remove = (who: Member, id: number) => house.call(who, workOrderParts.deleteFile, { params: { id } })
    expect((await remove(mechanic, ofChief.body.id)).status).toBe(403)
    const own = await add(mechanic, order.id, png())
    expect((await remove(mechanic, own.body.id)).status).toBe(204)
    await finalize(chief, order.id)
    expect((await remove(chief, ofChief.body.id)).status).toBe(409)
    expect((await add(chief, order.id, png())).status).toBe(409)
  })
})

describe('a signature', () => {
  const sign = (who: Member, id: number, kind = 'delivered', more: object = {}) =>
    house.call(who, workOrderParts.sign, {
      params: { id, kind },
      body: { image: PIXEL, name: 'Pedro Soto', dni: '12.345.678-5', ...more },
    })

  it('is of the order as it was: a change of what was signed shows, one of the planning does not', async () => {
    const { order, supply_id } = await atWork()
    expect((await sign(mechanic, order.id)).body).toMatchObject({ kind: 'delivered', name: 'Pedro Soto', holds: true })
    const calendar = { start: new Date().toISOString() }
    await house.call(chief, workOrders.rescheduleWorkOrder, { params: { id: order.id }, body: calendar })
    expect((await read(order.id)).signatures).toMatchObject([{ holds: true }])
    await house.call(mechanic, workOrderParts.useSupply, { params: { id: order.id }, body: { supply_id, count: 1 } })
    expect((await read(order.id)).signatures).toMatchObject([{ kind: 'delivered', holds: false }])
    await sign(mechanic, order.id)
    await finalize(mechanic, order.id)
    expect(await read(order.id)).toMatchObject({ has_delivered_signature: true, signatures: [{ holds: true }] })
    expect((await sign(chief, order.id, 'performed')).status).toBe(409)
    const image = await house.call(chief, workOrderParts.getSignature, { params: { id: order.id, kind: 'delivered' } })
    expect(image.headers['content-type']).toBe('image/png')
  })

  it('of the person who receives the truck may come after the order was finalized, once', async () => {
    const order = await house.given.workOrder(chief)
    await finalize(chief, order.id)
    expect((await sign(mechanic, order.id, 'performed')).status).toBe(409)
    expect((await sign(mechanic, order.id)).body).toMatchObject({ kind: 'delivered', holds: true })
    expect((await sign(mechanic, order.id)).status).toBe(409)
    expect(await read(order.id)).toMatchObject({ status: 'FINALIZED', has_delivered_signature: true })
  })

  it('of the mechanic says who did the work; another person reviews it, also once the order is finalized', async () => {
    const { order } = await atWork()
    const own = { name: mechanic.name, dni: null }
    expect((await sign(mechanic, order.id, 'performed', own)).body).toMatchObject({ kind: 'performed', holds: true })
    await finalize(mechanic, order.id)
    expect(await read(order.id)).toMatchObject({
      has_reviewed_signature: false,
      signatures: [{ kind: 'performed', name: mechanic.name, holds: true }],
    })
    const oneself = await sign(mechanic, order.id, 'reviewed', { ...own, name: ` ${mechanic.name.toUpperCase()}` })
    expect([oneself.status, oneself.failure.errors]).toEqual([422, { name: [OWN_REVIEW] }])
    const other = { name: chief.name, dni: null }
    expect((await sign(chief, order.id, 'reviewed', other)).body).toMatchObject({ kind: 'reviewed', holds: true })
    expect((await sign(chief, order.id, 'reviewed', other)).status).toBe(409)
    const paper = await house.call(chief, workOrders.workOrderPdf, { params: { id: order.id } })
    expect(pdfText(paper.body).join(' ')).toMatch(/Realizado +por/)
  })

  it('is of the person logged in, or of one named with their RUT', async () => {
    const driver = await house.given.driver(chief, { dni: '11.111.111-1' })
    const order = await house.given.workOrder(chief, { delivered_to_driver_id: driver.id })
    const { delivered_to_driver } = await read(order.id)
    const unnamed = await sign(mechanic, order.id, 'delivered', { dni: '' })
    expect([unnamed.status, unnamed.failure.errors]).toEqual([422, { dni: ['Indique el RUT de quien firma.'] }])
    const wrong = await sign(mechanic, order.id, 'delivered', { dni: '12.345.678-9' })
    expect(wrong.failure.errors).toHaveProperty('dni')
    expect((await sign(mechanic, order.id)).body).toMatchObject({ name: 'Pedro Soto', dni: '12345678-5' })
    const known = await sign(mechanic, order.id, 'delivered', { name: delivered_to_driver, dni: null })
    expect(known.body).toMatchObject({ name: delivered_to_driver, dni: '11111111-1' })
    const own = await sign(mechanic, order.id, 'reviewed', { name: mechanic.name.toUpperCase(), dni: null })
    expect(own.body).toMatchObject({ dni: null, holds: true })
    const kept = await house.owner.query('select agent, user_id from work_order_signatures where work_order_id = $1', [
      order.id,
    ])
    expect(kept.rows).toEqual(Array(2).fill({ agent: 'lightMyRequest', user_id: String(mechanic.user_id) }))
  })

  it('is not of what it cost', async () => {
    const service = await house.given.service(chief)
    const services = [{ service_id: service.id, quantity: 1, unit_price: 1000 }]
    const order = await house.given.workOrder(chief, { services })
    await sign(mechanic, order.id)
    const { updated_at: _, ...now } = await read(order.id)
    const dearer = now.services.map((line) => ({ ...line, unit_price: 2000 }))
    const saved = await house.call(chief, workOrders.updateWorkOrder, {
      params: { id: order.id },
      body: { ...now, services: dearer },
    })
    expect(saved.body).toMatchObject({ services_cost: 2000, signatures: [{ holds: true }] })
  })

  it('is a drawing: anything else is refused under its field', async () => {
    const { order } = await atWork()
    for (const image of ['', 'data:image/png;base64,aG9sYQ==', 'data:text/html;base64,aG9sYQ==', `${PIXEL}"`])
      expect((await sign(chief, order.id, 'reviewed', { image })).failure.errors).toHaveProperty('image')
    expect((await sign(chief, order.id, 'reviewed', { name: ' ' })).failure.errors).toHaveProperty('name')
    expect((await read(order.id)).signatures).toEqual([])
  })
})

describe('comments', () => {
  it('are written by those who work on it, read by everyone, and never disturb an edit of the order', async () => {
    const { order } = await atWork()
    const before = (await read(order.id)).updated_at
    const text = 'Falta el perno <b>derecho</b>'
    const added = await house.call(mechanic, workOrderParts.addComment, { params: { id: order.id }, body: { text } })
    expect(added.body).toMatchObject({ text, user_name: mechanic.name })
    expect((await house.call(chief, workOrderParts.listComments, { params: { id: order.id } })).body.data).toHaveLength(
      1,
    )
    expect(await read(order.id)).toMatchObject({ comments_total: 1, updated_at: before })
  })
})

describe('the calendar', () => {
  it('without a range is the one of this month', async () => {
    const order = await house.given.workOrder(chief)
    const now = new Date()
    await house.given.workOrder(chief, { date_estimed: new Date(+now + 40 * 86_400_000).toISOString().slice(0, 10) })
    const shown = await house.call(chief, workOrders.calendarOrders, {})
    expect(shown.status).toBe(200)
    expect(shown.body.data.map(({ id }) => id)).toContain(order.id)
    expect(new Set(shown.body.data.map(({ start }) => start.slice(0, 7))).size).toBe(1)
    expect((await house.call(chief, workOrders.calendarWorks, {})).status).toBe(200)
  })
  const between = (from: string, to: string) => ({ query: { filter: { BetweenDate: `${from},${to}` } } })

  it('shows an order on the day it is expected, across the change of the clock, and moves it', async () => {
    // On 6 September 2026 the clocks of Chile go forward at midnight.
    const order = await house.given.workOrder(chief, {
      planned: true,
      date_estimed: '2026-09-06',
      hour_estimed: '09:30',
    })
    const shown = await house.call(chief, workOrders.calendarOrders, between('2026-09-06', '2026-09-06'))
    expect(shown.body.data).toMatchObject([
      { id: order.id, kind: 'planned', start: '2026-09-06T12:30:00.000Z', all_day: false },
    ])
    const moved = await house.call(chief, workOrders.rescheduleWorkOrder, {
      params: { id: order.id },
      body: { start: '2026-09-05T13:00:00.000Z' },
    })
    expect(moved.body.start).toBe('2026-09-05T13:00:00.000Z')
    expect(await read(order.id)).toMatchObject({ date_estimed: '2026-09-05', hour_estimed: '09:00' })
    const wholeDay = { start: '2026-09-07T03:00:00.000Z', all_day: true }
    await house.call(chief, workOrders.rescheduleWorkOrder, { params: { id: order.id }, body: wholeDay })
    expect(await read(order.id)).toMatchObject({ date_estimed: '2026-09-07', hour_estimed: null })
    const none = await house.call(chief, workOrders.calendarOrders, between('2026-09-06', '2026-09-06'))
    expect(none.body.data).toEqual([])
  })

  it('shows works by their plan, keeps how long they take when they move, and lets only chiefs move them', async () => {
    const { order, work } = await atWork({
      works: [
        {
          description: 'Pintar',
          specialist_id: specialist.id,
          target_start_at: '2026-10-01T12:00:00.000Z',
          target_end_at: '2026-10-01T14:00:00.000Z',
        },
      ],
    })
    const [event] = (await house.call(chief, workOrders.calendarWorks, between('2026-10-01', '2026-10-01'))).body.data
    expect(event).toMatchObject({ id: work.id, work_order_id: order.id, kind: 'work', title: 'Pintar' })
    const later = { params: { id: work.id }, body: { start: '2026-10-02T12:00:00.000Z' } }
    expect((await house.call(mechanic, workOrders.rescheduleWork, later)).status).toBe(403)
    expect((await house.call(chief, workOrders.rescheduleWork, later)).body.end).toBe('2026-10-02T14:00:00.000Z')
    const backwards = { ...later, body: { start: '2026-10-02T12:00:00.000Z', end: '2026-10-02T11:00:00.000Z' } }
    expect((await house.call(chief, workOrders.rescheduleWork, backwards)).failure.errors).toHaveProperty('end')
  })
})

describe('the paper', () => {
  it('is a PDF with everything in it, signatures included', async () => {
    const { order, supply_id } = await atWork()
    await house.call(mechanic, workOrderParts.useSupply, { params: { id: order.id }, body: { supply_id, count: 1 } })
    await house.call(mechanic, workOrderParts.sign, {
      params: { id: order.id, kind: 'delivered' },
      body: { image: PIXEL, name: 'Pedro Soto', dni: '12345678-5' },
    })
    const { status, headers, body } = await house.call(chief, workOrders.workOrderPdf, { params: { id: order.id } })
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(headers['content-disposition']).toContain(`${order.code}.pdf`)
    const text = body.toString('latin1')
    expect(text.startsWith('%PDF-')).toBe(true)
    expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1)
  })
})

describe('tasks and types of maintenance', () => {
  it('are added while writing an order, by a chief; changed by those who run the company; kept once used', async () => {
    const boss = await house.given.member({ role: 'super-admin', company_id: chief.company_id })
    const task = (await house.call(chief, workCatalogues.createTask, { body: { code: 'FR-1', name: 'Frenos' } })).body
    const twice = await house.call(chief, workCatalogues.createTask, { body: { code: 'fr-1', name: 'Otra' } })
    expect(twice.failure.errors).toEqual({ code: ['Ya existe una tarea con ese código.'] })
    const type = await house.call(chief, workCatalogues.createMaintenanceType, { body: { name: 'Cambio de Aceite' } })
    expect(type.body).toMatchObject({ code: 'CAMBIO_DE_ACEITE', built_in: false })
    await house.given.workOrder(chief, { type_maintenance_id: type.body.id, works: [{ task_id: task.id }] })
    for (const [endpoint, id] of [
      [workCatalogues.deleteTask, task.id],
      [workCatalogues.deleteMaintenanceType, type.body.id],
    ] as const)
      expect((await house.call(boss, endpoint, { params: { id } })).status).toBe(409)
    const edited = await house.call(boss, workCatalogues.updateTask, {
      params: { id: task.id },
      body: { code: 'FR-1', name: 'Frenos', state: 'inactive' },
    })
    expect(edited.body.state).toBe('inactive')
    const active = await house.call(chief, workCatalogues.listTasks, { query: { filter: { State: ['active'] } } })
    expect(active.body.data.map(({ id }) => id)).not.toContain(task.id)
  })
})
