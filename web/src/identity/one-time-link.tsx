import { Button, TextInput } from '@mantine/core'
import { showMoment } from '#contract/base/dates.ts'
import type { OneTimeLink } from '#contract/identity/identity.ts'
import { useZone } from '../platform/session.ts'
import { say } from '../ui/snackbar.tsx'
import styles from '../workshops/section.module.css'

/** Shown once, where it is shown at all: the server keeps no copy that could be read again. */
export function LinkBox({ link, children }: { link: OneTimeLink; children: string }) {
  const zone = useZone()
  const address = `${window.location.origin}/invitacion/${link.token}`
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      say('Enlace copiado al portapapeles')
    } catch {
      say('No se pudo copiar: seleccione el enlace y cópielo a mano.', { tone: 'danger' })
    }
  }
  if (link.token === null) return <p>{children}</p>
  return (
    <div className={styles.linkBox}>
      <p>{children}</p>
      <TextInput
        label="Enlace de un solo uso"
        value={address}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <p>Vence el {showMoment(link.expires_at, zone)}. No se vuelve a mostrar.</p>
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => void copy()}>
          Copiar enlace
        </Button>
      </div>
    </div>
  )
}
