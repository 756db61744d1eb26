import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { confirmLeaving } from './confirm.tsx'

/** Where the server sends people: asking there would only hold them on a page that no longer works. */
const SENT_TO = ['/login', '/maintenance']

/**
 * Leaving a page with something typed on it asks first; addresses `within` it are the same page. Returns how to leave
 * once it is saved.
 */
export function useLeaveGuard(dirty: boolean, within?: string) {
  const saved = useRef(false)
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: () => dirty && !saved.current,
    shouldBlockFn: async ({ current, next }) => {
      if (saved.current || current.pathname === next.pathname || SENT_TO.includes(next.pathname)) return false
      if (within && `${next.pathname}/`.startsWith(`${within}/`)) return false
      return !(await confirmLeaving())
    },
  })
  return () => {
    saved.current = true
  }
}
