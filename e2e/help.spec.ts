import { expect } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, expectLoaded, logIn } from './helpers.ts'

test('the key ? and the sign in the header say what one can do on this screen', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto(`/truck/${company.ids.truck}`)
  await expectLoaded(page)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Ayuda: Equipo' })
  await expect(help.getByText('Registrar kilometraje')).toBeVisible()
  await expect(help.getByRole('img', { name: /La pantalla Equipo/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.goto('/reportes/expenses-by-truck')
  await page.getByRole('button', { name: 'Ayuda de esta pantalla' }).click()
  await expect(page.getByRole('dialog', { name: 'Ayuda: Gastos por equipo' })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/inventario')
  await page.getByRole('button', { name: /^Cuenta de/ }).click()
  await page.getByRole('menuitem', { name: 'Ayuda de esta pantalla' }).click()
  await expect(page.getByRole('dialog', { name: 'Ayuda: Inventario' })).toBeVisible()
  await expectAccessible(page)
})
