import { type RefObject, useEffect, useRef } from 'react'

interface Point {
  x: number
  y: number
}

/** While something is carried: notes where the pointer is, and says so whenever it moves or what lies under it does. */
export function useFollowPointer(carrying: boolean, pointer: RefObject<Point>, onMove: () => void) {
  const latest = useRef(onMove)
  latest.current = onMove
  useEffect(() => {
    if (!carrying) return
    const heard = (event: PointerEvent) => {
      pointer.current = { x: event.clientX, y: event.clientY }
      latest.current()
    }
    const scrolled = () => latest.current()
    window.addEventListener('pointermove', heard, true)
    document.addEventListener('scroll', scrolled, true)
    return () => {
      window.removeEventListener('pointermove', heard, true)
      document.removeEventListener('scroll', scrolled, true)
    }
  }, [carrying, pointer])
}
