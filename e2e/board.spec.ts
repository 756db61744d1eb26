import { expect } from '@playwright/test'
import { test } from './company.ts'
import { countLooks, logIn, openListening, unique } from './helpers.ts'
import { cardIn, centralWarehouse, column, desk, firstTruck, type Listed, type Order, someOrder } from './orders.ts'

test('two browsers side by side: what one moves, the other sees at once', async ({ browser, request, company }) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief)
  const [left, right] = await Promise.all([browser.newPage(), browser.newPage()])
  await logIn(left, company.chief)
  await logIn(right, company.owner)
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
  // Once it hears everything it asks for the cards that changed, this and those of others, never for the board again.
  const only = asks
    .filter((url) => url.includes('order_workers_by_group'))
    .map((url) => new URL(url).searchParams.getAll('only').flatMap((ids) => ids.split(',')))
  expect(only.at(-1)).not.toEqual([])
  expect(only.flat()).toContain(String(order.id))
  await Promise.all([left.close(), right.close()])
})

test('of a large board the tops of the columns come first; what is moved before the rest is there stays moved', async ({
  page,
  request,
  company,
}) => {
  const chief = desk(request, company.chief)
  // More than the tops of a column show.
  await Promise.all(Array.from({ length: 26 }, () => someOrder(chief)))
  const order = await someOrder(chief)
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  await page.route(/order_workers_by_group/, async (route) => {
    const asked = new URL(route.request().url()).searchParams
    if (!asked.has('per_page') && !asked.has('only')) await arrived
    await route.continue()
  })
  await logIn(page, company.owner)
  // As if it had been large when it was last read.
  await page.addInitScript(() => localStorage.setItem('maestranza.board', '5000'))
  await openListening(page, '/ordenes-de-trabajo')
  await expect(cardIn(page, 'Pendiente', order.code)).toBeVisible()
  const only = page.getByRole('group', { name: 'Ver solo' }).getByRole('button', { name: 'Atrasadas' })
  await expect(only).toContainText('…')
  await page.getByRole('button', { name: `Acciones de ${order.code}` }).click()
  await page.getByRole('menuitem', { name: 'En revisión' }).click()
  await expect(cardIn(page, 'En revisión', order.code)).toBeVisible()
  await expect(page.getByText(`${order.code} pasó a En revisión`)).toBeVisible()
  arrive()
  await expect(only).toContainText(/\d/)
  await expect(cardIn(page, 'En revisión', order.code)).toBeVisible()
  await expect(cardIn(page, 'Pendiente', order.code)).toHaveCount(0)
})

test('a card is carried with the mouse: it follows, and stays where it was let go', async ({
  page,
  request,
  company,
}) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief)
  await logIn(page, company.chief)
  await openListening(page, `/ordenes-de-trabajo?filter[Search]=${order.code}`)
  const card = cardIn(page, 'Pendiente', order.code)
  await expect(card).toBeVisible()
  const [from, to] = [(await card.boundingBox())!, (await column(page, 'En revisión').boundingBox())!]
  const target = { x: to.x + to.width / 2, y: to.y + 90 }
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 20, from.y + from.height / 2 + 5, { steps: 4 })
  await page.mouse.move(target.x, target.y, { steps: 12 })
  // What is carried is under the pointer.
  const carried = page.locator('[data-dnd-dragging]')
  await expect(carried).toContainText(order.code)
  await expect(async () => {
    const at = (await carried.boundingBox())!
    expect(at.x).toBeLessThan(target.x)
    expect(at.x + at.width).toBeGreaterThan(target.x)
  }).toPass()
  await page.mouse.up()
  await expect(cardIn(page, 'En revisión', order.code)).toBeVisible()
  await expect(carried).toHaveCount(0)
  await expect.poll(async () => (await chief.get<Order>(`/v1/order_workers/${order.id}`)).status).toBe('IN_REVIEW')
  await expect(page).toHaveURL(/ordenes-de-trabajo\?/)
})

test('a card is moved with the keyboard alone, and each step is said aloud', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  await someOrder(chief, { status: 'IN_REVIEW' })
  const order = await someOrder(chief)
  await logIn(page, company.chief)
  await page.goto('/ordenes-de-trabajo')
  const grip = page.getByRole('button', { name: `Mover ${order.code}` })
  await grip.focus()
  const said = page.locator('[aria-live="assertive"]')
  await page.keyboard.press('Space')
  // Others may add orders meanwhile, which come on top.
  await expect(said).toContainText(new RegExp(`${order.code} tomada, en Pendiente, lugar \\d+`))
  await page.keyboard.press('ArrowRight')
  await expect(said).toContainText(/En revisión, lugar \d+/)
  const place = Number(/lugar (\d+)/.exec((await said.textContent())!)![1])
  await page.keyboard.press('ArrowDown')
  await expect(said).toContainText(`En revisión, lugar ${place + 1}`)
  await expect(grip).toBeFocused()
  await page.keyboard.press('Space')
  await expect(said).toContainText(new RegExp(`${order.code} quedó en En revisión, lugar \\d+`))
  await expect(cardIn(page, 'En revisión', order.code)).toBeVisible()
  await expect(grip).toBeFocused()
  await expect.poll(async () => (await chief.get<Order>(`/v1/order_workers/${order.id}`)).status).toBe('IN_REVIEW')

  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Escape')
  await expect(said).toContainText('Movimiento cancelado')
  await expect(cardIn(page, 'En revisión', order.code)).toBeVisible()

  // By its menu, whose first line may be where it already is.
  for (const [from, to] of [
    ['En revisión', 'Pendiente'],
    ['Pendiente', 'En revisión'],
  ] as const) {
    await cardIn(page, from, order.code)
      .getByRole('button', { name: `Acciones de ${order.code}` })
      .focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: to, exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(cardIn(page, to, order.code)).toBeVisible()
    await expect(grip).toBeFocused()
  }
  // Every line of a menu is reached, and the focus comes back from it and from a drawer.
  const account = page.getByRole('button', { name: /^Cuenta de/ })
  await account.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Mi perfil' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Novedades' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Cerrar sesión' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(account).toBeFocused()
  const filters = page.getByRole('button', { name: 'Filtros' })
  await filters.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Filtrar órdenes' }).getByLabel('Cerrar')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(filters).toBeFocused()
})

test('the counter of filters is the super administrator’s; others see their chips', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/historial-ordenes-de-trabajo?filter[Priority]=high')
  await expect(page.getByRole('button', { name: 'Filtros 1 activo' })).toBeVisible()
  await logIn(page, company.chief)
  await page.goto('/historial-ordenes-de-trabajo?filter[Priority]=high')
  await expect(page.getByRole('button', { name: 'Filtros', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Quitar filtro Prioridad/ })).toBeVisible()
})

test('the board remembers what was looked at, and the address says it', async ({ page, company }) => {
  await logIn(page, company.chief)
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

test('a card is changed where it lies, and put back', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief)
  await logIn(page, company.chief)
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
  company,
}) => {
  const chief = desk(api, company.chief)
  const request = unique('Filtros ')
  const [high] = [
    await someOrder(chief, { request, priority: 'high' }),
    await someOrder(chief, { request, priority: 'low' }),
  ]
  await logIn(page, company.chief)
  await page.goto(`/ordenes-de-trabajo?filter[Search]=${request}&solo=urgentes`)
  await expect(cardIn(page, 'Pendiente', high.code)).toBeVisible()
  await expect(column(page, 'En proceso').getByText('Los filtros no dejan ninguna orden aquí.')).toBeVisible()
  await page.getByRole('button', { name: /^Filtros/ }).click()
  await page.getByRole('button', { name: 'Ver 1 orden' }).click()
  await expect(page.getByRole('region', { name: 'Pendiente, 1' })).toBeVisible()
})

test('Ctrl+K acts on what it finds: moves an order, takes out a supply, begins an order for a truck', async ({
  page,
  request,
  company,
}) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief)
  await logIn(page, company.chief)
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
