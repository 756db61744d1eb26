import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { HELP, pictureOf } from '#web/shell/help/pages.ts'
import { demonstrationPerson, expectLoaded, logIn, setTheme, settling, visit } from './helpers.ts'
import { helpPathOf } from './screens.ts'

/** Takes the pictures of the help again where a screen looks different from its picture. */

const FOLDER = join(import.meta.dirname, '..', 'web', 'public', 'help')
const PICTURE = { window: { width: 1280, height: 800 }, kept: { width: 800, height: 500 } }

/** How a picture looks from afar, where other days and other numbers are alike and another screen is not. */
const fromAfar = (picture: Buffer) =>
  sharp(picture).resize(32, 20, { fit: 'fill' }).greyscale().blur(1).raw().toBuffer()
const OTHER = 5
/** Only mechanics have this screen. */
const MINE = '/mis-trabajos'

async function looksOther(old: string, taken: Buffer) {
  if (!existsSync(old)) return true
  const [a, b] = await Promise.all([fromAfar(readFileSync(old)), fromAfar(taken)])
  return a.reduce((sum, grey, i) => sum + Math.abs(grey - (b[i] ?? 0)), 0) / a.length > OTHER
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

test('the help shows every screen as it is', async ({ page }) => {
  // Demonstration: the pictures show it, and it is only looked at.
  const [owner, mechanic] = ['admin@maestranza.demo', 'mecanico@maestranza.demo'] as const
  await page.setViewportSize(PICTURE.window)
  const settle = settling(page)
  for (const [email, isTheirs] of [
    [owner, (route: string) => route !== MINE],
    [mechanic, (route: string) => route === MINE],
  ] as const) {
    await logIn(page, await demonstrationPerson(page.request, email))
    for (const route of Object.keys(HELP).filter(isTheirs)) {
      await visit(page, helpPathOf(route))
      await expectLoaded(page)
      await settle()
      await takePictures(page, route)
    }
  }
})
