const SCHEME = 'data-mantine-color-scheme'

/** Paper is white: whatever the theme on screen, what is printed is dark on light. */
export function printInInk() {
  const { documentElement: page } = document
  let before: string | null = null
  window.addEventListener('beforeprint', () => {
    before = page.getAttribute(SCHEME)
    page.setAttribute(SCHEME, 'light')
  })
  window.addEventListener('afterprint', () => {
    if (before) page.setAttribute(SCHEME, before)
  })
}
