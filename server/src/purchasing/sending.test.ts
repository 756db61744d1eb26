import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, dayOf } from '#contract/base/dates.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { pdfText } from '../../test/pdf-text.ts'
import { MailServer } from '../../test/smtp.ts'
import { Outbox } from '../platform/outside/mail.ts'

const house = openHouse()
const server = new MailServer()
beforeAll(() => server.start())
afterAll(() => server.stop())

let chief: Member
let keeper: Member
let filter: Supply
let oil: Supply
beforeAll(async () => {
  chief = await house.given.member({ role: 'admin' })
  keeper = await house.given.member({ role: 'warehouse', company_id: chief.company_id, workshop_id: chief.workshop_id })
  filter = await house.given.supply(chief, { name: 'Filtro de aire' })
  oil = await house.given.supply(chief)
})

const today = dayOf(new Date())
const approved = async (more: object = {}) => {
  const order = await house.given.purchaseOrder(chief, {
    supplies: [filter, oil].map(({ id }) => ({ supply_id: id, quantity: 10, unit_cost: 1000 })),
    ...more,
  })
  const moved = await house.call(chief, purchasing.updatePurchaseStatus, {
    params: { id: order.id },
    body: { status: 'approved' },
  })
  return moved.body
}
const send = (who: Member, id: number, body: Record<string, unknown>) =>
  house.call(who, purchasing.sendPurchaseOrder, { params: { id }, body })
const answer = (id: number, body: Record<string, unknown>) =>
  house.call(keeper, purchasing.answerPurchaseOrder, { params: { id }, body })

it('goes by mail with its PDF, and the order says when, to whom and what became of the mail', async () => {
  const order = await approved()
  const sent = await send(keeper, order.id, {
    to: 'ventas@repuestos.cl',
    reply_to: 'bodega@taller.cl',
    message: 'Es <urgente>.',
    updated_at: order.updated_at,
  })
  expect(sent.body).toMatchObject({
    status: 'approved',
    sent_to: 'ventas@repuestos.cl',
    sent_by: keeper.name,
    mail_state: 'queued',
  })
  // Pressed twice, it goes once.
  const twice = await send(keeper, order.id, { to: 'ventas@repuestos.cl', updated_at: order.updated_at })
  expect(twice.status).toBe(409)
  const outbox = new Outbox(house.app.database, { smtpUrl: server.url, address: 'https://taller.cl' })
  expect(await outbox.sendDue(chief.company_id)).toBe(1)
  outbox.close()
  const [mail] = server.received
  expect([mail?.to, mail?.subject.startsWith(`Orden de compra ${order.code} de `)]).toEqual([
    'ventas@repuestos.cl',
    true,
  ])
  expect(mail?.text).toContain('bodega@taller.cl')
  expect(mail?.html).toContain('Es &lt;urgente&gt;.')
  const part = /filename="?(OC-\d+\.pdf)"?[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(mail?.raw ?? '')
  expect(part?.[1]).toBe(`${order.code}.pdf`)
  expect(pdfText(Buffer.from(part?.[2] ?? '', 'base64')).join('')).toMatch(new RegExp(`${order.code}.*Filtro de aire`))
  const after = await house.call(keeper, purchasing.getPurchaseOrder, { params: { id: order.id } })
  expect(after.body).toMatchObject({ mail_state: 'sent', status: 'approved', answered_on: null })
})

it('is sent once it is approved; to an address, or another way', async () => {
  const pending = await house.given.purchaseOrder(chief)
  expect((await send(keeper, pending.id, { to: 'ventas@repuestos.cl' })).status).toBe(422)
  const order = await approved()
  expect((await send(keeper, order.id, { to: 'Juan, por teléfono' })).failure.errors).toHaveProperty('to')
  const told = await send(keeper, order.id, { to: 'Juan, por teléfono', mail: false })
  expect(told.body).toMatchObject({ sent_to: 'Juan, por teléfono', mail_state: null })
  const viewer = await house.given.member({
    role: 'viewer',
    company_id: chief.company_id,
    workshop_id: chief.workshop_id,
  })
  expect((await send(viewer, order.id, { to: 'Juan', mail: false })).status).toBe(403)
  expect((await house.owner.query('select from mails where company_id = $1', [chief.company_id])).rowCount).toBe(1)
})

it('keeps what the provider promised, line by line, and counts what came late', async () => {
  const provider = await house.given.provider(chief)
  const order = await approved({ provider_id: provider.id })
  const stranger = await house.given.supply(chief)
  const wrong = await answer(order.id, { supplies: [{ supply_id: stranger.id, promised_on: today }] })
  expect(wrong.failure.errors).toHaveProperty('supplies.0.supply_id')
  expect((await answer(order.id, { answered_on: addDays(today, 1) })).failure.errors).toHaveProperty('answered_on')
  const said = await answer(order.id, {
    answered_on: today,
    supplies: [
      { supply_id: filter.id, promised_on: addDays(today, -4) },
      { supply_id: oil.id, promised_on: addDays(today, 3) },
    ],
  })
  expect(said.body).toMatchObject({ answered_on: today, promised_on: addDays(today, -4) })
  expect(said.body.supplies.map((line) => line.promised_on)).toEqual([addDays(today, -4), addDays(today, 3)])
  const late = async () => {
    const { body } = await house.call(keeper, purchasing.providerPurchases, { params: { id: provider.id } })
    return [body.deliveries, body.late_deliveries, body.average_days_late, body.overdue_lines]
  }
  expect(await late()).toEqual([0, 0, null, 1])
  await house.call(keeper, purchasing.receivePurchaseOrder, {
    params: { id: order.id },
    body: { transaction: {}, supplies: [filter, oil].map(({ id }) => ({ supply_id: id, quantity: 5 })) },
  })
  // Four days late, and in time: two on average. Half of the filters is still late.
  expect(await late()).toEqual([2, 1, 2, 1])
  const rest = await house.call(keeper, purchasing.getPurchaseOrder, { params: { id: order.id } })
  expect(rest.body.promised_on).toBe(addDays(today, -4))
  await house.call(chief, purchasing.updatePurchaseStatus, {
    params: { id: order.id },
    body: { status: 'closed', reason: 'No llega' },
  })
  expect(await late()).toEqual([2, 1, 2, 0])
  expect((await answer(order.id, { answered_on: today })).status).toBe(422)
})

it('is sent by mail so often a day as the company allows, by order and by person; by phone, as often as it takes', async () => {
  const [first, second] = [await approved(), await approved()]
  const mail = (who: Member, id: number) => send(who, id, { to: 'ventas@repuestos.cl' })
  await house.given.setting(chief.company_id, 'mails_per_person', 5)
  const own = await house.given.member({
    role: 'warehouse',
    company_id: chief.company_id,
    workshop_id: chief.workshop_id,
  })
  for (let i = 0; i < 3; i++) expect((await mail(own, first.id)).status).toBe(200)
  const fourth = await mail(chief, first.id)
  expect([fourth.status, fourth.failure.message]).toEqual([
    429,
    'Esta orden ya se envió 3 veces hoy. Envíela de nuevo mañana o por otro medio.',
  ])
  expect((await send(own, first.id, { to: 'Juan, por teléfono', mail: false })).status).toBe(200)
  for (let i = 0; i < 2; i++) expect((await mail(own, second.id)).status).toBe(200)
  const third = await approved()
  const sixth = await mail(own, third.id)
  expect([sixth.status, sixth.failure.message]).toEqual([
    429,
    'Ya envió 5 correos hoy. Siga mañana o envíe la orden por otro medio.',
  ])
  expect((await mail(chief, third.id)).status).toBe(200)
  await house.given.setting(chief.company_id, 'mails_per_person', 20)
})
