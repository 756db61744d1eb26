import { Button } from '@mantine/core'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import type { ApiFailure } from '../platform/api.ts'
import { TextField } from '../ui/field.tsx'
import { say } from '../ui/snackbar.tsx'

type Passkey = Record<string, unknown>

/** What the server asks of the browser; the rest of it is looked at by the library. */
const isQuestion = (sent: object): sent is PublicKeyCredentialRequestOptionsJSON => 'challenge' in sent

/** Asks the browser for the passkey that the server named; undefined where the person did not go on. */
export async function askPasskey(options: Passkey): Promise<Passkey | undefined> {
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

/** The second step of coming in: appears once the server asks for it. */
export function useSecondStep() {
  const [asked, setAsked] = useState<{ sentence: string; passkey: Passkey | undefined }>()
  return {
    asked,
    /** For `useSubmit`: the first refusal opens the step, the ones after are shown under the field. */
    recover: (failure: ApiFailure) => {
      const sentence = failure.errors.code?.[0]
      if (failure.status !== 422 || !sentence) return false
      setAsked({ sentence: asked?.sentence ?? sentence, passkey: failure.passkey })
      return asked === undefined
    },
  }
}

/** The field of the code, and the passkey of those who have one. */
export function SecondStep<Typed extends FieldValues, Body>({
  control,
  name,
  asked,
  onPasskey,
}: {
  control: Control<Typed, unknown, Body>
  name: FieldPath<Typed>
  asked: { sentence: string; passkey: Passkey | undefined }
  onPasskey: (passkey: Passkey) => void
}) {
  const { sentence, passkey } = asked
  return (
    <>
      <TextField
        control={control}
        name={name}
        label="Código"
        description={sentence}
        autoComplete="one-time-code"
        maxLength={20}
        autoFocus
        mono
      />
      {passkey && (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={18} stroke={1.7} />}
          onClick={() => void askPasskey(passkey).then((given) => given && onPasskey(given))}
        >
          Usar llave de acceso
        </Button>
      )}
    </>
  )
}
