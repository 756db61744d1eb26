import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg } from 'node:os'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import type { Board, WorkOrderCard } from '#contract/work-orders/orders.ts'
import { demonstrationPerson, logIn } from '../e2e/helpers.ts'
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
// With Playwright looking on, each `Error` that a library makes as it loads, for later, has its whole file parsed once more
// to say where that was. Nobody else's browser does that: here it is noted as the file is compiled.
const browser = await chromium.launch({
  executablePath: await find.chromium(),
  args: ['--no-sandbox', '--disable-gpu', '--js-flags=--no-enable-lazy-source-positions'],
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
  /** Bytes of scripts that came over the line since the last time this was asked, and until the screen was shown. */
  scripts: () => number
}

/**
 * A page of its own, slowed down, that notes by itself when it shows what it is about and nothing on it is waited for any
 * more, its long tasks until then, and how long its keys took to show. What Playwright runs inside a page to look at it is
 * a long task of its own: nothing of it is asked before that.
 */
async function watch(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const noted = { long: [] as number[], keys: [] as number[], shown: 0, chart: 0 }
    Object.assign(window, { noted })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        if (!noted.shown || startTime < noted.shown + 500) noted.long.push(duration)
    }).observe({ type: 'longtask', buffered: true })
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (/^key|input/.test(name)) noted.keys.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    const look = () => {
      const what = location.pathname === '/ordenes-de-trabajo' ? '[data-card]' : 'h1, section, article, form'
      const isShown =
        document.querySelector(`main :is(${what})`) &&
        !document.querySelector('main .mantine-Skeleton-root, main [aria-label="Cargando"], main [aria-busy="true"]')
      if (isShown) noted.shown = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    const lookForChart = () => {
      if (document.querySelector('main canvas')) noted.chart = performance.now()
      else requestAnimationFrame(lookForChart)
    }
    requestAnimationFrame(lookForChart)
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

interface Noted {
  /** The longest task until it was shown, and half a second after. */
  long: number
  keys: number
  /** Since its address was asked for. */
  shown: number
  /** A chart comes after the figures. */
  chart: number
}

async function noted(session: CDPSession): Promise<Noted> {
  const expression =
    '({ long: Math.max(0, ...noted.long), keys: Math.max(0, ...noted.keys), shown: noted.shown, chart: noted.chart })'
  const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true })
  return result.value as Noted
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Opens an address, and waits until what it is about is on screen. */
async function open({ page, session }: Watched, path: string): Promise<Noted> {
  await page.goto(path, { waitUntil: 'commit' })
  for (let waited = 0; waited < 60_000; waited += 50) {
    const found = await noted(session)
    if (found.shown) return found
    await pause(50)
  }
  throw new Error(`${path} is not shown`)
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

const owner = (page: Page) => demonstrationPerson(page.request, 'admin@maestranza.demo')

/* The first screen, cold and then from the service worker */
{
  const context = await somebody()
  const watched = await watch(context)
  const { page, session, scripts } = watched
  await logIn(page, await owner(page))
  const { shown: cold } = await open(watched, '/inicio')
  tell('first screen: JavaScript', scripts() / 1000, 'kB', 250)
  tell('first screen, cold: its figures', cold, 'ms', 1500)
  await pause(5000)
  tell('first screen, cold: its chart', (await noted(session)).chart, 'ms', 1500)
  await page.evaluate(() => navigator.serviceWorker?.ready.then(() => undefined))
  await pause(2000)
  tell('first screen, from the service worker: its figures', (await open(watched, '/inicio')).shown, 'ms', 500)
  await pause(4000)
  tell('first screen, from the service worker: its chart', (await noted(session)).chart, 'ms', 500)
  await context.close()
}

/* Every screen: what it brings along, and its longest task */
{
  const context = await somebody({ serviceWorkers: 'block' })
  const watched = await watch(context)
  const { page, session, scripts } = watched
  await logIn(page, await owner(page))
  await open(watched, '/inicio')
  await pause(3000)
  for (const path of SCREENS) {
    scripts()
    await open(watched, path)
    await pause(600)
    tell(`${path}: JavaScript of its own`, scripts() / 1000, 'kB')
    tell(`${path}: longest task`, (await noted(session)).long, 'ms', 100)
  }
  await context.close()
}

/* The board, with many cards */

const GROUPS = { pending: 'PENDING', in_revision: 'IN_REVIEW', in_progress: 'IN_PROCESS' } as const

/** The same product with a board of so many cards. What Playwright answers for it would pass by the browser's cache. */
async function crowded(cards: number): Promise<[string, () => void]> {
  const crowd = (board: Board, asked: URLSearchParams) => {
    const first = Number(asked.get('per_page') ?? cards)
    const some = Object.values(board).flatMap(({ data }) => data)
    for (const [i, [name, status]] of Object.entries(GROUPS).entries()) {
      const data = Array.from({ length: Math.floor(cards / 3) }, (_, n): WorkOrderCard => {
        const id = 1_000_000 * (i + 1) + n
        return { ...some[n % some.length]!, id, code: `OT-${id}`, status, position: n * 65_536 }
      })
      board[name as keyof typeof GROUPS] = { data: data.slice(0, first), total: data.length }
    }
    return board
  }
  const server = createServer((asked, answer) => {
    const { url = '', method, headers } = asked
    const isBoard = url.startsWith('/api/v2/order_workers_by_group')
    const sent = { ...headers, ...(isBoard && { 'accept-encoding': 'identity' }) }
    const passed = request(new URL(url, address), { method, headers: sent }, async (got) => {
      const { 'content-length': _, ...said } = got.headers
      answer.writeHead(got.statusCode!, isBoard ? said : got.headers)
      if (isBoard) answer.end(JSON.stringify(crowd((await json(got)) as Board, new URL(url, address).searchParams)))
      else got.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return [`http://127.0.0.1:${port}`, () => server.closeAllConnections()]
}

for (const [cards, goal] of [
  [500, 1000],
  [2500, 2000],
] as const) {
  const [baseURL, stop] = await crowded(cards)
  const context = await somebody({ baseURL, serviceWorkers: 'block' })
  const watched = await watch(context)
  const { page, session } = watched
  await logIn(page, await owner(page))
  await open(watched, '/inicio')
  await pause(3000)
  tell(`board of ${cards} cards`, (await open(watched, BOARD)).shown, 'ms', goal)
  // The rest of its columns comes after their tops.
  await pause(3000)
  tell(`board of ${cards} cards: longest task`, (await noted(session)).long, 'ms', 100)
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
  stop()
}

/* Typing, and a long table */
{
  const context = await somebody({ serviceWorkers: 'block' })
  const watched = await watch(context)
  const { page, session } = watched
  await logIn(page, await owner(page))
  await open(watched, '/inventario')
  await page.getByLabel('Código o nombre').pressSequentially('filtro de aceite', { delay: 80 })
  await page.waitForTimeout(1000)
  tell('typing in a search, slowest key', (await noted(session)).keys, 'ms', 50)
  await open(watched, '/inventario?per_page=500')
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

${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${cpus()[0]?.model || process.arch} · Chromium, slowed down ${SLOWED} times · load ${loadavg()[0]!.toFixed(1)}

| what | measured | goal |
|---|---|---|
${lines.join('\n')}
`
if (process.argv.includes('--keep')) await writeFile(fileURLToPath(new URL('web.md', import.meta.url)), report)
process.exit(0)
