import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { test } from './company.ts'
import { expectAccessible, logIn, somePlate, unique } from './helpers.ts'

type Rows = (string | number | null)[][]
const HEADERS = ['CODIGO', 'Taller', 'Insumo', 'Precio unitario', 'U.M.', 'Familia']

async function choose(page: Page, rows: Rows, name = 'planilla.xlsx') {
  await page.getByRole('button', { name: 'Importar' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.locator('input[type=file]').setInputFiles({
    name,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(await writeXlsx({ sheets: [{ name: 'Hoja1', rows }] })),
  })
  return drawer
}

test('import supplies, copy the code, and undo with it', async ({ page, context, company }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await logIn(page, company.owner)
  await page.goto('/inventario')
  const [code, family] = [unique('IMP-'), unique('Familia ')]
  const drawer = await choose(page, [
    ['Inventario de repuestos'],
    [],
    HEADERS,
    [`00${code}`, 'taller quilicura', 'Filtro importado', '$ 12.990', 'Unidad', family],
    [],
    ['FLT-00001', 'Taller Quilicura', `Otro nombre ${code}`, '1.234,56', null, null],
  ])
  await expect(drawer.getByText('2 filas')).toBeVisible()
  await expect(drawer.getByRole('combobox', { name: 'Código' })).toHaveValue('CODIGO')
  await expect(drawer.getByRole('table', { name: 'Primeras filas' })).toContainText('1.234,56')
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Revisar' }).click()
  await expect(drawer.getByText('Aún no se ha guardado nada')).toBeVisible()
  await expect(drawer.getByText(`Otro nombre ${code}`)).toBeVisible()
  await expect(drawer.getByText('También se crearán: 1 categoría.')).toBeVisible()
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(drawer.getByText('Importación lista')).toBeVisible()
  await drawer.getByRole('button', { name: 'Copiar código' }).click()
  await expect(page.getByText('Código copiado al portapapeles')).toBeVisible()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  expect(key).toMatch(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){2}$/)
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Listo' }).click()

  await page.goto(`/inventario?filter[Search]=${code}`)
  await expect(page.getByText(`00${code}`)).toBeVisible()

  await page.getByRole('button', { name: 'Importar' }).click()
  await page.getByLabel('Código de la importación').fill(key)
  await page.getByRole('button', { name: 'Deshacer', exact: true }).click()
  await page
    .getByRole('dialog', { name: '¿Deshacer la importación?' })
    .getByRole('button', { name: 'Deshacer' })
    .click()
  await expect(page.getByText('1 eliminado, 1 devuelto a como estaba.')).toBeVisible()
  await page.goto(`/inventario?filter[Search]=${code}`)
  await expect(page.getByText(/Ningún insumo/)).toBeVisible()
})

test('a page that is reloaded half way follows the import it left, to its end', async ({ page, company }) => {
  test.setTimeout(180_000)
  await logIn(page, company.storekeeper)
  await page.goto('/inventario')
  const code = unique('REC-')
  const rows = Array.from({ length: 2_000 }, (_, i) => [`${code}-${i}`, 'Taller Quilicura', 'Recarga', 100, null, null])
  const drawer = await choose(page, [HEADERS, ...rows])
  await expect(drawer.getByText('2.000 filas')).toBeVisible()
  await drawer.getByRole('button', { name: 'Revisar' }).click()
  await expect(drawer.getByText('Aún no se ha guardado nada')).toBeVisible({ timeout: 60_000 })
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  // The server has it, and says so over the channel.
  await expect(drawer.getByText(/filas leídas/)).toBeVisible({ timeout: 60_000 })
  await page.reload()
  // On its way, or done before the page was back.
  const progress = drawer.getByRole('progressbar', { name: 'Avance de la importación' })
  await expect(progress.or(drawer.getByText('Importación lista')).first()).toBeAttached()
  await expect(drawer.getByText('Importación lista')).toBeVisible({ timeout: 120_000 })
  await expect(drawer.getByText('2.000 insumos nuevos, 0 actualizados.')).toBeVisible()
  const key = (await drawer.getByText(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){2}$/).textContent()) ?? ''
  await drawer.getByRole('button', { name: 'Listo' }).click()
  const token = await page.evaluate(() => localStorage.getItem('maestranza.token'))
  const undone = await page.request.delete(`/api/v1/supplies-delete-imported?hash_import=${key}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(undone.status()).toBe(200)
})

test('a page that is left before its file arrived does not show the import before it as its own', async ({
  page,
  company,
}) => {
  await logIn(page, company.chief)
  await page.goto('/inventario')
  const first = await choose(page, [HEADERS, [unique('UNO-'), 'Taller Quilicura', 'Primero', 100, null, null]])
  await first.getByRole('button', { name: 'Revisar' }).click()
  await first.getByRole('button', { name: 'Guardar' }).click()
  await expect(first.getByText('Importación lista')).toBeVisible()
  await first.getByRole('button', { name: 'Listo' }).click()

  await page.route('**/v1/supplies-import', () => {})
  const second = await choose(page, [HEADERS, [unique('DOS-'), 'Taller Quilicura', 'Segundo', 100, null, null]])
  await second.getByRole('button', { name: 'Revisar' }).click()
  const sent = page.waitForRequest('**/v1/supplies-import')
  await second.getByRole('button', { name: 'Guardar' }).click()
  await sent
  await expect(second.getByText('Puede cerrar o recargar')).toBeVisible()
  await expect(second.getByText('filas leídas')).toBeHidden()
  await page.reload()
  await expect(second.getByText('Nada se guardó: súbalo de nuevo.')).toBeVisible()
  await second.getByRole('button', { name: 'Intentar de nuevo' }).click()
  await expect(second.getByText(/Elija|Arrastre|Suelte/).first()).toBeVisible()
})

test('a file with errors shows them as a table that can be taken away, and saves nothing', async ({
  page,
  company,
}) => {
  await logIn(page, company.storekeeper)
  await page.goto('/inventario')
  const code = unique('MAL-')
  const drawer = await choose(page, [
    HEADERS,
    [code, 'Taller Quilicura', 'Bueno', 100, null, null],
    [code, 'Taller Antofagasta', '', 'caro', null, null],
  ])
  await drawer.getByRole('button', { name: 'Revisar' }).click()
  const table = drawer.getByRole('table', { name: 'Errores del archivo' })
  await expect(table).toContainText('No es un número.')
  await expect(table).toContainText('Este campo es obligatorio.')
  await expectAccessible(page)
  const waiting = page.waitForEvent('download')
  await drawer.getByRole('button', { name: 'Descargar errores' }).click()
  const file = await readFile(await (await waiting).path())
  const { sheets } = await readXlsx(file)
  expect(sheets[0]?.rows[0]).toEqual(['Fila', 'Columna', 'Valor', 'Motivo'])
  expect(sheets[0]?.rows.length).toBe(4)
  await page.goto(`/inventario?filter[Search]=${code}`)
  await expect(page.getByText(/Ningún insumo/)).toBeVisible()
})

test('what cannot be a workbook is said at once', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/inventario')
  await page.getByRole('button', { name: 'Importar' }).click()
  const drawer = page.getByRole('dialog')
  const pick = (name: string) =>
    drawer.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('a;b') })
  await pick('insumos.csv')
  await expect(drawer.getByText('El archivo debe ser un libro de Excel con extensión .xlsx.')).toBeVisible()
  await pick('insumos.xlsx')
  await expect(drawer.getByText(/no es un libro de Excel/)).toBeVisible()
  const waiting = page.waitForEvent('download')
  await drawer.getByRole('button', { name: 'Descargar archivo de ejemplo' }).click()
  expect((await waiting).suggestedFilename()).toBe('ejemplo-insumos.xlsx')
})

test('import trucks, and take an exported list back in unchanged', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/truck')
  const [code, plate] = [unique('IT-'), somePlate()]
  const drawer = await choose(page, [
    ['N° interno', 'Sucursal', 'PPU', 'Odómetro', 'Rampla', 'Marca', 'Tipo'],
    [code, 'Taller Talcahuano', plate.toLowerCase(), '182.340 km', null, 'Volvo', 'Tractocamión'],
  ])
  await drawer.getByRole('button', { name: 'Revisar' }).click()
  await expect(drawer.getByText('Aún no se ha guardado nada')).toBeVisible()
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(drawer.getByText('1 equipo nuevo, 0 actualizados.')).toBeVisible()
  await drawer.getByRole('button', { name: 'Listo' }).click()
  await page.goto(`/truck?filter[Search]=${code}`)
  await expect(page.getByText('182.340 km')).toBeVisible()

  await page.goto('/truck')
  await takeBack(page)
})

/** The list's own file, sent back as it is. */
async function takeBack(page: Page, button = 'Importar') {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar a Excel' }).first().click()
  const buffer = await readFile(await (await waiting).path())
  await page.getByRole('button', { name: button }).click()
  const drawer = page.getByRole('dialog')
  await drawer.locator('input[type=file]').setInputFiles({
    name: 'lista.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer,
  })
  await drawer.getByRole('button', { name: 'Revisar' }).click()
  const counts = drawer.locator('dl').filter({ hasText: 'Iguales' })
  await expect(counts).toContainText('Nuevos0')
  await expect(counts).toContainText('Cambian0')
  await expect(counts).not.toContainText('Iguales0')
  const { sheets } = await readXlsx(buffer)
  return { drawer, rows: sheets[0]!.rows as Rows }
}

test('providers go out, are edited, come in again, and are taken back', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/provider')
  const { drawer, rows } = await takeBack(page)
  await drawer.getByRole('button', { name: 'Volver' }).click()
  await drawer.getByRole('button', { name: 'Cambiar archivo' }).click()
  const [headers, first] = rows as [Rows[number], Rows[number]]
  const [name, phone] = [String(first[headers.indexOf('Nombre')]), unique('+56 9 ')]
  first[headers.indexOf('Teléfono')] = phone
  await drawer.locator('input[type=file]').setInputFiles({
    name: 'editado.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(await writeXlsx({ sheets: [{ name: 'Hoja1', rows }] })),
  })
  await expect(drawer.getByText('No se importan, porque no hay dónde: Servicios.')).toBeVisible()
  await drawer.getByRole('button', { name: 'Revisar' }).click()
  await expect(drawer.getByText(phone)).toBeVisible()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Guardar' }).click()
  await expect(drawer.getByText('0 proveedores nuevos, 1 actualizado.')).toBeVisible()
  const key = await drawer.locator('output').textContent()
  await drawer.getByRole('button', { name: 'Importar otro archivo' }).click()
  await drawer.getByRole('button', { name: `Deshacer ${key}` }).click()
  await page
    .getByRole('dialog', { name: '¿Deshacer la importación?' })
    .getByRole('button', { name: 'Deshacer' })
    .click()
  await expect(drawer.getByText('0 eliminados, 1 devuelto a como estaba.')).toBeVisible()
  await page.goto(`/provider?filter[Search]=${encodeURIComponent(name)}`)
  await expect(page.getByText(name).first()).toBeVisible()
  await expect(page.getByText(phone)).toHaveCount(0)
})

test('the stock of a warehouse goes out and comes in again unchanged', async ({ page, company }) => {
  await logIn(page, company.storekeeper)
  await page.goto(`/warehouse/${company.ids.warehouse}?tab=stock`)
  await takeBack(page, 'Importar límites')
})
