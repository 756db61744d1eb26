import { expect } from '@playwright/test'
import { test } from './company.ts'
import { expectAccessible, logIn, unique } from './helpers.ts'
import { centralWarehouse, choose, desk, firstTruck, type Listed, section, someOrder } from './orders.ts'

test('what was done before is filled in from the last time', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief, { works: [{ description: 'Engrasar quinta rueda', hours: 1.5 }] })
  await chief.put(`/v1/update_status/${order.id}`, { status: 'FINALIZED' })
  await logIn(page, company.chief)
  await page.goto(`/ordenes-de-trabajo/nueva?truck=${order.truck_id}`)
  await page.getByRole('button', { name: 'Repetir una orden' }).click()
  const drawer = page.getByRole('dialog', { name: 'Repetir una orden' })
  await drawer.getByLabel('Buscar').fill(order.code)
  await drawer.getByRole('button', { name: new RegExp(order.request) }).click()
  await expect(section(page, 'Trabajos').getByText('Engrasar quinta rueda')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Solicitud', exact: true })).toHaveValue(order.request)
  await page.getByRole('button', { name: 'Crear orden' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(order.request)
  await expect(page.getByRole('checkbox', { name: 'Engrasar quinta rueda: terminado' })).not.toBeChecked()
})

test('an order is kept as a template, and others are filled from it', async ({ page, request, company }) => {
  const chief = desk(request, company.chief)
  const order = await someOrder(chief, { works: [{ description: 'Cambiar pastillas', hours: 2 }] })
  const name = unique('Plantilla ')
  await logIn(page, company.chief)
  await page.goto(`/ordenes-de-trabajo/${order.id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Guardar como plantilla' }).click()
  const drawer = page.getByRole('dialog', { name: 'Nueva plantilla' })
  await drawer.getByLabel('Nombre').fill(name)
  await drawer.getByRole('combobox', { name: 'Agregar trabajo' }).fill('Probar en ruta')
  await drawer.getByRole('combobox', { name: 'Agregar trabajo' }).press('Enter')
  await drawer.getByRole('combobox', { name: 'Agregar insumo' }).fill('Filtro de aceite')
  await page
    .getByRole('option', { name: /Filtro de aceite/ })
    .first()
    .click()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Crear plantilla' }).click()
  await expect(page.getByText('Plantilla creada correctamente ✅')).toBeVisible()

  await page.goto('/ordenes-de-trabajo/nueva')
  const truck = await firstTruck(chief)
  await page.getByRole('combobox', { name: 'Equipo' }).fill(truck.code)
  await page
    .getByRole('option', { name: new RegExp(truck.code) })
    .first()
    .click()
  await page.getByRole('button', { name: 'Usar plantilla' }).click()
  const picker = page.getByRole('dialog', { name: 'Usar plantilla' })
  await picker.getByLabel('Buscar').fill(name)
  await picker.getByRole('button', { name: new RegExp(`${name}.*2 trabajos, 1 insumo`) }).click()
  await expect(page.getByRole('textbox', { name: 'Solicitud', exact: true })).toHaveValue(name)
  await expect(section(page, 'Trabajos').getByText('Probar en ruta')).toBeVisible()
  await expect(section(page, 'Insumos').getByText(/Filtro de aceite/)).toBeVisible()
  await section(page, 'Insumos')
    .getByRole('button', { name: /^Quitar Filtro de aceite/ })
    .click()
  await page.getByRole('button', { name: 'Crear orden' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)

  // On an order that is there, it is added and saved with the rest.
  await page.goto(`/ordenes-de-trabajo/${order.id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Usar plantilla' }).click()
  await page
    .getByRole('dialog', { name: 'Usar plantilla' })
    .getByRole('button', { name: /^Preparar revisión técnica/ })
    .click()
  await expect(section(page, 'Trabajos').getByText('Revisión previa a revisión técnica')).toBeVisible()
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByRole('checkbox', { name: 'Regulación de frenos: terminado' })).not.toBeChecked()

  await page.goto('/configuracion/plantillas')
  await page.getByRole('row', { name: new RegExp(name) }).click()
  const open = page.getByRole('dialog', { name })
  await expect(open.getByText('Cambiar pastillas')).toBeVisible()
  await open.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('dialog', { name: '¿Eliminar?' }).getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.getByText('Eliminado correctamente ✅')).toBeVisible()
})

test('a template that asks for what the warehouse lacks: another warehouse, or a request', async ({
  page,
  request,
  company,
}) => {
  const chief = desk(request, company.chief)
  const truck = await firstTruck(chief)
  const central = await centralWarehouse(chief)
  const [supply] = (
    await chief.get<Listed<{ code: string; name: string }>>(`/v1/stock/${central.id}?filter[Level]=available`)
  ).data
  const code = unique('B-')
  const empty = `Bodega ${code}`
  await chief.post('/v1/warehouses', { code, name: empty, workshop_id: truck.workshop_id })
  const name = unique('Pauta ')
  await chief.post('/v2/maintenance_templates', { name, supplies: [{ code: supply!.code, count: 1 }] })

  await logIn(page, company.chief)
  await page.goto(`/ordenes-de-trabajo/nueva?truck=${truck.id}`)
  await expect(page.getByRole('combobox', { name: 'Equipo' })).toHaveValue(new RegExp(truck.code))
  await page.getByRole('button', { name: 'Usar plantilla' }).click()
  const picker = page.getByRole('dialog', { name: 'Usar plantilla' })
  await picker.getByLabel('Buscar').fill(name)
  await picker.getByRole('button', { name: new RegExp(name) }).click()
  const supplies = section(page, 'Insumos')
  const warehouse = supplies.getByRole('combobox', { name: 'Bodega' })
  await choose(page, warehouse, empty)
  const shortage = supplies.getByText(`No alcanza ${supply!.name} en ${empty}.`)
  await expect(shortage).toBeVisible()
  await expect(supplies.getByText(`Hay en ${central.name}`)).toBeVisible()
  await expectAccessible(page)
  await supplies.getByRole('button', { name: `Sacar de ${central.name}` }).click()
  await expect(warehouse).toHaveValue(central.name)
  await expect(shortage).toBeHidden()

  await choose(page, warehouse, empty)
  await shortage.locator('..').getByRole('button', { name: 'Pedir o apartar' }).click()
  await expect(supplies.getByRole('table', { name: 'Pedidos y apartados' })).toContainText(supply!.name)
  await page.getByRole('button', { name: 'Crear orden' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  await expect(section(page, 'Insumos').getByText(/^Falta: 1/)).toBeVisible()
})
