import { useDocumentTitle } from '@mantine/hooks'
import { IconMapOff } from '@tabler/icons-react'
import { EmptyState } from './faces.tsx'
import { ButtonLink } from './links.tsx'

const DEFAULT = 'Esta página no existe'

/** Nothing to see at this address; a screen may say why in its own words. */
export function NotFound({ title = DEFAULT }: { title?: string }) {
  useDocumentTitle(`${title} · Maestranza`)
  return (
    <EmptyState
      alone
      icon={IconMapOff}
      title={title}
      action={
        <ButtonLink to="/" variant="default">
          Ir al inicio
        </ButtonLink>
      }
    >
      {title === DEFAULT && 'Puede que el enlace esté mal escrito, o que lo que buscaba ya no esté.'}
    </EmptyState>
  )
}
