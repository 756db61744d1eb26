import { type RefObject, useEffect } from 'react'

/** As soon as nobody scrolls any more. */
const STOPPED = 150

/**
 * Marks it while it scrolls, until the pointer itself moves: `[data-scrolling]::after` then lies over it, so that what
 * passes under the pointer does not change its looks. A page of many rows would be drawn again for each of them.
 */
export function useScrolling(box: RefObject<HTMLElement | null>) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      clearTimeout(timer)
      timer = undefined
      box.current?.removeAttribute('data-scrolling')
    }
    const note = ({ target }: Event) => {
      if (!box.current || !(target as Node).contains(box.current)) return
      if (timer === undefined) box.current.setAttribute('data-scrolling', '')
      clearTimeout(timer)
      timer = setTimeout(stop, STOPPED)
    }
    let isCovered = false
    const press = ({ target }: Event) => {
      isCovered = timer !== undefined && target === box.current
    }
    /** Pressed on what lies over it: meant for what is below. */
    const passOn = (event: MouseEvent) => {
      if (!isCovered || event.target !== box.current) return
      stop()
      const below = document.elementFromPoint(event.clientX, event.clientY)
      if (below !== box.current && box.current?.contains(below)) below?.dispatchEvent(new MouseEvent('click', event))
    }
    document.addEventListener('scroll', note, { capture: true, passive: true })
    document.addEventListener('pointerdown', press, { capture: true, passive: true })
    document.addEventListener('click', passOn)
    document.addEventListener('pointermove', stop, { capture: true, passive: true })
    return () => {
      document.removeEventListener('scroll', note, { capture: true })
      document.removeEventListener('pointerdown', press, { capture: true })
      document.removeEventListener('click', passOn)
      document.removeEventListener('pointermove', stop, { capture: true })
      clearTimeout(timer)
    }
  }, [box])
}
