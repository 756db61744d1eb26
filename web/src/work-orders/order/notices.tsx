import { Button } from '@mantine/core'
import { IconAlertTriangle, IconRestore } from '@tabler/icons-react'
import { showMoment } from '#contract/base/dates.ts'
import { useZone } from '../../platform/session.ts'
import styles from './order.module.css'

export function RestoredNotice({ at, onDiscard }: { at: string | undefined; onDiscard: () => void }) {
  const zone = useZone()
  if (!at) return null
  return (
    <p className={styles.notice} data-tone="warning" role="status">
      <IconRestore size={16} stroke={1.7} aria-hidden />
      <span>Recuperamos lo que no alcanzó a guardar el {showMoment(at, zone)}.</span>
      <Button variant="subtle" size="xs" className={styles.noticeButton} onClick={onDiscard}>
        Descartar
      </Button>
    </p>
  )
}

export function UnsavedNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p className={styles.notice} data-tone="warning" role="status">
      <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
      <span>Otra persona finalizó esta orden mientras usted escribía: lo suyo no está guardado.</span>
      <Button variant="subtle" size="xs" className={styles.noticeButton} onClick={onDiscard}>
        Descartar
      </Button>
    </p>
  )
}

export function ChangedNotice({ onBring }: { onBring: () => void }) {
  return (
    <p className={styles.notice} data-tone="warning" role="status">
      <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
      <span>Otra persona guardó cambios en esta orden mientras usted escribía.</span>
      <Button variant="subtle" size="xs" className={styles.noticeButton} onClick={onBring}>
        Traer sus cambios
      </Button>
    </p>
  )
}
