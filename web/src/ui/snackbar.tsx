import { Button } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import styles from './snackbar.module.css'

interface Said {
  tone?: 'neutral' | 'danger'
  /** A second, quieter line. */
  detail?: string
  /** Takes back what was just done. */
  undo?: () => void
}

const SHOWN_FOR = 6_000

/** Says something at the bottom of the screen, with a way to close it. */
export function say(message: string, { tone = 'neutral', detail, undo }: Said = {}) {
  const id: string = notifications.show({
    withCloseButton: false,
    withBorder: false,
    autoClose: tone === 'danger' ? SHOWN_FOR * 2 : SHOWN_FOR,
    role: tone === 'danger' ? 'alert' : 'status',
    classNames: { root: styles.root, body: styles.body, description: styles.description },
    'data-tone': tone,
    message: (
      <div className={styles.line}>
        <div className={styles.text}>
          <div>{message}</div>
          {detail && detail !== message && <div className={styles.detail}>{detail}</div>}
        </div>
        {undo && (
          <Button
            variant="subtle"
            className={styles.action}
            onClick={() => {
              notifications.hide(id)
              undo()
            }}
          >
            Deshacer
          </Button>
        )}
        <Button variant="subtle" className={styles.action} onClick={() => notifications.hide(id)}>
          Cerrar
        </Button>
      </div>
    ),
  })
}

export function Snackbar() {
  return <Notifications position="bottom-center" limit={3} containerWidth={520} classNames={{ root: styles.place }} />
}
