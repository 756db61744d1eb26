import { expect } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, logIn, ROW, unique } from './helpers.ts'

test('create a supply with a new category from inside the form, change its price, and see its history', async ({
  page,
  company,
}) => {
  await logIn(page, company.storekeeper)
  await page.goto('/inventario')
  await page.getByRole('link', { name: 'Nuevo insumo' }).click()
  await expect(page.getByRole('heading', { name: 'Nuevo insumo' })).toBeVisible()
  const [code, category] = [unique('000'), unique('Categoría ')]
  await page.getByRole('textbox', { name: 'Código' }).fill(code)
  await page.getByRole('textbox', { name: 'Nombre' }).fill('Perno de prueba')
  await page.getByLabel('Costo unitario').fill('1234,56')
  await page.getByRole('button', { name: 'Nueva categoría' }).click()
  await page.getByRole('dialog').getByLabel('Nombre').fill(category)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Categoría creada correctamente ✅')).toBeVisible()
  await page.getByRole('button', { name: 'Crear insumo' }).click()
  await expect(page.getByRole('heading', { name: 'Perno de prueba' })).toBeVisible()
  await expect(page.getByText('$1.235').first()).toBeVisible()
  await expectAccessible(page)

  // What it is stands behind a button.
  await page.getByRole('link', { name: 'Editar' }).click()
  await page.getByLabel('Costo unitario').fill('2000')
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByText('insumo actualizado correctamente')).toBeVisible()
  await page.getByRole('tab', { name: 'Precios' }).click()
  await expect(page.getByRole('table', { name: 'Precios del insumo' })).toContainText('$1.235')
  await expectAccessible(page)
})

test('search forgives, and filters by category and location count as the role has them', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/inventario')
  await page.getByPlaceholder('Código o nombre').fill('ACEITE motor sintetico')
  await expect(page.locator('tbody tr').first()).toContainText('10W30 sintético')
  await page.goto('/inventario')
  await page.getByRole('button', { name: /Filtros/ }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Seleccionar todas las categorías').check()
  await drawer.getByRole('button', { name: /^Ver / }).click()
  await expect(page.getByRole('button', { name: /Filtros/ })).toContainText('1')
  await expect(page.getByText('Categoría: todas')).toBeVisible()
  await expectAccessible(page)

  await page.evaluate(() => localStorage.clear())
  await logIn(page, company.storekeeper)
  await page.goto('/inventario?filter[WorkshopId]=2')
  await expect(page.getByRole('button', { name: /Filtros/ })).not.toContainText('1')
  await page.getByRole('button', { name: /Filtros/ }).click()
  await expect(page.getByLabel('Ubicación')).toBeDisabled()
})

test('a supply opens with where it is, what it costs, who uses it and what is to come', async ({ page, company }) => {
  await logIn(page, company.storekeeper)
  await page.goto('/inventario?filter[Search]=aceite')
  await page.locator(ROW).first().click()
  const stock = page.getByRole('table', { name: 'Stock por bodega' })
  await expect(stock.getByRole('link', { name: /^Kardex/ }).first()).toBeVisible()
  for (const name of ['Disponible', 'Por llegar', 'Precio', 'Usado en 12 meses'])
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
  for (const name of ['Precio en el tiempo', 'Quién lo usa', 'Próximas llegadas'])
    await expect(page.getByRole('region', { name })).toBeVisible()
  const used = page.getByRole('region', { name: 'Usado en 12 meses' }).getByRole('button')
  const figure = (await used.textContent())!
  await used.click()
  await expect(page.getByRole('dialog').getByText(figure.split(' ')[0]!).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAccessible(page)

  // A door to a form that has it already: only how much is left to say.
  // Its answer takes longer than the list beside it waits for one.
  const address = page.url()
  await page.route(/\/v1\/.*warehouseId=.*search=\w/, async (route) => {
    await new Promise((later) => setTimeout(later, 600))
    await route.continue()
  })
  for (const [door, title] of [
    ['Entrada', /^Nueva entrada/],
    ['Salida', /^Nueva salida/],
    ['Traspaso', /^Traspaso desde/],
    ['Pedir', /^Nueva orden de compra/],
  ] as const) {
    await stock
      .getByRole('link', { name: new RegExp(`^${door}`) })
      .first()
      .click()
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    await expect(
      page.getByRole('dialog', { name: 'Agregar insumo' }).getByRole('combobox', { name: 'Insumo' }),
    ).toHaveValue(/aceite/i)
    await page.goto(address)
  }
})
