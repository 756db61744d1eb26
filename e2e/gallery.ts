/**
 * Takes pictures of a product that runs with the demonstration, at http://127.0.0.1:3000 unless an address is given:
 * `npm run gallery [-- address]` of every screen, in every size and both themes, to leaf through in .cache/gallery;
 * `npm run gallery -- --readme [address]` those of the README, in docs/images.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { REPORTS } from '#contract/reports/reports.ts'
import { demonstrationPerson, expectLoaded, logIn, setTheme, visit } from './helpers.ts'
import { takeReadmePictures } from './readme-pictures.ts'
import { SCREENS, SIZES } from './screens.ts'

const FOLDER = join(import.meta.dirname, '..', '.cache', 'gallery')
const THEMES = ['dark', 'light'] as const
const SECTIONS = [
  ...['empresa', 'talleres', 'ajustes', 'especialistas', 'conductores', 'boxes', 'primeros-pasos', 'cierre-de-meses'],
  ...['acceso', 'registro-de-seguridad', 'claves-de-api', 'webhooks', 'perfil', 'marcas', 'tareas'],
  'demostracion',
]
const paths = new Set([
  ...SCREENS,
  ...['general', 'mileage', 'coupled', 'alerts', 'activity'].map((tab) => `/truck/1?tab=${tab}`),
  ...Object.keys(REPORTS).map((report) => `/reportes/${report}`),
  ...SECTIONS.map((section) => `/configuracion/${section}`),
])

const isReadme = process.argv.includes('--readme')
const address = process.argv.slice(2).find((word) => word.startsWith('http')) ?? 'http://127.0.0.1:3000'
if (!isReadme) fs.rmSync(FOLDER, { recursive: true, force: true })
fs.mkdirSync(FOLDER, { recursive: true })
const nameOf = (path: string) => path.slice(1).replaceAll(/[^\w-]+/g, '_')

const find: { chromium: () => Promise<string> } = await import(new URL('../scripts/browser.mjs', import.meta.url).href)
const browser = await chromium.launch({
  executablePath: await find.chromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
if (isReadme) {
  await takeReadmePictures(browser, address)
  await browser.close()
  process.exit()
}
const since = Date.now()
const wrong: string[] = []

async function takeAll([width, height]: (typeof SIZES)[number]) {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width, height },
    hasTouch: width < 1000,
    locale: 'es-CL',
    timezoneId: 'America/Santiago',
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  // Colours on their way from one theme to the other are nobody's.
  page.on('load', () => page.addStyleTag({ content: '* { transition: none !important }' }).catch(() => {}))
  const take = async (path: string) => {
    for (const theme of THEMES) {
      await setTheme(page, theme)
      await page.screenshot({ path: join(FOLDER, `${nameOf(path)}-${width}-${theme}.png`) })
    }
  }
  await page.goto('/login')
  await page.getByRole('button', { name: 'Entrar' }).waitFor()
  await take('/login')
  await logIn(page, await demonstrationPerson(page.request, 'admin@maestranza.demo'))
  for (const path of paths) {
    await visit(page, path)
    // What is not there in time is seen in its picture.
    await expectLoaded(page).catch(() => wrong.push(`${path} ${width}`))
    // Parts of it arrive after it.
    await page.waitForTimeout(200)
    await expectLoaded(page).catch(() => {})
    await take(path)
  }
  await context.close()
}

// Two at once: each waits for the server most of the time.
const left = [...SIZES]
await Promise.all(
  [1, 2].map(async () => {
    for (let size = left.shift(); size; size = left.shift()) await takeAll(size)
  }),
)
await browser.close()

const sheet = [...new Set(['/login', ...paths])].map((path) => {
  const picture = (theme: string) => (size: (typeof SIZES)[number]) =>
    `<a href="${nameOf(path)}-${size[0]}-${theme}.png"><img loading="lazy" src="${nameOf(path)}-${size[0]}-${theme}.png" alt="${size[0]} ${theme}"></a>`
  return `<h2>${path}</h2>${THEMES.map((theme) => `<p>${SIZES.map(picture(theme)).join('')}</p>`).join('')}`
})
fs.writeFileSync(
  join(FOLDER, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Maestranza</title><style>body{font:14px sans-serif}img{height:320px;margin:4px}</style>${sheet.join('')}`,
)
console.log(`${paths.size + 1} screens in ${Math.round((Date.now() - since) / 1000)} s: ${join(FOLDER, 'index.html')}`)
for (const one of wrong) console.error(`Not loaded: ${one}`)
process.exit(wrong.length > 0 ? 1 : 0)
