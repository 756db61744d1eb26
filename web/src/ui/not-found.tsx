import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from './faces.tsx'

const DEFAULT = 'Esta página no existe'

/** Nothing to see at this address; a screen may say why in its own words. */
export function NotFound({ title = DEFAULT }: { title?: string }) {
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
      {title === DEFAULT && 'Puede que el enlace esté mal escrito, o que lo que buscaba ya no esté.'}
    </EmptyState>
  )
}
