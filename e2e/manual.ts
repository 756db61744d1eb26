import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { ROLE_NAMES, ROLES, type Role } from '#contract/base/permissions.ts'
import { chaptersOf, manualOf } from '#web/shell/help/manual.ts'
import { type HelpPage, pictureOf } from '#web/shell/help/pages.ts'

/**
 * `npm run manual`: prints the help of the screens as one PDF for each role, in web/public/manual, with the pictures of
 * the help. `texts.json` beside them tells a test whether the help has changed since.
 */

const PUBLIC = join(import.meta.dirname, '..', 'web', 'public')

export const textsOf = (role: Role) =>
  createHash('sha256')
    .update(JSON.stringify(chaptersOf(role)))
    .digest('hex')

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const list = (texts: string[]) => `<ul>${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`
const anchor = (route: string) => route.slice(1).replaceAll(/[^a-z]+/g, '-')

async function pictureData(route: string) {
  const picture = sharp(join(PUBLIC, 'help', pictureOf(route, 'light'))).resize({ width: 720 })
  return `data:image/jpeg;base64,${(await picture.jpeg({ quality: 62 }).toBuffer()).toString('base64')}`
}

const keysHtml = (keys: HelpPage['keys']) =>
  keys
    ? `<h3>Atajos</h3><p class="keys">${keys
        .map(
          ([names, does]) => `${names.map((name) => `<kbd>${escapeHtml(name)}</kbd>`).join(' ')} ${escapeHtml(does)}`,
        )
        .join('<br>')}</p>`
    : ''

async function screenHtml({ route, page }: { route: string; page: HelpPage }) {
  const rules = page.rules ? `<h3>Bueno saber</h3>${list(page.rules)}` : ''
  return `<section id="${anchor(route)}"><h2>${escapeHtml(page.title)}</h2><p class="about">${escapeHtml(page.about)}</p>
    <img src="${await pictureData(route)}" alt=""><h3>Qué puede hacer</h3>${list(page.can)}${rules}${keysHtml(page.keys)}</section>`
}

const STYLE = `
  body { font: 10.5pt/1.45 Inter, 'DejaVu Sans', Arial, sans-serif; color: #1b1f2a; margin: 0 }
  .cover { height: 235mm; display: flex; flex-direction: column; justify-content: center }
  .cover h1 { font-size: 34pt; margin: 0 } .cover p { font-size: 15pt; color: #56607a; margin: 6pt 0 0 }
  .contents { page-break-after: always } .contents li { margin: 2pt 0 } .contents a { color: inherit; text-decoration: none }
  h1.chapter { font-size: 20pt; page-break-before: always; margin: 0 0 8pt; border-bottom: 2px solid #3b5bdb; padding-bottom: 4pt }
  section { page-break-inside: avoid; margin: 0 0 22pt } h2 { font-size: 14pt; margin: 0 } h3 { font-size: 10.5pt; margin: 8pt 0 2pt }
  .about { color: #56607a; margin: 2pt 0 6pt } img { width: 100%; border: 1px solid #d5d9e4; border-radius: 4px }
  ul { margin: 0; padding-left: 16pt } kbd { border: 1px solid #aab; border-radius: 3px; padding: 0 4px; font-size: 9pt }`

async function manualHtml(role: Role) {
  const chapters = chaptersOf(role)
  const contents = chapters
    .map(
      ({ title, pages }) =>
        `<li>${title}<ul>${pages.map(({ route, page }) => `<li><a href="#${anchor(route)}">${escapeHtml(page.title)}</a></li>`).join('')}</ul></li>`,
    )
    .join('')
  const bodies: string[] = []
  for (const { title, pages } of chapters) {
    const screens = await Promise.all(pages.map(screenHtml))
    bodies.push(`<h1 class="chapter">${title}</h1>${screens.join('')}`)
  }
  return `<!doctype html><html lang="es"><meta charset="utf-8"><title>Manual de Maestranza: ${ROLES[role].label}</title>
    <style>${STYLE}</style><div class="cover"><h1>Maestranza</h1><p>Manual: ${ROLES[role].label}</p></div>
    <div class="contents"><h1>Contenido</h1><ul>${contents}</ul></div>${bodies.join('')}</html>`
}

async function printManuals() {
  const find: { chromium: () => Promise<string> } = await import(
    new URL('../scripts/browser.mjs', import.meta.url).href
  )
  const browser = await chromium.launch({
    executablePath: await find.chromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  fs.mkdirSync(join(PUBLIC, 'manual'), { recursive: true })
  for (const role of ROLE_NAMES) {
    const page = await browser.newPage()
    await page.setContent(await manualHtml(role))
    const file = join(PUBLIC, manualOf(role))
    await page.pdf({
      path: file,
      format: 'Letter',
      tagged: true,
      outline: true,
      displayHeaderFooter: true,
      headerTemplate: '<span></span>',
      footerTemplate: `<div style="width:100%;font-size:8pt;color:#56607a;text-align:center">${ROLES[role].label} · <span class="pageNumber"></span></div>`,
      margin: { top: '18mm', bottom: '18mm', left: '18mm', right: '18mm' },
    })
    await page.close()
    console.log(`${file} ${Math.round(fs.statSync(file).size / 1024)} kB`)
  }
  await browser.close()
  const texts = Object.fromEntries(ROLE_NAMES.map((role) => [role, textsOf(role)]))
  fs.writeFileSync(join(PUBLIC, 'manual', 'texts.json'), `${JSON.stringify(texts, null, 2)}\n`)
}

if (import.meta.main) await printManuals()
