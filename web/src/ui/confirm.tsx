import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

interface Question {
  title: string
  message: ReactNode
  accept: string
  cancel?: string
  danger?: boolean
}

/** Asks before what cannot be undone. Closing it is a no. */
export const confirm = ({ title, message, accept, cancel = 'Cancelar', danger = false }: Question) =>
  new Promise<boolean>((resolve) => {
    modals.openConfirmModal({
      title,
      children: (
        <Text component="div" size="md" c="var(--text-2)">
          {message}
        </Text>
      ),
      labels: { confirm: accept, cancel },
      confirmProps: danger ? { color: 'red' } : {},
      cancelProps: { variant: 'subtle' },
      size: 440,
      padding: 20,
      // Above the drawer it may have been asked from.
      zIndex: 400,
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    })
  })

export const confirmLeaving = () =>
  confirm({
    title: '¿Salir sin guardar?',
    message: 'Lo que escribió se perderá.',
    accept: 'Salir sin guardar',
    cancel: 'Seguir editando',
    danger: true,
  })
