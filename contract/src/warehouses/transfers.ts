import { z } from 'zod'
import { QuantityOrZero } from '../base/money.ts'
import {
  BetweenDate,
  Id,
  IdList,
  IdText,
  Instant,
  ListOf,
  listing,
  OptionalId,
  OptionalText,
  Search,
} from '../base/wire.ts'

/* What goes from one workshop to another: sent, on its way, and received. Its id is that of the exit it left with. */

export const TRANSFER_STATES = {
  sent: { label: 'En tránsito', tone: 'info', onItsWay: true },
  received: { label: 'Recibido', tone: 'success', onItsWay: false },
  difference: { label: 'Con diferencia', tone: 'warning', onItsWay: false },
  cancelled: { label: 'Anulado', tone: 'slate', onItsWay: false },
} as const
export type TransferState = keyof typeof TRANSFER_STATES
export const TRANSFER_STATE_NAMES = Object.keys(TRANSFER_STATES) as [TransferState, ...TransferState[]]

export const TRANSFER_WAYS = {
  in: { label: 'Hacia esta bodega' },
  out: { label: 'Desde esta bodega' },
} as const
export type TransferWay = keyof typeof TRANSFER_WAYS

const sentFields = {
  id: Id,
  /** The number of its exit. */
  code: z.string(),
  state: z.enum(TRANSFER_STATE_NAMES),
  warehouse_id: Id,
  warehouse_name: z.string(),
  workshop_id: Id,
  workshop_name: z.string(),
  to_warehouse_id: Id,
  to_warehouse_name: z.string(),
  to_workshop_id: Id,
  to_workshop_name: z.string(),
  document: z.string().nullable(),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  date: z.string(),
  sent_at: Instant,
  sent_by: z.string().nullable(),
  received_at: Instant.nullable(),
  received_by: z.string().nullable(),
  /** The entry it arrived with, and the exit that wrote off what was missing. */
  receipt_id: Id.nullable(),
  receipt_code: z.string().nullable(),
  loss_id: Id.nullable(),
  loss_code: z.string().nullable(),
  lines_count: z.number(),
  /** What it left with, and of that what did not arrive. */
  value: z.number(),
  missing_value: z.number(),
}
export const SentTransfer = z.object(sentFields)
export type SentTransfer = z.infer<typeof SentTransfer>

export const SentLine = z.object({
  supply_id: Id,
  code: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  quantity: z.number(),
  unit_cost: z.number(),
  value: z.number(),
  /** What arrived; none while it is on its way. */
  received: z.number().nullable(),
  missing: z.number(),
  reason: z.string().nullable(),
  /** The same supply at the other end, by its code or as it was received; none: it is made there. */
  to: z.object({ supply_id: Id, code: z.string(), name: z.string(), unit: z.string().nullable() }).nullable(),
})
export type SentLine = z.infer<typeof SentLine>
export const SentTransferSheet = z.object({ ...sentFields, supplies: z.array(SentLine) })
export type SentTransferSheet = z.infer<typeof SentTransferSheet>

export const SentTransferList = listing(['date', 'code', 'warehouse_name', 'to_warehouse_name', 'value', 'sent_at'], {
  Search,
  WorkshopId: IdList,
  /** Either end. */
  Warehouse: IdList,
  /** Which end, seen from `Warehouse`, or else from the workshop. */
  Way: ListOf(Object.keys(TRANSFER_WAYS) as [TransferWay, ...TransferWay[]]),
  State: ListOf(TRANSFER_STATE_NAMES),
  BetweenDate,
})
export type SentTransferList = z.infer<typeof SentTransferList>

/** A line that is left out arrived as it was sent. */
export const ReceiveTransfer = z.object({
  note: OptionalText(1000),
  supplies: z
    .array(
      z.object({
        /** As it was sent. */
        supply_id: Id,
        received: QuantityOrZero,
        reason: OptionalText(200),
        /** What it is here, where that is not the one with the same code. */
        to_supply_id: OptionalId,
      }),
    )
    .max(500)
    .default([]),
})
export type ReceiveTransfer = z.infer<typeof ReceiveTransfer>

/** Warehouses that stock can be sent to from another. */
export const Destinations = z.object({ warehouse: IdText })
export const Destination = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  workshop_id: Id,
  workshop_name: z.string(),
})
export type Destination = z.infer<typeof Destination>
