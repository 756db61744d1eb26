/*
 * Nothing under a finger changes its meaning: for half a second after the page changed, a tap on a control that moved,
 * or that came to stand where the last tap was, is ignored. A mouse has a pointer that shows its target, and is left alone.
 */

/** Milliseconds that the page must have been still. */
const STILL = 500
/** Milliseconds after a tap in which the page is watched for changes. */
const WATCHED = 5_000
/** Pixels a control may shift and still be the same target. */
const SLACK = 8

const CONTROLS =
  'a[href], button, summary, label, input, select, textarea, [role="button"], [role="option"], [role="menuitem"], [role="tab"], [role="switch"]'

interface Seen {
  left: number
  top: number
  words: string
}

const seenNow = (control: Element): Seen => {
  const { left, top } = control.getBoundingClientRect()
  return { left, top, words: control.getAttribute('aria-label') ?? control.textContent }
}

export function guardTaps(page: Document = document) {
  /** The controls as they stood when the page was last still. */
  let still = new Map<Element, Seen>()
  let changedAt = Number.NEGATIVE_INFINITY
  let tap: { x: number; y: number; at: number } | undefined
  let isIgnored = false
  let settling: ReturnType<typeof setTimeout> | undefined

  const look = () => {
    still = new Map([...page.querySelectorAll(CONTROLS)].map((control) => [control, seenNow(control)]))
  }
  const forget = () => {
    tap = undefined
    still.clear()
    clearTimeout(settling)
    watch.disconnect()
  }
  const watch = new MutationObserver(() => {
    clearTimeout(settling)
    if (!tap || performance.now() - tap.at > WATCHED) return forget()
    changedAt = performance.now()
    settling = setTimeout(look, STILL)
  })

  const isAnother = (control: Element) => {
    if (!tap) return false
    const before = still.get(control)
    if (!before) {
      const { left, right, top, bottom } = control.getBoundingClientRect()
      return tap.x >= left && tap.x <= right && tap.y >= top && tap.y <= bottom
    }
    const now = seenNow(control)
    const shift = Math.max(Math.abs(now.left - before.left), Math.abs(now.top - before.top))
    return shift > SLACK || now.words !== before.words
  }

  page.addEventListener(
    'pointerdown',
    (event) => {
      isIgnored = false
      if (event.pointerType === 'mouse') return
      const control = event.target instanceof Element ? event.target.closest(CONTROLS) : null
      const isStill = performance.now() - changedAt >= STILL
      isIgnored = control !== null && !isStill && isAnother(control)
      if (isIgnored) return
      if (isStill) look()
      tap = { x: event.clientX, y: event.clientY, at: performance.now() }
      watch.observe(page.body, { subtree: true, childList: true, characterData: true, attributes: true })
    },
    true,
  )
  // The finger scrolls: what moves then moves with it.
  page.addEventListener('pointercancel', forget, true)
  page.addEventListener(
    'click',
    (event) => {
      if (!isIgnored) return
      isIgnored = false
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    true,
  )
}
