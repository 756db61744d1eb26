import { type ErrorComponentProps, lazyRouteComponent, useRouter } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { ErrorState } from './faces.tsx'
import { useTurns } from './turns.tsx'

const LOAD_LIMIT = 120_000

class ScreenNotLoaded extends Error {
  override name = 'ScreenNotLoaded'
}

let opening = true
let drawn = () => {}
/** Once there is a screen. Made as the oldest browsers that run the rest can: without this nothing starts. */
export const firstDrawn = new Promise<void>((done) => {
  drawn = done
})

/**
 * As the page opens, after what is around it. Later on what stood there before stays until the next is ready.
 */
export function InPieces({ children }: { children: ReactNode }) {
  const [isFirst] = useState(opening)
  const due = useTurns(isFirst ? 1 : 0)
  return isFirst && !due ? null : children
}

function Opened() {
  useEffect(() => {
    opening = false
    drawn()
  }, [])
  return null
}

interface Loaded {
  default: () => ReactNode
}

/** A screen fetched when it is first visited; on a line too slow for it, says so instead of waiting for ever. */
export function lazyScreen(load: () => Promise<{ default: ComponentType }>) {
  const Fetched = lazyRouteComponent<Loaded>(async () => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new ScreenNotLoaded('La pantalla demoró más de 2 minutos en llegar. Revise la conexión.')),
        LOAD_LIMIT,
      )
    })
    const loaded = load().catch((error) => {
      if (!navigator.onLine) throw new ScreenNotLoaded('No hay conexión, y esta pantalla no se había abierto antes.')
      throw error
    })
    return (await Promise.race([loaded, limit]).finally(() => clearTimeout(timer))) as Loaded
  })
  const screen = () => (
    <InPieces>
      <Fetched />
      <Opened />
    </InPieces>
  )
  return Object.assign(screen, { preload: Fetched.preload })
}

/** What a route shows when it could not be loaded, or broke. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const notLoaded = error instanceof ScreenNotLoaded || /dynamically imported module|module script/i.test(String(error))
  const retry = () => {
    // A chunk that is gone usually means a newer version: only a fresh page knows its names.
    if (notLoaded) return window.location.reload()
    reset()
    void router.invalidate()
  }
  // What the network kept away comes by itself once it is back.
  useEffect(() => {
    if (!notLoaded) return
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [notLoaded])
  const shown =
    notLoaded && !(error instanceof ScreenNotLoaded)
      ? new ScreenNotLoaded('No llegó del servidor. Puede que haya una versión nueva, o que la red esté inestable.')
      : error
  return <ErrorState title="No se pudo abrir la pantalla" error={shown} onRetry={retry} />
}
