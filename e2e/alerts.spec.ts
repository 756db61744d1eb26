import { expect, type Page } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, logIn, openListening, ROW, somePlate, unique } from './helpers.ts'
import { desk, firstTruck } from './orders.ts'

/** Chooses in a list that is searched by typing. */
async function pick(page: Page, label: string | RegExp, text: string) {
  const box = page.getByRole('dialog').getByRole('combobox', { name: label })
  await box.fill(text)
  await page
    .getByRole('option', { name: new RegExp(text) })
    .first()
    .click()
  await page.keyboard.press('Escape')
}

const rowOf = (page: Page, text: string) => page.locator('tbody tr', { hasText: text })

/** An alert made without the form, which has a journey of its own. */
async function given(page: Page, more: object = {}) {
  const token = await page.evaluate(() => localStorage.getItem('maestranza.token'))
  const headers = { authorization: `Bearer ${token}` }
  const trucks = await (await page.request.get('/api/v1/list-trucks', { headers })).json()
  const truck = trucks.data[Math.floor(Math.random() * trucks.data.length)]
  const response = await page.request.post('/api/v1/maintenance-alerts', {
    headers,
    data: {
      name: unique('Alerta '),
      selectedTrucks: [truck.id],
      expirationSettings: { dateSelected: true, date: '2030-06-15' },
      ...more,
    },
  })
  expect(response.status()).toBe(201)
  return { alert: (await response.json()).data[0], truck }
}

test('create alerts for two trucks with a new category, edit one, and see what is wrong under its field', async ({
  page,
  company,
}) => {
  await logIn(page, company.chief)
  await page.goto('/maintenance-alerts')
  await page.getByRole('button', { name: 'Nueva alerta' }).click()
  const drawer = page.getByRole('dialog', { name: 'Nueva alerta' })
  await drawer.getByRole('button', { name: 'Crear alertas' }).click()
  await expect(drawer.getByText('Este campo es obligatorio.')).toBeVisible()
  await expect(drawer.getByText('Elija al menos un equipo.')).toBeVisible()
  await expect(drawer.getByText('Elija la fecha de mantención.')).toBeVisible()

  const [name, category] = [unique('Cambio de correas '), unique('Correas ')]
  await drawer.getByRole('textbox', { name: 'Nombre' }).fill(name)
  await drawer.getByRole('button', { name: 'Nueva categoría' }).click()
  const adding = page.getByRole('dialog', { name: 'Nueva categoría' })
  await adding.getByRole('textbox', { name: 'Nombre' }).fill(category)
  await adding.getByRole('button', { name: 'Crear categoría' }).click()
  await expect(page.getByText('Categoría creada correctamente ✅')).toBeVisible()
  await expect(drawer.getByText(category)).toBeVisible()
  await pick(page, 'Equipos', 'T-001')
  await pick(page, 'Equipos', 'T-004')
  await drawer.getByRole('switch', { name: 'Fecha de mantención' }).click()
  await drawer.getByRole('switch', { name: 'Kilometraje de mantención' }).click()
  await drawer.getByRole('textbox', { name: 'Kilómetros', exact: false }).fill('9000000')
  await expect(drawer.getByText('7/10')).toBeVisible()
  await expect(drawer.getByRole('switch', { name: 'Días de anticipación' })).toBeDisabled()
  await drawer.getByRole('switch', { name: 'Kilómetros de anticipación' }).click()
  await drawer.getByRole('textbox', { name: 'Kilómetros antes' }).fill('1500')
  await drawer.getByRole('combobox', { name: 'Correos' }).fill(company.chief.email.slice(0, 9))
  await page.getByRole('option', { name: new RegExp(company.chief.email) }).click()
  await drawer.getByRole('combobox', { name: 'Correos' }).fill('otra@empresa.cl')
  await page.keyboard.press('Enter')
  await drawer.getByRole('button', { name: 'Crear alertas' }).click()
  await expect(page.getByText('Alerta creada correctamente ✅')).toBeVisible()
  await expect(drawer).toBeHidden()

  await page.getByPlaceholder('Mantención, código o patente').fill(name)
  await expect(page.getByText('2 alertas', { exact: true })).toBeVisible()
  await rowOf(page, 'T-001').getByText(name).click()
  const editing = page.getByRole('dialog', { name: 'Editar alerta' })
  await expect(editing.getByRole('combobox', { name: 'Equipos' })).toBeDisabled()
  await expect(editing.getByText('otra@empresa.cl')).toBeVisible()
  await editing.getByRole('textbox', { name: 'Kilómetros antes' }).fill('0')
  await editing.getByRole('button', { name: 'Actualizar alerta' }).click()
  await expect(editing.getByText('Los kilómetros deben ser un número entero mayor que 0.')).toBeVisible()
  await editing.getByRole('textbox', { name: 'Kilómetros antes' }).fill('2000')
  await editing.getByRole('textbox', { name: 'Nombre' }).fill(`${name} y tensor`)
  await editing.getByRole('button', { name: 'Actualizar alerta' }).click()
  await expect(page.getByText('Alerta actualizada correctamente ✅')).toBeVisible()
  await expect(page.getByText(`${name} y tensor`)).toBeVisible()
})

test('a server that fails leaves what was typed, and says so', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto(`/truck/${company.ids.truck}?tab=alerts`)
  await page.getByRole('button', { name: 'Nueva alerta' }).click()
  const drawer = page.getByRole('dialog', { name: 'Nueva alerta' })
  await expect(drawer.getByText('T-001')).toBeVisible()
  await drawer.getByRole('textbox', { name: 'Nombre' }).fill('Se queda')
  await drawer.getByRole('switch', { name: 'Fecha de mantención' }).click()
  await drawer.getByRole('switch', { name: 'Kilometraje de mantención' }).click()
  await drawer.getByRole('textbox', { name: 'Kilómetros', exact: false }).fill('9500000')
  await page.route('**/api/v1/maintenance-alerts', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { message: 'Ocurrió un error inesperado.' } })
      : route.continue(),
  )
  await drawer.getByRole('button', { name: 'Crear alertas' }).click()
  await expect(page.getByText('Error al crear alerta ⛔️')).toBeVisible()
  await expect(drawer.getByRole('textbox', { name: 'Nombre' })).toHaveValue('Se queda')
})

test('filter by category and state, with a counter and chips that can be taken off', async ({ page, company }) => {
  await logIn(page, company.owner)
  await given(page, { expirationSettings: { dateSelected: true, date: '2025-06-15' } })
  await page.goto('/maintenance-alerts')
  await expect(page.locator('tbody').first()).toBeVisible()
  await page.getByRole('button', { name: /^Filtros/ }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('combobox', { name: 'Categoría' }).fill('Permiso')
  await page.getByRole('option', { name: 'Permiso de circulación' }).click()
  await page.keyboard.press('Tab')
  await drawer.getByText('Creada').click()
  await drawer.getByRole('button', { name: /^Ver/ }).click()
  await expect(page).toHaveURL(/filter\[Status\]=created/)
  await expect(page.getByRole('button', { name: /^Filtros/ })).toContainText('2')
  await expect(page.locator('tbody tr').first()).toContainText('Permiso de circulación')
  await expect(page.getByText('Vencida', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Quitar filtro Estado: Creada' }).click()
  await expect(page).not.toHaveURL(/Status/)
  await page.goto('/maintenance-alerts?filter[Attention]=overdue')
  await expect(page.locator('tbody tr').first()).toContainText('Vencida')
})

test('execute several at once: those that repeat come back; then delete several', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/maintenance-alerts')
  const name = unique('En grupo ')
  await given(page, { name, repeatSettings: { dateSelected: true, every: 6, unit: 'months', from: 'done' } })
  await given(page, { name })
  await page.goto(`/maintenance-alerts?filter[Search]=${encodeURIComponent(name)}`)
  await page.getByRole('checkbox', { name: 'Elegir toda la página' }).check()
  await expectAccessible(page)
  await page.getByRole('toolbar').getByRole('button', { name: 'Ejecutada' }).click()
  const drawer = page.getByRole('dialog', { name: 'Marcar como ejecutada' })
  await expect(drawer.getByText('Una se repite: se creará la siguiente.')).toBeVisible()
  await drawer.getByRole('button', { name: 'Ejecutar 2 alertas' }).click()
  await expect(page.getByText('2 alertas ejecutadas ✅ Se creó la siguiente.')).toBeVisible()
  await expect(page.getByText('3 alertas', { exact: true })).toBeVisible()
  await expect(page.getByText('Ejecutada', { exact: true })).toHaveCount(2)
  await expect(page.getByText('Creada', { exact: true })).toHaveCount(1)

  await page.getByRole('checkbox', { name: 'Elegir toda la página' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.getByText('Alertas eliminadas correctamente ✅')).toBeVisible()
  await expect(page.getByText('Ninguna alerta coincide')).toBeVisible()
})

test('a reading makes an alert active on another screen, and leaves its mail in the outbox', async ({
  page,
  browser,
  company,
}) => {
  await logIn(page, company.owner)
  await page.goto('/maintenance-alerts')
  const { alert, truck } = await given(page, {
    expirationSettings: { kilometersSelected: true, kilometers: 9_000_000 },
    emails_to_notifications: { selected: ['taller@empresa.cl'] },
  })
  const other = await (await browser.newContext()).newPage()
  await logIn(other, company.owner)
  await openListening(other, `/maintenance-alerts?filter[Search]=${encodeURIComponent(alert.name)}`)
  await expect(other.getByText('Creada', { exact: true })).toBeVisible()
  await expect(other.getByText(/^≈|Sin pronóstico/)).toBeVisible()

  await page.goto(`/truck/${truck.id}`)
  await page.getByRole('button', { name: 'Registrar kilometraje' }).click()
  await page.getByRole('dialog').getByLabel('Kilometraje').fill('9000000')
  await page.getByRole('dialog').getByRole('button', { name: 'Registrar' }).click()
  // No truck drives that far in a day.
  await page.getByRole('button', { name: 'Sí, es correcto' }).click()
  await expect(other.getByText('Activa', { exact: true })).toBeVisible()
  await other.context().close()

  await page.goto('/maintenance-alerts/correos?filter[Search]=taller@empresa.cl')
  await expect(page.getByText('No hay un servidor de correo configurado')).toBeVisible()
  await page.getByText(`Por vencer: ${alert.name}`, { exact: false }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText('En espera')).toBeVisible()
  await expect(drawer.getByText('Todavía no se ha intentado.')).toBeVisible()
  await expect(drawer.frameLocator('iframe').getByText(alert.name)).toBeVisible()
  await drawer.getByRole('link', { name: new RegExp(alert.name) }).click()
  await expect(page.getByRole('dialog', { name: 'Editar alerta' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`alert=${alert.id}`))

  // The meter goes back, so that the truck is as it was.
  const token = await page.evaluate(() => localStorage.getItem('maestranza.token'))
  await page.request.post(`/api/v1/trucks/${truck.id}/readings`, {
    headers: { authorization: `Bearer ${token}` },
    data: { km: truck.mileage, confirm_lower: true },
  })
})

test('one click makes the order; finalizing it executes the alert and makes the next', async ({ page, company }) => {
  await logIn(page, company.chief)
  await page.goto('/maintenance-alerts')
  const { alert } = await given(page, {
    name: unique('Con orden '),
    repeatSettings: { dateSelected: true, every: 12, unit: 'months', from: 'planned' },
  })
  await page.goto(`/maintenance-alerts?alert=${alert.id}`)
  await expect(page.getByRole('dialog', { name: 'Editar alerta' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Crear orden de trabajo' }).click()
  await expect(page.getByText(/Orden OT-\d+ creada ✅/)).toBeVisible()
  await expect(page).toHaveURL(/ordenes-de-trabajo\/\d+/)
  await expect(page.getByText(alert.name).first()).toBeVisible()
  const order = Number(new URL(page.url()).pathname.split('/').at(-1))

  const token = await page.evaluate(() => localStorage.getItem('maestranza.token'))
  const moved = await page.request.put(`/api/v1/update_status/${order}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { status: 'FINALIZED' },
  })
  expect(moved.status()).toBe(200)
  await page.goto(`/maintenance-alerts?filter[Search]=${encodeURIComponent(alert.name)}`)
  await expect(page.getByText('Ejecutada', { exact: true })).toHaveCount(1)
  await expect(page.getByText('Creada', { exact: true })).toHaveCount(1)
  await expect(page.getByText('15 jun 2031')).toBeVisible()
})

test('a document that nobody watches yet is registered with its date', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const { workshop_id } = await firstTruck(chief)
  const plate = somePlate()
  await chief.post('/v1/trucks', { workshop_id, code: plate, patent: plate })
  await logIn(page, company.chief)
  await page.goto('/maintenance-alerts')
  await page.getByRole('button', { name: 'Documentos' }).click()
  const drawer = page.getByRole('dialog', { name: 'Documentos por registrar' })
  await drawer.getByRole('combobox', { name: 'Documento' }).click()
  await page.getByRole('option', { name: 'Permiso de circulación' }).click()
  const save = drawer.getByRole('button', { name: /^Crear \d+ alertas?$/ })
  await expect(save).toBeEnabled()
  await expect(drawer.getByPlaceholder('Vence el…').first()).toHaveValue(/^30 sep/)
  await save.click()
  await expect(page.getByText(/creadas? correctamente ✅/)).toBeVisible()
  await expect(drawer.getByRole('combobox', { name: 'Documento' })).not.toHaveValue('Permiso de circulación')
})

test('people who may only look read an alert and find nothing to change', async ({ page, company }) => {
  await logIn(page, company.mechanic)
  await page.goto('/maintenance-alerts')
  await expect(page.locator('tbody').first()).toBeVisible()
  for (const name of ['Nueva alerta', 'Documentos', 'Correos'])
    await expect(page.getByRole('button', { name }).or(page.getByRole('link', { name }))).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await page.locator(`${ROW} td`).first().click()
  await expect(page.getByRole('dialog').getByText('Planificada')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Actualizar alerta' })).toHaveCount(0)
})

test('the palette finds an alert', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/truck')
  await expect(page.locator(ROW).first()).toBeVisible()
  const { alert } = await given(page)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Buscar OT, patente, código/).fill(alert.name)
  await page.getByRole('button', { name: new RegExp(alert.name) }).click()
  await expect(page.getByRole('dialog', { name: 'Editar alerta' })).toBeVisible()
})

test('the form keeps nobody out', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/maintenance-alerts?filter[Search]=nada-que-coincida')
  await page.getByRole('button', { name: 'Nueva alerta' }).click()
  await page.getByRole('dialog').getByRole('switch', { name: 'Repetir por tiempo' }).click()
  await expectAccessible(page)
})

test('a mail keeps nobody out', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/maintenance-alerts/correos')
  await page.locator(`${ROW} td`).first().click()
  await expect(page.getByRole('dialog').getByText('Intentos')).toBeVisible()
  // The frame with the mail runs no script, not even that of the check, which would wait for it.
  await page.locator('iframe').evaluate((frame) => frame.remove())
  await expectAccessible(page)
})
