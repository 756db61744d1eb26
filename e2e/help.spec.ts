import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { HELP, pictureOf } from '#web/shell/help/pages.ts'
import { expectAccessible, expectLoaded, logIn } from './helpers.ts'

const FOLDER = join(import.meta.dirname, '..', 'web', 'public', 'help')
const SIZE = { width: 800, height: 500 }

/** How a picture looks from afar, where other days and other numbers are alike and another screen is not. */
const fromAfar = (picture: Buffer) =>
  sharp(picture).resize(32, 20, { fit: 'fill' }).greyscale().blur(1).raw().toBuffer()
const OTHER = 5

async function looksOther(old: string, taken: Buffer) {
  if (!existsSync(old)) return true
  const [a, b] = await Promise.all([fromAfar(readFileSync(old)), fromAfar(taken)])
  return a.reduce((sum, grey, i) => sum + Math.abs(grey - (b[i] ?? 0)), 0) / a.length > OTHER
}

/** Somewhere to look at for each route. */
const pathOf = (route: string) =>
  route.replace('$section', 'usuarios').replace('$id', route.startsWith('/ordenes') ? '1200' : '1')

/** Parts of a screen arrive after it: it is whole once nothing was on its way for a while. */
async function settle(page: Page) {
  const coming = page.locator('main :is([class*="mantine-Skeleton"], [aria-busy="true"])')
  for (let calm = 0; calm < 6; ) {
    await page.waitForTimeout(250)
    calm = (await coming.count()) === 0 ? calm + 1 : 0
  }
}

async function take(page: Page, route: string, theme: string) {
  await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme)
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))))
  const taken = await sharp(await page.screenshot())
    .resize(SIZE)
    .webp({ quality: 60 })
    .toBuffer()
  const file = join(FOLDER, pictureOf(route, theme))
  if (await looksOther(file, taken)) writeFileSync(file, taken)
}

test('the pictures of the help are of the screens as they are now', async ({ page }) => {
  mkdirSync(FOLDER, { recursive: true })
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const route of Object.keys(HELP)) {
    // Works are a mechanic's.
    if (route === '/inicio' || route === '/facturas-por-pagar') await logIn(page)
    if (route === '/mis-trabajos') await logIn(page, 'mecanico@maestranza.demo')
    await page.goto(pathOf(route))
    await expectLoaded(page)
    await settle(page)
    await page.addStyleTag({ content: '* { transition: none !important; caret-color: transparent !important }' })
    for (const theme of ['dark', 'light']) await take(page, route, theme)
  }
})

test('the key ? and the sign in the header say what one can do on this screen', async ({ page }) => {
  await logIn(page)
  await page.goto('/truck/1')
  await expectLoaded(page)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Ayuda: Equipo' })
  await expect(help.getByText('Registrar kilometraje')).toBeVisible()
  await expect(help.getByRole('img', { name: /La pantalla Equipo/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.goto('/reportes/expenses-by-truck')
  await page.getByRole('button', { name: 'Ayuda de esta pantalla' }).click()
  await expect(page.getByRole('dialog', { name: 'Ayuda: Gastos por equipo' })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/inventario')
  await page.getByRole('button', { name: /^Cuenta de/ }).click()
  await page.getByRole('menuitem', { name: 'Ayuda de esta pantalla' }).click()
  await expect(page.getByRole('dialog', { name: 'Ayuda: Inventario' })).toBeVisible()
  await expectAccessible(page)
})
