import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { encode } from 'uqr'
import { factors, type NewTotp, TotpConfirmation } from '#contract/identity/factors.ts'
import { call } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { Drawer } from '../ui/drawer.tsx'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { TextField } from '../ui/field.tsx'
import { FormDrawer } from '../workshops/parts.tsx'
import styles from './factors.module.css'

const TITLE = 'Aplicación de códigos'

interface Props {
  onClose: () => void
  onAdded: (recoveryCodes: string[]) => void
}

/** The QR code, and the first code that proves it was read. */
export default function TotpDrawer(props: Props) {
  const begun = useQuery({
    queryKey: ['new-totp'],
    queryFn: ({ signal }) => call(factors.beginTotp, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (begun.data) return <TotpForm {...props} totp={begun.data} />
  return (
    <Drawer opened onClose={props.onClose} title={TITLE}>
      {begun.isError ? <ErrorState error={begun.error} onRetry={() => void begun.refetch()} /> : <ScreenSkeleton />}
    </Drawer>
  )
}

function TotpForm({ totp, onClose, onAdded }: Props & { totp: NewTotp }) {
  const form = useForm({
    resolver: zodResolver(TotpConfirmation),
    defaultValues: { attempt: totp.attempt, name: 'Mi teléfono', code: '' },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(factors.confirmTotp, { body }),
    failed: 'No se pudo activar',
    onDone: ({ recovery_codes }) => onAdded(recovery_codes),
  })
  return (
    <FormDrawer
      title={TITLE}
      save="Activar"
      dirty={form.formState.isDirty}
      isPending={isPending}
      submit={submit}
      onClose={onClose}
    >
      <p className={styles.text}>
        1. En su teléfono, abra una aplicación de códigos (Google Authenticator, Microsoft Authenticator, Aegis,
        1Password u otra) y lea este código.
      </p>
      <Qr text={totp.uri} />
      <p className={styles.text}>
        Si no puede leerlo, escriba esta clave:{' '}
        <span className={styles.secret}>{totp.secret.match(/.{4}/g)?.join(' ')}</span>
      </p>
      <TextField
        control={form.control}
        name="code"
        label="2. Escriba el código que muestra la aplicación"
        autoComplete="one-time-code"
        maxLength={7}
        required
        mono
      />
      <TextField control={form.control} name="name" label="Nombre de este factor" maxLength={60} required />
    </FormDrawer>
  )
}

function Qr({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 0 })
  const path = data.flatMap((line, y) => line.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="Código QR"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  )
}
