import { expect } from '@playwright/test'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { test } from './company.ts'
import { expectAccessible, logIn } from './helpers.ts'
import { desk, type Listed } from './orders.ts'

test('another system is told, signed, and its answer is in the log', async ({ page, request, company }) => {
  const owner = desk(request, company.owner)
  await logIn(page, company.owner)
  await page.goto('/configuracion/webhooks')
  await page.getByRole('button', { name: 'Nuevo webhook' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Nuevo webhook' })
  await drawer.getByRole('textbox', { name: 'Nombre' }).fill('ERP')
  await drawer.getByRole('textbox', { name: 'Dirección' }).fill('https://nadie.invalid/avisos')
  await drawer.getByRole('button', { name: 'Crear webhook' }).click()
  await expect(drawer.getByText('Elija al menos un aviso.')).toBeVisible()
  await drawer.getByRole('checkbox', { name: 'Stock bajo el mínimo' }).check()
  await drawer.getByRole('button', { name: 'Crear webhook' }).click()
  const made = page.getByRole('dialog', { name: 'Secreto del webhook' })
  await expect(made.getByRole('textbox', { name: 'Secreto' })).toHaveValue(/^whsec_/)
  await expectAccessible(page)
  await made.getByRole('button', { name: 'Listo' }).click()
  await page.getByRole('button', { name: 'Probar ERP' }).click()
  await expect(page.getByText('Aviso de prueba en camino')).toBeVisible()
  // Nobody is there: the log says so.
  const answers = async () =>
    (await owner.get<Listed<Delivery>>('/v1/webhook-deliveries')).data.map(({ answer }) => answer)
  await expect.poll(answers).toEqual(['No existe esa dirección.'])
  await page.reload()
  await expect(page.getByText('No existe esa dirección.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'ERP', exact: true }).click()
  await page.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('dialog', { name: '¿Eliminar?' }).getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.getByText('Aún no hay webhooks')).toBeVisible()
})
