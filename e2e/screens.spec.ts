import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, type Request, test } from '@playwright/test'
import sharp from 'sharp'
import { HELP, pictureOf } from '#web/shell/help/pages.ts'
import { ENGLISH, expectLoaded, logIn, seriousIn, setTheme, spoken, visit } from './helpers.ts'
import { FACES, OPENED, OPENED_ON_PHONE, PARTS, SCREENS, SIZES } from './screens.ts'

/**
 * Every screen is opened once, and all that must hold of every screen is looked at: it fits its window in every size, its
 * title says what it is, it speaks Spanish, it keeps nobody out, and its help has a picture of it as it is.
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

const FOLDER = join(import.meta.dirname, '..', 'web', 'public', 'help')
const PICTURE = { width: 1280, kept: { width: 800, height: 500 } }

/** How a picture looks from afar, where other days and other numbers are alike and another screen is not. */
const fromAfar = (picture: Buffer) =>
  sharp(picture).resize(32, 20, { fit: 'fill' }).greyscale().blur(1).raw().toBuffer()
const OTHER = 5

async function looksOther(old: string, taken: Buffer) {
  if (!existsSync(old)) return true
  const [a, b] = await Promise.all([fromAfar(readFileSync(old)), fromAfar(taken)])
  return a.reduce((sum, grey, i) => sum + Math.abs(grey - (b[i] ?? 0)), 0) / a.length > OTHER
}

/** Somewhere to look at for each route of the help. */
const pathOf = (route: string) =>
  route.replace('$section', 'usuarios').replace('$id', route.startsWith('/ordenes') ? '1200' : '1')
const routes = new Map(Object.keys(HELP).map((route) => [pathOf(route), route]))

/** Parts of a screen arrive after it: it is whole once nothing is on its way, to the browser or in it. */
function settling(page: Page) {
  const asked = new Set<Request>()
  page.on('request', (request) => request.url().endsWith('/api/v1/live') || asked.add(request))
  page.on('requestfinished', (request) => asked.delete(request))
  page.on('requestfailed', (request) => asked.delete(request))
  return async () => {
    for (let calm = 0; calm < 3; ) {
      const isComing = await page.evaluate(async () => {
        for (let i = 0; i < 2; i++) {
          await new Promise(requestAnimationFrame)
          await new Promise((idle) => requestIdleCallback(idle, { timeout: 1_000 }))
        }
        return document.querySelector('main :is([class*="mantine-Skeleton"], [aria-busy="true"])') !== null
      })
      calm = isComing || asked.size > 0 ? 0 : calm + 1
      if (calm === 0) await page.waitForTimeout(50)
    }
  }
}

async function takePictures(page: Page, route: string) {
  mkdirSync(FOLDER, { recursive: true })
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(page, theme)
    const taken = await sharp(await page.screenshot())
      .resize(PICTURE.kept)
      .webp({ quality: 60 })
      .toBuffer()
    const file = join(FOLDER, pictureOf(route, theme))
    if (await looksOther(file, taken)) writeFileSync(file, taken)
  }
}

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

async function walk(page: Page, paths: string[]) {
  const settle = settling(page)
  const wrong: unknown[] = []
  const titles: string[] = []
  const look = async (where: string, part?: string) => {
    await expect(page, where).toHaveTitle(/.+ · Maestranza$/)
    const english = (await spoken(page)).filter((text) => ENGLISH.test(text))
    if (english.length > 0) wrong.push({ where, english })
    const serious = await seriousIn(page, part)
    if (serious.length > 0) wrong.push({ where, serious })
  }
  for (const path of paths) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await visit(page, path)
    await expectLoaded(page)
    await settle()
    await look(path)
    titles.push(await page.title())
    const route = routes.get(path)
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      let measured = await measure(page)
      // A screen lays itself out again after the window changed: what stays wrong is wrong.
      for (let tries = 0; tries < 100 && tooLarge(measured); tries++) {
        await page.waitForTimeout(100)
        measured = await measure(page)
      }
      if (tooLarge(measured)) wrong.push({ path, width, ...measured })
      if (width === PICTURE.width && route) await takePictures(page, route)
    }
    // What opens over it, on a phone as it stands now, and on a desk.
    await openEach(page, path, OPENED_ON_PHONE[path] ?? [], (name) => look(`${path}: ${name}, phone`, LAYER))
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const face of FACES[path] ?? []) {
      await page.getByText(face, { exact: true }).click()
      await settle()
      await look(`${path}: ${face}`, 'main')
    }
    await openEach(page, path, OPENED[path] ?? [], (name) => look(`${path}: ${name}`, LAYER))
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
  test(`every screen of ${part}`, async ({ page }) => {
    await logIn(page)
    const titles = await walk(page, paths)
    if (part === 'the start and the reports') expect(new Set(titles).size).toBe(titles.length)
  })

test('every screen of a mechanic, and of who has not come in', async ({ page }) => {
  for (const path of ['/login', '/entrar/1', '/maintenance']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expect(page, path).toHaveTitle(/.+ · Maestranza$/)
    expect((await spoken(page)).filter((text) => ENGLISH.test(text))).toEqual([])
  }
  await logIn(page, 'mecanico@maestranza.demo')
  await walk(page, ['/mis-trabajos'])
  expect([...routes.keys()].filter((path) => !SCREENS.includes(path))).toEqual([])
})
