import { useDocumentTitle } from '@mantine/hooks'
import { IconTool } from '@tabler/icons-react'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { askHealth } from '../platform/api.ts'
import { catchUp } from '../platform/live.ts'
import { queryClient } from '../platform/queries.ts'
import { safePath } from '../platform/safe-path.ts'
import { EmptyState } from '../ui/faces.tsx'
import styles from './maintenance.module.css'

const EVERY = 4_000

/** Shown while the server is being looked after; goes back by itself when it answers again. */
export function Maintenance() {
  const router = useRouter()
  useDocumentTitle('En mantención · Maestranza')
  const next = safePath((useSearch({ strict: false }) as { next?: unknown }).next)
  useEffect(() => {
    const stop = new AbortController()
    const ask = async () => {
      const health = await askHealth(stop.signal)
      // The server itself answers while it is being looked after, and says so.
      if (!health || health.maintenance || stop.signal.aborted) return
      catchUp(queryClient)
      void router.history.replace(next)
    }
    void ask()
    const timer = setInterval(ask, EVERY)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [router, next])
  return (
    <main className={styles.page}>
      <EmptyState alone icon={IconTool} title="Estamos en mantención">
        El sistema vuelve en unos minutos. Esta página se actualiza sola: no hace falta que haga nada.
      </EmptyState>
      <span className={styles.pulse} aria-hidden />
    </main>
  )
}
