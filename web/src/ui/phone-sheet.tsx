import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './app-shell.module.css'
import { useFocusBack } from './dialog.tsx'

/** What rises from the foot of a phone; closes once a link in it was followed. */
export default function PhoneSheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  useFocusBack()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="auto"
      title="Menú"
      classNames={{ content: styles.sheet, header: styles.sheetHeader, body: styles.sheetBody }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: listens to the links inside */}
      <div
        onClick={(event) => {
          if ((event.target as Element).closest('a')) onClose()
        }}
      >
        {children}
      </div>
    </Drawer>
  )
}
