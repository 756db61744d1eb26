import { expect, type Page } from '@playwright/test'
import { dayOf } from '#contract/base/dates.ts'
import { type Person, test } from './company.ts'
import { expectAccessible, expectLoaded, logIn, ROW, unique } from './helpers.ts'

/** A provider with a service in two orders that no invoice covers yet. */
async function twoOrders(page: Page, { token }: Person) {
  const headers = { Authorization: `Bearer ${token}` }
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`/api/v1/${path}`, { headers, data })
    expect(answer.status(), await answer.text()).toBe(201)
    return answer.json()
  }
  const truck = (await (await page.request.get('/api/v1/list-trucks', { headers })).json()).data[0]
  const provider = await post('providers', { name: unique('Taller externo ') })
  const service = await post('provider/services/create', {
    provider_id: provider.id,
    code: unique('S'),
    name: 'Rectificado',
    unit_price: 50_000,
  })
  const order = () =>
    post('order_workers', {
      workshop_id: truck.workshop_id,
      truck_id: truck.id,
      request: unique('Prueba '),
      services: [{ service_id: service.id, quantity: 1 }],
    })
  return { provider, orders: [await order(), await order()] as { id: number; code: string }[] }
}

test('one invoice for two orders, a credit note for it, and its payment', async ({ page, company }) => {
  const { provider, orders } = await twoOrders(page, company.chief)
  const [first, second] = orders
  await logIn(page, company.chief)
  await page.goto(`/ordenes-de-trabajo/${first!.id}`)
  await page.getByRole('button', { name: /^Registrar factura/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Registrar factura' })
  const document = unique('F')
  await drawer.getByLabel('Número').fill(document)
  const add = drawer.getByRole('combobox', { name: 'Agregar orden' })
  await add.fill(second!.code)
  await page.getByRole('option', { name: second!.code }).click()
  // What the paper says is not what was ordered: nothing is saved until it is shared out.
  await drawer.getByRole('textbox', { name: 'Neto', exact: true }).fill('110001')
  await expect(drawer.getByRole('status')).toContainText('faltan $10.001')
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(drawer).toBeVisible()
  await drawer.getByRole('button', { name: 'Repartir en partes iguales' }).click()
  await expect(drawer.getByRole('status')).toContainText('suman el neto')
  await expect(drawer.getByRole('textbox', { name: new RegExp(`^${first!.code}`) })).toHaveValue('$55.001')
  await expect(drawer.getByText('$130.901')).toBeVisible()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(drawer).toBeHidden()
  const services = page.getByRole('region', { name: 'Servicios', exact: true })
  await expect(services.getByText(`Factura ${document} (y 1 orden más)`)).toBeVisible()
  await expect(services.getByText(`Diferencia con la factura ${document}`)).toBeVisible()
  await expect(page.getByLabel('Costos de la orden')).toContainText('$55.001')

  // Under the other one it is the same paper; some of it is taken back.
  await page.goto(`/ordenes-de-trabajo/${second!.id}`)
  await page.getByRole('button', { name: `Ver factura: Factura ${document}` }).click()
  await page.getByRole('button', { name: 'Nota de crédito o débito' }).click()
  const note = page.getByRole('dialog', { name: 'Nota de crédito o débito' })
  const number = unique('NC')
  await note.getByLabel('Número').fill(number)
  await note.getByRole('textbox', { name: 'Neto', exact: true }).fill('200000')
  await note.getByRole('button', { name: 'Guardar' }).click()
  await expect(note.getByText('A la factura le quedan $110.001 netos: la nota no puede ser por más.')).toBeVisible()
  await note.getByRole('textbox', { name: 'Neto', exact: true }).fill('10001')
  await note.getByRole('button', { name: 'Guardar' }).click()
  await expect(note).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Factura' }).getByText('$119.000')).toBeVisible()
  await page.getByRole('dialog', { name: 'Factura' }).getByRole('button', { name: 'Cancelar' }).click()
  await expect(services.getByText(`Nota de crédito ${number}`)).toBeVisible()

  // What is left of it is owed until somebody pays.
  await page.goto(`/facturas-por-pagar?filter[Search]=${document}`)
  await expectLoaded(page)
  const row = page.locator(ROW).filter({ hasText: document })
  await expect(row).toContainText('$119.000')
  await expect(row).toContainText('Recibida')
  await expectAccessible(page)
  await row.getByText(provider.name).click()
  const card = page.getByRole('dialog', { name: `Factura ${document}` })
  await card.getByRole('button', { name: 'Aprobar' }).click()
  await expect(card.getByText('Aprobada')).toBeVisible()
  await card.getByRole('button', { name: 'Marcar pagada' }).click()
  await expect(card.getByText('Pagada', { exact: true })).toBeVisible()
  await card.getByRole('button', { name: 'Cerrar' }).last().click()
  await expect(page.getByText('Ninguna factura')).toBeVisible()
})

test('a payment fixes the amount, and is taken back before the invoice can be deleted', async ({ page, company }) => {
  const { provider, orders } = await twoOrders(page, company.chief)
  const order = orders[0]!
  const headers = { Authorization: `Bearer ${company.chief.token}` }
  const document = unique('F')
  const invoice = await page.request.post('/api/v1/invoice', {
    headers,
    data: {
      work_order_id: order.id,
      provider_id: provider.id,
      bill_invoice: 'bill',
      date: dayOf(new Date()),
      document,
      payment_type: 'Credit',
    },
  })
  expect(invoice.status(), await invoice.text()).toBe(201)
  await logIn(page, company.chief)
  await page.goto(`/facturas-por-pagar?filter[Search]=${document}`)
  await expectLoaded(page)
  const row = page.locator(ROW).filter({ hasText: document })
  await row.getByText(provider.name).click()
  const card = page.getByRole('dialog', { name: `Factura ${document}` })
  await card.getByRole('button', { name: 'Marcar pagada' }).click()
  const payments = card.getByRole('region', { name: 'Pagos' })
  await expect(payments).toContainText('$59.500')
  await expect(payments).toContainText(company.chief.name)

  // The same service twice costs more than what was paid.
  const read = await (await page.request.get(`/api/v1/order_workers/${order.id}`, { headers })).json()
  const edited = await page.request.put(`/api/v1/order_workers/${order.id}`, {
    headers,
    data: { services: [{ id: read.services[0].id, service_id: read.services[0].service_id, quantity: 2 }] },
  })
  expect(edited.status(), await edited.text()).toBe(200)
  await expect(card.getByText('Pagada en parte')).toBeVisible()
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Cerrar' }).last().click()
  await expect(row).toContainText('$59.500')
  await expect(row).toContainText('Pagada en parte')

  await page.goto(`/ordenes-de-trabajo/${order.id}`)
  const remove = async () => {
    await page.getByRole('button', { name: `Ver factura: Factura ${document}` }).click()
    await page.getByRole('dialog', { name: 'Factura' }).getByRole('button', { name: 'Eliminar' }).click()
    await page
      .getByRole('dialog', { name: /^¿Eliminar/ })
      .getByRole('button', { name: 'Eliminar' })
      .click()
  }
  await remove()
  await expect(
    page.getByText(`La factura ${document} tiene un pago: anúlelo primero en Facturas por pagar.`),
  ).toBeVisible()

  await page.goto(`/facturas-por-pagar?filter[Search]=${document}`)
  await row.getByText(provider.name).click()
  await payments.getByRole('button', { name: 'Anular pago' }).click()
  const question = page.getByRole('dialog', { name: '¿Anular el pago de $59.500?' })
  await expect(question).toContainText('vuelve a quedar por pagar')
  await question.getByRole('button', { name: 'Anular pago' }).click()
  await expect(payments).toBeHidden()
  await card.getByRole('button', { name: 'Ver actividad' }).click()
  await expect(card.getByText('anuló un pago')).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/ordenes-de-trabajo/${order.id}`)
  await remove()
  await expect(page.getByText('Factura eliminada')).toBeVisible()
})
