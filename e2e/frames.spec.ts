import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectLoaded, logIn, somebodyNew, unique } from './helpers.ts'
import { SCREENS, SIZES } from './screens.ts'

/** How far what is laid out reaches beyond the window, and beyond what there is to see in the part that scrolls. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    const main = document.querySelector<HTMLElement>('main')
    const bottom = (element: Element) => element.getBoundingClientRect().bottom
    const lowest = Math.max(0, ...[...(main?.querySelectorAll('*') ?? [])].filter(seen).map(bottom))
    function seen(element: Element) {
      const { width, height } = element.getBoundingClientRect()
      return width > 1 && height > 1 && !element.closest('.only-read-aloud')
    }
    const end = main ? main.getBoundingClientRect().top + main.scrollHeight - main.scrollTop : 0
    return {
      wider: scrollWidth - window.innerWidth,
      higher: scrollHeight - window.innerHeight,
      mainWider: main ? main.scrollWidth - main.clientWidth : 0,
      // Its padding, and a shadow or rounding.
      emptyEnd: main && main.scrollHeight > main.clientHeight ? Math.round(end - lowest) : 0,
    }
  })

/** What the sizes are not measured of. */
const OTHERS = [
  '/provider/create',
  '/warehouse/create',
  '/warehouse/1?tab=purchases-orders',
  '/warehouse/1?tab=sales',
  '/reportes/expenses-by-suppliers',
  '/reportes/historical-expenses',
  '/reportes/expenses-by-category',
  '/reportes/expenses-by-month',
  '/reportes/cost-supplies-by-truck',
  '/reportes/hours-by-specialist',
  '/configuracion',
  '/configuracion/perfil',
  '/configuracion/empresa',
  '/configuracion/webhooks',
  '/no-existe',
]

test('Ctrl+K, a few letters and Enter open what stands first', async ({ page }) => {
  await logIn(page)
  await page.goto('/inventario')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('Control+K')
  await page.getByRole('textbox', { name: 'Buscar', exact: true }).last().fill('T-003')
  // Faster than the answer.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'T-003' })).toBeVisible()
})

test('letters and Enter choose what stands first in a list of choices', async ({ page }) => {
  await logIn(page)
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

/** What libraries say by themselves. The specification's two English messages are never on screen by themselves. */
const ENGLISH =
  /\b(toggle|visibility|close|search|clear|next|previous|prev|page|loading|select|remove|delete|cancel|submit|save|today|month|week|day|year|view|more|required|invalid|increase|decrease|nothing|choose|pick|upload|drop|hide|show|expand|collapse|sort|settings|undo|copy|open|password|notification|dismiss|breadcrumb|option|options)\b/i

/** All that can be read or is read aloud, outside of what people typed into the demonstration. */
const spoken = (page: Page) =>
  page.evaluate(() => {
    const said = new Set<string>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const parent = texts.currentNode.parentElement
      if (parent && !parent.closest('script, style, noscript')) said.add(texts.currentNode.textContent?.trim() ?? '')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-roledescription', 'aria-description'])
      for (const element of document.querySelectorAll(`[${name}]`)) said.add(element.getAttribute(name)?.trim() ?? '')
    return [...said]
  })

const tooLarge = ({ wider, higher, mainWider, emptyEnd }: Awaited<ReturnType<typeof measure>>) =>
  wider > 0 || higher > 0 || mainWider > 0 || emptyEnd > 48

test('every screen fits its window, says in its title what it is, and speaks Spanish', async ({ page }) => {
  const wrong: unknown[] = []
  const titles = new Map<string, string>()
  const look = async (path: string) => {
    await expect(page, path).toHaveTitle(/.+ · Maestranza$/)
    const english = (await spoken(page)).filter((text) => ENGLISH.test(text))
    if (english.length > 0) wrong.push({ path, english })
  }
  for (const path of ['/login', '/entrar/1', '/maintenance']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await look(path)
  }
  await logIn(page)
  for (const path of [...SCREENS, ...OTHERS]) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    await expectLoaded(page)
    await look(path)
    titles.set(path, await page.title())
    if (OTHERS.includes(path)) continue
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      let measured = await measure(page)
      // A screen lays itself out again after the window changed: what stays wrong is wrong.
      for (let tries = 0; tries < 100 && tooLarge(measured); tries++) {
        await page.waitForTimeout(100)
        measured = await measure(page)
      }
      if (tooLarge(measured)) wrong.push({ path, width, ...measured })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    // Behind its buttons: the filters with their calendars and lists of choices.
    const filters = page.getByRole('button', { name: /^Filtros( \d+ activos)?$/ })
    if (!(await filters.count())) continue
    await filters.click()
    const drawer = page.getByRole('dialog')
    await expect(drawer).toBeVisible()
    const choice = drawer.locator('input[type="text"], button[aria-haspopup="dialog"]').first()
    if (await choice.count()) await choice.click()
    await look(`${path}, filters`)
  }
  expect(wrong).toEqual([])
  const reports = [...titles].filter(([path]) => path.startsWith('/reportes/')).map(([, title]) => title)
  expect(new Set(reports).size).toBe(reports.length)
})

test('a view of a list is saved under a name, shared, and what a role begins with', async ({ page, request }) => {
  const chief = await somebodyNew(request, 'admin')
  await logIn(page, chief.email, chief.password)
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

  // The board has views too, and shows one's own orders.
  await page.goto('/ordenes-de-trabajo')
  await expect(page.getByRole('button', { name: /^Mis órdenes/ })).toBeVisible()
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
