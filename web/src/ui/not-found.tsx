import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from './faces.tsx'

export function NotFound({ title = 'Esta página no existe' }: { title?: string }) {
  return (
    <EmptyState
      alone
      icon={IconMapOff}
      title={title}
      action={
        <Button component={Link} to={'/' as never} variant="default">
          Ir al inicio
        </Button>
      }
    >
      Puede que el enlace esté mal escrito, o que lo que buscaba ya no esté.
    </EmptyState>
  )
}
