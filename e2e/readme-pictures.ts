import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { demonstrationPerson, expectLoaded, logIn, setTheme, settling, visit } from './helpers.ts'

/** The pictures of the README: one screen for each of the main jobs, in both themes. */

const FOLDER = join(import.meta.dirname, '..', 'docs', 'images')
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 780 }
const OWNER = 'admin@maestranza.demo'
const CHIEF = 'jefe@maestranza.demo'
const MECHANIC = 'mecanico@maestranza.demo'

export const README_PICTURES: { name: string; email: string; window: typeof DESK; path: string; face?: string }[] = [
  { name: 'board', email: CHIEF, window: DESK, path: '/ordenes-de-trabajo' },
  { name: 'order', email: CHIEF, window: DESK, path: '/ordenes-de-trabajo/1200' },
  { name: 'planner', email: CHIEF, window: DESK, path: '/ordenes-de-trabajo/calendario', face: 'Semana' },
  { name: 'truck', email: OWNER, window: DESK, path: '/truck/1' },
  { name: 'report', email: OWNER, window: DESK, path: '/reportes/expenses-by-truck' },
  { name: 'phone', email: MECHANIC, window: PHONE, path: '/mis-trabajos' },
]

async function takeBoth(page: Page, name: string, width: number) {
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(page, theme)
    await page.waitForTimeout(300)
    const picture = sharp(await page.screenshot()).resize({ width })
    fs.writeFileSync(join(FOLDER, `${name}-${theme}.webp`), await picture.webp({ quality: 82 }).toBuffer())
  }
}

/** Takes them of a product that runs with the demonstration. */
export async function takeReadmePictures(browser: Browser, baseURL: string) {
  fs.mkdirSync(FOLDER, { recursive: true })
  for (const { name, email, window, path, face } of README_PICTURES) {
    const context = await browser.newContext({
      baseURL,
      viewport: window,
      hasTouch: window === PHONE,
      locale: 'es-CL',
      timezoneId: 'America/Santiago',
      serviceWorkers: 'block',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    const settle = settling(page)
    // Demonstration: the README shows it, and it is only looked at.
    await logIn(page, await demonstrationPerson(page.request, email))
    await visit(page, path)
    await expectLoaded(page)
    if (face) await page.getByText(face, { exact: true }).first().click()
    await settle()
    await takeBoth(page, name, window === PHONE ? PHONE.width : 1200)
    await context.close()
  }
}
