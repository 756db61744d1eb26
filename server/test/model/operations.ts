import type { PurchaseStatus } from '#contract/purchasing/purchasing.ts'
import type { PayableState } from '#contract/work-orders/payables.ts'

/*
 * Operations that the product accepted, as they were sent, with the ids and instants that its answers gave. The model knows nothing else
 * of the product.
 */

export interface Line {
  supply: number
  quantity: number
}
export interface PricedLine extends Line {
  unit_cost: number
  tax: '19' | '21' | 'exempt'
}
export interface WorkFact {
  id: number
  specialist: number | null
  hours: number | null
  done: boolean
  times: { id: number; specialist: number; from: number; until: number | null }[]
}
interface Common {
  /** When the answer came, in milliseconds. */
  at: number
  company: number
}
export type Operation = Common &
  (
    | {
        kind: 'entry'
        id: number
        warehouse: number
        provider: number | null
        date: string
        bought: boolean
        cash: boolean
        lines: PricedLine[]
      }
    | { kind: 'purchase-order'; id: number; lines: Line[] }
    | { kind: 'purchase-status'; id: number; status: PurchaseStatus }
    /** After the entry that it is. */
    | { kind: 'receipt'; order: number; entry: number }
    | { kind: 'exit'; id: number; warehouse: number; date: string; lines: Line[] }
    | { kind: 'return'; id: number; warehouse: number; of: number; date: string; lines: Line[] }
    | { kind: 'provider-return'; id: number; warehouse: number; of: number; date: string; lines: Line[] }
    | { kind: 'note'; id: number; of: number; sign: 1 | -1; date: string; lines: { supply: number; amount: number }[] }
    | { kind: 'void'; id: number }
    | { kind: 'transfer'; exit: number; entry: number; from: number; to: number; lines: Line[] }
    | { kind: 'send'; id: number; warehouse: number; lines: Line[] }
    | {
        kind: 'receive'
        of: number
        entry: number | null
        loss: number | null
        warehouse: number
        lines: { supply: number; as: number; sent: number; received: number }[]
      }
    | {
        kind: 'count'
        entry: number | null
        exit: number | null
        warehouse: number
        found: (Line & { cost: number })[]
        missing: Line[]
      }
    | {
        kind: 'order'
        id: number
        workshop: number
        truck: number
        warehouse: number
        entered: number | null
        planned: boolean
      }
    | { kind: 'supplies'; order: number; lines: Line[]; ids: Map<number, number> }
    | {
        kind: 'services'
        order: number
        lines: { id: number; service: number; provider: number; quantity: number; price: number }[]
      }
    | { kind: 'works'; order: number; works: WorkFact[] }
    | { kind: 'stay'; order: number; from: number | null; to: number | null }
    | { kind: 'delete-order'; order: number }
    | {
        kind: 'invoice'
        id: number
        provider: number
        date: string
        tax: '19' | '21' | 'exempt'
        net: number | null
        cash: boolean
        shares: { order: number; amount: number | null }[]
      }
    | { kind: 'invoice-note'; id: number; invoice: number; sign: 1 | -1; date: string; amount: number }
    | { kind: 'edit-invoice'; id: number; date: string; tax: '19' | '21' | 'exempt'; net: number | null }
    | { kind: 'delete-invoice'; id: number }
    | { kind: 'delete-invoice-note'; id: number; invoice: number }
    /** `document`: its id in the list of payables. */
    | { kind: 'pay'; document: number; payment: number }
    | { kind: 'take-back'; document: number; payments: number[] }
    | { kind: 'payable-state'; document: number; state: PayableState }
    | { kind: 'rate'; specialist: number; from: string; amount: number }
    | { kind: 'reading'; id: number; truck: number; km: number; taken: number; order: number | null }
    | { kind: 'void-reading'; id: number }
    | { kind: 'home'; truck: number; workshop: number }
    | { kind: 'centre'; truck: number; centre: number | null; from: string }
    | { kind: 'close'; through: string }
    /** `through`: the last month that stays closed. */
    | { kind: 'reopen'; through: string }
  )
export type Kind = Operation['kind']

/** The company's data before the first operation. */
export interface World {
  company: number
  warehouses: { id: number; workshop: number }[]
  supplies: { id: number; workshop: number; category: number | null }[]
  trucks: {
    id: number
    workshop: number
    centre: number | null
    registered: number
    reading: { id: number; km: number; at: number }
  }[]
  services: { id: number; provider: number; price: number; workshop: number }[]
  specialists: { id: number; workshop: number }[]
  centres: number[]
  workshops: number[]
}

/** Rules that a test can break in the model, to see that the comparison notices. */
export const RULES = [
  'average cost',
  'return',
  'price note',
  'void',
  'transfer',
  'order cost',
  'service day',
  'invoice tax',
  'payment',
  'labour',
  'availability',
  'kilometres',
  'home',
  'closed month',
  'closed void',
  'closed note',
  'closed invoice',
] as const
export type Rule = (typeof RULES)[number]
