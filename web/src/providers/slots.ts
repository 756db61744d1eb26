import type { Provider } from '#contract/providers/providers.ts'
import { Slot, TabSlot } from '../frames/slots.tsx'

export const PROVIDER_TABS = new TabSlot<{ provider: Provider }>()
/** Beside the button that creates a provider. */
export const PROVIDER_LIST_ACTIONS = new Slot<object>()
/** Beside the provider's fields. */
export const PROVIDER_ASIDE = new Slot<{ provider: Provider }>()
