import { expect, type Page } from '@playwright/test'
import { type Company, test } from './company.ts'
import { ENGLISH, expectLoaded, logIn, seriousIn, settling, spoken, visit } from './helpers.ts'
import { FACES, HELP_PATHS, OPENED, OPENED_ON_PHONE, PARTS, SCREENS, SIZES } from './screens.ts'

/**
 * Opens every screen once and checks what must hold for all of them: it fits its window in every size, its title names it,
 * it speaks Spanish, and it passes the accessibility rules.
 */

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
const tooLarge = ({ wider, higher, mainWider, emptyEnd }: Awaited<ReturnType<typeof measure>>) =>
  wider > 0 || higher > 0 || mainWider > 0 || emptyEnd > 48

const LAYER = '[role=dialog], [role=menu]'

/** How far what opened reaches out of the window. */
const outside = (element: Element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return Math.round(Math.max(0, -left, -top, right - window.innerWidth, bottom - window.innerHeight))
}

/** Opens one after the other, and looks at each. */
async function openEach(page: Page, path: string, names: (string | RegExp)[], look: (name: string) => Promise<void>) {
  for (const name of names) {
    await page.getByRole('button', { name }).filter({ visible: true }).first().click()
    const layer = page.locator(LAYER).filter({ visible: true })
    await expect(layer.first(), `${path}: ${name}`).toBeVisible()
    await expect(layer.locator('[class*="mantine-Skeleton"]')).toHaveCount(0)
    expect(await layer.first().evaluate(outside), `${path}: ${name} is outside`).toBe(0)
    await look(String(name))
    // A list of choices that opened with it is closed first.
    for (let tries = 0; tries < 3 && (await layer.count()) > 0; tries++) {
      await page.keyboard.press('Escape')
      await page.waitForTimeout(150)
    }
    if ((await layer.count()) === 0) continue
    await page.goto(path)
    await expectLoaded(page)
  }
}

/** The address in `company` of a screen that is listed with the ids of the demonstration. */
const addressIn = ({ ids }: Company, path: string) =>
  path.replace(
    /^\/(truck|provider|warehouse|insumo|ordenes-de-trabajo)\/\d+/,
    (_, name: keyof Company['ids']) => `/${name}/${ids[name]}`,
  )

async function walk(page: Page, company: Company, paths: string[]) {
  const settle = settling(page)
  const wrong: unknown[] = []
  const titles: string[] = []
  const look = async (where: string, part?: string) => {
    await expect(page, where).toHaveTitle(/.+ · Maestranza$/)
    const english = (await spoken(page)).filter((text) => ENGLISH.test(text))
    if (english.length > 0) wrong.push({ where, english })
    // Axe takes half of the time of all that is looked at: for what opens over a screen it waits for the long run.
    const serious = part && !process.env.LONG_JOURNEYS ? [] : await seriousIn(page, part)
    if (serious.length > 0) wrong.push({ where, serious })
  }
  for (const path of paths) {
    await page.setViewportSize({ width: 1440, height: 900 })
    const address = addressIn(company, path)
    await visit(page, address)
    await expectLoaded(page)
    await settle()
    await look(path)
    titles.push(await page.title())
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
    // What opens over it, on a phone as it stands now, and on a desk.
    await openEach(page, address, OPENED_ON_PHONE[path] ?? [], (name) => look(`${path}: ${name}, phone`, LAYER))
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const face of FACES[path] ?? []) {
      await page.getByText(face, { exact: true }).click()
      await settle()
      await look(`${path}: ${face}`, 'main')
    }
    await openEach(page, address, OPENED[path] ?? [], (name) => look(`${path}: ${name}`, LAYER))
    // Behind its buttons: the filters with their calendars and lists of choices.
    const filters = page.getByRole('button', { name: /^Filtros( \d+ activos)?$/ })
    if (!(await filters.count())) continue
    await filters.click()
    const drawer = page.getByRole('dialog')
    await expect(drawer).toBeVisible()
    await look(`${path}, filters`, '[role=dialog]')
    const choice = drawer.locator('input[type="text"], button[aria-haspopup="dialog"]').first()
    if (!(await choice.count())) continue
    await choice.click()
    const english = (await spoken(page)).filter((text) => ENGLISH.test(text))
    if (english.length > 0) wrong.push({ path, choice: true, english })
  }
  expect(wrong).toEqual([])
  return titles
}

for (const [part, paths] of Object.entries(PARTS))
  test(`every screen of ${part}`, async ({ page, company }) => {
    await logIn(page, company.owner)
    const titles = await walk(page, company, paths)
    if (part === 'the start and the reports') expect(new Set(titles).size).toBe(titles.length)
  })

test('every screen of a mechanic, and of who has not come in', async ({ page, company }) => {
  for (const path of ['/login', '/entrar/1', '/maintenance']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expect(page, path).toHaveTitle(/.+ · Maestranza$/)
    expect((await spoken(page)).filter((text) => ENGLISH.test(text))).toEqual([])
  }
  await logIn(page, company.mechanic)
  await walk(page, company, ['/mis-trabajos'])
})

test('every route of the help is among the screens', () => {
  expect(HELP_PATHS.filter((path) => !SCREENS.includes(path))).toEqual([])
})
