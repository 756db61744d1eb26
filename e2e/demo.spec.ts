import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, PASSWORD } from './helpers.ts'
import { openProduct } from './product.ts'

// Demonstration: this journey starts it anew and leaves it, in a product of its own.
const [OWNER, CHIEF] = ['admin@maestranza.demo', 'jefe@maestranza.demo'] as const

/** The others' demonstration stays. */
let house: Awaited<ReturnType<typeof openProduct>>
test.beforeAll(async () => {
  house = await openProduct({})
})
test.afterAll(() => house.close())

async function enter(page: Page, email: string, sees = /^Buen/) {
  await page.getByRole('textbox', { name: 'Correo' }).fill(email)
  await page.getByLabel('Contraseña').first().fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: sees })).toBeVisible()
}

test('the demonstration starts anew, and is left behind for a company of one’s own', async ({ page, browser }) => {
  await page.goto(`${house.address}/login`)
  await enter(page, OWNER)
  const other = await (await browser.newContext({ serviceWorkers: 'block' })).newPage()
  await other.goto(`${house.address}/login`)
  await enter(other, CHIEF)
  // His is not the house.
  await other.goto(`${house.address}/configuracion/demostracion`)
  await expect(other.getByText(/no existe/)).toBeVisible()
  await other.goto(`${house.address}/truck`)
  await expect(other.getByRole('row').nth(1)).toBeVisible()

  await page.goto(`${house.address}/truck/1`)
  await page.getByRole('button', { name: /^Cuenta de/ }).click()
  await page.getByRole('menuitem', { name: 'Dejar la demostración' }).click()
  await expect(page.getByRole('heading', { name: 'Demostración' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reiniciar la demostración' }).click()
  const question = page.getByRole('dialog', { name: '¿Reiniciar la demostración?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Reiniciar la demostración' }).click()
  await question.getByRole('button', { name: 'Reiniciar la demostración' }).click()
  await expect(page.getByRole('heading', { name: 'Estamos en mantención' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Iniciar sesión' })).toBeVisible({ timeout: 180_000 })
  // The other one waited as well, and is asked to enter again, to go on where he was.
  await expect(other.getByRole('heading', { name: 'Iniciar sesión' })).toBeVisible()
  await enter(other, CHIEF, /^Equipos$/)
  await enter(page, OWNER)

  await page.goto(`${house.address}/configuracion/demostracion`)
  await page.getByRole('button', { name: 'Dejar la demostración' }).click()
  await page
    .getByRole('dialog', { name: '¿Dejar la demostración?' })
    .getByRole('button', { name: 'Dejar la demostración' })
    .click()
  await expect(page.getByRole('heading', { name: 'Cree su empresa' })).toBeVisible({ timeout: 120_000 })
  await expect(page.getByLabel('Código')).not.toHaveValue('')
  await page.getByLabel('Nombre o razón social').fill('Transportes Nuevos SpA')
  await page.getByLabel('Nombre del taller').fill('Taller Central')
  await page.getByLabel('Su nombre').fill('Rosa Díaz')
  await page.getByLabel('Correo').fill('rosa@nuevos.cl')
  await page.getByRole('textbox', { name: 'Contraseña' }).fill('una-clave-larga')
  await page.getByRole('button', { name: 'Crear y entrar' }).click()
  await expect(page.getByRole('region', { name: 'Primeros pasos' }).getByText('Pendiente')).toHaveCount(7)
  await page.getByRole('button', { name: /^Cuenta de/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Mi perfil' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Dejar la demostración' })).toHaveCount(0)
})
