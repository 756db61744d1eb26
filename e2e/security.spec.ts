import { expect, test } from '@playwright/test'
import { expectAccessible, expectLoaded, logIn, somebodyNew } from './helpers.ts'

test('somebody ends their other sessions, and who manages the company reads it in the log', async ({
  page,
  browser,
}) => {
  const eva = await somebodyNew(page.request, 'viewer')
  await logIn(page, eva.email, eva.password)
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await logIn(other, eva.email, eva.password)

  await page.goto('/configuracion/perfil')
  const sessions = page.getByRole('region', { name: 'Sesiones abiertas' })
  await sessions.getByRole('button', { name: 'Cerrar las demás' }).click()
  await expect(page.getByText('Las demás sesiones se cerraron')).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await other.goto('/')
  await expect(other.getByRole('heading', { name: 'Iniciar sesión' })).toBeVisible()
  await elsewhere.close()

  await logIn(page)
  await page.goto(`/configuracion/registro-de-seguridad?filter[Search]=${eva.name}`)
  await expect(page.getByRole('row', { name: /Sesiones cerradas/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Ingreso desde un equipo nuevo/ })).toHaveCount(3)
  await expectLoaded(page)
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar a Excel' }).click()
  expect((await download).suggestedFilename()).toMatch(/^registro-de-seguridad-.*\.xlsx$/)
})

test('the company shortens its sessions, within what the house allows', async ({ page }) => {
  await logIn(page, 'admin@aridos.demo')
  await page.goto('/configuracion/acceso')
  const hours = page.getByRole('textbox', { name: 'Se cierran sin uso después de' })
  await hours.fill('13')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Debe ser a lo más 12 h.')).toBeVisible()
  await hours.fill('8')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Reglas de acceso guardadas correctamente ✅')).toBeVisible()
  await expectAccessible(page)
})
