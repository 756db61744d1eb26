import { Drawer as MantineDrawer } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { confirmLeaving } from './confirm.tsx'
import { Dialog, useFocusBack } from './dialog.tsx'
import styles from './drawer.module.css'
import { FormProblems } from './form-problems.tsx'
import { AtOnce } from './turns.tsx'

interface DrawerProps {
  opened: boolean
  onClose: () => void
  title: string
  /** 400; 500 for imports. */
  width?: 400 | 500
  /** There is something typed that closing would lose. */
  dirty?: boolean
  /** Makes the drawer a form: Enter sends it. */
  onSubmit?: FormEventHandler
  /** Its buttons; gets the way out that asks first. */
  footer?: ReactNode | ((close: () => void) => ReactNode)
  children: ReactNode
}

const useAskedClose = (onClose: () => void, dirty: boolean) => async () => {
  if (!dirty || (await confirmLeaving())) onClose()
}

const Problems = () => (
  <div className={styles.problems}>
    <FormProblems />
  </div>
)

/** From wherever one is in it, Ctrl+Enter sends it. */
function Frame({ onSubmit, children }: { onSubmit: FormEventHandler | undefined; children: ReactNode }) {
  if (!onSubmit) return <div className={styles.form}>{children}</div>
  return (
    <form
      className={styles.form}
      onSubmit={onSubmit}
      noValidate
      onKeyDown={(event) => {
        const isInside = event.currentTarget.contains(event.target as Node)
        if (!isInside || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.currentTarget.requestSubmit()
      }}
    >
      {children}
    </form>
  )
}

/** The right-hand drawer: title, a body that scrolls, buttons that stay. */
export function Drawer({
  opened,
  onClose,
  title,
  width = 400,
  dirty = false,
  onSubmit,
  footer,
  children,
}: DrawerProps) {
  useFocusBack()
  const close = useAskedClose(onClose, dirty)
  const inside = (
    <>
      {/* Where there is only text to read, it is scrolled by keyboard. */}
      <div className={styles.body} {...(!onSubmit && !footer && { tabIndex: 0 })}>
        {children}
      </div>
      {onSubmit && <Problems />}
      {footer && <footer className={styles.footer}>{typeof footer === 'function' ? footer(close) : footer}</footer>}
    </>
  )
  return (
    <MantineDrawer
      opened={opened}
      onClose={close}
      title={title}
      size={width}
      classNames={{
        content: styles.content,
        header: styles.header,
        title: styles.title,
        body: styles.frame,
        inner: styles.inner,
      }}
    >
      <AtOnce value={true}>
        <Frame onSubmit={onSubmit}>{inside}</Frame>
      </AtOnce>
    </MantineDrawer>
  )
}

/** For what needs the whole screen: a long form with a table in it. */
export function FullscreenDialog({
  opened,
  onClose,
  title,
  dirty = false,
  onSubmit,
  footer,
  children,
}: Omit<DrawerProps, 'width'>) {
  const close = useAskedClose(onClose, dirty)
  const inside = (
    <>
      <div className={styles.page}>{children}</div>
      {onSubmit && <Problems />}
      {footer && (
        <footer className={styles.footer} data-full-width>
          {typeof footer === 'function' ? footer(close) : footer}
        </footer>
      )}
    </>
  )
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={title}
      fullScreen
      radius={0}
      classNames={{ content: styles.whole, header: styles.header, title: styles.title, body: styles.frame }}
    >
      <Frame onSubmit={onSubmit}>{inside}</Frame>
    </Dialog>
  )
}
