import { type APIRequestContext, type APIResponse, expect, type Locator, type Page } from '@playwright/test'
import { unique } from './helpers.ts'

/* Set-up through the API, as somebody else would have done it before. */

export interface Desk {
  get: <T>(path: string) => Promise<T>
  post: <T>(path: string, data: object) => Promise<T>
  put: <T>(path: string, data: object) => Promise<T>
}

export function desk(request: APIRequestContext, { token }: { token: string }): Desk {
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

export interface Listed<T> {
  data: T[]
}
export interface Order {
  id: number
  truck_id: number
  code: string
  status: string
  updated_at: string
  supplies: { supply_id: number; count: number }[]
}
export interface Truck {
  id: number
  code: string
  workshop_id: number
}

/** It has stock from the start; warehouses that a journey makes are empty. */
export const centralWarehouse = async (chief: Desk) =>
  (await chief.get<Listed<{ id: number; name: string }>>('/v1/warehouses?filter[Search]=BOD-01')).data[0]!

export const firstTruck = async (chief: Desk) => (await chief.get<Listed<Truck>>('/v1/list-trucks')).data[0]!

/** An order on the board whose request nobody else has written. */
export async function someOrder(chief: Desk, more: object = {}) {
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

export const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name},`) })
export const cardIn = (page: Page, name: string, code: string) =>
  column(page, name).locator('[data-card]').filter({ hasText: code })

export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export async function openOrder(page: Page, id: number) {
  await page.goto(`/ordenes-de-trabajo/${id}`)
  await expect(section(page, 'Trabajos')).toBeVisible()
}

/** The observations are read; pressed, they are written where they stand. */
export async function observe(page: Page, text: string) {
  const place = page.getByRole('button', { name: /^(Agregar|Editar) observaciones$/ })
  const field = page.getByRole('textbox', { name: 'Observaciones' })
  await expect(place.or(field)).toBeVisible()
  if (await place.isVisible()) await place.click()
  await field.fill(text)
}

/** The number of the order on whose page one is. */
export const shownCode = (page: Page) => page.locator('main header strong').first()

export async function choose(page: Page, field: Locator, text: string) {
  await field.click()
  await field.fill(text)
  await page.getByRole('option', { name: text }).first().click()
}

export async function drawSignature(page: Page) {
  const canvas = page.getByRole('img', { name: 'Recuadro para firmar' })
  await expect(canvas).toBeVisible()
  const box = (await canvas.boundingBox())!
  await page.mouse.move(box.x + 40, box.y + box.height / 2)
  await page.mouse.down()
  for (let step = 1; step <= 8; step++)
    await page.mouse.move(box.x + 40 + step * 18, box.y + box.height / 2 + (step % 2 ? -18 : 18), { steps: 3 })
  await page.mouse.up()
}
