import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

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

/** The theme to draw in, for what takes its colours from no stylesheet: on paper it is the light one too. */
export function useDrawnScheme() {
  const onScreen = useComputedColorScheme('dark')
  const [isPrinted, setIsPrinted] = useState(false)
  useEffect(() => {
    // Drawn before the paper is made: the browser waits for no later turn.
    const begin = () => flushSync(() => setIsPrinted(true))
    const end = () => setIsPrinted(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinted ? 'light' : onScreen
}
