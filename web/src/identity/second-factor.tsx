import { Button } from '@mantine/core'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import { say } from '../ui/snackbar.tsx'
import type { Passkey } from './second-step.ts'

/** What the server asks of the browser; the rest of it is looked at by the library. */
const isQuestion = (sent: object): sent is PublicKeyCredentialRequestOptionsJSON => 'challenge' in sent

/** Asks the browser for the passkey that the server named; undefined where the person did not go on. */
async function askPasskey(options: Passkey): Promise<Passkey | undefined> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  if (!isQuestion(options)) return undefined
  try {
    return { ...(await startAuthentication({ optionsJSON: options })) }
  } catch (error) {
    say('No se usó la llave de acceso', {
      tone: 'danger',
      detail: error instanceof Error && error.name === 'NotAllowedError' ? 'Se canceló o pasó el tiempo.' : undefined,
    })
    return undefined
  }
}

/** For those who have a passkey of this address. */
export default function PasskeyButton({
  options,
  onPasskey,
}: {
  options: Passkey
  onPasskey: (passkey: Passkey) => void
}) {
  return (
    <Button
      variant="default"
      leftSection={<IconFingerprint size={18} stroke={1.7} />}
      onClick={() => void askPasskey(options).then((given) => given && onPasskey(given))}
    >
      Usar llave de acceso
    </Button>
  )
}
