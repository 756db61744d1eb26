import { expect, type Page } from '@playwright/test'
import { showDni, verifierOf } from '#contract/base/rut.ts'
import { test } from './company.ts'
import { expectAccessible, logIn, ROW, unique } from './helpers.ts'
import { desk } from './orders.ts'

/** A RUT that nobody of the demonstration has. */
const someRut = () => {
  const number = 50_000_000 + Math.floor(Math.random() * 9_000_000)
  return `${number}${verifierOf(number)}`
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: false })

/** Letters only, in an order no other name has: nearly the same name would be asked about. */
const someName = () =>
  `${Math.random()
    .toString(36)
    .replace(/[^a-z]/g, '')}${Date.now().toString(36)} y Cía.`

async function createProvider(page: Page, name: string, rut = someRut()) {
  await page.goto('/provider/create')
  await field(page, 'Nombre o razón social').fill(name)
  await field(page, 'RUT').fill(rut)
  await page.getByRole('button', { name: 'Crear proveedor' }).click()
  await expect(page.getByText('Proveedor creado correctamente ✅')).toBeVisible()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  return rut
}

/** The server fails once for this call, for a reason that is nobody's field. */
const breakOnce = (page: Page, path: string) =>
  page.route(
    `**/api/v1/${path}`,
    (route) => route.fulfill({ status: 500, json: { message: 'Ocurrió un error inesperado.' } }),
    { times: 1 },
  )

test('a provider is created, called, written to, changed and found', async ({ page, company }) => {
  await logIn(page, company.chief)
  await page.goto('/provider')
  await page.getByRole('link', { name: 'Nuevo proveedor' }).click()
  await expect(page.getByRole('heading', { name: 'Nuevo proveedor' })).toBeVisible()
  const [name, rut] = [someName(), someRut()]
  await field(page, 'Nombre o razón social').fill(name)
  await field(page, 'RUT').fill('12.345.678-4')
  await field(page, 'Teléfono').fill('+56 9 8765 4321')
  await field(page, 'Correo').fill('ventas@frenos.cl')
  await page.getByRole('button', { name: 'Crear proveedor' }).click()
  await expect(page.getByText('El dígito verificador no corresponde.')).toBeVisible()
  await field(page, 'RUT').fill(rut.toLowerCase())
  await field(page, 'Dirección').click()
  await expect(field(page, 'RUT')).toHaveValue(showDni(rut))
  await page.getByRole('button', { name: 'Crear proveedor' }).click()

  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByRole('link', { name: '+56 9 8765 4321' }).first()).toHaveAttribute('href', 'tel:+56987654321')
  await expect(page.getByRole('link', { name: 'ventas@frenos.cl' }).first()).toHaveAttribute(
    'href',
    'mailto:ventas@frenos.cl',
  )

  // What it is stands behind a button; what was typed there outlives a look at another tab.
  await page.getByRole('link', { name: 'Editar' }).click()
  await field(page, 'Dirección').fill('Av. Matta 120, Santiago')
  await page.getByRole('tab', { name: 'Servicios' }).click()
  await expect(page).toHaveURL(/\/provider\/\d+\/services$/)
  await page.getByRole('tab', { name: 'Datos' }).click()
  await expect(field(page, 'Dirección')).toHaveValue('Av. Matta 120, Santiago')
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByText('Proveedor actualizado correctamente ✅')).toBeVisible()
  await page.getByRole('tab', { name: 'Actividad' }).click()
  await expect(page.getByText('Av. Matta 120, Santiago')).toBeVisible()

  await page.goto('/provider')
  await page.getByPlaceholder(/Nombre, RUT/).fill(showDni(rut))
  await expect(page.locator(ROW).first()).toContainText(name)
  await expect(page).toHaveURL(/filter\[Search\]=/)
})

test('a second one with nearly the same name is pointed out while typing, and asked about before it is saved', async ({
  page,
  company,
}) => {
  await logIn(page, company.owner)
  const name = someName()
  const rut = await createProvider(page, name)

  await page.goto('/provider/create')
  await field(page, 'RUT').fill(rut)
  await expect(page.getByText('Este RUT ya está en')).toBeVisible()
  await field(page, 'RUT').fill('')
  await field(page, 'Nombre o razón social').fill(name.toUpperCase().replace('Y CÍA.', 'SpA'))
  await expect(page.getByText('Se parece a')).toBeVisible()
  await expect(page.getByRole('link', { name })).toBeVisible()

  await page.getByRole('button', { name: 'Crear proveedor' }).click()
  const question = page.getByRole('dialog', { name: '¿No será el mismo proveedor?' })
  await question.getByRole('button', { name: 'Volver al formulario' }).click()
  await expect(page).toHaveURL(/\/provider\/create$/)
  await page.getByRole('button', { name: 'Crear proveedor' }).click()
  await question.getByRole('button', { name: 'Crear de todos modos' }).click()
  await expect(page.getByText('Proveedor creado correctamente ✅')).toBeVisible()
})

test('a service with a new category, in the words of the specification', async ({ page, company }) => {
  await logIn(page, company.chief)
  await createProvider(page, someName())
  await page.getByRole('tab', { name: 'Servicios' }).click()
  await expect(page.getByText('Aún no hay servicios')).toBeVisible()
  await page.getByRole('button', { name: 'Nuevo servicio' }).first().click()
  const drawer = page.getByRole('dialog', { name: /Nuevo servicio/ })
  await expect(drawer.getByLabel('Proveedor')).toHaveCount(0)
  await drawer.getByLabel('Código').fill('ALI-01')
  await drawer.getByLabel('Nombre').fill('Alineación de ejes')
  await drawer.getByLabel('Costo unitario').pressSequentially('1234567,5')
  await expect(drawer.getByLabel('Costo unitario')).toHaveValue('$1.234.567,5')

  const category = unique('Categoría ')
  await drawer.getByRole('button', { name: 'Nueva categoría' }).click()
  const inner = page.getByRole('dialog', { name: 'Nueva categoría de servicio' })
  await inner.getByLabel('Nombre').fill(category)
  await breakOnce(page, 'provider/services-categories')
  await inner.getByRole('button', { name: 'Crear categoría' }).click()
  await expect(page.getByText('Error al crear la categoría ❌')).toBeVisible()
  await inner.getByRole('button', { name: 'Crear categoría' }).click()
  await expect(page.getByText('Categoría creada correctamente ✅')).toBeVisible()
  await expect(drawer.getByRole('combobox', { name: 'Categoría' })).toHaveValue(category)
  await expect(drawer.getByLabel('Nombre')).toHaveValue('Alineación de ejes')

  await breakOnce(page, 'provider/services/create')
  await drawer.getByRole('button', { name: 'Crear servicio' }).click()
  await expect(page.getByText('Error al crear la servicio ❌')).toBeVisible()
  await expect(drawer.getByLabel('Nombre')).toHaveValue('Alineación de ejes')
  await drawer.getByRole('button', { name: 'Crear servicio' }).click()
  await expect(page.getByText('Servicio creado correctamente ✅')).toBeVisible()
  await expect(drawer).toBeHidden()
  const row = page.locator('tbody tr').filter({ hasText: 'ALI-01' })
  await expect(row).toContainText('$1.234.568')

  await row.click()
  const edit = page.getByRole('dialog', { name: 'Editar servicio' })
  await expect(edit).toBeVisible()
  await expectAccessible(page)
  await edit.getByLabel('Costo unitario').fill('85000')
  await breakOnce(page, 'provider/services/*')
  await edit.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByText('Error al actualizar el servicio ❌')).toBeVisible()
  await edit.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByText('Servicio actualizado correctamente ✅')).toBeVisible()
  await expect(row).toContainText('$85.000')

  await row.click()
  await edit.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Desactivar' }).click()
  await expect(row).toContainText('Inactivo')
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(row).toContainText('Activo')

  await page.getByRole('button', { name: 'Nuevo servicio' }).click()
  await drawer.getByLabel('Código').fill('ali-01')
  await drawer.getByLabel('Nombre').fill('Otra vez')
  await drawer.getByLabel('Costo unitario').fill('1')
  await drawer.getByRole('button', { name: 'Crear servicio' }).click()
  await expect(drawer.getByText('Este proveedor ya tiene un servicio con este código.')).toBeVisible()
})

test('from the list, a service first asks whose it is; it is found by Ctrl+K', async ({ page, company }) => {
  await logIn(page, company.owner)
  const provider = someName()
  await createProvider(page, provider)
  await page.goto('/provider')
  await page.getByRole('button', { name: 'Nuevo servicio' }).click()
  const drawer = page.getByRole('dialog', { name: 'Nuevo servicio' })
  await drawer.getByRole('combobox', { name: 'Proveedor' }).fill(provider)
  await page.getByRole('option', { name: provider }).click()
  const code = unique('SRV-')
  await drawer.getByLabel('Código').fill(code)
  await drawer.getByLabel('Nombre').fill('Rescate en ruta')
  await drawer.getByLabel('Costo unitario').fill('390000')
  await drawer.getByRole('button', { name: 'Crear servicio' }).click()
  await expect(page.getByText('Servicio creado correctamente ✅')).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Buscar', exact: true }).fill(code)
  await page.getByText(`${code} · Rescate en ruta`).click()
  await expect(page).toHaveURL(/\/provider\/\d+\/services\?service=\d+$/)
  await expect(page.getByRole('dialog', { name: 'Editar servicio' }).getByLabel('Código')).toHaveValue(code)
})

test('a provider never used is deleted; deactivated, it can be brought back', async ({ page, company }) => {
  await logIn(page, company.owner)
  await createProvider(page, someName())
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Desactivar' }).click()
  await expect(page.getByText('Inactivo', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Activo', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Eliminar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Eliminar' }).click()
  await expect(page.getByText('Proveedor eliminado correctamente ✅')).toBeVisible()
  await expect(page).toHaveURL(/\/provider$/)
})

test('people who may only look find no button to change', async ({ page, company }) => {
  await logIn(page, company.viewer)
  await page.goto('/provider?filter[Search]=neumaticos')
  await expect(page.locator(ROW).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Nuevo proveedor' })).toHaveCount(0)
  await page.locator(`${ROW} td`).first().click()
  await page.getByRole('tab', { name: 'Datos' }).click()
  await expect(page.getByRole('heading', { name: 'Datos del proveedor' })).toBeVisible()
  await page.getByRole('tab', { name: 'Servicios' }).click()
  await expect(page.getByRole('button', { name: 'Nuevo servicio' })).toHaveCount(0)
  await page.locator(ROW).first().click()
  await expect(page.getByRole('dialog').getByText('Costo unitario')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Guardar cambios' })).toHaveCount(0)
})

test('a chief reads what serves all workshops, and adds services of their own to it', async ({
  page,
  request,
  company,
}) => {
  const name = someName()
  const provider = await desk(request, company.owner).post<{ id: number }>('/v1/providers', { name, workshop_id: null })
  await logIn(page, company.chief)
  await page.goto(`/provider/${provider.id}`)
  await page.getByRole('tab', { name: 'Datos' }).click()
  await expect(page.getByRole('heading', { name: 'Datos del proveedor' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Más acciones' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Servicios' }).click()
  await page.getByRole('button', { name: 'Nuevo servicio' }).first().click()
  const drawer = page.getByRole('dialog', { name: /Nuevo servicio/ })
  const code = unique('LUB-')
  await drawer.getByLabel('Código').fill(code)
  await drawer.getByLabel('Nombre').fill('Análisis de aceite')
  await drawer.getByLabel('Costo unitario').fill('24000')
  await drawer.getByRole('button', { name: 'Crear servicio' }).click()
  await expect(page.locator('tbody tr').filter({ hasText: code })).toContainText('$24.000')
})

test('a provider shows what was bought from it by month, and a service what changed in it', async ({
  page,
  company,
}) => {
  await logIn(page, company.owner)
  const token = await page.evaluate(() => localStorage.getItem('maestranza.token'))
  const bought = await page.request.get('/api/v1/transaction?type=entry&filter[TypeTransaction]=1&per_page=200', {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await bought.json()) as { data: { code: string; transaction: { providerId: number | null } }[] }
  const entry = data.find(({ transaction }) => transaction.providerId !== null)!
  await page.goto(`/provider/${entry.transaction.providerId}`)
  // What was spent opens its rows; what is owed and what came late stand beside it.
  const spent = page.getByRole('region', { name: 'Gasto en 12 meses' }).getByRole('button')
  await spent.click()
  await expect(page.getByRole('dialog').getByText(/en compras netas/)).toBeVisible()
  await page.keyboard.press('Escape')
  for (const name of ['Gasto por mes', 'Se le debe', 'Documentos'])
    await expect(page.getByRole('region', { name })).toBeVisible()
  for (const name of ['Precios que subieron', 'Entregas atrasadas'])
    await expect(page.getByRole('region', { name })).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Ver compras' }).first().click()
  await expect(page.getByRole('list', { name: 'Compras por mes' }).getByRole('listitem')).toHaveCount(12)
  await expect(page.getByRole('heading', { name: 'Último uso' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('table', { name: 'Entradas' }).getByRole('link', { name: entry.code }).click()
  await expect(page.getByRole('dialog', { name: new RegExp(entry.code) })).toBeVisible()

  await page.goto(`/provider/${entry.transaction.providerId}/services`)
  await page.getByRole('button', { name: 'Nuevo servicio' }).first().click()
  const drawer = page.getByRole('dialog', { name: /Nuevo servicio/ })
  const code = unique('S-')
  await drawer.getByLabel('Código').fill(code)
  await drawer.getByLabel('Nombre').fill('Rectificado')
  await drawer.getByLabel('Costo unitario').fill('1000')
  await page.getByRole('button', { name: 'Crear servicio' }).click()
  await expect(page.getByText('Servicio creado correctamente ✅')).toBeVisible()
  await page.getByPlaceholder(/Código, nombre/).fill(code)
  await expect(page.locator(ROW)).toHaveCount(1)
  await page.locator(ROW).click()
  await page.getByRole('button', { name: 'Ver actividad' }).click()
  await expect(page.getByText('creó el servicio')).toBeVisible()
})
