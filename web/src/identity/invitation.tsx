import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconLinkOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useForm } from 'react-hook-form'
import { identity, type LinkPurpose, LinkUse, NewPassword, PASSWORD_RULE } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { openSession } from '../platform/session.ts'
import { keep } from '../platform/storage.ts'
import { useSubmit } from '../platform/submit.ts'
import { EmptyState, ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { lazy } from '../ui/lazy.ts'
import { ButtonLink } from '../ui/links.tsx'
import { Mark } from '../ui/mark.tsx'
import styles from './login.module.css'
import { useSecondStep } from './second-step.ts'

const Chosen = LinkUse.extend({ password: NewPassword })

const PasskeyButton = lazy(() => import('./second-factor.tsx'))

/** Where a one-time link leads: accept an invitation, or choose another password. */
export default function Invitation() {
  useDocumentTitle('Invitación · Maestranza')
  const { token } = useParams({ strict: false }) as { token: string }
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: ({ signal }) => call(identity.readLink, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const gone = link.isError && 'status' in link.error && link.error.status === 404
  return (
    <main className={`${styles.page} ${styles.alone}`}>
      {link.data ? (
        <LinkForm token={token} purpose={link.data} />
      ) : gone ? (
        <EmptyState
          icon={IconLinkOff}
          title="El enlace ya no sirve"
          alone
          action={
            <ButtonLink to="/login" variant="default">
              Ir a iniciar sesión
            </ButtonLink>
          }
        >
          {link.error.message}
        </EmptyState>
      ) : link.isError ? (
        <ErrorState error={link.error} onRetry={() => void link.refetch()} />
      ) : (
        <ScreenSkeleton />
      )}
    </main>
  )
}

function LinkForm({ token, purpose }: { token: string; purpose: LinkPurpose }) {
  const router = useRouter()
  const { kind, name, email, company_name } = purpose
  const isReset = kind === 'reset'
  const form = useForm({
    // Whether somebody invited has an account already is nobody's business before they enter.
    resolver: zodResolver(isReset ? Chosen : LinkUse),
    defaultValues: { token, password: '', code: '' },
  })
  const second = useSecondStep()
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(identity.useLink, { body }),
    failed: 'No se pudo usar el enlace',
    recover: second.recover,
    onDone: ({ user, ...session }) => {
      keep('company', String(user.company_id))
      keep('workshop', null)
      openSession(session, user)
      void router.history.replace('/inicio')
    },
  })
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.brand}>
        <Mark size={36} />
        <span>Maestranza</span>
      </div>
      <h1 className={styles.title}>
        {kind === 'invitation' ? `Le damos la bienvenida a ${company_name}` : 'Nueva contraseña'}
      </h1>
      <p className={styles.note}>
        {isReset
          ? `${name}, elija una contraseña nueva. Sus sesiones abiertas se cierran.`
          : `${name}, elija una contraseña para entrar. Si ya usa Maestranza con este correo, ingrese la de siempre.`}
      </p>
      {/* So that the browser keeps the password under the right name. */}
      <input
        type="email"
        autoComplete="username"
        value={email}
        readOnly
        aria-label="Correo"
        className={styles.readonly}
      />
      <TextField
        control={form.control}
        name="password"
        label={isReset ? 'Contraseña nueva' : 'Contraseña'}
        description={PASSWORD_RULE}
        type="password"
        autoComplete="new-password"
        autoFocus
      />
      {second.asked && (
        <>
          <TextField
            control={form.control}
            name="code"
            label="Código"
            description={second.asked.sentence}
            autoComplete="one-time-code"
            maxLength={20}
            autoFocus
            mono
          />
          {second.asked.passkey && (
            <Suspense fallback={null}>
              <PasskeyButton
                options={second.asked.passkey}
                onPasskey={(passkey) => {
                  form.setValue('passkey', passkey)
                  void submit().finally(() => form.setValue('passkey', undefined))
                }}
              />
            </Suspense>
          )}
        </>
      )}
      <FormProblems />
      <Button type="submit" loading={isPending} className={styles.enter}>
        Entrar
      </Button>
    </form>
  )
}
