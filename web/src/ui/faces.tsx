import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX, type TablerIcon } from '@tabler/icons-react'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import styles from './faces.module.css'

/** True once something has been awaited long enough for a person to notice. */
export function useNoticeable(waiting: boolean, after = 200) {
  const [noticed, setNoticed] = useState(false)
  useEffect(() => {
    if (!waiting) return setNoticed(false)
    const timer = setTimeout(() => setNoticed(true), after)
    return () => clearTimeout(timer)
  }, [waiting, after])
  return waiting && noticed
}

/** What a screen waits for, from when there is time for it: drawn in pieces, so that a key pressed meanwhile is heard. */
export function useArrived<T>(what: T | undefined): T | undefined {
  const arrived = useDeferredValue(what !== undefined)
  return arrived ? what : undefined
}

interface EmptyStateProps {
  icon: TablerIcon
  title: string
  children?: ReactNode
  action?: ReactNode
  /** It is all the page has. */
  alone?: boolean
}

/** Nothing here: what would be, and the one thing to do about it. */
export function EmptyState({ icon: Icon, title, children, action, alone = false }: EmptyStateProps) {
  const Heading = alone ? 'h1' : 'h2'
  return (
    <div className={styles.face}>
      <span className={styles.icon}>
        <Icon size={26} stroke={1.5} aria-hidden />
      </span>
      <Heading className={styles.title}>{title}</Heading>
      {children && <p className={styles.words}>{children}</p>}
      {action}
    </div>
  )
}

interface ErrorStateProps {
  error: unknown
  onRetry: () => void
  title?: string
}

/** It failed, here and not elsewhere: why, and a way to try again. */
export function ErrorState({ error, onRetry, title = 'No se pudo cargar' }: ErrorStateProps) {
  const offline = typeof error === 'object' && error !== null && 'status' in error && error.status === 0
  const Icon = offline ? IconPlugConnectedX : IconAlertTriangle
  return (
    <div className={styles.face} role="alert">
      <span className={styles.icon} data-tone="danger">
        <Icon size={26} stroke={1.5} aria-hidden />
      </span>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.words}>{error instanceof Error ? error.message : 'Intente de nuevo en un momento.'}</p>
      <Button variant="default" onClick={onRetry}>
        Reintentar
      </Button>
    </div>
  )
}

/** The shape of a screen while it is on its way. */
export function ScreenSkeleton() {
  const shown = useNoticeable(true)
  if (!shown) return null
  return (
    <div className={styles.skeleton} aria-busy="true" role="status" aria-label="Cargando">
      <Skeleton h={28} w={220} />
      <Skeleton h={36} w={360} maw="100%" />
      <Skeleton className={styles.fill} />
    </div>
  )
}
