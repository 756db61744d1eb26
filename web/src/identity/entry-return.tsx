import { useDocumentTitle } from '@mantine/hooks'
import { IconLinkOff } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { oidc } from '#contract/identity/oidc.ts'
import { call } from '../platform/api.ts'
import { openSession } from '../platform/session.ts'
import { keep } from '../platform/storage.ts'
import { EmptyState, ScreenSkeleton } from '../ui/faces.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { say } from '../ui/snackbar.tsx'
import { errandOf } from './entry.ts'
import styles from './login.module.css'

/** Where the identity provider sends the browser back to. */
export default function EntryReturn() {
  useDocumentTitle('Entrar · Maestranza')
  const router = useRouter()
  const [why, setWhy] = useState<string>()
  const begun = useRef(false)
  useEffect(() => {
    // What the provider sent works once.
    if (begun.current) return
    begun.current = true
    const query = window.location.search.slice(1)
    const errand = errandOf(query)
    const enter = async () => {
      const { user, ...session } = await call(oidc.finish, { body: { query } })
      keep('company', String(user.company_id))
      keep('workshop', null)
      openSession(session, user)
      router.history.replace('/inicio')
    }
    const link = async () => {
      await call(oidc.finishLink, { body: { query } })
      say('Cuenta vinculada correctamente ✅')
      router.history.replace('/configuracion/perfil')
    }
    if (!errand) setWhy('Esta respuesta no es de un ingreso que haya partido en esta ventana.')
    else
      (errand === 'enter' ? enter() : link()).catch((error: unknown) =>
        setWhy(error instanceof Error ? error.message : ''),
      )
  }, [router])
  return (
    <main className={`${styles.page} ${styles.alone}`}>
      {why === undefined ? (
        <ScreenSkeleton />
      ) : (
        <EmptyState
          icon={IconLinkOff}
          title="No se pudo entrar"
          alone
          action={
            <ButtonLink to="/login" variant="default">
              Ir a iniciar sesión
            </ButtonLink>
          }
        >
          {why}
        </EmptyState>
      )}
    </main>
  )
}
