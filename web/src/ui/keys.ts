import { useEffect, useRef } from 'react'

const WRITING = 'input, textarea, select, [contenteditable="true"]'

/** Single keys act on the page: not while somebody types, nor under a dialog. */
const isFree = (event: KeyboardEvent) =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.defaultPrevented &&
  !(event.target instanceof Element && event.target.closest(WRITING)) &&
  document.querySelector('[aria-modal="true"]') === null

export function useKey(key: string, act: ((event: KeyboardEvent) => void) | undefined) {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!latest.current || event.key.toLowerCase() !== key.toLowerCase() || !isFree(event)) return
      event.preventDefault()
      latest.current(event)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [key])
}
