import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

export const PASSWORD = 'maestranza'

export async function logIn(page: Page, email = 'admin@maestranza.demo') {
  await page.goto('/login')
  await page.getByLabel('Correo').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation').first()).toBeVisible()
}

/** Something nobody else in this run is called. */
export const unique = (prefix: string) => `${prefix}${Date.now().toString(36).slice(-5).toUpperCase()}`

/** A plate of the new kind that no truck of the demonstration has. */
export const somePlate = () => {
  const letters = 'BCDFGHJKLPRSTVWXYZ'
  const pick = () => letters[Math.floor(Math.random() * letters.length)]
  return `${pick()}${pick()}${pick()}${pick()}${String(Math.floor(Math.random() * 100)).padStart(2, '0')}`
}

export async function chooseTheme(page: Page, theme: 'dark' | 'light') {
  const now = await page.locator('html').getAttribute('data-mantine-color-scheme')
  if (now !== theme) await page.getByRole('button', { name: /tema/i }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme)
}

/** Nothing that keeps somebody out, in either theme. */
export async function expectAccessible(page: Page) {
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme)
    await page.waitForTimeout(300)
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
      .analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(
      serious.map(({ id, nodes }) => ({ theme, id, where: nodes.slice(0, 3).map((node) => node.html.slice(0, 160)) })),
    ).toEqual([])
  }
}
