import { useState } from 'react'
import type { ApiFailure } from '../platform/api.ts'

export type Passkey = Record<string, unknown>
export interface Asked {
  sentence: string
  passkey: Passkey | undefined
}

/** The second step of coming in: appears once the server asks for it. */
export function useSecondStep() {
  const [asked, setAsked] = useState<Asked>()
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
