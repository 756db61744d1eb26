import { type APIRequestContext, type APIResponse, expect, type Locator, type Page, test } from '@playwright/test'
import { countLooks, expectAccessible, logIn, openListening, PASSWORD, unique } from './helpers.ts'

/* Set-up through the API, as somebody else would have done it before. */

interface Desk {
  get: <T>(path: string) => Promise<T>
  post: <T>(path: string, data: object) => Promise<T>
  put: <T>(path: string, data: object) => Promise<T>
}

async function desk(request: APIRequestContext, email = 'jefe@maestranza.demo'): Promise<Desk> {
  const { token } = await (await request.post('/api/v1/login', { data: { email, password: PASSWORD } })).json()
  const headers = { Authorization: `Bearer ${token}` }
  async function said<T>(answer: APIResponse): Promise<T> {
    const text = await answer.text()
    expect(answer.status(), text).toBeLessThan(300)
    return (text ? JSON.parse(text) : undefined) as T
  }
  return {
    get: async (path) => said(await request.get(`/api${path}`, { headers })),
    post: async (path, data) => said(await request.post(`/api${path}`, { headers, data })),
    put: async (path, data) => said(await request.put(`/api${path}`, { headers, data })),
  }
}

interface Listed<T> {
  data: T[]
}
interface Order {
  id: number
  truck_id: number
  code: string
  status: string
  updated_at: string
  supplies: { supply_id: number; count: number }[]
}
interface Truck {
  id: number
  code: string
  workshop_id: number
}

/** One of the demonstration: other journeys make warehouses that are empty. */
const centralWarehouse = async (chief: Desk) =>
  (await chief.get<Listed<{ id: number; name: string }>>('/v1/warehouses?filter[Search]=BOD-01')).data[0]!

const firstTruck = async (chief: Desk) => (await chief.get<Listed<Truck>>('/v1/list-trucks')).data[0]!

/** An order on the board whose request nobody else has written. */
async function someOrder(chief: Desk, more: object = {}) {
  const truck = await firstTruck(chief)
  const request = unique('Prueba ')
  const order = await chief.post<Order>('/v1/order_workers', {
    workshop_id: truck.workshop_id,
    truck_id: truck.id,
    request,
    ...more,
  })
  return { ...order, request }
}

const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name},`) })
const cardIn = (page: Page, name: string, code: string) =>
  column(page, name).locator('[data-card]').filter({ hasText: code })

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function openOrder(page: Page, id: number) {
  await page.goto(`/ordenes-de-trabajo/${id}`)
  await expect(section(page, 'Trabajos')).toBeVisible()
}

/** The observations are read; pressed, they are written where they stand. */
async function observe(page: Page, text: string) {
  const place = page.getByRole('button', { name: /^(Agregar|Editar) observaciones$/ })
  const field = page.getByRole('textbox', { name: 'Observaciones' })
  await expect(place.or(field)).toBeVisible()
  if (await place.isVisible()) await place.click()
  await field.fill(text)
}

/** The number of the order on whose page one is. */
const shownCode = (page: Page) => page.locator('main header strong').first()

async function choose(page: Page, field: Locator, text: string) {
  await field.click()
  await field.fill(text)
  await page.getByRole('option', { name: text }).first().click()
}

async function drawSignature(page: Page) {
  const canvas = page.getByRole('img', { name: 'Recuadro para firmar' })
  await expect(canvas).toBeVisible()
  const box = (await canvas.boundingBox())!
  await page.mouse.move(box.x + 40, box.y + box.height / 2)
  await page.mouse.down()
  for (let step = 1; step <= 8; step++)
    await page.mouse.move(box.x + 40 + step * 18, box.y + box.height / 2 + (step % 2 ? -18 : 18), { steps: 3 })
  await page.mouse.up()
}

test('an order from the first call to the paper: works, supplies, service, invoice, signatures, history, PDF', async ({
  page,
  request,
}) => {
  test.setTimeout(150_000)
  const chief = await desk(request)
  const truck = await firstTruck(chief)
  const warehouse = await centralWarehouse(chief)
  const supply = (
    await chief.get<Listed<{ code: string; name: string; stock: number }>>(
      `/v1/stock/${warehouse.id}?filter[Level]=available&sort=-stock`,
    )
  ).data[0]!
  const provider = (
    await chief.get<Listed<{ name: string }>>('/v1/providers?filter[State]=active&sort=-services_count')
  ).data[0]!

  await logIn(page, 'jefe@maestranza.demo')
  await page.goto('/')
  await expect(page).toHaveURL(/\/ordenes-de-trabajo$/)
  await page.getByRole('link', { name: 'Nueva orden', exact: true }).click()

  // The truck brings what it pulls and its kilometres along; the workshop is one's own.
  await choose(page, page.getByRole('combobox', { name: 'Equipo' }), truck.code)
  await page.getByRole('button', { name: 'Más detalles' }).click()
  await expect(page.getByRole('textbox', { name: 'Kilometraje' })).not.toHaveValue('')
  await expect(page.getByRole('combobox', { name: 'Taller' })).toBeDisabled()
  const asked = unique('Ruido en la caja ')
  await page.getByRole('textbox', { name: 'Solicitud', exact: true }).fill(asked)

  // Days and hours are typed; a deadline ends the day it names.
  const deadline = page.getByRole('textbox', { name: 'Plazo de entrega', exact: true })
  await deadline.fill('15/3/2031 8:30')
  await deadline.press('Tab')
  await expect(deadline).toHaveValue('15 mar 2031 08:30')
  await deadline.fill('4 dic 2031')
  await deadline.press('Tab')
  await expect(deadline).toHaveValue('04 dic 2031 23:59')

  const type = unique('Tipo ')
  await page.getByRole('button', { name: 'Nuevo tipo de mantención' }).click()
  await page.getByRole('dialog').getByLabel('Nombre').fill(type)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Tipo de mantención' })).toHaveValue(type)

  // A work with a task that did not exist yet; its duration is worked out as it is typed.
  await page.getByRole('button', { name: 'Agregar trabajo' }).click()
  await page.getByRole('button', { name: 'Nueva tarea' }).click()
  const task = unique('Tarea ')
  const taskDrawer = page.getByRole('dialog', { name: 'Nueva tarea' })
  await taskDrawer.getByLabel('Nombre').fill(task)
  await taskDrawer.getByLabel('Código').fill(unique('T'))
  await taskDrawer.getByRole('button', { name: 'Crear tarea' }).click()
  const workDrawer = page.getByRole('dialog', { name: 'Agregar trabajo' })
  await workDrawer.getByLabel('Horas').fill('2,5')
  await expect(workDrawer.getByText('Duración: 2 h 30 min')).toBeVisible()
  await workDrawer.getByRole('button', { name: 'Agregar', exact: true }).click()
  await expect(section(page, 'Trabajos').getByText(task)).toBeVisible()

  // Others are typed where they stand, Enter for the next.
  const line = section(page, 'Trabajos').getByRole('combobox', { name: 'Agregar trabajo' })
  await line.fill('Probar en ruta')
  await line.press('Enter')
  await line.fill('Lavar el equipo')
  await line.press('Enter')
  await expect(section(page, 'Trabajos').getByRole('listitem')).toHaveCount(3)

  await page.getByRole('button', { name: 'Crear orden' }).click()
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toContainText(asked)
  await expect(shownCode(page)).toHaveText(/^OT-\d{6}$/)
  const code = (await shownCode(page).textContent())!

  // Move it on the board by hand.
  await page.goto(`/ordenes-de-trabajo?filter[Search]=${code}`)
  const card = cardIn(page, 'Pendiente', code)
  await expect(card).toContainText(asked)
  const from = (await card.boundingBox())!
  const to = (await column(page, 'En proceso').boundingBox())!
  await page.mouse.move(from.x + 120, from.y + 60)
  await page.mouse.down()
  await page.mouse.move(from.x + 140, from.y + 70, { steps: 4 })
  await page.mouse.move(to.x + 120, to.y + 120, { steps: 12 })
  await page.mouse.up()
  await expect(cardIn(page, 'En proceso', code)).toBeVisible()
  await expect(page.getByText(`${code} pasó a En proceso`)).toBeVisible()
  await cardIn(page, 'En proceso', code).getByRole('link').click()
  await expect(shownCode(page)).toHaveText(code)

  // Another work, on the page of the order; one of them is ticked off, and back.
  await line.fill('Apretar ruedas')
  await line.press('Enter')
  const tick = page.getByRole('checkbox', { name: 'Apretar ruedas: terminado' })
  await tick.click()
  await expect(tick).toBeChecked()
  await page.getByRole('button', { name: 'Deshacer' }).last().click()
  await expect(tick).not.toBeChecked()

  // A supply leaves the warehouse when it is saved.
  const supplies = section(page, 'Insumos')
  const warehouseField = supplies.getByRole('combobox', { name: 'Bodega' })
  if (await warehouseField.isVisible()) await choose(page, warehouseField, warehouse.name)
  await choose(page, supplies.getByRole('combobox', { name: 'Agregar insumo' }), supply.code)
  await expect(supplies.getByText(supply.name)).toBeVisible()
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Orden de trabajo guardada ✅')).toBeVisible()

  // A service, and the invoice it leaves behind.
  await page.getByRole('button', { name: 'Agregar servicio' }).click()
  const serviceDrawer = page.getByRole('dialog', { name: 'Agregar servicio' })
  await choose(page, serviceDrawer.getByRole('combobox', { name: 'Proveedor' }), provider.name)
  await serviceDrawer.getByRole('combobox', { name: 'Servicio' }).click()
  await page.getByRole('option').first().click()
  await serviceDrawer.getByLabel('Precio unitario').fill('120000')
  await expect(serviceDrawer.getByText('Total: $120.000')).toBeVisible()
  await serviceDrawer.getByRole('button', { name: 'Agregar', exact: true }).click()
  await page.getByRole('button', { name: /^Registrar factura/ }).click()
  const invoice = page.getByRole('dialog', { name: 'Registrar factura' })
  const document = unique('F')
  await invoice.getByLabel('Número').fill(document)
  await invoice.getByRole('button', { name: 'Guardar' }).click()
  await expect(section(page, 'Servicios').getByText(document)).toBeVisible()

  // What is typed is saved first: it is what is signed.
  await observe(page, 'Queda con garantía')
  for (const kind of ['Entregado a', 'Revisado por']) {
    const place = page.getByRole('group', { name: kind })
    await place.getByRole('button', { name: 'Firmar' }).click()
    await page.getByLabel('Nombre de quien firma').fill('Rosa Díaz')
    await page.getByLabel('RUT de quien firma').fill('12.345.678-5')
    await drawSignature(page)
    // Ink on paper, in the dark theme too.
    await expect(page.getByRole('button', { name: 'Borrar', exact: true })).toHaveCSS('color', 'rgb(67, 80, 102)')
    await page.getByRole('button', { name: 'Guardar firma' }).click()
    await expect(place.getByRole('img', { name: 'Firma de Rosa Díaz' })).toBeVisible()
  }

  await expect(page.getByText('Hay cambios sin guardar')).toHaveCount(0)
  await expect(page.getByText('La orden cambió después de esta firma')).toHaveCount(0)

  // A work is left: it is named, and finalizing is meant.
  await page.getByRole('button', { name: /^Finalizar/ }).click()
  const left = page.getByRole('dialog', { name: `¿Finalizar ${code} con trabajos sin terminar?` })
  await expect(left.getByText(task)).toBeVisible()
  await left.getByRole('button', { name: 'Finalizar igual' }).click()
  await expect(page.getByText(/^Finalizada el/)).toBeVisible()
  // It reads like a document: nothing in it is a field, and the rest is behind what it says.
  await expect(page.locator('main form').locator('input, textarea')).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await page.getByRole('button', { name: /Mover a…$/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Reabrir' })).toBeVisible()
  await page.keyboard.press('Escape')

  const [paper] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PDF' }).click()])
  expect(paper.suggestedFilename()).toContain(code)

  await page.goto(`/historial-ordenes-de-trabajo?filter[Search]=${code}`)
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('Finalizada')
  await expect(page.getByText('Total de lo filtrado')).toBeVisible()
  await row.getByRole('link', { name: code }).click()
  await expect(shownCode(page)).toHaveText(code)
})

test('two browsers side by side: what one moves, the other sees at once', async ({ browser, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief)
  const [left, right] = await Promise.all([browser.newPage(), browser.newPage()])
  await logIn(left, 'jefe@maestranza.demo')
  await logIn(right, 'admin@maestranza.demo')
  const looks = await countLooks(right, 'work-orders', '/v2/order_workers_by_group')
  const asks: string[] = []
  right.on('request', (request) => void asks.push(request.url()))
  for (const page of [left, right]) {
    await openListening(page, `/ordenes-de-trabajo?filter[Search]=${order.code}`)
    await expect(cardIn(page, 'Pendiente', order.code)).toBeVisible()
  }
  await left.getByRole('button', { name: `Acciones de ${order.code}` }).click()
  await left.getByRole('menuitem', { name: 'En revisión' }).click()
  await expect(cardIn(left, 'En revisión', order.code)).toBeVisible()
  await expect(cardIn(right, 'En revisión', order.code)).toBeVisible()

  // Taken back from the message, and the other one sees that too.
  await left.getByRole('button', { name: 'Deshacer' }).click()
  await expect(cardIn(right, 'Pendiente', order.code)).toBeVisible()

  // Each time it looked again after the first, the stream had told it to: no clock and no return to the window did.
  const { news, asked } = await looks()
  expect(news).toBeGreaterThanOrEqual(2)
  expect(asked).toBeGreaterThanOrEqual(3)
  expect(asked).toBeLessThanOrEqual(1 + news)
  // Once it hears everything it asks for the card that changed, never for the board again.
  expect(asks.filter((url) => url.includes('order_workers_by_group')).at(-1)).toContain(`only=${order.id}`)
  await Promise.all([left.close(), right.close()])
})

test('a card is moved with the keyboard alone, and each step is said aloud', async ({ page, request }) => {
  const chief = await desk(request)
  await someOrder(chief, { status: 'IN_REVIEW' })
  const order = await someOrder(chief)
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto('/ordenes-de-trabajo')
  const grip = page.getByRole('button', { name: `Mover ${order.code}` })
  await grip.focus()
  const said = page.locator('[aria-live="assertive"]')
  await page.keyboard.press('Space')
  await expect(said).toContainText(`${order.code} tomada, en Pendiente, lugar 1`)
  await page.keyboard.press('ArrowRight')
  await expect(said).toContainText('En revisión, lugar 1')
  await page.keyboard.press('ArrowDown')
  await expect(said).toContainText('En revisión, lugar 2')
  await expect(grip).toBeFocused()
  await page.keyboard.press('Space')
  await expect(said).toContainText(`${order.code} quedó en En revisión, lugar 2`)
  await expect(cardIn(page, 'En revisión', order.code)).toBeVisible()
  await expect(grip).toBeFocused()
  await expect.poll(async () => (await chief.get<Order>(`/v1/order_workers/${order.id}`)).status).toBe('IN_REVIEW')

  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Escape')
  await expect(said).toContainText('Movimiento cancelado')
  await expect(cardIn(page, 'En revisión', order.code)).toBeVisible()
})

test('a save refused for lack of stock loses nothing that was typed', async ({ page, request }) => {
  const chief = await desk(request)
  const warehouse = await centralWarehouse(chief)
  const supply = (
    await chief.get<Listed<{ code: string; name: string; stock: number }>>(
      `/v1/stock/${warehouse.id}?filter[Level]=available&sort=-stock`,
    )
  ).data[1]!
  const order = await someOrder(chief, { warehouse_id: warehouse.id })
  await logIn(page, 'jefe@maestranza.demo')
  await openOrder(page, order.id)
  await observe(page, 'Quedó pendiente la prueba de ruta')
  const supplies = section(page, 'Insumos')
  await choose(page, supplies.getByRole('combobox', { name: 'Agregar insumo' }), supply.code)
  await supplies.getByLabel(`Cantidad de ${supply.name}`).fill(String(Math.ceil(supply.stock) + 5))
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(supplies.getByText('No hay stock suficiente').first()).toBeVisible()
  await expect(page.getByLabel('Observaciones')).toHaveValue('Quedó pendiente la prueba de ruta')
  const saved = await chief.get<Order & { observation: string | null }>(`/v1/order_workers/${order.id}`)
  expect(saved.observation).toBeNull()
  expect(saved.supplies).toEqual([])

  await supplies.getByLabel(`Cantidad de ${supply.name}`).fill('1')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Orden de trabajo guardada ✅')).toBeVisible()
})

test('two people in one order are told, and neither loses what was typed', async ({ page, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief)
  const boss = await desk(request, 'admin@maestranza.demo')
  await logIn(page, 'jefe@maestranza.demo')
  await openOrder(page, order.id)
  await observe(page, 'Lo mío')
  await expect
    .poll(async () => {
      await boss.put(`/v1/order_workers/${order.id}/presence`, {})
      return page.getByText('también tiene esta orden abierta').isVisible()
    })
    .toBe(true)

  const now = await boss.get<Order & Record<string, unknown>>(`/v1/order_workers/${order.id}`)
  await boss.put(`/v1/order_workers/${order.id}`, { ...now, request: `${order.request} B`, codes: 'P0101' })
  await expect(page.getByText('Otra persona guardó cambios en esta orden')).toBeVisible()
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /Otra persona guardó cambios/ })
  await expect(dialog.getByText('Códigos de falla')).toBeVisible()
  await dialog.getByRole('button', { name: 'Traer sus cambios' }).click()
  await expect(section(page, 'Datos').getByText('P0101')).toBeVisible()
  await expect(page.getByLabel('Observaciones')).toHaveValue('Lo mío')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Orden de trabajo guardada ✅')).toBeVisible()

  // Finalized by the other one meanwhile: what was typed stays, and is saved once the order is open again.
  await observe(page, 'Lo mío también')
  await boss.put(`/v1/update_status/${order.id}`, { status: 'FINALIZED' })
  await expect(page.getByText('lo suyo no está guardado')).toBeVisible()
  await expect(page.getByText('Lo mío también')).toBeVisible()
  await page.getByRole('button', { name: /Mover a…$/ }).click()
  await page.getByRole('menuitem', { name: 'Reabrir' }).click()
  // Finalizing wrote the departure: that comes along.
  await page.getByRole('button', { name: 'Traer sus cambios' }).click()
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect
    .poll(async () => (await chief.get<{ observation: string }>(`/v1/order_workers/${order.id}`)).observation)
    .toBe('Lo mío también')
})

test('each value of an order leads to its field, saved or let go there', async ({ page, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief, { description_of_requeriment: 'Vibra pasado los 80' })
  await logIn(page, 'jefe@maestranza.demo')
  await openOrder(page, order.id)
  await page.getByRole('button', { name: 'Editar box' }).click()
  const drawer = page.getByRole('dialog', { name: `Editar ${order.code}` })
  await expect(drawer.getByRole('combobox', { name: 'Box' })).toBeFocused()
  await drawer.getByLabel('Códigos de falla').fill('P2176')
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Salir sin guardar' }).click()
  await expect(drawer).toHaveCount(0)
  await expect(page.getByText('Hay cambios sin guardar')).toHaveCount(0)

  await page.getByRole('button', { name: 'Editar solicitud' }).click()
  await drawer.getByRole('textbox', { name: 'Solicitud', exact: true }).fill(`${order.request} bis`)
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${order.request} bis`)
  await expect(drawer).toHaveCount(0)

  // What is next, one after the other.
  await page.getByRole('button', { name: /^Recibir/ }).click()
  await page.getByRole('button', { name: /^Iniciar/ }).click()
  await expect(page.getByRole('button', { name: /^Finalizar/ })).toBeVisible()
  expect((await chief.get<Order>(`/v1/order_workers/${order.id}`)).status).toBe('IN_PROCESS')
})

test('what was typed survives a closed tab', async ({ page, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief)
  await logIn(page, 'jefe@maestranza.demo')
  await openOrder(page, order.id)
  await observe(page, 'A medio escribir')
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('A medio escribir')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByText(/Recuperamos lo que no alcanzó a guardar/)).toBeVisible()
  await expect(page.getByLabel('Observaciones')).toHaveValue('A medio escribir')
  await page.getByRole('button', { name: 'Descartar' }).first().click()
  await expect(page.getByRole('button', { name: 'Agregar observaciones' })).toBeVisible()
})

test('labour that counts: an hour has its cost, a tap starts the clock, and the order says what it came to', async ({
  page,
  request,
}) => {
  // A company of its own: the others go on without labour.
  const boss = await desk(request, 'admin@aridos.demo')
  const truck = await firstTruck(boss)
  const name = unique('Ana ')
  const who = await boss.post<{ id: number }>('/v1/specialists', {
    names: name,
    last_name_p: 'Soto',
    workshop_id: truck.workshop_id,
  })
  const works = [
    { description: 'Cambiar correa', specialist_id: who.id, hours: 2 },
    { description: 'Revisar luces', specialist_id: who.id },
  ]
  const order = await someOrder(boss, { works })
  await logIn(page, 'admin@aridos.demo')
  await page.goto('/configuracion/ajustes')
  await page.getByLabel('La mano de obra cuenta en los costos').check()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Ajustes guardados correctamente ✅')).toBeVisible()

  await page.goto('/configuracion/especialistas')
  await page.getByRole('row').filter({ hasText: name }).click()
  await page.getByRole('button', { name: 'Agregar costo' }).click()
  await page.getByRole('textbox', { name: 'Por hora' }).fill('12000')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Especialista actualizado correctamente ✅')).toBeVisible()

  await openOrder(page, order.id)
  const costs = page.getByLabel('Costos de la orden')
  await expect(costs).toContainText('$24.000')
  const list = section(page, 'Trabajos')
  await list.getByRole('button', { name: 'Empezar: Cambiar correa' }).click()
  await expect(list.getByRole('button', { name: 'Pausar: Cambiar correa' })).toBeVisible()
  // Clocked, the hours that were typed count no more.
  await expect(costs).toContainText('Mano de obra$0')
  await list.getByRole('button', { name: 'Empezar: Revisar luces' }).click()
  await page.getByRole('button', { name: 'Pausar y cambiar' }).click()
  await expect(list.getByRole('button', { name: 'Pausar: Revisar luces' })).toBeVisible()
  await expect(list.getByRole('button', { name: 'Seguir: Cambiar correa' })).toBeVisible()
  await list.getByRole('button', { name: /^Horas de Revisar luces/ }).click()
  await page.getByRole('button', { name: /^Corregir horas de/ }).click()
  await expectAccessible(page)
  for (const [field, moment] of [
    ['Desde', 'ayer 10:00'],
    ['Hasta', 'ayer 11:30'],
  ] as const) {
    await page.getByRole('textbox', { name: field }).fill(moment)
    await page.keyboard.press('Tab')
  }
  await page.getByRole('button', { name: 'Corregir', exact: true }).click()
  await expect(page.getByText('Horas corregidas ✅')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list.getByRole('button', { name: 'Horas de Revisar luces: 1 h 30 min' })).toBeVisible()
  await boss.put('/v1/settings', { labour_counts: false })
})

test('a mechanic closes a simple job on a phone: four taps and a signature', async ({ browser, request }) => {
  const chief = await desk(request)
  const mechanic = await desk(request, 'mecanico@maestranza.demo')
  const { specialist_id } = await mechanic.get<{ specialist_id: number }>('/v1/me')
  const order = await someOrder(chief, {
    priority: 'high',
    works: [{ description: 'Cambiar ampolleta', specialist_id }],
  })
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: 'es-CL',
    timezoneId: 'America/Santiago',
  })
  const page = await context.newPage()
  await logIn(page, 'mecanico@maestranza.demo')
  await page.goto('/mis-trabajos')
  const job = page.getByRole('article').filter({ hasText: order.code })
  await job.getByRole('button', { name: 'Empezar' }).tap()
  await expect(job.getByText('En curso')).toBeVisible()
  // With its first work the order is being worked on.
  expect((await chief.get<Order>(`/v1/order_workers/${order.id}`)).status).toBe('IN_PROCESS')
  await job.getByRole('button', { name: 'Terminar' }).tap()
  // Taken back, it runs on.
  await page.getByRole('button', { name: 'Deshacer' }).tap()
  await expect(job.getByText('En curso')).toBeVisible()
  await job.getByRole('button', { name: 'Terminar' }).tap()
  await page.getByRole('button', { name: 'Cerrar' }).last().tap()
  await job.getByRole('button', { name: 'Firmar y finalizar' }).tap()
  await drawSignature(page)
  await page.getByRole('button', { name: 'Finalizar', exact: true }).tap()
  await expect(page.getByText(`${order.code} finalizada ✅`)).toBeVisible()
  expect((await chief.get<Order>(`/v1/order_workers/${order.id}`)).status).toBe('FINALIZED')
  // Nothing sticks out of the screen.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expectAccessible(page)
  await context.close()
})

test('a mechanic adds a part and a note from the phone', async ({ browser, request }) => {
  const chief = await desk(request)
  const mechanic = await desk(request, 'mecanico@maestranza.demo')
  const { specialist_id } = await mechanic.get<{ specialist_id: number }>('/v1/me')
  const warehouse = await centralWarehouse(chief)
  const supply = (
    await chief.get<Listed<{ code: string; name: string }>>(
      `/v1/stock/${warehouse.id}?filter[Level]=available&sort=-stock`,
    )
  ).data[2]!
  const order = await someOrder(chief, {
    status: 'IN_PROCESS',
    warehouse_id: warehouse.id,
    works: [{ description: 'Cambiar filtro', specialist_id }],
  })
  const page = await browser.newPage({ viewport: { width: 360, height: 740 }, hasTouch: true, locale: 'es-CL' })
  await logIn(page, 'mecanico@maestranza.demo')
  await page.goto('/mis-trabajos')
  await page.getByRole('article').filter({ hasText: order.code }).getByText('Repuestos, fotos y notas').tap()
  const sheet = page.getByRole('dialog', { name: order.code })
  await sheet.getByLabel('Buscar repuesto').fill(supply.code)
  await page.keyboard.press('Enter')
  await sheet.getByRole('button', { name: 'Usar', exact: true }).tap()
  await expect(sheet.getByRole('listitem').filter({ hasText: supply.name })).toBeVisible()
  await sheet.getByLabel('Nota').fill('Revisar en 500 km')
  await sheet.getByRole('button', { name: 'Comentar' }).tap()
  await expect(sheet.getByText('Revisar en 500 km')).toBeVisible()
  await page.close()
})

test('a part that is missing is asked for, bought for all who wait, kept when it comes, and handed out', async ({
  page,
  browser,
  request,
}) => {
  const chief = await desk(request)
  const mechanic = await desk(request, 'mecanico@maestranza.demo')
  const { specialist_id } = await mechanic.get<{ specialist_id: number }>('/v1/me')
  const { workshop_id } = await firstTruck(chief)
  const code = unique('B-')
  const warehouse = await chief.post<{ id: number }>('/v1/warehouses', { code, name: `Bodega ${code}`, workshop_id })
  const supply = (await chief.get<Listed<{ id: number; code: string; name: string }>>('/v1/supplies')).data[0]!
  await chief.put(`/v1/stock/${warehouse.id}`, { supplies: [supply.id] })
  const works = [{ description: 'Cambiar', specialist_id }]
  const first = await someOrder(chief, { status: 'IN_PROCESS', warehouse_id: warehouse.id, works })
  const second = await someOrder(chief, { warehouse_id: warehouse.id })
  const part = { supply_id: supply.id, count: 2 }

  const phone = await browser.newPage({ viewport: { width: 360, height: 740 }, hasTouch: true, locale: 'es-CL' })
  await logIn(phone, 'mecanico@maestranza.demo')
  await openListening(phone, '/mis-trabajos')
  await phone.getByRole('article').filter({ hasText: first.code }).getByText('Repuestos, fotos y notas').tap()
  const sheet = phone.getByRole('dialog', { name: first.code })
  await sheet.getByLabel('Buscar repuesto').fill(supply.code)
  await phone.keyboard.press('Enter')
  await sheet.getByRole('button', { name: 'Pedir', exact: true }).tap()
  await expect(sheet.getByText(/^Falta: 1/)).toBeVisible()
  await chief.post(`/v1/order_workers/${second.id}/planned_supplies`, part)

  // Both become one purchase.
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/warehouse/${warehouse.id}?tab=ordenes`)
  await page.getByRole('tab', { name: 'Órdenes de compra', exact: true }).click()
  await page.getByRole('button', { name: 'Solicitudes' }).click()
  const requests = page.getByRole('dialog', { name: /^Solicitudes de repuestos/ })
  await expect(requests.getByRole('link', { name: first.code })).toBeVisible()
  await expect(requests.getByRole('link', { name: second.code })).toBeVisible()
  await expectAccessible(page)
  await requests.getByRole('button', { name: 'Crear orden de compra' }).click()
  const provider = page.getByRole('combobox', { name: 'Proveedor' })
  if (!(await provider.inputValue())) {
    await provider.click()
    await page.getByRole('option').first().click()
  }
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Orden de compra creada correctamente ✅')).toBeVisible()
  await page.getByRole('button', { name: 'Aprobar' }).click()
  await page.getByRole('button', { name: 'Recibir' }).click()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Recibida', { exact: true }).last()).toBeVisible()

  // Whoever asked first is told, and takes it; the other order's share is not to be had.
  await sheet.getByRole('button', { name: `Usar ${supply.name}` }).tap()
  await expect(sheet.getByText(/^Apartado/)).toBeHidden()
  await expect(sheet.getByRole('listitem').filter({ hasText: supply.name })).toBeVisible()
  await phone.close()
  const [level] = (await chief.get<Listed<Record<string, unknown>>>(`/v1/stock/${warehouse.id}`)).data
  expect(level).toMatchObject({ stock: 2, reserved: 2, available: 0 })
})

test('the calendar shows both kinds, and opens what is clicked', async ({ page, request }) => {
  const chief = await desk(request)
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Santiago' }).format(new Date())
  const order = await someOrder(chief, { planned: true, date_estimed: today, hour_estimed: '09:00' })
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/ordenes-de-trabajo/calendario?filter[Search]=${order.code}`)
  await expect(page.getByLabel('Ordenes de Trabajo')).toBeChecked()
  await expect(page.getByLabel('Trabajos', { exact: true })).toBeChecked()
  const inMonth = page.locator('[data-brief]').filter({ hasText: order.code })
  await expect(inMonth).toContainText('Planificada')
  const fits = (all: Element) =>
    [...all.children].every((part) => part.getBoundingClientRect().right <= all.getBoundingClientRect().right)
  await expect.poll(() => inMonth.first().evaluate(fits)).toBe(true)
  await page.getByText('Día', { exact: true }).click()
  const event = page.getByText(order.code).first()
  await expect(event).toBeVisible()
  await expect(page.getByText('Planificada').last()).toBeVisible()
  await event.click()
  await expect(shownCode(page)).toHaveText(order.code)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/ordenes-de-trabajo/calendario?filter[Search]=${order.code}`)
  await page.getByText('Agenda', { exact: true }).click()
  await expect(page.getByText(order.request)).toBeInViewport()
})

test('an order is dragged from what waits into a box, moved by keys, and taken back', async ({ page, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief, { planned: true, works: [{ description: 'Revisar frenos', hours: 1 }] })
  const [box] = (await chief.get<Listed<{ id: number; name: string }>>('/v1/boxes?filter[State]=active&sort=name')).data
  const read = () =>
    chief.get<Order & { box_id: number | null; hour_estimed: string | null }>(`/v1/order_workers/${order.id}`)
  await logIn(page, 'jefe@maestranza.demo')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/ordenes-de-trabajo/calendario?filter[Search]=${order.code}`)
  await page.getByText('Semana', { exact: true }).click()
  await page.getByRole('button', { name: 'Semana siguiente' }).click()
  const tray = page.getByRole('region', { name: 'Sin programar' })
  const waiting = tray.getByRole('listitem').filter({ hasText: order.request })
  const lane = page.getByRole('region', { name: new RegExp(`^${box!.name}`) })
  const cell = lane.locator('[data-cell][data-column="1"]')
  await expect(cell).toBeVisible()
  await expectAccessible(page)
  const [from, to] = [(await waiting.boundingBox())!, (await cell.boundingBox())!]
  await page.mouse.move(from.x + 90, from.y + 50)
  await page.mouse.down()
  await page.mouse.move(from.x + 70, from.y + 60, { steps: 4 })
  await page.mouse.move(to.x + 50, to.y + 60, { steps: 12 })
  await expect(lane.getByText('Soltar aquí')).toBeVisible()
  await page.mouse.up()
  const placed = lane.getByRole('listitem').filter({ hasText: order.request })
  await expect(placed).toBeVisible()
  await expect(page.getByText(new RegExp(`^${order.code}: ${box!.name}, mar`))).toBeVisible()
  await expect.poll(async () => (await read()).box_id).toBe(box!.id)
  const first = (await read()).hour_estimed
  expect(first).not.toBeNull()

  // A day later, by keys.
  await placed.getByRole('link').focus()
  await page.keyboard.press('ArrowRight')
  await expect(lane.getByText('Soltar aquí')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(new RegExp(`^${order.code}: ${box!.name}, mié`))).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).last().click()
  await expect.poll(async () => (await read()).hour_estimed).toBe(first)

  // Back among what waits, without dragging.
  await placed.hover()
  await placed.getByRole('button', { name: /^Mover/ }).click()
  await page.getByRole('menuitem', { name: 'Dejar sin programar' }).click()
  await expect(waiting).toBeVisible()
  await expect.poll(async () => (await read()).hour_estimed).toBeNull()
})

test('who moves what somebody else has just changed is told what it is now', async ({ page, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief, {})
  await logIn(page, 'jefe@maestranza.demo')
  await page.setViewportSize({ width: 1440, height: 900 })
  // Nobody tells this screen of the change before it moves the order.
  await page.route('**/api/v1/live', (route) => route.abort())
  await page.goto(`/ordenes-de-trabajo/calendario?filter[Search]=${order.code}`)
  await page.getByText('Semana', { exact: true }).click()
  const waiting = page.getByRole('region', { name: 'Sin programar' }).getByRole('link', { name: order.request })
  await expect(waiting).toBeVisible()
  await chief.put(`/v2/planner/orders/${order.id}`, { responsible_specialist_id: null, updated_at: order.updated_at })
  await waiting.focus()
  await page.keyboard.press('p')
  await expect(page.getByText(`Alguien cambió ${order.code} mientras tanto`)).toBeVisible()
  await expect(waiting).toBeVisible()
})

test('the counter of filters is the super administrator’s; others see their chips', async ({ page }) => {
  await logIn(page, 'admin@maestranza.demo')
  await page.goto('/historial-ordenes-de-trabajo?filter[Priority]=high')
  await expect(page.getByRole('button', { name: 'Filtros 1 activos' })).toBeVisible()
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto('/historial-ordenes-de-trabajo?filter[Priority]=high')
  await expect(page.getByRole('button', { name: 'Filtros', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Quitar filtro Prioridad/ })).toBeVisible()
})

test('the board remembers what was looked at, and the address says it', async ({ page }) => {
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto('/ordenes-de-trabajo')
  await page.getByRole('button', { name: 'Filtros' }).click()
  const drawer = page.getByRole('dialog', { name: 'Filtrar órdenes' })
  await drawer.getByLabel('Alta').check()
  await drawer.getByRole('button', { name: /^Ver/ }).click()
  await expect(page).toHaveURL(/filter\[Priority\]=high/)
  await page.getByRole('link', { name: 'Equipos' }).first().click()
  await page.getByRole('link', { name: 'Órdenes de trabajo' }).first().click()
  await expect(page).toHaveURL(/filter\[Priority\]=high/)
  await page.getByRole('link', { name: 'Órdenes de trabajo' }).first().click()
  await page.getByRole('button', { name: 'Quitar filtro Prioridad: Alta' }).click()
  await expect(page).not.toHaveURL(/Priority/)
})

test('a card is changed where it lies, and put back', async ({ page, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief)
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/ordenes-de-trabajo?filter[Search]=${order.code}`)
  const card = cardIn(page, 'Pendiente', order.code)
  await card.getByRole('button', { name: `Acciones de ${order.code}` }).click()
  await page.getByRole('menuitem', { name: 'Editar aquí…' }).click()
  const drawer = page.getByRole('dialog', { name: `Editar ${order.code}` })
  await drawer.getByRole('combobox', { name: 'Prioridad' }).click()
  await page.getByRole('option', { name: 'Alta' }).click()
  await drawer.getByRole('switch', { name: 'Espera repuestos' }).click({ force: true })
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(card.getByText('Espera repuestos')).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText(`${order.code} quedó como estaba`)).toBeVisible()
  await expect(card.getByText('Espera repuestos')).toBeHidden()
})

test('what the filters would leave is what the board shows, and a column they empty says so', async ({
  page,
  request: api,
}) => {
  const chief = await desk(api)
  const request = unique('Filtros ')
  const [high] = [
    await someOrder(chief, { request, priority: 'high' }),
    await someOrder(chief, { request, priority: 'low' }),
  ]
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/ordenes-de-trabajo?filter[Search]=${request}&solo=urgentes`)
  await expect(cardIn(page, 'Pendiente', high.code)).toBeVisible()
  await expect(column(page, 'En proceso').getByText('Los filtros no dejan ninguna orden aquí.')).toBeVisible()
  await page.getByRole('button', { name: /^Filtros/ }).click()
  await page.getByRole('button', { name: 'Ver 1 orden' }).click()
  await expect(page.getByRole('region', { name: 'Pendiente, 1' })).toBeVisible()
})

test('a truck that has an open order is said while another is written', async ({ page, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief)
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/ordenes-de-trabajo/nueva?truck=${order.truck_id}`)
  await page.getByRole('link', { name: order.code }).click()
  await page.getByRole('button', { name: 'Salir sin guardar' }).click()
  await expect(shownCode(page)).toHaveText(order.code)
})

test('what an order will need is asked for as it is written', async ({ page, request }) => {
  const chief = await desk(request)
  const truck = await firstTruck(chief)
  const warehouse = await centralWarehouse(chief)
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/ordenes-de-trabajo/nueva?truck=${truck.id}`)
  await page.getByRole('button', { name: 'Más detalles' }).click()
  const supplies = section(page, 'Insumos')
  await choose(page, supplies.getByRole('combobox', { name: 'Bodega' }), warehouse.name)
  await supplies.getByRole('button', { name: 'Pedir o apartar' }).click()
  await supplies.getByRole('combobox', { name: 'Pedir o apartar insumo' }).fill('filtro')
  await page.getByRole('option').first().click()
  await supplies.getByLabel(/^Cantidad de/).fill('9999')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Crear orden' }).click()
  await expect(shownCode(page)).toHaveText(/^OT-\d{6}$/)
  await expect(section(page, 'Insumos').getByText(/^Falta: /)).toBeVisible()
})

test('what was done before is filled in from the last time', async ({ page, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief, { works: [{ description: 'Engrasar quinta rueda', hours: 1.5 }] })
  await chief.put(`/v1/update_status/${order.id}`, { status: 'FINALIZED' })
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/ordenes-de-trabajo/nueva?truck=${order.truck_id}`)
  await page.getByRole('button', { name: 'Repetir una orden' }).click()
  const drawer = page.getByRole('dialog', { name: 'Repetir una orden' })
  await drawer.getByLabel('Buscar').fill(order.code)
  await drawer.getByRole('button', { name: new RegExp(order.request) }).click()
  await expect(section(page, 'Trabajos').getByText('Engrasar quinta rueda')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Solicitud', exact: true })).toHaveValue(order.request)
  await page.getByRole('button', { name: 'Crear orden' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(order.request)
  await expect(page.getByRole('checkbox', { name: 'Engrasar quinta rueda: terminado' })).not.toBeChecked()
})

test('an order is kept as a template, and others are filled from it', async ({ page, request }) => {
  const chief = await desk(request)
  const order = await someOrder(chief, { works: [{ description: 'Cambiar pastillas', hours: 2 }] })
  const name = unique('Plantilla ')
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/ordenes-de-trabajo/${order.id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Guardar como plantilla' }).click()
  const drawer = page.getByRole('dialog', { name: 'Nueva plantilla' })
  await drawer.getByLabel('Nombre').fill(name)
  await drawer.getByRole('combobox', { name: 'Agregar trabajo' }).fill('Probar en ruta')
  await drawer.getByRole('combobox', { name: 'Agregar trabajo' }).press('Enter')
  await drawer.getByRole('combobox', { name: 'Agregar insumo' }).fill('Filtro de aceite')
  await page
    .getByRole('option', { name: /Filtro de aceite/ })
    .first()
    .click()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Crear plantilla' }).click()
  await expect(page.getByText('Plantilla creada correctamente ✅')).toBeVisible()

  await page.goto('/ordenes-de-trabajo/nueva')
  const truck = await firstTruck(chief)
  await page.getByRole('combobox', { name: 'Equipo' }).fill(truck.code)
  await page
    .getByRole('option', { name: new RegExp(truck.code) })
    .first()
    .click()
  await page.getByRole('button', { name: 'Usar plantilla' }).click()
  const picker = page.getByRole('dialog', { name: 'Usar plantilla' })
  await picker.getByLabel('Buscar').fill(name)
  await picker.getByRole('button', { name: new RegExp(`${name}.*2 trabajos, 1 insumo`) }).click()
  await expect(page.getByRole('textbox', { name: 'Solicitud', exact: true })).toHaveValue(name)
  await expect(section(page, 'Trabajos').getByText('Probar en ruta')).toBeVisible()
  await expect(section(page, 'Insumos').getByText(/Filtro de aceite/)).toBeVisible()
  await section(page, 'Insumos')
    .getByRole('button', { name: /^Quitar Filtro de aceite/ })
    .click()
  await page.getByRole('button', { name: 'Crear orden' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)

  // On an order that is there, it is added and saved with the rest.
  await page.goto(`/ordenes-de-trabajo/${order.id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Usar plantilla' }).click()
  await page
    .getByRole('dialog', { name: 'Usar plantilla' })
    .getByRole('button', { name: /^Preparar revisión técnica/ })
    .click()
  await expect(section(page, 'Trabajos').getByText('Revisión previa a revisión técnica')).toBeVisible()
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByRole('checkbox', { name: 'Regulación de frenos: terminado' })).not.toBeChecked()

  await page.goto('/configuracion/plantillas')
  await page.getByRole('row', { name: new RegExp(name) }).click()
  const open = page.getByRole('dialog', { name })
  await expect(open.getByText('Cambiar pastillas')).toBeVisible()
  await open.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('dialog', { name: '¿Eliminar?' }).getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.getByText('Eliminado correctamente ✅')).toBeVisible()
})

test('a template that asks for what the warehouse lacks: another warehouse, or a request', async ({
  page,
  request,
}) => {
  const chief = await desk(request)
  const truck = await firstTruck(chief)
  const central = await centralWarehouse(chief)
  const [supply] = (
    await chief.get<Listed<{ code: string; name: string }>>(`/v1/stock/${central.id}?filter[Level]=available`)
  ).data
  const code = unique('B-')
  const empty = `Bodega ${code}`
  await chief.post('/v1/warehouses', { code, name: empty, workshop_id: truck.workshop_id })
  const name = unique('Pauta ')
  await chief.post('/v2/maintenance_templates', { name, supplies: [{ code: supply!.code, count: 1 }] })

  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/ordenes-de-trabajo/nueva?truck=${truck.id}`)
  await expect(page.getByRole('combobox', { name: 'Equipo' })).toHaveValue(new RegExp(truck.code))
  await page.getByRole('button', { name: 'Usar plantilla' }).click()
  const picker = page.getByRole('dialog', { name: 'Usar plantilla' })
  await picker.getByLabel('Buscar').fill(name)
  await picker.getByRole('button', { name: new RegExp(name) }).click()
  const supplies = section(page, 'Insumos')
  const warehouse = supplies.getByRole('combobox', { name: 'Bodega' })
  await choose(page, warehouse, empty)
  const shortage = supplies.getByText(`No alcanza ${supply!.name} en ${empty}.`)
  await expect(shortage).toBeVisible()
  await expect(supplies.getByText(`Hay en ${central.name}`)).toBeVisible()
  await expectAccessible(page)
  await supplies.getByRole('button', { name: `Sacar de ${central.name}` }).click()
  await expect(warehouse).toHaveValue(central.name)
  await expect(shortage).toBeHidden()

  await choose(page, warehouse, empty)
  await shortage.locator('..').getByRole('button', { name: 'Pedir o apartar' }).click()
  await expect(supplies.getByRole('table', { name: 'Pedidos y apartados' })).toContainText(supply!.name)
  await page.getByRole('button', { name: 'Crear orden' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  await expect(section(page, 'Insumos').getByText(/^Falta: 1/)).toBeVisible()
})

test('Ctrl+K acts on what it finds: moves an order, takes out a supply, begins an order for a truck', async ({
  page,
  request,
}) => {
  const chief = await desk(request)
  const order = await someOrder(chief)
  await logIn(page, 'jefe@maestranza.demo')
  await page.goto(`/ordenes-de-trabajo?filter[Search]=${order.code}`)
  await expect(cardIn(page, 'Pendiente', order.code)).toBeVisible()
  const find = async (text: string) => {
    await page.keyboard.press('Control+K')
    await page.getByRole('textbox', { name: 'Buscar', exact: true }).last().fill(text)
  }
  await find(order.code)
  await page.getByRole('button', { name: `Mover ${order.code} a En proceso` }).click()
  await expect(cardIn(page, 'En proceso', order.code)).toBeVisible()
  const warehouse = await centralWarehouse(chief)
  const [supply] = (
    await chief.get<Listed<{ code: string; name: string }>>(`/v1/stock/${warehouse.id}?filter[Level]=available`)
  ).data
  await find(supply!.code)
  await page.getByRole('button', { name: new RegExp(`^Sacar ${supply!.code}`) }).click()
  await expect(page.getByRole('dialog', { name: 'Nueva salida' })).toBeVisible()
  const line = page.getByRole('dialog', { name: 'Agregar insumo' })
  await expect(line.getByRole('combobox', { name: 'Insumo' })).toHaveValue(`${supply!.code} · ${supply!.name}`)
  await expect(line.getByRole('textbox', { name: 'Cantidad' })).toBeFocused()
  await page.keyboard.type('1')
  await line.getByRole('button', { name: 'Guardar' }).click()
  await page.getByRole('dialog', { name: 'Nueva salida' }).getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Salida ingresada correctamente ✅')).toBeVisible()
  // From the bar of a phone, on the very page where it is done.
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Buscar', exact: true }).click()
  await page.getByRole('textbox', { name: 'Buscar', exact: true }).last().fill(supply!.code)
  await page.getByRole('button', { name: new RegExp(`^Sacar ${supply!.code}`) }).click()
  await expect(line.getByRole('combobox', { name: 'Insumo' })).toHaveValue(`${supply!.code} · ${supply!.name}`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/ordenes-de-trabajo')
  const truck = await firstTruck(chief)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await find(truck.code)
  await page.getByRole('button', { name: new RegExp(`^Nueva orden para ${truck.code}`) }).click()
  await expect(page.getByRole('combobox', { name: 'Equipo' })).toHaveValue(new RegExp(truck.code))
  const theme = () => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))
  const before = await theme()
  await find('tema')
  await page.getByRole('button', { name: 'Cambiar de tema' }).click()
  await expect.poll(theme).not.toBe(before)
})
