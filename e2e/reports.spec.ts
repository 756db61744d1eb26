import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { streamXlsxRows } from 'hucre/xlsx'
import { test } from './company.ts'
import { expectAccessible, expectLoaded, logIn, ROW, somebodyNew } from './helpers.ts'

const REPORTS = [
  ['expenses-by-truck', 'Gastos por equipo', 'Por equipo'],
  ['expenses-by-suppliers', 'Gastos por proveedor', 'Por proveedor'],
  ['historical-expenses', 'Gastos históricos', 'Históricos'],
  ['expenses-by-category', 'Gastos por categoría', 'Por categoría'],
  ['expenses-by-month', 'Gastos por mes', 'Por mes'],
  ['equipment-availability', 'Disponibilidad de equipos', 'Disponibilidad'],
  ['cost-supplies-by-truck', 'Costo de insumos por equipo', 'Insumos por equipo'],
  ['hours-by-specialist', 'Horas por mecánico', 'Horas'],
] as const

/** The month before this one: whole, and full of expenses. */
const lastMonth = () => {
  const now = new Date()
  const day = (month: number, number: number) =>
    new Date(Date.UTC(now.getFullYear(), now.getMonth() + month, number)).toISOString().slice(0, 10)
  return `${day(-1, 1)},${day(0, 0)}`
}
const pesos = (text: string | null) => Number((text ?? '').replace(/[^\d-]/g, ''))

/** Downloads what a button gives and reads every cell of it. */
async function cellsOf(page: Page, button: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  const bytes = new Uint8Array(await readFile(await download.path()))
  const rows: unknown[][] = []
  for await (const row of streamXlsxRows(bytes, {})) rows.push(row.values)
  return { rows, name: download.suggestedFilename() }
}

/** Both say the same number, in the end: other journeys may change what both count. */
const expectAgree = (one: Locator, other: Locator) =>
  expect
    .poll(async () => {
      const [a, b] = [pesos(await one.textContent()), pesos(await other.textContent())]
      return a === b ? 'the same' : [a, b]
    })
    .toBe('the same')

test('the morning: figures of the month, and the way to every report', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto('/reportes')
  await expect(page.getByRole('heading', { name: 'Reportes', level: 1 })).toBeVisible()
  const month = page.getByRole('region', { name: 'Gasto de este mes' })
  const spent = month.getByRole('button', { name: /^Gasto de este mes: / })
  await expect(spent).toContainText('$')
  await expect(page.getByRole('region', { name: 'Equipos detenidos ahora' })).toContainText('equipos activos')
  await expect(page.getByRole('region', { name: 'Órdenes de trabajo' })).toContainText('En proceso')
  await spent.click()
  await expectAgree(page.getByRole('dialog', { name: 'Gasto de este mes' }).locator('strong').first(), spent)
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  for (const [name, title, link] of REPORTS) {
    await page.getByRole('navigation', { name: 'Reportes' }).getByRole('link', { name: link, exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/reportes/${name}`))
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expect(page.getByRole('table').first()).toBeVisible()
    await expect(
      page
        .getByRole('img', { name: /^Gráfico/ })
        .first()
        .locator('canvas'),
    ).toBeVisible()
  }
})

test('filters are in the address and remembered; a figure opens its lines, and they lead to the order', async ({
  page,
  company,
}) => {
  await logIn(page, company.owner)
  await page.goto(`/reportes/expenses-by-truck?filter[BetweenDate]=${lastMonth()}`)
  const table = page.getByRole('table', { name: 'Gastos por equipo' })
  await expect(table.locator(ROW).first()).toBeVisible()
  await page.getByRole('button', { name: /^Filtros/ }).click()
  const filters = page.getByRole('dialog', { name: 'Filtrar reporte' })
  await filters.getByRole('combobox', { name: 'Taller' }).click()
  await expect(page.getByRole('option', { name: 'Todos los talleres' })).toBeVisible()
  await page.getByRole('option').nth(1).click()
  await filters.getByRole('button', { name: 'Aplicar filtros' }).click()
  await expect(page).toHaveURL(/WorkshopId/)
  await page.getByRole('navigation', { name: 'Reportes' }).getByRole('link', { name: 'Por categoría' }).click()
  await expect(page).toHaveURL(
    /expenses-by-category\?.*BetweenDate.*WorkshopId|expenses-by-category\?.*WorkshopId.*BetweenDate/,
  )
  await page.goBack()
  await page.goBack()
  // The screen says the period alone: what it shows is no longer that of one workshop.
  await expect(page.getByRole('button', { name: 'Filtros (1)' })).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)

  const total = table
    .locator(ROW)
    .first()
    .getByRole('button', { name: /^Total/ })
  const figure = pesos(await total.textContent())
  await total.click()
  const drawer = page.getByRole('dialog', { name: /^Gastos de/ })
  await expect(drawer.getByRole('list', { name: 'Detalle' }).getByRole('listitem').first()).toBeVisible()
  const amounts = await drawer.getByRole('listitem').locator('strong').allTextContents()
  if (!(await drawer.getByRole('button', { name: 'Ver más' }).isVisible()))
    expect(amounts.reduce((sum, text) => sum + pesos(text), 0)).toBe(figure)
  await drawer.getByRole('link', { name: /^OT-/ }).first().click()
  await expect(page).toHaveURL(/\/ordenes-de-trabajo\/\d+/)
})

/** What a drawer says its rows come to, first. */
const headOf = (page: Page) => page.getByRole('dialog').locator('strong').first()
const closeDrawer = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('every figure leads to its rows: counts, kilometres, ratios, and what they are compared with', async ({
  page,
  company,
}) => {
  await logIn(page, company.owner)
  for (const [name] of REPORTS) {
    const filter = name === 'expenses-by-month' ? '' : `filter[BetweenDate]=${lastMonth()}`
    await page.goto(`/reportes/${name}?${filter}`)
    await expect(page.getByRole('table').first().locator(ROW).first()).toBeVisible()
    await expectLoaded(page)
    // Where there is something to count, there is a way in; what somebody typed has no rows.
    const closed = await page.locator('td[data-align="end"], dl > div > dd:first-of-type').evaluateAll((cells) =>
      cells
        .filter((cell) => /[1-9]/.test(cell.textContent ?? '') && !cell.querySelector('button, a'))
        .filter((cell) => {
          const head = cell.closest('table')?.tHead?.rows[0]?.cells[(cell as HTMLTableCellElement).cellIndex]
          return !/^(Presupuesto|Usado)/.test((head ?? cell.parentElement)?.textContent ?? '')
        })
        .map((cell) => cell.textContent),
    )
    expect([name, closed]).toEqual([name, []])
  }

  await page.goto(`/reportes/expenses-by-truck?filter[BetweenDate]=${lastMonth()}`)
  const totals = page.getByRole('table', { name: 'Gastos por equipo' }).locator('tfoot')
  const orders = totals.getByRole('button', { name: /^Total de Órdenes/ })
  await orders.click()
  await expect(headOf(page)).toHaveText(/órdenes$/)
  await expectAgree(headOf(page), orders)
  await closeDrawer(page)

  await totals.getByRole('button', { name: /^Total de Costo por km/ }).click()
  const sum = page.getByRole('region', { name: 'Cómo se calcula' })
  await expect(sum.getByRole('button', { name: / km$/ })).toBeVisible()
  const [cost, km] = await sum.getByRole('button').allTextContents()
  const perKm = Number(
    /\$([\d.,]+) por km/
      .exec((await sum.textContent()) ?? '')![1]!
      .replace('.', '')
      .replace(',', '.'),
  )
  expect(perKm).toBeCloseTo(pesos(cost!) / pesos(km!), 2)
  await sum.getByRole('button', { name: / km$/ }).press('Enter')
  await expect(headOf(page)).toHaveText(km!)
  await expectAccessible(page)
  await closeDrawer(page)

  await page.getByRole('button', { name: /^Gasto total, contra el período comparado/ }).click()
  const before = sum.getByRole('button', { name: /del período comparado$/ })
  await expect(before).toHaveAttribute('aria-pressed', 'true')
  await expectAgree(headOf(page), before)
  await closeDrawer(page)

  // The morning: what opens shows as many as the figure said.
  await page.goto('/reportes')
  for (const name of ['Equipos detenidos ahora', 'Insumos bajo el mínimo']) {
    const figure = page.getByRole('button', { name: new RegExp(`^${name}:`) })
    await figure.click()
    await expectAgree(headOf(page), figure)
    await closeDrawer(page)
  }
  const done = page.getByRole('region', { name: 'Órdenes de trabajo' }).getByRole('link', { name: /^Finalizada:/ })
  const finished = pesos(await done.textContent())
  await done.click()
  await expect(page).toHaveURL(/DateOf/)
  await expect(page.getByLabel(/^Totales de/)).toHaveAccessibleName(`Totales de ${finished} órdenes`)
})

test('every file has the figures of its screen, as numbers and dates', async ({ page, company }) => {
  await logIn(page, company.owner)
  const range = `filter[BetweenDate]=${lastMonth()}`
  for (const [name, , table, from] of [
    ['expenses-by-truck', 'Gastos por equipo', 'Gastos por equipo', 4],
    ['expenses-by-suppliers', 'Gastos por proveedor', 'Gastos por proveedor', 2],
    ['expenses-by-category', 'Gastos por categoría', 'Gastos por categoría', 1],
    ['expenses-by-month', 'Gastos por mes', 'Gastos por mes', 1],
    // Its hours; a truck that was registered since has no period before.
    ['equipment-availability', 'Disponibilidad de equipos', 'Disponibilidad por equipo', 4],
  ] as const) {
    await page.goto(`/reportes/${name}?${name === 'expenses-by-month' ? '' : range}`)
    const shown = page.getByRole('table', { name: table })
    await expect(shown.locator(ROW).first()).toBeVisible()
    const more = page.getByRole('button', { name: 'Ver todos' }).first()
    if (await more.isVisible()) await more.click()
    const { rows, name: file } = await cellsOf(page, 'Excel')
    expect(file).toMatch(/\.xlsx$/)
    const lines = await shown.locator(ROW).count()
    expect(rows.length).toBeGreaterThan(lines + 1)
    // Every cell of money on screen is in the row of the file with that name, as a number, there with its decimals.
    if (name === 'equipment-availability') {
      expect(rows.slice(1).every((row) => typeof row[from] === 'number')).toBe(true)
      continue
    }
    for (let i = 0; i < lines; i++) {
      const cells = await shown.locator(ROW).nth(i).locator('td').allTextContents()
      const figures = cells.filter((text) => text.startsWith('$') && !text.includes(',')).map(pesos)
      const there = rows[i + 1]!.filter((cell) => typeof cell === 'number').map(Math.round)
      for (const figure of figures) expect(there).toContain(figure)
    }
  }
  await page.goto(`/reportes/historical-expenses?${range}`)
  const totals = page.getByRole('table', { name: 'Gastos por orden de trabajo' }).locator('tfoot td')
  await expect(totals.last()).toContainText('$')
  const { rows } = await cellsOf(page, 'Excel')
  expect(rows[0]!.slice(0, 2)).toEqual(['Orden', 'Creada'])
  expect(rows[1]![1]).toBeInstanceOf(Date)
  const last = rows.at(-1)!
  expect([last[0], last[9]]).toEqual(['Total', pesos(await totals.last().textContent())])
  const sum = rows.slice(1, -1).reduce((all, row) => all + Number(row[9]), 0)
  expect(sum).toBe(last[9])
  const history = await cellsOf(page, 'Historial de OT')
  expect(history.rows[0]).toContain('Ingreso al taller')
  expect(history.rows.length).toBeGreaterThan(5)

  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar imagen del gráfico' }).click(),
  ])
  const png = await readFile(await picture.path())
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.length).toBeGreaterThan(5000)
})

test('the storekeeper sees the reports of the warehouse, and no others', async ({ page, company }) => {
  await logIn(page, company.storekeeper)
  await page.goto('/reportes')
  const nav = page.getByRole('navigation', { name: 'Reportes' })
  await expect(nav.getByRole('link')).toHaveText(['Resumen', 'Por categoría', 'Insumos por equipo'])
  await expect(page.getByRole('region', { name: 'Insumos bajo el mínimo' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Gasto de este mes' })).toHaveCount(0)
  await page.goto(`/reportes/expenses-by-category?filter[BetweenDate]=${lastMonth()}`)
  await expect(page.getByRole('table', { name: 'Gastos por categoría' })).toBeVisible()
  await expectAccessible(page)
})

test('on paper there is the report and nothing around it', async ({ page, company }) => {
  await logIn(page, company.owner)
  await page.goto(`/reportes/expenses-by-truck?filter[BetweenDate]=${lastMonth()}`)
  await expect(page.getByRole('table', { name: 'Gastos por equipo' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Gastos por equipo', level: 1 })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Secciones' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Imprimir' })).toBeHidden()
})

test('budgets are typed, pasted and copied; home and report say how much of them was used', async ({
  page,
  company,
}) => {
  await logIn(page, company.owner)
  await page.goto('/inicio')
  const home = page.getByRole('region', { name: 'Costo contra presupuesto' })
  await expect(home.getByRole('listitem').first()).toContainText('Este mes')
  await home.getByRole('link', { name: 'Ver por centro de costo' }).click()
  const centers = page.getByRole('table', { name: 'Gastos por centro de costo' })
  await expect(centers.getByRole('columnheader', { name: 'Presupuesto' })).toBeVisible()
  await expect(centers.getByRole('columnheader', { name: 'Usado' })).toBeVisible()
  await expectAccessible(page)

  await page.goto('/configuracion/presupuestos')
  const year = new Date().getFullYear()
  await page.getByRole('button', { name: `Ver ${year + 1}` }).click()
  await page.getByRole('button', { name: `Copiar ${year}` }).click()
  await expect(page.getByText(`Copiado de ${year}: falta guardar`)).toBeVisible()
  const cells = page.getByRole('region', { name: `Presupuestos de ${year + 1}` }).getByRole('textbox')
  await expect(cells.first()).not.toHaveValue('')
  // Two lines of a spreadsheet, as it writes amounts.
  await cells.first().focus()
  await cells.first().evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', '$1.500.000\t2,000,000\r\n300000\tnada\r\n')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(cells.nth(0)).toHaveValue('1.500.000')
  await expect(cells.nth(1)).toHaveValue('2.000.000')
  await expect(cells.nth(12)).toHaveValue('300.000')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('El monto debe ser un número.')).toBeVisible()
  await cells.nth(13).fill('450000')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Presupuestos guardados correctamente ✅')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: `Ver ${year + 1}` }).click()
  await expect(cells.nth(13)).toHaveValue('450.000')
  await expectAccessible(page)
})

test('a report is compared with the same days of last year, and asked for by mail every Monday', async ({
  page,
  company,
}) => {
  const somebody = await somebodyNew(page.request, company.owner, 'super-admin')
  await logIn(page, somebody)
  await page.goto('/reportes/expenses-by-truck?filter[BetweenDate]=2026-03-01,2026-03-31')
  await expect(page.getByText('Se compara con 01 feb 2026 – 28 feb 2026')).toBeVisible()
  await page.getByRole('button', { name: /^Filtros/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Filtrar reporte' })
  await drawer.getByRole('combobox', { name: 'Comparar con' }).click()
  await page.getByRole('option', { name: 'Otro período' }).click()
  await expect(drawer.getByText('Período de comparación')).toBeVisible()
  await drawer.getByRole('combobox', { name: 'Comparar con' }).click()
  await page.getByRole('option', { name: 'El mismo período del año anterior' }).click()
  await drawer.getByRole('button', { name: 'Aplicar filtros' }).click()
  await expect(page.getByText('Se compara con 01 mar 2025 – 31 mar 2025')).toBeVisible()
  await page.getByRole('button', { name: 'Recibir cada lunes' }).click()
  await expect(page.getByText('Le llegará cada lunes por correo')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Llega cada lunes' }).click()
  await expect(page.getByText('Ya no le llegará por correo')).toBeVisible()
})
