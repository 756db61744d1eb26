import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconBuilding } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { identity, PASSWORD_RULE, SetUp } from '#contract/identity/identity.ts'
import { call } from '../platform/api.ts'
import { openSession } from '../platform/session.ts'
import { keep } from '../platform/storage.ts'
import { useSubmit } from '../platform/submit.ts'
import { EmptyState, ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Mark } from '../ui/mark.tsx'
import styles from './login.module.css'
import { needsSetUpQuery } from './queries.ts'

/** The first page of an empty house: who the company is, and who runs it. */
export default function SetUpPage() {
  useDocumentTitle('Crear la empresa · Maestranza')
  const needs = useQuery(needsSetUpQuery)
  return (
    <main className={`${styles.page} ${styles.alone}`}>
      {needs.isError ? (
        <ErrorState error={needs.error} onRetry={() => void needs.refetch()} />
      ) : !needs.data ? (
        <ScreenSkeleton />
      ) : needs.data.needed ? (
        <SetUpForm />
      ) : (
        <EmptyState
          icon={IconBuilding}
          title="La empresa ya está creada"
          alone
          action={
            <ButtonLink to="/login" variant="default">
              Ir a iniciar sesión
            </ButtonLink>
          }
        >
          Para entrar, pida una invitación a quien la administra.
        </EmptyState>
      )}
    </main>
  )
}

function SetUpForm() {
  const router = useRouter()
  // Whoever left the demonstration brings it along.
  const given = new URLSearchParams(router.history.location.search).get('codigo')
  const form = useForm({
    resolver: zodResolver(SetUp),
    defaultValues: {
      code: given ?? '',
      company_name: '',
      company_dni: '',
      workshop_name: '',
      workshop_address: '',
      name: '',
      email: '',
      password: '',
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(identity.setUp, { body }),
    failed: 'No se pudo crear la empresa',
    onDone: ({ user, ...session }) => {
      keep('company', String(user.company_id))
      keep('workshop', null)
      openSession(session, user)
      void router.history.replace('/inicio')
    },
  })
  const { control } = form
  return (
    <form className={`${styles.form} ${styles.long}`} onSubmit={submit} noValidate>
      <div className={styles.brand}>
        <Mark size={36} />
        <span>Maestranza</span>
      </div>
      <h1 className={styles.title}>Cree su empresa</h1>
      <p className={styles.note}>
        {given
          ? 'La demostración quedó atrás. Con estos datos parte la suya, y los puede cambiar después.'
          : 'El código está en el registro del servidor: es lo que este escribió al partir, y sirve una sola vez.'}
      </p>
      <TextField
        control={control}
        name="code"
        label="Código"
        required
        maxLength={40}
        autoComplete="off"
        autoFocus={!given}
        placeholder="ABCDE-23456"
      />
      <h2 className={styles.part}>La empresa</h2>
      <TextField
        control={control}
        name="company_name"
        label="Nombre o razón social"
        required
        maxLength={120}
        autoFocus={Boolean(given)}
      />
      <TextField control={control} name="company_dni" label="RUT" maxLength={40} />
      <h2 className={styles.part}>El primer taller</h2>
      <TextField control={control} name="workshop_name" label="Nombre del taller" required maxLength={80} />
      <TextField control={control} name="workshop_address" label="Dirección" maxLength={200} />
      <h2 className={styles.part}>Quien administra</h2>
      <TextField control={control} name="name" label="Su nombre" required maxLength={120} autoComplete="name" />
      <TextField control={control} name="email" label="Correo" required type="email" autoComplete="username" />
      <TextField
        control={control}
        name="password"
        label="Contraseña"
        required
        type="password"
        description={PASSWORD_RULE}
        autoComplete="new-password"
      />
      <FormProblems />
      <Button type="submit" loading={isPending} className={styles.enter}>
        Crear y entrar
      </Button>
    </form>
  )
}
