import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import type { Board, WorkOrderCard } from '#contract/work-orders/orders.ts'
import { logIn } from '../e2e/helpers.ts'
import { SCREENS } from '../e2e/screens.ts'

/**
 * `node scripts/run.mjs bench/web.ts [address] [--keep]`
 *
 * What the browser makes of it, with its processor slowed down four times: of a product that runs with the demonstration,
 * http://127.0.0.1:3000 unless another address is given. `--keep` writes the table into web.md.
 */

const address = process.argv[2]?.startsWith('http') ? process.argv[2] : 'http://127.0.0.1:3000'
const SLOWED = 4
const BOARD = '/ordenes-de-trabajo'

const find: { chromium: () => Promise<string> } = await import(new URL('../scripts/browser.mjs', import.meta.url).href)
const browser = await chromium.launch({
  executablePath: await find.chromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})

const lines: string[] = []
function tell(what: string, found: number, unit: string, goal?: number, atLeast = false) {
  const isShort = goal !== undefined && (atLeast ? found < goal : found > goal)
  const said = `| ${what} | ${found < 10 ? found.toFixed(1) : Math.round(found)} ${unit} | ${goal === undefined ? '' : `${atLeast ? '≥' : '≤'} ${goal}${isShort ? ' **short**' : ''}`} |`
  lines.push(said)
  console.log(said)
}

interface Watched {
  page: Page
  session: CDPSession
  /** Bytes of scripts that came over the line since the last time this was asked. */
  scripts: () => number
}

/** A page of its own, slowed down, that notes its long tasks and how long its keys took to show. */
async function watch(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const noted = { long: [] as number[], keys: [] as number[] }
    Object.assign(window, { noted })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.long.push(duration)
    }).observe({ type: 'longtask', buffered: true })
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (/^key|input/.test(name)) noted.keys.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await session.send('Network.enable')
  const asked = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script' && !response.fromServiceWorker && !response.fromDiskCache) asked.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) bytes += encodedDataLength
  })
  const scripts = () => {
    const found = bytes
    bytes = 0
    return found
  }
  return { page, session, scripts }
}

const noted = (page: Page, what: 'long' | 'keys') =>
  page.evaluate((name) => Math.max(0, ...(window as unknown as { noted: Record<string, number[]> }).noted[name]!), what)

/** Until what it is about is on screen, and nothing on it is waited for any more. */
async function shown(page: Page) {
  await page.waitForFunction(
    () =>
      document.querySelector('main h1, main section, main article, main form') &&
      !document.querySelector('main .mantine-Skeleton-root, main [aria-label="Cargando"]'),
    undefined,
    { polling: 'raf', timeout: 60_000 },
  )
}

async function timed(page: Page, open: () => Promise<unknown>) {
  const began = performance.now()
  await open()
  await shown(page)
  return performance.now() - began
}

const somebody = (more: object = {}) =>
  browser.newContext({
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    locale: 'es-CL',
    timezoneId: 'America/Santiago',
    ...more,
  })

/** Frames a second while something is done, from inside. */
async function framesDuring(page: Page, act: () => Promise<void>) {
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { frames })
    const note = (at: number) => {
      frames.push(at)
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
  await act()
  return page.evaluate(() => {
    const { frames } = window as unknown as { frames: number[] }
    return ((frames.length - 1) * 1000) / (frames.at(-1)! - frames[0]!)
  })
}

/* The first screen, cold and then from the service worker */
{
  const context = await somebody()
  const { page, scripts } = await watch(context)
  await logIn(page)
  const cold = await timed(page, () => page.goto('/inicio'))
  await page.waitForTimeout(3000)
  tell('first screen: JavaScript', scripts() / 1000, 'kB', 250)
  tell('first screen, cold', cold, 'ms', 1500)
  await page.evaluate(() => navigator.serviceWorker?.ready.then(() => undefined))
  await page.waitForTimeout(2000)
  tell('first screen, from the service worker', await timed(page, () => page.goto('/inicio')), 'ms', 500)
  await context.close()
}

/* Every screen: what it brings along, and its longest task */
{
  const context = await somebody({ serviceWorkers: 'block' })
  const { page, scripts } = await watch(context)
  await logIn(page)
  await page.goto('/inicio')
  await shown(page)
  await page.waitForTimeout(3000)
  for (const path of SCREENS) {
    scripts()
    await page.goto(path)
    await shown(page)
    await page.waitForTimeout(500)
    tell(`${path}: JavaScript of its own`, scripts() / 1000, 'kB')
    tell(`${path}: longest task`, await noted(page, 'long'), 'ms', 100)
  }
  await context.close()
}

/* The board, with many cards */
for (const [cards, goal] of [
  [500, 1000],
  [2500, 2000],
] as const) {
  const context = await somebody({ serviceWorkers: 'block' })
  const { page } = await watch(context)
  await logIn(page)
  await page.route('**/api/v2/order_workers_by_group*', async (route) => {
    const board = (await (await route.fetch()).json()) as Board
    const some = Object.values(board).flatMap(({ data }) => data)
    const group = ['pending', 'in_revision', 'in_progress'] as const
    for (const [i, name] of group.entries()) {
      const status = (['PENDING', 'IN_REVIEW', 'IN_PROCESS'] as const)[i]!
      const data = Array.from({ length: Math.floor(cards / group.length) }, (_, n): WorkOrderCard => {
        const id = 1_000_000 * (i + 1) + n
        return { ...some[n % some.length]!, id, code: `OT-${id}`, status, position: n * 65_536 }
      })
      board[name] = { data, total: data.length }
    }
    await route.fulfill({ json: board })
  })
  await page.goto('/inicio')
  await shown(page)
  const opened = await timed(page, async () => {
    await page.goto(BOARD)
    await page.locator('[data-card]').first().waitFor()
  })
  tell(`board of ${cards} cards`, opened, 'ms', goal)
  tell(`board of ${cards} cards: longest task`, await noted(page, 'long'), 'ms', 100)
  const box = (await page.locator('[data-card]').nth(1).boundingBox())!
  const frames = await framesDuring(page, async () => {
    await page.mouse.move(box.x + 60, box.y + 20)
    await page.mouse.down()
    for (let step = 0; step < 90; step++) {
      await page.mouse.move(box.x + 60 + step * 8, box.y + 20 + (step % 30) * 12)
      await page.waitForTimeout(16)
    }
    await page.keyboard.press('Escape')
    await page.mouse.up()
  })
  tell(`board of ${cards} cards: dragging`, frames, 'frames/s', 55, true)
  await context.close()
}

/* Typing, and a long table */
{
  const context = await somebody({ serviceWorkers: 'block' })
  const { page } = await watch(context)
  await logIn(page)
  await page.goto('/inventario')
  await shown(page)
  await page.getByLabel('Código o nombre').pressSequentially('filtro de aceite', { delay: 80 })
  await page.waitForTimeout(1000)
  tell('typing in a search, slowest key', await noted(page, 'keys'), 'ms', 50)
  await page.goto('/inventario?per_page=500')
  await shown(page)
  await page.mouse.move(700, 500)
  const frames = await framesDuring(page, async () => {
    for (let step = 0; step < 60; step++) {
      await page.mouse.wheel(0, 200)
      await page.waitForTimeout(16)
    }
  })
  tell('a table of 500 rows, scrolling', frames, 'frames/s', 55, true)
  await context.close()
}

await browser.close()
const report = `# In the browser

${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${cpus()[0]?.model || process.arch} · Chromium, slowed down ${SLOWED} times

| what | measured | goal |
|---|---|---|
${lines.join('\n')}
`
if (process.argv.includes('--keep')) await writeFile(fileURLToPath(new URL('web.md', import.meta.url)), report)
process.exit(0)
