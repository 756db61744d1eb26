import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { oidc, type Provider, ProviderEdit, RETURN_PATH } from '#contract/identity/oidc.ts'
import { call } from '../platform/api.ts'
import { useMe } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { say } from '../ui/snackbar.tsx'
import { identityKey } from '../workshops/queries.ts'
import section from '../workshops/section.module.css'
import styles from './factors.module.css'

/** The identity provider of the company, if it has one. */
export function ProviderCard() {
  const provider = useQuery({
    queryKey: [...identityKey, 'provider'],
    queryFn: async ({ signal }) => (await call(oidc.getProvider, { signal })).provider,
  })
  if (provider.isError) return <ErrorState error={provider.error} onRetry={() => void provider.refetch()} />
  if (provider.data === undefined) return <ScreenSkeleton />
  return <ProviderForm key={provider.data?.issuer ?? ''} provider={provider.data} />
}

function ProviderForm({ provider }: { provider: Provider | null }) {
  const me = useMe()
  const client = useQueryClient()
  const form = useForm({
    resolver: zodResolver(ProviderEdit),
    defaultValues: {
      issuer: provider?.issuer ?? '',
      client_id: provider?.client_id ?? '',
      client_secret: '',
      label: provider?.label ?? 'Entrar con la cuenta de la empresa',
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(oidc.setProvider, { body }),
    refresh: [identityKey],
    done: 'Proveedor de identidad guardado correctamente ✅',
    failed: 'No se pudo guardar el proveedor de identidad',
    onDone: () => form.reset({ ...form.getValues(), client_secret: '' }),
  })
  const remove = async () => {
    const yes = await confirm({
      title: '¿Quitar el proveedor?',
      message: 'Nadie podrá entrar por él, y las cuentas vinculadas se olvidan.',
      accept: 'Quitar',
      danger: true,
    })
    if (!yes) return
    try {
      await call(oidc.removeProvider)
      say('Proveedor de identidad quitado')
      void client.invalidateQueries({ queryKey: identityKey })
    } catch (error) {
      say('No se pudo quitar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  const { origin } = window.location
  return (
    <form className={section.card} onSubmit={submit} noValidate aria-label="Proveedor de identidad">
      <h3>Proveedor de identidad</h3>
      <p className={styles.text}>
        Para entrar con las cuentas de la empresa (OpenID Connect: Microsoft Entra, Google Workspace, Okta, Keycloak).
        Cada persona vincula la suya en su perfil. Registre allá esta dirección de retorno:{' '}
        <span className={styles.secret}>{`${origin}${RETURN_PATH}`}</span>
      </p>
      <TextField
        control={form.control}
        name="issuer"
        label="Emisor"
        placeholder="https://login.microsoftonline.com/…/v2.0"
        maxLength={300}
        required
      />
      <TextField control={form.control} name="client_id" label="Identificador de cliente" maxLength={300} required />
      <TextField
        control={form.control}
        name="client_secret"
        label="Secreto de cliente"
        description={provider ? 'Déjelo vacío para conservar el actual.' : undefined}
        type="password"
        required={!provider}
        maxLength={500}
      />
      <TextField control={form.control} name="label" label="Texto del botón" maxLength={60} required />
      {provider && (
        <p className={styles.text}>
          Su gente entra en <span className={styles.secret}>{`${origin}/entrar/${me.company_id}`}</span>
        </p>
      )}
      <FormProblems />
      <div className={section.buttons}>
        <Button type="submit" loading={isPending} disabled={!form.formState.isDirty}>
          Guardar proveedor
        </Button>
        {provider && (
          <Button variant="subtle" color="red" onClick={() => void remove()}>
            Quitar
          </Button>
        )}
      </div>
    </form>
  )
}
