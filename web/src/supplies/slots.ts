import type { Supply } from '#contract/supplies/supplies.ts'
import { Slot, TabSlot } from '../frames/slots.tsx'

export const SUPPLY_TABS = new TabSlot<{ supply: Supply }>()
/** Beside the button that creates a supply. */
export const SUPPLY_LIST_ACTIONS = new Slot<object>()
/** What there is of it, in a line of the list. */
export const SUPPLY_STOCK = new Slot<{ supply: Supply }>()
