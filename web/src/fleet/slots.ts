import type { Truck } from '#contract/fleet/fleet.ts'
import { Slot, TabSlot } from '../frames/slots.tsx'

export const TRUCK_TABS = new TabSlot<{ truck: Truck }>()
/** Beside its state. */
export const TRUCK_PILLS = new Slot<{ truck: Truck }>()
/** After its buttons. */
export const TRUCK_ACTIONS = new Slot<{ truck: Truck }>()
/** Beside the button that creates a truck. */
export const TRUCK_LIST_ACTIONS = new Slot<object>()
