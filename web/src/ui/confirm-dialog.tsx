import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'

export interface Question {
  title: string
  message: ReactNode
  accept: string
  cancel?: string
  danger?: boolean
}

export interface Asked extends Question {
  answer: (yes: boolean) => void
}

export default function ConfirmDialog({ title, message, accept, cancel = 'Cancelar', danger, answer }: Asked) {
  return (
    <Dialog
      opened
      onClose={() => answer(false)}
      title={title}
      size={440}
      // Above the drawer it may have been asked from.
      zIndex={400}
    >
      <div className={styles.message}>{message}</div>
      <div className={styles.buttons}>
        <Button variant="subtle" onClick={() => answer(false)} data-autofocus={danger || undefined}>
          {cancel}
        </Button>
        <Button color={danger ? 'red' : undefined} onClick={() => answer(true)} data-autofocus={!danger || undefined}>
          {accept}
        </Button>
      </div>
    </Dialog>
  )
}
