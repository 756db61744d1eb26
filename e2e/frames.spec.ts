import { expect } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, logIn, somebodyNew, unique } from './helpers.ts'

test('Ctrl+K, a few letters and Enter open what stands first', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/inventario')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('Control+K')
  await page.getByRole('textbox', { name: 'Buscar', exact: true }).last().fill('T-003')
  // Faster than the answer.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'T-003' })).toBeVisible()
})

test('letters and Enter choose what stands first in a list of choices', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/truck/create')
  const brand = page
    .getByRole('combobox', { name: 'Marca' })
    .or(page.getByRole('textbox', { name: 'Marca' }))
    .first()
  await brand.click()
  await brand.pressSequentially('Vol')
  await expect(page.getByRole('option', { name: 'Volvo' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(brand).toHaveValue('Volvo')
})

test('a view of a list is saved under a name, shared, and what a role begins with', async ({
  page,
  request,
  company,
}) => {
  const chief = await somebodyNew(request, company.owner, 'admin')
  await logIn(page, chief)
  await page.goto('/truck?filter[State]=active&sort=-mileage')
  const name = unique('Los que más andan ')
  await page.getByRole('button', { name: 'Vistas guardadas' }).click()
  await page.getByRole('menuitem', { name: 'Guardar esta vista…' }).click()
  const drawer = page.getByRole('dialog', { name: 'Guardar vista' })
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(drawer.getByRole('textbox', { name: 'Nombre' })).toHaveAttribute('aria-invalid', 'true')
  await drawer.getByRole('textbox', { name: 'Nombre' }).fill(name)
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Vista guardada')).toBeVisible()
  await expect(page.getByRole('button', { name: `Vistas guardadas: ${name}` })).toBeVisible()

  // From another look at the list, one press away.
  await page.goto('/truck')
  await page.getByRole('button', { name: 'Vistas guardadas' }).click()
  await page.getByRole('menuitem', { name }).click()
  await expect(page).toHaveURL(/filter\[State\]=active/)
  await expect(page).toHaveURL(/sort=-mileage/)

  await page.getByRole('button', { name: `Vistas guardadas: ${name}` }).click()
  await page.getByRole('menuitem', { name: `Eliminar «${name}»` }).click()
  await expect(page.getByText(`Vista «${name}» eliminada`)).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText(`Vista «${name}» repuesta`)).toBeVisible()

  // The board has views too; somebody who is no specialist has no orders of their own there.
  await page.goto('/ordenes-de-trabajo')
  await expect(page.getByRole('button', { name: /^Atrasadas/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Mis órdenes/ })).toHaveCount(0)
  await page.goto('/ordenes-de-trabajo?filter[Priority]=high&solo=atrasadas')
  await page.getByRole('button', { name: 'Vistas guardadas' }).click()
  await page.getByRole('menuitem', { name: 'Guardar esta vista…' }).click()
  await drawer.getByRole('textbox', { name: 'Nombre' }).fill(name)
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Vista guardada')).toBeVisible()
  await page.goto('/ordenes-de-trabajo?filter[Priority]=low')
  await page.getByRole('button', { name: 'Vistas guardadas' }).click()
  await page.getByRole('menuitem', { name }).click()
  await expect(page).toHaveURL(/solo=atrasadas/)
  await expect(page).toHaveURL(/filter\[Priority\]=high/)
})

test('a click while a list still scrolls opens what lies under the pointer', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/inventario')
  const table = page.getByRole('table')
  await expect(page.getByRole('row').nth(5)).toBeVisible()
  await page.getByRole('row').nth(5).getByRole('cell').nth(2).hover()
  await table.evaluate((found) => {
    let box = found.parentElement!
    while (box.parentElement && box.scrollHeight <= box.clientHeight) box = box.parentElement
    let step = 0
    setInterval(() => box.scrollBy(0, step++ % 2 ? -2 : 2), 20)
  })
  await expect(table).toHaveAttribute('data-scrolling', '')
  await page.mouse.down()
  await page.mouse.up()
  await expect(page).toHaveURL(/\/insumo\/\d+/)
})

test('what is marked from one row to another opens neither', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/inventario')
  const cells = [3, 5].map((row) => page.getByRole('row').nth(row).getByRole('cell').nth(2))
  await expect(cells[1]!).toBeVisible()
  await cells[0]!.hover()
  await page.mouse.down()
  await cells[1]!.hover()
  await page.mouse.up()
  expect(await page.evaluate(() => String(getSelection()).length)).toBeGreaterThan(10)
  await expect(page).toHaveURL(/\/inventario/)
})
