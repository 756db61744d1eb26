import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type APIRequestContext, expect, type Page, type Request } from '@playwright/test'
import type { Role } from '#contract/base/permissions.ts'

export const PASSWORD = 'maestranza'

/** Opens a session without the form, which has a journey of its own. */
export async function logIn(page: Page, { token }: { token: string }) {
  await page.goto('/icons/mark.svg')
  await page.evaluate((value) => localStorage.setItem('maestranza.token', value), token)
}

/** As the form does: unlike `logIn`, it leaves a trace in the security log. */
export async function logInWithPassword(page: Page, { email, password }: { email: string; password: string }) {
  const response = await page.request.post('/api/v1/login', { data: { email, password } })
  expect(response.status()).toBe(200)
  await logIn(page, await response.json())
}

/**
 * A person of the demonstration, whom every other journey may be using at the same moment: only for what is about the
 * demonstration itself and changes nothing. A law wants a comment with the reason above each of these e-mail addresses.
 */
export async function demonstrationPerson(request: APIRequestContext, email: string) {
  const response = await request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  expect(response.status()).toBe(200)
  return (await response.json()) as { token: string }
}

/** What one sees after coming in without an address, whatever the role. */
export const homeTitle = (page: Page) => page.getByRole('heading', { level: 1, name: /^(Buen|Mis trabajos)/ })

/** Somebody whom `host` invites, who comes in with a password of their own. */
export async function somebodyNew(request: APIRequestContext, { token }: { token: string }, role: Role) {
  const post = async (path: string, data: object, token?: string) => {
    const response = await request.post(`/api/v1/${path}`, {
      data,
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
    expect(response.ok()).toBe(true)
    return response.json()
  }
  const name = unique('Persona ')
  const email = `${unique('persona')}@prueba.cl`.toLowerCase()
  const password = 'el freno rechina de noche'
  const headers = { authorization: `Bearer ${token}` }
  const workshops = await (await request.get('/api/v1/workshops', { headers })).json()
  const place = { role, workshop_id: role === 'super-admin' ? null : workshops.data[0].id }
  const { id } = await post('users', { name, email, ...place }, token)
  const link = await post(`users/${id}/link`, {}, token)
  const session: { token: string } = await post('links/use', { token: link.token, password })
  return { name, email, password, token: session.token }
}

/** Opens a screen, and waits until it would hear what others do. */
export async function openListening(page: Page, path: string) {
  const stream = page.waitForResponse('**/api/v1/live')
  await page.goto(path)
  await stream
}

/**
 * What made a page look again, counted inside it from its first load: the news of a domain that its live stream brought,
 * and the times it asked for `path`.
 */
export async function countLooks(page: Page, topic: string, path: string) {
  await page.addInitScript(
    ([topic, path]) => {
      const counted = { news: 0, asked: 0 }
      Object.assign(window, { counted })
      const real = window.fetch
      window.fetch = async (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input, location.href).pathname
        if (url === `/api${path}`) counted.asked += 1
        const response = await real(input, init)
        if (url !== '/api/v1/live' || !response.body) return response
        const decoder = new TextDecoder()
        let text = ''
        const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(piece, on) {
            text += decoder.decode(piece, { stream: true })
            counted.news = text.split(`"topic":"${topic}"`).length - 1
            on.enqueue(piece)
          },
        })
        return new Response(response.body.pipeThrough(count), response)
      }
    },
    [topic, path] as const,
  )
  return () => page.evaluate(() => (window as Window & { counted?: { news: number; asked: number } }).counted!)
}

/** Something nobody else in this run is called. */
export const unique = (prefix: string) => `${prefix}${randomUUID().slice(0, 8).toUpperCase()}`

/** A plate of the new kind that no truck of the demonstration has. */
export const somePlate = () => {
  const letters = 'BCDFGHJKLPRSTVWXYZ'
  const pick = () => letters[Math.floor(Math.random() * letters.length)]
  return `${pick()}${pick()}${pick()}${pick()}${String(Math.floor(Math.random() * 100)).padStart(2, '0')}`
}

/** Rows of a list once it is there: until then their place is held by rows that lead nowhere. */
export const ROW = 'tbody tr:not(:has([class*="mantine-Skeleton"]))'

/** Nothing on screen is still on its way. */
export async function expectLoaded(page: Page) {
  await expect(page.locator('main :is(h1, h2)').first()).toBeVisible()
  await expect(page.locator('main [class*="mantine-Skeleton"]')).toHaveCount(0)
}

/** Waits until the parts of a screen that load after it are there, too. */
export function settling(page: Page) {
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

/** As a link inside leads to it: the application is not loaded anew for every screen, only for another face of one. */
export async function visit(page: Page, path: string) {
  const isThere = await page.evaluate(async (href) => {
    const { __TSR_ROUTER__: router } = window as { __TSR_ROUTER__?: { navigate: (to: object) => Promise<void> } }
    if (!router || new URL(href, location.href).pathname === location.pathname) return false
    await router.navigate({ href })
    return true
  }, path)
  if (!isThere) await page.goto(path)
}

// As a library is sent to browsers: half the time to read of its source.
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** As if another tab had chosen it: charts are drawn anew too. */
export const setTheme = (page: Page, theme: 'dark' | 'light') =>
  page.evaluate((newValue) => {
    const [key, storageArea] = ['maestranza.theme', localStorage]
    dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea }))
    document.documentElement.setAttribute('data-mantine-color-scheme', newValue)
    return new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))
  }, theme)

/**
 * Runs axe over the page or a part of it, by `rules` or else by all it knows. Contrasts of the other theme are left to
 * `npm run test:long`: they take half of the time of all that is checked on a screen.
 */
export async function violations(page: Page, rules?: string[], part?: string) {
  const isThere = await page.evaluate(() => 'axe' in window)
  if (!isThere) await page.evaluate(AXE)
  const found: { theme: string; id: string; impact: string; where: string[] }[] = []
  const isDark = (await page.locator('html[data-mantine-color-scheme="dark"]').count()) > 0
  // The theme of the page comes first, because a change of theme draws the whole page again.
  const [first, second] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  for (const theme of process.env.LONG_JOURNEYS ? [first, second] : [first]) {
    const wrong = await page.evaluate(
      async ({ theme, runOnly, part }) => {
        document.documentElement.setAttribute('data-mantine-color-scheme', theme)
        await new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))
        const axe = (window as Window & { axe?: typeof import('axe-core') }).axe!
        const found = await axe.run(part ? { include: [[part]] } : document, {
          ...(runOnly && { runOnly }),
          resultTypes: ['violations'],
        })
        return found.violations.map(({ id, impact, nodes }) => ({
          id,
          impact: String(impact),
          where: nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
        }))
      },
      // Only colours differ in the second theme.
      { theme, runOnly: theme === first ? rules : ['color-contrast'], part },
    )
    found.push(...wrong.map((one) => ({ theme, ...one })))
  }
  return found
}

/** What keeps somebody out, in either theme. */
export async function seriousIn(page: Page, part?: string) {
  // Colours on their way from one theme to the other are nobody's.
  await page.evaluate(() => {
    if (document.getElementById('at-once')) return
    const style = Object.assign(document.createElement('style'), { id: 'at-once' })
    style.textContent = '* { transition: none !important }'
    document.head.append(style)
  })
  const found = await violations(page, RULES, part)
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
}
/**
 * Checks the page as a journey left it, in `npm run test:long` only: it takes a second of the processor, and every screen is
 * checked in `screens.spec.ts` anyway.
 */
export async function expectAccessible(page: Page) {
  if (process.env.LONG_JOURNEYS) expect(await seriousIn(page)).toEqual([])
}

/** What libraries say by themselves. The specification's two English messages are never on screen by themselves. */
export const ENGLISH =
  /\b(toggle|visibility|close|search|clear|next|previous|prev|page|loading|select|remove|delete|cancel|submit|save|today|month|week|day|year|view|more|required|invalid|increase|decrease|nothing|choose|pick|upload|drop|hide|show|expand|collapse|sort|settings|undo|copy|open|password|notification|dismiss|breadcrumb|option|options)\b/i

/** All that can be read or is read aloud, outside of what people typed into the demonstration. */
export const spoken = (page: Page) =>
  page.evaluate(() => {
    const said = new Set<string>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const parent = texts.currentNode.parentElement
      if (parent && !parent.closest('script, style, noscript')) said.add(texts.currentNode.textContent?.trim() ?? '')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-roledescription', 'aria-description'])
      for (const element of document.querySelectorAll(`[${name}]`)) said.add(element.getAttribute(name)?.trim() ?? '')
    return [...said]
  })
