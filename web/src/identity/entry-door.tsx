import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconBuilding } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { oidc } from '#contract/identity/oidc.ts'
import { call } from '../platform/api.ts'
import { EmptyState, ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Mark } from '../ui/mark.tsx'
import { say } from '../ui/snackbar.tsx'
import { goToProvider } from './entry.ts'
import styles from './login.module.css'

/** The door of one company, for those who come in through its identity provider. */
export default function EntryDoor() {
  useDocumentTitle('Entrar · Maestranza')
  const { company } = useParams({ strict: false }) as { company: string }
  const door = useQuery({
    queryKey: ['entry', company],
    queryFn: ({ signal }) => call(oidc.describeDoor, { body: { company_id: Number(company) }, signal }),
    retry: false,
  })
  const [isGoing, setGoing] = useState(false)
  const go = async () => {
    setGoing(true)
    try {
      await goToProvider('enter', Number(company))
    } catch (error) {
      setGoing(false)
      say('No se pudo entrar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  const password = (
    <ButtonLink to="/login" variant="default">
      Entrar con contraseña
    </ButtonLink>
  )
  const isNone = door.isError && 'status' in door.error && [404, 422].includes(Number(door.error.status))
  return (
    <main className={`${styles.page} ${styles.alone}`}>
      {door.data ? (
        <div className={styles.form}>
          <div className={styles.brand}>
            <Mark size={36} />
            <span>Maestranza</span>
          </div>
          <h1 className={styles.title}>Iniciar sesión</h1>
          <Button loading={isGoing} onClick={() => void go()} className={styles.enter}>
            {door.data.label}
          </Button>
          {password}
        </div>
      ) : isNone ? (
        <EmptyState icon={IconBuilding} title="Esta empresa no entra por aquí" alone action={password}>
          Revise la dirección que le dieron.
        </EmptyState>
      ) : door.isError ? (
        <ErrorState error={door.error} onRetry={() => void door.refetch()} />
      ) : (
        <ScreenSkeleton />
      )}
    </main>
  )
}
