import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './confirm-dialog.module.css'

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
    <Modal
      opened
      onClose={() => answer(false)}
      title={title}
      size={440}
      // Above the drawer it may have been asked from.
      zIndex={400}
      classNames={{ body: styles.body }}
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
    </Modal>
  )
}
