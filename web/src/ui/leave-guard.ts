import { useBlocker } from '@tanstack/react-router'
import { confirmLeaving } from './confirm.tsx'

/** Leaving a page with something typed on it asks first; closing the tab too. */
export function useLeaveGuard(dirty: boolean) {
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: dirty,
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await confirmLeaving()),
  })
}
