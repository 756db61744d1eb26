import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { AtOnce } from './turns.tsx'

/** Who had the focus has it again, also where what is over the page is taken off it instead of closed. */
export function useFocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body || document.activeElement === null
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    },
    [before],
  )
}

/** In the middle of the window. */
export function Dialog(props: ModalProps) {
  useFocusBack()
  return (
    <AtOnce value={true}>
      <Modal {...props} />
    </AtOnce>
  )
}
