import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { TabSlot } from '../frames/slots.tsx'

export const WAREHOUSE_TABS = new TabSlot<{ warehouse: Warehouse }>()
