import { oidc } from '#contract/identity/oidc.ts'
import { call } from '../platform/api.ts'

/** What this tab set out for: an answer that it did not ask for is somebody else's. */
const KEPT = 'maestranza.entry'

type Errand = 'enter' | 'link'

export async function goToProvider(errand: Errand, company_id: number) {
  const { url } = errand === 'enter' ? await call(oidc.begin, { body: { company_id } }) : await call(oidc.beginLink)
  sessionStorage.setItem(KEPT, JSON.stringify({ errand, state: new URL(url).searchParams.get('state') }))
  window.location.assign(url)
}

/** What the tab set out for, if this is the answer to it; good once. */
export function errandOf(query: string): Errand | undefined {
  const kept = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (!kept) return undefined
  const { errand, state } = JSON.parse(kept) as { errand: Errand; state: string | null }
  return state !== null && new URLSearchParams(query).get('state') === state ? errand : undefined
}
