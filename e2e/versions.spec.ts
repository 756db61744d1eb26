import * as fs from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test } from './company.ts'
import { logIn } from './helpers.ts'

const DIST = join(import.meta.dirname, '../web/dist')
const TYPES: Record<string, string> = { html: 'text/html; charset=utf-8', js: 'text/javascript' }

/** What a build after a change gives out: other names, and a worker that knows them. */
async function newerVersion() {
  const names = await fs.readdir(join(DIST, 'assets'))
  const renamed = names
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, name.replace(/-[\w-]{8}\.js$/, renamedHash)] as const)
  const files = new Map<string, string>()
  for (const [path, to] of [
    ...renamed.map(([old, other]) => [`assets/${old}`, `assets/${other}`] as const),
    ['index.html', 'index.html'] as const,
    ['serviceWorker.js', 'serviceWorker.js'] as const,
  ]) {
    const text = await fs.readFile(join(DIST, path), 'utf8')
    const changed = renamed.reduce((text, [old, other]) => text.replaceAll(old, other), text)
    files.set(`/${to}`, changed.replace(/(revision"?:\s?")\w/g, '$1n'))
  }
  return files
}

/** Never the name it had: an old page would be given what is new. */
const renamedHash = (hash: string) => `-${hash[1] === 'N' ? 'M' : 'N'}${hash.slice(2)}`

/** The product as through a proxy that can lose it, and then finds a newer one. */
async function openChanging(product: string) {
  let isGone = false
  let newer = new Map<string, string>()
  const server = createServer((asked, answer) => {
    if (isGone) return void asked.socket.destroy()
    const [path = '/'] = (asked.url ?? '/').split('?')
    const file = newer.has(path) ? path : /^\/api|\.\w+$/.test(path) ? undefined : '/index.html'
    const text = file && newer.get(file)
    if (text) {
      answer.writeHead(200, { 'content-type': TYPES[file.split('.').pop()!], 'cache-control': 'no-cache' })
      return void answer.end(text)
    }
    // What only the version before has is still given out by the newer one; here, by the product itself.
    const { method, headers } = asked
    const passed = request(new URL(asked.url ?? '/', product), { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose() {
      isGone = true
      server.closeAllConnections()
    },
    async find() {
      newer = await newerVersion()
      isGone = false
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const titleOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const entryOf = (page: Page) =>
  page.evaluate(() => [...document.scripts].map(({ src }) => src).find((src) => src.includes('shell-entry')))

test('a page of the version before goes on working after a change, and offers the newer one', async ({
  browser,
  baseURL,
  company,
}) => {
  const changing = await openChanging(baseURL!)
  // With a worker, as over https, and without, as over http in the network of a workshop.
  const pages = await Promise.all(
    (['allow', 'block'] as const).map(async (serviceWorkers) => {
      const context = await browser.newContext({ serviceWorkers, baseURL: changing.address })
      const page = await context.newPage()
      await logIn(page, company.owner)
      await page.goto('/truck')
      await expect(titleOf(page, 'Equipos')).toBeVisible()
      if (serviceWorkers === 'allow')
        await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
      await page.evaluate(() => Object.assign(window, { sameAsBefore: true }))
      return { page, entry: await entryOf(page), isSame: () => page.evaluate(() => 'sameAsBefore' in window) }
    }),
  )

  changing.lose()
  // A screen that they have not opened before, while nobody answers.
  for (const { page } of pages) await page.getByRole('link', { name: 'Proveedores' }).first().click()
  await changing.find()

  await Promise.all(
    pages.map(async ({ page, entry, isSame }) => {
      await expect(titleOf(page, 'Proveedores')).toBeVisible()
      // Before version 156, Chromium keeps a failed import for good: the page then loads itself again, which is fine too.
      if (Number.parseInt(browser.version(), 10) < 156) return page.context().close()
      expect(await isSame()).toBe(true)
      await expect(page.getByText('Hay una versión nueva de Maestranza.')).toBeVisible()
      await page.getByRole('button', { name: 'Actualizar' }).click()
      await expect.poll(() => isSame().catch(() => true)).toBe(false)
      await expect(titleOf(page, 'Proveedores')).toBeVisible()
      expect(await entryOf(page)).not.toBe(entry)
      await expect(page.getByText('Hay una versión nueva de Maestranza.')).toHaveCount(0)
      await page.context().close()
    }),
  )
  changing.close()
})
