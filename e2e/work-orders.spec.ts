import { expect } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, logIn, unique } from './helpers.ts'
import {
  cardIn,
  centralWarehouse,
  choose,
  column,
  desk,
  drawSignature,
  firstTruck,
  type Listed,
  type Order,
  observe,
  openOrder,
  section,
  shownCode,
  someOrder,
} from './orders.ts'

test('an order from the first call to the paper: works, supplies, service, invoice, signatures, history, PDF', async ({
  page,
  request,
  company,
}) => {
  test.setTimeout(150_000)
  const chief = desk(request, company.chief)
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

  await logIn(page, company.chief)
  await page.goto('/')
  await expect(page).toHaveURL(/\/ordenes-de-trabajo$/)
  await page.getByRole('link', { name: 'Nueva orden', exact: true }).click()

  // The truck brings what it pulls along; its last reading is only a hint. The workshop is one's own.
  await choose(page, page.getByRole('combobox', { name: 'Equipo' }), truck.code)
  await page.getByRole('button', { name: 'Más detalles' }).click()
  await expect(page.getByRole('textbox', { name: 'Kilometraje' })).toHaveValue('')
  await expect(page.getByText(/^Última lectura: [\d.]+ km$/)).toBeVisible()
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
  for (const kind of ['Realizado por', 'Revisado por', 'Entregado a']) {
    const signer = kind === 'Revisado por' ? 'Ana Soto' : 'Rosa Díaz'
    const place = page.getByRole('group', { name: kind })
    await place.getByRole('button', { name: 'Firmar' }).click()
    await page.getByLabel('Nombre de quien firma').fill(signer)
    await page.getByLabel('RUT de quien firma').fill('12.345.678-5')
    await drawSignature(page)
    // Ink on paper, in the dark theme too.
    await expect(page.getByRole('button', { name: 'Borrar', exact: true })).toHaveCSS('color', 'rgb(67, 80, 102)')
    await page.getByRole('button', { name: 'Guardar firma' }).click()
    await expect(place.getByRole('img', { name: `Firma de ${signer}` })).toBeVisible()
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

test('a save refused for lack of stock loses nothing that was typed', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const warehouse = await centralWarehouse(chief)
  const supply = (
    await chief.get<Listed<{ code: string; name: string; stock: number }>>(
      `/v1/stock/${warehouse.id}?filter[Level]=available&sort=-stock`,
    )
  ).data[1]!
  const order = await someOrder(chief, { warehouse_id: warehouse.id })
  await logIn(page, company.chief)
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

test('two people in one order are told, and neither loses what was typed', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief)
  const boss = desk(request, company.owner)
  await logIn(page, company.chief)
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

test('each value of an order leads to its field, saved or let go there', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief, { description_of_requeriment: 'Vibra pasado los 80' })
  await logIn(page, company.chief)
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

test('what was typed survives a closed tab', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief)
  await logIn(page, company.chief)
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

test('a truck that has an open order is said while another is written', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief)
  await logIn(page, company.chief)
  await page.goto(`/ordenes-de-trabajo/nueva?truck=${order.truck_id}`)
  await page.getByRole('link', { name: order.code }).click()
  await page.getByRole('button', { name: 'Salir sin guardar' }).click()
  await expect(shownCode(page)).toHaveText(order.code)
})

test('what an order will need is asked for as it is written', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const truck = await firstTruck(chief)
  const warehouse = await centralWarehouse(chief)
  await logIn(page, company.chief)
  await page.goto(`/ordenes-de-trabajo/nueva?truck=${truck.id}`)
  await page.getByRole('button', { name: 'Más detalles' }).click()
  const supplies = section(page, 'Insumos')
  await choose(page, supplies.getByRole('combobox', { name: 'Bodega' }), warehouse.name)
  await supplies.getByRole('button', { name: 'Pedir o apartar' }).click()
  await supplies.getByRole('combobox', { name: 'Pedir o apartar insumo' }).fill('filtro')
  // An option of the list before the search would go away under the click.
  await expect(page.getByRole('option').filter({ hasNotText: /filtro/i })).toHaveCount(0)
  await page.getByRole('option').first().click()
  await supplies.getByLabel(/^Cantidad de/).fill('9999')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Crear orden' }).click()
  await expect(shownCode(page)).toHaveText(/^OT-\d{6}$/)
  await expect(section(page, 'Insumos').getByText(/^Falta: /)).toBeVisible()
})
