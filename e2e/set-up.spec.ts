import { expect, type Locator, type Page, test } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import { expectAccessible } from './helpers.ts'
import { openProduct } from './product.ts'

/** Set-up happens once in the life of a database. */
let house: Awaited<ReturnType<typeof openProduct>>
let address: string
let code: string

test.beforeAll(async () => {
  house = await openProduct({ MAESTRANZA_EMPTY: '1' })
  address = house.address
  code = /código (\S+)/.exec(house.output())![1]!
})
test.afterAll(() => house.close())

/** NEWCOMER=1 plays at the pace of somebody who sees it all for the first time: two seconds to find what to press, four letters a second. */
const PACE = process.env.NEWCOMER ? { look: 2_000, letter: 250 } : { look: 0, letter: 0 }
const press = async (page: Page, what: Locator) => {
  await page.waitForTimeout(PACE.look)
  await what.click()
}
const type = async (page: Page, where: Locator, text: string) => {
  await page.waitForTimeout(PACE.look)
  if (PACE.letter) await where.pressSequentially(text, { delay: PACE.letter })
  else await where.fill(text)
}
type Rows = (string | number | null)[][]

/** A spreadsheet as companies keep them: a title above, and headers of their own. */
async function bring(page: Page, button: string, rows: Rows) {
  await press(page, page.getByRole('button', { name: button }))
  const drawer = page.getByRole('dialog')
  await page.waitForTimeout(PACE.look)
  await drawer.locator('input[type=file]').setInputFiles({
    name: 'planilla.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(await writeXlsx({ sheets: [{ name: 'Hoja1', rows }] })),
  })
  await expect(drawer.getByText('Así se entienden')).toBeVisible()
  return drawer
}
async function save(page: Page, drawer: Locator, said: string) {
  await press(page, drawer.getByRole('button', { name: 'Revisar' }))
  await press(page, drawer.getByRole('button', { name: 'Guardar' }))
  // A company's kilometres are news to us.
  await expect(drawer.getByText('Importación lista')).toBeVisible()
  await expect(drawer.getByText(said)).toBeVisible()
  await press(page, drawer.getByRole('button', { name: 'Listo' }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('an empty house asks for its code, makes the company, and shows what comes first', async ({ page }) => {
  await page.goto(`${address}/`)
  await expect(page).toHaveURL(/\/configurar$/)
  await expectAccessible(page)
  await page.getByLabel('Código').fill('AAAAA-AAAAA')
  await page.getByLabel('Nombre o razón social').fill('Transportes Nuevos SpA')
  await page.getByLabel('RUT').fill('76.418.203-1')
  await page.getByLabel('Nombre del taller').fill('Taller Central')
  await page.getByLabel('Su nombre').fill('Rosa Díaz')
  await page.getByLabel('Correo').fill('rosa@nuevos.cl')
  await page.getByRole('textbox', { name: 'Contraseña' }).fill('una-clave-larga')
  await page.getByRole('button', { name: 'Crear y entrar' }).click()
  await expect(page.getByText(/RUT no es válido|dígito/i)).toBeVisible()
  await page.getByLabel('RUT').fill('76.418.203-0')
  await page.getByRole('button', { name: 'Crear y entrar' }).click()
  await expect(page.getByText('El código no es el que muestra el registro del servidor.')).toBeVisible()
  await page.getByLabel('Código').fill(code)
  await page.getByRole('button', { name: 'Crear y entrar' }).click()

  const steps = page.getByRole('region', { name: 'Primeros pasos' })
  await expect(steps.getByText('Pendiente')).toHaveCount(7)
  await expectAccessible(page)

  const since = Date.now()
  const title: Rows = [['Transportes Nuevos SpA'], [`Actualizada el ${new Date().getFullYear()}`], []]
  let drawer = await bring(page, 'Importar sus equipos', [
    ...title,
    ['Placa patente', 'Marca', 'Tipo de camión', 'Odómetro'],
    ['KRTX-41', 'Volvo', 'Tractocamión', '182.340 km'],
    ['LPPF-27', 'Scania', 'Tractocamión', 320_500],
  ])
  // No number of their own: the plate stands for it; no workshop: the only one.
  await expect(drawer.getByRole('combobox', { name: 'Código' })).toHaveValue('Placa patente')
  await expect(drawer.getByRole('combobox', { name: 'Ubicación' })).toHaveValue('Taller Central')
  await expectAccessible(page)
  await save(page, drawer, '2 equipos nuevos, 0 actualizados')
  await expect(steps.getByText('Listo: 2')).toBeVisible()

  drawer = await bring(page, 'Importar sus insumos', [
    ...title,
    ['Nuestro código', 'Producto', 'Precio neto', 'Unidad'],
    ['FA-01', 'Filtro de aceite', '$ 12.990', 'Unidad'],
    ['AC-15', 'Aceite 15W40', '4.590,5', 'Litro'],
  ])
  await press(page, drawer.getByRole('combobox', { name: 'Código' }))
  await press(page, page.getByRole('option', { name: 'Nuestro código' }))
  await save(page, drawer, '2 insumos nuevos, 0 actualizados')
  drawer = await bring(page, 'Importar sus proveedores', [
    ...title,
    ['Razón social', 'RUT', 'Fono'],
    ['Frenos del Sur SpA', '76.543.210-3', '+56 2 2345 6789'],
  ])
  await save(page, drawer, '1 proveedor nuevo, 0 actualizados')

  await press(page, page.getByRole('button', { name: 'Invitar' }))
  await type(page, page.getByRole('dialog').getByLabel('Nombre'), 'Juan Soto')
  await type(page, page.getByRole('dialog').getByLabel('Correo'), 'juan@nuevos.cl')
  await press(page, page.getByRole('button', { name: 'Crear invitación' }))
  await press(page, page.getByRole('dialog', { name: 'Invitación lista' }).getByRole('button', { name: 'Listo' }))
  await expect(steps.getByText('Listo: 1')).toHaveCount(2)

  await press(page, page.getByRole('link', { name: 'Crear la primera orden' }))
  await press(page, page.getByRole('combobox', { name: 'Equipo' }))
  await press(page, page.getByRole('option', { name: /KRTX/ }))
  await type(page, page.getByRole('textbox', { name: 'Solicitud' }), 'Pierde aceite por el cárter')
  await press(page, page.getByRole('button', { name: 'Crear orden' }))
  await expect(page).toHaveURL(/\/ordenes-de-trabajo\/\d+$/)
  await expect(page.getByRole('heading', { name: 'Pierde aceite por el cárter' })).toBeVisible()
  const seconds = Math.round((Date.now() - since) / 1000)
  console.log(`First order after ${seconds} s, with what the company had in spreadsheets`)
  expect(seconds).toBeLessThan(180)

  // What the columns of the last file were is remembered, and what is there is there.
  await page.goto(`${address}/inicio`)
  await expect(steps.getByText('5 de 7')).toBeVisible()
  drawer = await bring(page, 'Importar sus insumos', [
    ['Nuestro código', 'Producto', 'Precio neto', 'Unidad'],
    ['FA-01', 'Filtro de aceite', 13_490, 'Unidad'],
  ])
  await expect(drawer.getByRole('combobox', { name: 'Código' })).toHaveValue('Nuestro código')
  await save(page, drawer, '0 insumos nuevos, 1 actualizado')

  // Put away, also after coming in again; and found again.
  await page.getByRole('button', { name: 'Ocultar' }).click()
  await expect(page.getByText('Primeros pasos ocultos')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Atrasadas')).toBeVisible()
  await expect(steps).toHaveCount(0)
  await page.goto(`${address}/configuracion/primeros-pasos`)
  const show = page.getByRole('button', { name: 'Mostrar también en Inicio' })
  await show.click()
  // The button goes once the choice is saved; leaving the page sooner would break the call off.
  await expect(show).toHaveCount(0)
  await page.goto(`${address}/inicio`)
  await expect(steps.getByText('5 de 7')).toBeVisible()

  await page.goto(`${address}/configurar`)
  await expect(page.getByText('La empresa ya está creada')).toBeVisible()
})
