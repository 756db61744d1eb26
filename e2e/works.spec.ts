import { expect, type Locator } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, logIn, openListening, unique } from './helpers.ts'
import {
  centralWarehouse,
  desk,
  drawSignature,
  firstTruck,
  type Listed,
  type Order,
  openOrder,
  section,
  someOrder,
} from './orders.ts'

/** A tap on what has just moved is ignored, as long as a person would not have seen it move: it is tapped again. */
const tapUntil = (control: Locator, outcome: Locator) =>
  expect(async () => {
    if (!(await outcome.isVisible())) await control.tap()
    await expect(outcome).toBeVisible({ timeout: 1_000 })
  }).toPass()

test('labour that counts: an hour has its cost, a tap starts the clock, and the order says what it came to', async ({
  page,
  request,
  company,
}) => {
  // A company of its own: the others go on without labour.
  const boss = desk(request, company.owner)
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
    { description: 'Engrasar', specialist_id: who.id, hours: 2 },
  ]
  const order = await someOrder(boss, { works })
  await logIn(page, company.owner)
  await page.goto('/configuracion/ajustes')
  await page.getByLabel('La mano de obra cuenta en los costos').check()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Ajustes guardados correctamente ✅')).toBeVisible()

  await page.goto('/configuracion/especialistas')
  await expect(page.locator('main table')).toHaveAttribute('aria-busy', 'false')
  await page.getByRole('row').filter({ hasText: name }).click()
  await page.getByRole('button', { name: 'Agregar costo' }).click()
  await page.getByRole('textbox', { name: 'Por hora' }).fill('12000')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Especialista actualizado correctamente ✅')).toBeVisible()

  await openOrder(page, order.id)
  const costs = page.getByLabel('Costos de la orden')
  // Typed hours are an estimate until the work is done.
  await expect(costs).toContainText('Mano de obra$0')
  const list = section(page, 'Trabajos')
  await list.getByRole('checkbox', { name: 'Engrasar: terminado' }).click()
  await expect(costs).toContainText('Mano de obra$24.000')
  await list.getByRole('button', { name: 'Empezar: Cambiar correa' }).click()
  await expect(list.getByRole('button', { name: 'Pausar: Cambiar correa' })).toBeVisible()
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

test('a mechanic closes a simple job on a phone: four taps and a signature', async ({ browser, request, company }) => {
  const chief = desk(request, company.chief)
  const mechanic = desk(request, company.mechanic)
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
  await logIn(page, company.mechanic)
  await page.goto('/mis-trabajos')
  const job = page.getByRole('article').filter({ hasText: order.code })
  await job.getByRole('button', { name: 'Empezar' }).tap()
  await expect(job.getByText('En curso')).toBeVisible()
  // With its first work the order is being worked on.
  expect((await chief.get<Order>(`/v1/order_workers/${order.id}`)).status).toBe('IN_PROCESS')
  const undo = page.getByRole('button', { name: 'Deshacer' })
  await tapUntil(job.getByRole('button', { name: 'Terminar' }), undo)
  // Taken back, it runs on.
  await undo.tap()
  await expect(job.getByText('En curso')).toBeVisible()
  await tapUntil(job.getByRole('button', { name: 'Terminar' }), undo)
  await page.getByRole('button', { name: 'Cerrar' }).last().tap()
  await tapUntil(
    job.getByRole('button', { name: 'Firmar y finalizar' }),
    page.getByRole('dialog', { name: `Firmar y finalizar ${order.code}` }),
  )
  await drawSignature(page)
  await page.getByRole('button', { name: 'Finalizar', exact: true }).tap()
  await expect(page.getByText(`${order.code} finalizada ✅`)).toBeVisible()
  // The mechanic signed for the work; who reviews it is somebody else.
  expect(await chief.get<Order>(`/v1/order_workers/${order.id}`)).toMatchObject({
    status: 'FINALIZED',
    signatures: [{ kind: 'performed' }],
    has_reviewed_signature: false,
  })
  // Nothing sticks out of the screen.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expectAccessible(page)
  await context.close()
})

test('a second tap right after Terminar does nothing: neither to that job nor to the one below', async ({
  browser,
  request,
  company,
}) => {
  const chief = desk(request, company.chief)
  const { specialist_id } = await desk(request, company.mechanic).get<{ specialist_id: number }>('/v1/me')
  const orders = [
    await someOrder(chief, { priority: 'high', works: [{ description: 'Cambiar ampolleta', specialist_id }] }),
    await someOrder(chief, { priority: 'high', works: [{ description: 'Ajustar espejo', specialist_id }] }),
  ]
  const page = await browser.newPage({ viewport: { width: 360, height: 740 }, hasTouch: true, locale: 'es-CL' })
  await page.clock.install()
  await logIn(page, company.mechanic)
  await page.goto('/mis-trabajos')
  const job = page.getByRole('article').filter({ hasText: orders[0]!.code })
  const finish = job.getByRole('button', { name: 'Terminar' })
  await expect(finish).toBeVisible()
  await finish.scrollIntoViewIfNeeded()
  const before = await page.getByRole('article').allInnerTexts()
  const box = (await finish.boundingBox())!
  const finger = [box.x + box.width / 2, box.y + box.height / 2] as const
  // The clock of the page is slowed down: on a busy machine the second tap would otherwise come too late to be ignored.
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.touchscreen.tap(...finger)
  const sign = job.getByRole('button', { name: 'Firmar y finalizar' })
  await expect(async () => {
    await page.clock.runFor(5)
    await expect(sign).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.touchscreen.tap(...finger)
  await page.touchscreen.tap(...finger)
  await page.clock.runFor(5)
  await page.clock.resume()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(job.getByText('Terminado')).toBeVisible()
  // Every card is where it was.
  const first = (texts: string[]) => texts.map((text) => /OT-\d+/.exec(text)?.[0])
  expect(first(await page.getByRole('article').allInnerTexts())).toEqual(first(before))
  // Once the page is still the same finger works again.
  await tapUntil(sign, page.getByRole('dialog', { name: `Firmar y finalizar ${orders[0]!.code}` }))
  await page.close()
})

test('a mechanic adds a part and a note from the phone', async ({ browser, request, company }) => {
  const chief = desk(request, company.chief)
  const mechanic = desk(request, company.mechanic)
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
  await logIn(page, company.mechanic)
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
  company,
}) => {
  const chief = desk(request, company.chief)
  const mechanic = desk(request, company.mechanic)
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
  await logIn(phone, company.mechanic)
  await openListening(phone, '/mis-trabajos')
  await phone.getByRole('article').filter({ hasText: first.code }).getByText('Repuestos, fotos y notas').tap()
  const sheet = phone.getByRole('dialog', { name: first.code })
  await sheet.getByLabel('Buscar repuesto').fill(supply.code)
  await phone.keyboard.press('Enter')
  await sheet.getByRole('button', { name: 'Pedir', exact: true }).tap()
  await expect(sheet.getByText(/^Falta: 1/)).toBeVisible()
  await chief.post(`/v1/order_workers/${second.id}/planned_supplies`, part)

  // Both become one purchase.
  await logIn(page, company.chief)
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
  await page.getByRole('textbox', { name: 'Documento', exact: true }).fill(unique('F-'))
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
