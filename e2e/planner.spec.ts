import { expect } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, logIn } from './helpers.ts'
import { desk, type Listed, type Order, shownCode, someOrder } from './orders.ts'

test('the calendar shows both kinds, and opens what is clicked', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Santiago' }).format(new Date())
  const order = await someOrder(chief, { planned: true, date_estimed: today, hour_estimed: '09:00' })
  await logIn(page, company.chief)
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

test('an order is dragged from what waits into a box, moved by keys, and taken back', async ({
  page,
  request,
  company,
}) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief, { planned: true, works: [{ description: 'Revisar frenos', hours: 1 }] })
  const [box] = (await chief.get<Listed<{ id: number; name: string }>>('/v1/boxes?filter[State]=active&sort=name')).data
  const read = () =>
    chief.get<Order & { box_id: number | null; hour_estimed: string | null }>(`/v1/order_workers/${order.id}`)
  await logIn(page, company.chief)
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

test('who moves what somebody else has just changed is told what it is now', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief, {})
  await logIn(page, company.chief)
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
