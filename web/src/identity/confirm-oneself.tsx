import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Confirmation, factors, type WaysToConfirm } from '#contract/identity/factors.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import styles from './factors.module.css'
import PasskeyButton from './second-factor.tsx'

/** Asked before what is dangerous: that whoever sits here is who logged in. */
export default function ConfirmOneself({ answer }: { answer: (yes: boolean) => void }) {
  const ways = useQuery({
    queryKey: ['ways-to-confirm'],
    queryFn: ({ signal }) => call(factors.waysToConfirm, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Dialog opened onClose={() => answer(false)} title="Confirme que es usted" size={440} zIndex={400}>
      {ways.isError ? (
        <ErrorState error={ways.error} onRetry={() => void ways.refetch()} />
      ) : ways.data ? (
        <ConfirmForm ways={ways.data} answer={answer} />
      ) : (
        <ScreenSkeleton />
      )}
    </Dialog>
  )
}

function ConfirmForm({ ways, answer }: { ways: WaysToConfirm; answer: (yes: boolean) => void }) {
  const form = useForm<Confirmation>({
    resolver: zodResolver(Confirmation),
    defaultValues: ways.password ? { password: '' } : { code: '' },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(factors.confirmOneself, { body }),
    failed: 'No se pudo confirmar',
    onDone: () => answer(true),
  })
  return (
    <form className={styles.stack} onSubmit={submit} noValidate>
      {ways.password ? (
        <TextField
          control={form.control}
          name="password"
          label="Contraseña"
          description="Lo que va a hacer es delicado: se pide de nuevo."
          type="password"
          autoComplete="current-password"
          autoFocus
        />
      ) : (
        <>
          <TextField
            control={form.control}
            name="code"
            label="Código"
            description="El código de su aplicación, o uno de recuperación."
            autoComplete="one-time-code"
            maxLength={20}
            autoFocus
            mono
          />
          {ways.passkey && (
            <PasskeyButton
              options={ways.passkey}
              onPasskey={(passkey) => {
                form.setValue('passkey', passkey)
                void submit().finally(() => form.setValue('passkey', undefined))
              }}
            />
          )}
        </>
      )}
      <div className={styles.end}>
        <Button variant="subtle" onClick={() => answer(false)}>
          Cancelar
        </Button>
        <FormProblems />
        <Button type="submit" loading={isPending}>
          Confirmar
        </Button>
      </div>
    </form>
  )
}
