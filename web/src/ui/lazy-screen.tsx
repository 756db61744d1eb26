import { type ErrorComponentProps, lazyRouteComponent, useRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { ErrorState } from './faces.tsx'

const LOAD_LIMIT = 120_000

class ScreenNotLoaded extends Error {
  override name = 'ScreenNotLoaded'
}

/** A screen fetched when it is first visited; on a line too slow for it, says so instead of waiting for ever. */
export const lazyScreen = (load: () => Promise<{ default: ComponentType }>) =>
  lazyRouteComponent(async () => {
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
    return await Promise.race([loaded, limit]).finally(() => clearTimeout(timer))
  })

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
  const shown =
    notLoaded && !(error instanceof ScreenNotLoaded)
      ? new ScreenNotLoaded('No llegó del servidor. Puede que haya una versión nueva, o que la red esté inestable.')
      : error
  return <ErrorState title="No se pudo abrir la pantalla" error={shown} onRetry={retry} />
}
