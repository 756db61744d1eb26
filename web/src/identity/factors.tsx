import { Button } from '@mantine/core'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { FACTOR_KINDS, type Factor, factors } from '#contract/identity/factors.ts'
import { call } from '../platform/api.ts'
import { meQuery, useZone } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { ErrorState, ScreenSkeleton } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { say } from '../ui/snackbar.tsx'
import { identityKey } from '../workshops/queries.ts'
import section from '../workshops/section.module.css'
import { deviceOf } from './device.ts'
import styles from './factors.module.css'

const TotpDrawer = lazy(() => import('./totp-drawer.tsx'))
const RecoveryCodes = lazy(() => import('./recovery-codes.tsx'))

const ICONS = { totp: IconDeviceMobile, passkey: IconFingerprint }
const failed = (what: string) => (error: unknown) =>
  say(what, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })

/** What the server asks of the browser; the rest of it is looked at by the library. */
const isQuestion = (sent: object): sent is PublicKeyCredentialCreationOptionsJSON => 'challenge' in sent

/** The second factors of who looks at it. */
export function Factors() {
  const client = useQueryClient()
  const own = useQuery({
    queryKey: [...identityKey, 'factors'],
    queryFn: ({ signal }) => call(factors.listFactors, { signal }),
  })
  const [addingTotp, setAddingTotp] = useState(false)
  const [codes, setCodes] = useState<string[]>([])
  const changed = () => {
    void client.invalidateQueries({ queryKey: identityKey })
    // Closing the codes lets in who was kept out for lack of a factor: not before they were seen.
    if (codes.length === 0) void client.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  const added = (recovery: string[]) => {
    say('Segundo factor activado correctamente ✅')
    setAddingTotp(false)
    setCodes(recovery)
    void client.invalidateQueries({ queryKey: identityKey })
    if (recovery.length === 0) void client.invalidateQueries({ queryKey: meQuery.queryKey })
  }

  const addPasskey = async () => {
    const { options } = await call(factors.beginPasskey)
    const { startRegistration } = await import('@simplewebauthn/browser')
    if (!isQuestion(options)) throw new Error('El servidor no respondió lo esperado.')
    const made = await startRegistration({ optionsJSON: options })
    const name = deviceOf(navigator.userAgent)
    const { recovery_codes } = await call(factors.addPasskey, { body: { name, response: { ...made } } })
    added(recovery_codes)
  }
  const remove = async ({ id, name }: Factor) => {
    const yes = await confirm({
      title: '¿Quitar?',
      message: `«${name}» deja de servir para entrar.`,
      accept: 'Quitar',
      danger: true,
    })
    if (!yes) return
    await call(factors.removeFactor, { params: { id } })
    say('Segundo factor quitado')
    changed()
  }
  const renew = async () => {
    setCodes((await call(factors.renewRecoveryCodes)).recovery_codes)
    void client.invalidateQueries({ queryKey: identityKey })
  }

  if (own.isError) return <ErrorState error={own.error} onRetry={() => void own.refetch()} />
  if (!own.data) return <ScreenSkeleton />
  const { data: held, recovery_codes: left, required } = own.data
  return (
    <section className={section.card} aria-label="Segundo factor">
      <h3>Segundo factor</h3>
      <p className={styles.text}>
        Además de la contraseña, al entrar se pide un código de su teléfono o una llave de acceso.
        {required && ' Su empresa lo exige.'}
      </p>
      {held.length > 0 && (
        <ul className={styles.list}>
          {held.map((factor) => (
            <FactorLine
              key={factor.id}
              factor={factor}
              onRemove={() => void remove(factor).catch(failed('No se pudo quitar'))}
            />
          ))}
        </ul>
      )}
      <div className={styles.buttons}>
        <Button
          variant={held.length === 0 ? 'filled' : 'default'}
          leftSection={<IconDeviceMobile size={16} stroke={1.7} />}
          onClick={() => setAddingTotp(true)}
        >
          Agregar aplicación de códigos
        </Button>
        <Button
          variant="default"
          leftSection={<IconFingerprint size={16} stroke={1.7} />}
          onClick={() => void addPasskey().catch(failed('No se pudo agregar la llave de acceso'))}
        >
          Agregar llave de acceso
        </Button>
      </div>
      {held.length > 0 && (
        <>
          <p className={left < 3 ? styles.warning : styles.text}>
            {left === 1 ? 'Queda un código' : `Quedan ${left} códigos`} de recuperación, para cuando no tenga su
            teléfono.
          </p>
          <div className={styles.buttons}>
            <Button variant="subtle" onClick={() => void renew().catch(failed('No se pudieron crear los códigos'))}>
              Crear códigos nuevos
            </Button>
          </div>
        </>
      )}
      <Suspense fallback={null}>
        {addingTotp && <TotpDrawer onClose={() => setAddingTotp(false)} onAdded={added} />}
        {codes.length > 0 && (
          <RecoveryCodes
            codes={codes}
            onClose={() => {
              setCodes([])
              void client.invalidateQueries({ queryKey: meQuery.queryKey })
            }}
          />
        )}
      </Suspense>
    </section>
  )
}

function FactorLine({ factor, onRemove }: { factor: Factor; onRemove: () => void }) {
  const zone = useZone()
  const Icon = ICONS[factor.kind]
  return (
    <li>
      <Icon size={20} stroke={1.7} aria-hidden />
      <div>
        <strong>{factor.name}</strong>
        <small>
          {FACTOR_KINDS[factor.kind].label} ·{' '}
          {factor.last_used_at ? `usada el ${showMoment(factor.last_used_at, zone)}` : 'sin usar todavía'}
        </small>
      </div>
      <Button variant="default" size="xs" onClick={onRemove}>
        Quitar<span className="only-read-aloud"> {factor.name}</span>
      </Button>
    </li>
  )
}
