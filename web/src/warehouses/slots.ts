import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { Slot, TabSlot } from '../frames/slots.tsx'

export const WAREHOUSE_TABS = new TabSlot<{ warehouse: Warehouse }>()
/** Beside the button that puts supplies on a warehouse's list. */
export const STOCK_ACTIONS = new Slot<object>()
