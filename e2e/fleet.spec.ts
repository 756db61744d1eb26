import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { readXlsx } from 'hucre/xlsx'
import { test } from './company.ts'
import { expectAccessible, logIn, openListening, ROW, somePlate, unique } from './helpers.ts'

test('create a truck with a new brand from inside the form, edit it, and see what is wrong under its field', async ({
  page,
  company,
}) => {
  await logIn(page, company.chief)
  await page.goto('/truck')
  await page.getByRole('link', { name: 'Nuevo equipo' }).click()
  // The list has a search by code and plate, and stays until the form has come.
  await expect(page.getByRole('button', { name: 'Crear equipo' })).toBeVisible()
  const [code, plate, brand] = [unique('E2E-'), somePlate(), unique('Marca ')]
  await page.getByRole('textbox', { name: 'Código', exact: false }).fill(code)
  await page.getByRole('textbox', { name: 'Patente' }).fill(`${plate.slice(0, 4).toLowerCase()}-${plate.slice(4)}`)
  await page.getByRole('button', { name: /nueva marca/i }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Nombre').fill(brand)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Marca creado correctamente ✅')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Código', exact: false })).toHaveValue(code)
  await expect(page.getByRole('combobox', { name: 'Marca' })).toHaveValue(brand)
  await page.getByLabel('Kilometraje').fill('182340')
  await page.getByRole('button', { name: 'Crear equipo' }).click()
  await expect(page.getByRole('heading', { name: code })).toBeVisible()
  await expect(page.getByText('182.340 km').first()).toBeVisible()

  // What it is stands behind a button.
  await expect(page.getByRole('region', { name: 'Kilometraje', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Editar' }).click()

  // The code of another truck: refused under the field, and what was typed stays.
  await page.getByRole('textbox', { name: 'Código', exact: false }).fill('T-001')
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByText('Ya existe un equipo con este código.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Código', exact: false })).toHaveValue('T-001')
  await expect(page.getByRole('textbox', { name: 'Código', exact: false })).toBeFocused()
  await page.getByRole('textbox', { name: 'Código', exact: false }).fill(`${code}-B`)
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByRole('heading', { name: `${code}-B` })).toBeVisible()

  await page.getByRole('tab', { name: 'Actividad' }).click()
  await expect(page.getByText(`${code}-B`).first()).toBeVisible()
})

test('a lower reading asks, and is kept as a correction', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/truck?filter[Search]=T-003')
  // Its buttons come at once, when the last of them is there: none moves another under the pointer.
  const last = Promise.withResolvers<void>()
  await page.route('**/assets/of-truck-*.js', async (route) => {
    await last.promise
    await route.continue()
  })
  await page.getByText('T-003', { exact: true }).click()
  await expect(page.getByRole('heading', { name: 'T-003' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Registrar kilometraje' })).toHaveCount(0)
  last.resolve()
  await page.getByRole('button', { name: 'Registrar kilometraje' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Kilometraje').fill('1000')
  await drawer.getByRole('button', { name: 'Registrar' }).click()
  await expect(page.getByText('¿El kilometraje es correcto?')).toBeVisible()
  await page.getByRole('button', { name: 'Sí, es correcto' }).click()
  await expect(page.getByText('1.000 km').first()).toBeVisible()
})

test('filter by address, and take the list away as a spreadsheet', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/truck?filter[Search]=international&sort=-mileage')
  await expect(page.getByPlaceholder(/Código, patente/)).toHaveValue('international')
  const rows = page.locator(ROW)
  await expect(rows.first()).toContainText('International')
  const shown = await rows.count()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /exportar|descargar/i }).click(),
  ])
  const workbook = await readXlsx(await readFile((await download.path())!))
  const [header, ...data] = workbook.sheets[0]!.rows
  expect(header).toContain('Patente')
  expect(data).toHaveLength(shown)
  const km = header!.indexOf('Kilometraje')
  const kilometers = data.map((row) => row[km])
  expect(kilometers.every((value) => typeof value === 'number')).toBe(true)
  expect(kilometers).toEqual([...(kilometers as number[])].sort((a, b) => b - a))

  await page.getByRole('button', { name: /^Filtros/ }).click()
  await page.getByRole('dialog').getByText('Inactivo').click()
  await page.getByRole('dialog').getByRole('button', { name: /^Ver/ }).click()
  await expect(page).toHaveURL(/filter\[State\]=inactive/)
  await page.goBack()
  await expect(page).not.toHaveURL(/State/)
})

test('what changes on one screen appears on another by itself', async ({ page, browser, company }) => {
  await logIn(page, company.owner)
  const other = await (await browser.newContext()).newPage()
  await logIn(other, company.owner)
  const code = unique('V-')
  await page.goto('/truck/create')
  await page.getByRole('textbox', { name: 'Código', exact: false }).fill(code)
  await page.getByRole('textbox', { name: 'Patente', exact: false }).fill(somePlate())
  await page.getByRole('combobox', { name: 'Taller' }).click()
  await page.getByRole('option', { name: 'Taller Quilicura' }).click()
  await page.getByRole('button', { name: 'Crear equipo' }).click()
  await expect(page.getByRole('heading', { name: code })).toBeVisible()

  await openListening(other, `/truck?filter[Search]=${code}`)
  await expect(other.getByText(code, { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Editar' }).click()
  await page.getByRole('textbox', { name: 'Código', exact: false }).fill(`${code}-X`)
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByRole('heading', { name: `${code}-X` })).toBeVisible()
  await expect(other.getByText(`${code}-X`)).toBeVisible()
  await other.context().close()
})

test('what is chosen in a list is changed at once, says who refused, and is undone', async ({ page, company }) => {
  await logIn(page, company.chief)
  const headers = { Authorization: `Bearer ${company.chief.token}` }
  const { workshop_id } = await (await page.request.get('/api/v1/me', { headers })).json()
  const code = unique('M-')
  const made = []
  for (const end of ['A', 'B', 'C']) {
    const data = { workshop_id, code: `${code}-${end}`, patent: somePlate() }
    made.push(await (await page.request.post('/api/v1/trucks', { headers, data })).json())
  }
  await page.goto(`/truck?filter[Search]=${code}`)
  await expect(page.locator(ROW)).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Elegir toda la página' }).check()
  await page.getByRole('button', { name: 'Editar', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Editar 3 equipos' })
  await drawer.getByRole('combobox', { name: 'Estado' }).click()
  await page.getByRole('option', { name: 'Inactivo' }).click()
  await expectAccessible(page)
  // Meanwhile somebody gives one of them to another workshop.
  const others = { Authorization: `Bearer ${company.owner.token}` }
  const workshops: { id: number }[] = (await (await page.request.get('/api/v1/workshops', { headers: others })).json())
    .data
  const data = { workshop_id: workshops.find(({ id }) => id !== workshop_id)!.id }
  const moved = await page.request.put(`/api/v1/trucks/${made[2].id}`, { headers: others, data })
  expect(moved.status()).toBe(200)
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(drawer.getByRole('alert').getByText(`${code}-C`)).toBeVisible()
  await expect(drawer.getByRole('alert').getByRole('listitem')).toHaveCount(1)
  await drawer.getByRole('button', { name: 'Cerrar', exact: true }).last().click()
  await expect(page.locator(ROW).filter({ hasText: 'Inactivo' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('2 equipos: como antes')).toBeVisible()
  await expect(page.locator(ROW).filter({ hasText: 'Inactivo' })).toHaveCount(0)
})

test('people who may only look find no button to change', async ({ page, company }) => {
  await logIn(page, company.viewer)
  await page.goto('/truck')
  await expect(page.locator(ROW).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Nuevo equipo' })).toHaveCount(0)
  await page.locator(ROW).first().click()
  await expect(page.getByRole('tab', { name: 'Kilometraje' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Guardar cambios' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Registrar kilometraje' })).toHaveCount(0)
})

test('a truck opens with what it costs, and each figure with its rows', async ({ page, company }) => {
  await logIn(page, company.chief)
  await page.goto('/truck?filter[Search]=T-0')
  await page.locator(ROW).first().click()
  const cost = page.getByRole('region', { name: /^Costo 20/ }).getByRole('button')
  const figure = (await cost.textContent())!
  expect(figure).toMatch(/^\$[\d.]+$/)
  await cost.click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText(figure).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Su vida' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Alertas y papeles' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Órdenes abiertas' })).toBeVisible()
  await page
    .getByRole('button', { name: /^Órdenes de / })
    .last()
    .click()
  await expect(page.getByRole('dialog', { name: /^Órdenes de T-/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAccessible(page)

  // Who sees no costs sees how far it drove, and what is wrong with it.
  await logIn(page, company.mechanic)
  await page.goto('/truck')
  await page.locator(ROW).first().click()
  await expect(page.getByRole('region', { name: 'Kilómetros por mes' })).toBeVisible()
  await expect(page.getByRole('region', { name: /^Costo/ })).toHaveCount(0)
  await expect(page.getByText('Miles de $')).toHaveCount(0)
})

test('a truck of another workshop is read and named in an order, and edited at home', async ({ page, company }) => {
  await logIn(page, company.chief)
  await page.goto('/truck')
  await page.getByRole('button', { name: /^Filtros/ }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('checkbox', { name: 'De otros talleres' }).check()
  await drawer.getByRole('button', { name: /^(Ver|Aplicar)/ }).click()
  await expect(page.locator(ROW).first()).toContainText('Taller Antofagasta')
  await page.locator(ROW).first().click()
  await expect(page.getByText('De otro taller: lo edita el suyo')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Registrar kilometraje' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Guardar cambios' })).toBeHidden()
  const code = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.getByRole('tab', { name: 'Alertas' }).click()
  await expect(page.getByRole('button', { name: 'Nueva alerta' })).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Órdenes de trabajo' }).click()
  await page.getByRole('button', { name: 'Nueva orden' }).first().click()
  await expect(page.getByRole('combobox', { name: 'Equipo' })).toHaveValue(
    new RegExp(`${code} · .* · Taller Antofagasta`),
  )
  await page.getByRole('textbox', { name: 'Solicitud' }).fill('Quedó detenido en Santiago')
  await page.getByRole('button', { name: 'Crear orden' }).click()
  await expect(page.getByText('Equipo de Taller Antofagasta')).toBeVisible()
})
