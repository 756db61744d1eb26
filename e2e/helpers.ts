import { randomUUID } from 'node:crypto'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export const PASSWORD = 'maestranza'

/** Opens a session without the form, which has a journey of its own. */
export async function logIn(page: Page, email = 'admin@maestranza.demo') {
  const response = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  expect(response.status()).toBe(200)
  const { token } = await response.json()
  await page.goto('/icons/mark.svg')
  await page.evaluate((value) => localStorage.setItem('maestranza.token', value), token)
}

/** Something nobody else in this run is called. */
export const unique = (prefix: string) => `${prefix}${randomUUID().slice(0, 8).toUpperCase()}`

/** A plate of the new kind that no truck of the demonstration has. */
export const somePlate = () => {
  const letters = 'BCDFGHJKLPRSTVWXYZ'
  const pick = () => letters[Math.floor(Math.random() * letters.length)]
  return `${pick()}${pick()}${pick()}${pick()}${String(Math.floor(Math.random() * 100)).padStart(2, '0')}`
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** Nothing that keeps somebody out, in either theme. */
export async function expectAccessible(page: Page) {
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme)
    await page.waitForTimeout(300)
    const axe = new AxeBuilder({ page })
    // Only colours differ in the second theme.
    const { violations } = await (theme === 'dark' ? axe.withTags(RULES) : axe.withRules('color-contrast')).analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    const where = (nodes: (typeof serious)[number]['nodes']) =>
      nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`)
    expect(serious.map(({ id, nodes }) => ({ theme, id, where: where(nodes) }))).toEqual([])
  }
}
