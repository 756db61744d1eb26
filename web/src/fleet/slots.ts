import type { Truck } from '#contract/fleet/fleet.ts'
import { Slot, TabSlot } from '../frames/slots.tsx'

export const TRUCK_TABS = new TabSlot<{ truck: Truck }>()
/** Beside the button that creates a truck. */
export const TRUCK_LIST_ACTIONS = new Slot<object>()
