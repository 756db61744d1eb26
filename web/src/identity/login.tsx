import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { Credentials, identity } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { safePath } from '../platform/safe-path.ts'
import { openSession } from '../platform/session.ts'
import { recall } from '../platform/storage.ts'
import { useSubmit } from '../platform/submit.ts'
import { TextField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { lazy } from '../ui/lazy.ts'
import { Mark } from '../ui/mark.tsx'
import { Plate } from '../ui/plate.tsx'
import { DemoEntries } from './demo-entries.tsx'
import styles from './login.module.css'
import { needsSetUpQuery } from './queries.ts'
import { useSecondStep } from './second-step.ts'

const PasskeyButton = lazy(() => import('./second-factor.tsx'))

export default function Login() {
  useDocumentTitle('Iniciar sesión · Maestranza')
  const router = useRouter()
  const isEmpty = useQuery(needsSetUpQuery).data?.needed
  useEffect(() => {
    if (isEmpty) void router.history.replace('/configurar')
  }, [isEmpty, router])
  const { next } = useSearch({ strict: false }) as { next?: unknown }
  const form = useForm({ resolver: zodResolver(Credentials), defaultValues: { email: '', password: '', code: '' } })
  const second = useSecondStep()
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(identity.login, { body: { ...body, device: recall('device') ?? undefined } }),
    failed: 'No se pudo iniciar sesión',
    recover: second.recover,
    onDone: ({ user, ...session }) => {
      openSession(session, user)
      void router.history.replace(safePath(next))
    },
  })
  return (
    <main className={styles.page}>
      <div className={styles.side} aria-hidden>
        <svg className={styles.nut} viewBox="0 0 200 200" role="presentation">
          <path d="M100 6 181.4 53V147L100 194 18.6 147V53Z" />
          <circle cx="100" cy="100" r="46" />
        </svg>
        <div className={styles.plates}>
          <Plate text="KRTX·41" size="lg" />
          <Plate text="JHDW·07" size="lg" />
          <Plate text="LPVS·88" size="lg" />
        </div>
        <p className={styles.motto}>
          El taller al día: órdenes, equipos, bodega y costos <span>en un solo lugar.</span>
        </p>
      </div>
      <form className={styles.form} onSubmit={submit} noValidate>
        <div className={styles.brand}>
          <Mark size={36} />
          <span>Maestranza</span>
        </div>
        <h1 className={styles.title}>Iniciar sesión</h1>
        {typeof next === 'string' && <p className={styles.note}>Ingrese para volver a donde estaba.</p>}
        <TextField control={form.control} name="email" label="Correo" type="email" autoComplete="username" autoFocus />
        <TextField
          control={form.control}
          name="password"
          label="Contraseña"
          type="password"
          autoComplete="current-password"
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
        <DemoEntries next={next} />
      </form>
    </main>
  )
}
