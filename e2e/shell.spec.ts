import { expect, type Page } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, logIn, PASSWORD, ROW, settling, visit } from './helpers.ts'

/** What the navigation counts has arrived: from here on only what one does asks the server. */
async function expectCounted(page: Page) {
  await expect(page.getByRole('link', { name: /^Alertas \d/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Órdenes de trabajo \d/ })).toBeVisible()
}

test('log in, with the wrong password first', async ({ page, company }) => {
  await page.goto('/truck?filter[Search]=scania')
  await expect(page).toHaveURL(/\/login/)
  await expectAccessible(page)
  await page.getByLabel('Correo').fill(company.viewer.email)
  await page.getByLabel('Contraseña', { exact: true }).fill('equivocada')
  await page.keyboard.press('Enter')
  await expect(page.getByText('El correo o la contraseña no son correctos.')).toBeVisible()
  await page.getByLabel('Contraseña', { exact: true }).fill('maestranza')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/truck\?filter\[Search\]=scania/)
})

test('without an address one comes home, to what each role needs first', async ({ page, company }) => {
  const settle = settling(page)
  await page.goto('/login')
  await page.getByLabel('Correo').fill(company.chief.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/inicio$/)
  await expect(page.getByRole('heading', { level: 1, name: /^Buen/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Equipos detenidos/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Tablero', exact: true })).toBeVisible()
  await expectAccessible(page)

  // The bell has what waits for one; once it was looked at it is quiet. What arrives later would make it ring again.
  await settle()
  await page.getByRole('button', { name: /^Avisos: / }).click()
  await page.getByRole('menuitem').first().waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Avisos', exact: true })).toBeVisible()

  for (const [person, sees] of [
    [company.mechanic, 'Mis trabajos'],
    [company.storekeeper, 'Por recibir'],
    [company.owner, 'Gasto de este mes'],
    [company.viewer, 'Gasto de este mes'],
  ] as const) {
    await logIn(page, person)
    await page.goto('/inicio')
    await expect(page.getByRole('region', { name: sees, exact: true })).toBeVisible()
    await expectAccessible(page)
  }
})

test('a lost session leads to /login, and back to where one was', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto(`/truck/${company.ids.truck}`)
  await expect(page.getByRole('tab', { name: 'General' })).toBeVisible()
  await expectCounted(page)
  // Somebody revokes the session elsewhere.
  await page.evaluate(async () => {
    const token = Object.entries(localStorage).find(([key]) => key.includes('token'))?.[1]
    await fetch('/api/v1/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    // What is asked next is refused, if nothing has been asked since and the page is still there.
    document.querySelector<HTMLElement>('[role=tab][id$="-tab-activity"]')?.click()
  })
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Correo').fill(company.owner.email)
  await page.getByLabel('Contraseña', { exact: true }).fill('maestranza')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/truck/${company.ids.truck}`))
})

test('the workshop in use narrows the lists and is remembered', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/truck')
  // The same number in each of three workshops.
  const all = page.getByText(/^\d+ equipos$/)
  const each = `${Number.parseInt((await all.textContent())!, 10) / 3} equipos`
  await page.getByRole('button', { name: /Todos los talleres/ }).click()
  await expect(page.getByRole('menu')).toBeInViewport({ ratio: 1 })
  await page.getByRole('menuitemradio', { name: 'Taller Antofagasta' }).click()
  await expect(all).toHaveText(each)
  await page.reload()
  await expect(all).toHaveText(each)
})

test('Ctrl+K finds a truck by its plate', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/truck?filter[Search]=T-003')
  await expect(page.getByRole('row').nth(1)).toContainText('T-003')
  const plate = await page.getByRole('row').nth(1).getByRole('cell').nth(2).textContent()
  await page.keyboard.press('Control+K')
  await page
    .getByPlaceholder(/Buscar|Busque/)
    .last()
    .fill(plate!.replace(/\W/g, '').toLowerCase())
  await page
    .getByRole('option', { name: /T-003/ })
    .or(page.getByRole('button', { name: /T-003/ }))
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'T-003' })).toBeVisible()
})

test('maintenance: screens wait, and come back by themselves', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/inventario')
  await expect(page.getByRole('button', { name: 'Página 2' })).toBeVisible()
  await expectCounted(page)
  await page.route('**/api/**', (route) => route.fulfill({ status: 503, json: { message: 'En mantención' } }))
  await page.getByRole('button', { name: 'Página 2' }).click()
  await expect(page).toHaveURL(/\/maintenance/)
  await expectAccessible(page)
  await page.unroute('**/api/**')
  await expect(page).toHaveURL(/\/inventario/)
})

test('the shell opens without a connection, and says so', async ({ browser, company }) => {
  const context = await browser.newContext({ serviceWorkers: 'allow' })
  const page = await context.newPage()
  await logIn(page, company.owner)
  await page.goto('/truck')
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await expect(page.locator(ROW).first()).toBeVisible()
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText('Maestranza').first()).toBeVisible()
  await expect(page.getByText(/sin conexión/i).first()).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/sin conexión/i)).toHaveCount(0)
  await context.close()
})

test('without a network the sign says so, and what failed is asked again when it is back', async ({
  page,
  context,
  company,
}) => {
  await logIn(page, company.owner)
  await page.goto('/truck')
  await expect(page.locator(ROW).first()).toBeVisible()
  const sign = page.getByRole('banner').getByRole('status')
  await expect(sign).toHaveAccessibleName(/^Al día/)
  await context.setOffline(true)
  await expect(sign).toHaveAccessibleName('Sin conexión a la red')
  await page.getByLabel('Código, patente o marca').fill('T-00')
  await expect(page.getByRole('button', { name: 'Reintentar' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.locator(ROW).filter({ hasText: 'T-003' })).toBeVisible()
  await expect(sign).toHaveAccessibleName(/^Al día/)

  // A part that was not fetched yet waits for the network too, and takes nothing that was typed with it.
  await visit(page, '/ordenes-de-trabajo/nueva')
  const request = page.getByLabel('Solicitud')
  await request.fill('Pierde aire')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Usar plantilla' }).click()
  await expect(page.getByText('No hay conexión: se abrirá cuando vuelva.')).toBeVisible()
  await expect(request).toHaveValue('Pierde aire')
  await context.setOffline(false)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(request).toHaveValue('Pierde aire')
  await request.fill('')

  // So does a whole screen.
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Proveedores' }).click()
  await expect(page.getByText('No hay conexión, y esta pantalla no se había abierto antes.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.locator(ROW).first()).toBeVisible()
})

test('an address that leads nowhere says so', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/nada-por-aqui')
  await expect(page.getByText(/no existe|no encontr/i).first()).toBeVisible()
  await expectAccessible(page)
})

test('the API describes itself', async ({ page, request }) => {
  const document = await (await request.get('/api/openapi.json')).json()
  expect(document.paths['/v1/trucks/{id}'].put.operationId).toBe('fleet.updateTruck')
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto('/api/docs')
  await expect(page.getByText('Open a session').first()).toBeVisible()
  expect(problems).toEqual([])
})

test('where the demonstration is opened under another name than this machine’s, every screen says so', async ({
  page,
  baseURL,
  company,
}) => {
  const banner = page.getByText('Demostración: contraseñas públicas')
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Iniciar sesión' })).toBeVisible()
  await expect(banner).toHaveCount(0)
  const elsewhere = baseURL!.replace('127.0.0.1', 'taller.localhost')
  await page.goto(`${elsewhere}/login`)
  await expect(banner).toBeVisible()
  await page.getByRole('textbox', { name: 'Correo' }).fill(company.viewer.email)
  await page.getByLabel('Contraseña').first().fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { name: 'Órdenes de trabajo' })).toBeVisible()
  await expect(banner).toBeVisible()
  await expectAccessible(page)
})
