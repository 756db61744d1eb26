import { PRICE_NOTE_IDS, typeName, typeNamed } from '#contract/warehouses/stock.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { tell } from '../../platform/operations/happenings.ts'
import { repriceDocuments } from '../documents/reprice.ts'
import type { LevelKey } from './available-stock.ts'

/* How documents and orders learn that their movements cost something else. */

/** What the movements are written for. */
export interface MovementSource {
  typeTrasactionId: number
  transaction_id?: number
  origin?: string
  origin_id?: number
  document: string | null
  is_void?: boolean
}

/** A movement that now costs something else. */
export interface RecostedMovement extends LevelKey {
  id: string
  transaction_id: number | null
  origin: string | null
  origin_id: number | null
  /** How much more (or less) than before, signed as the level changes. */
  difference: bigint
}
/** Documents of movements that cost something else are written again, and the orders that used them settle their lines. */
export async function settleRecosted(
  db: Db,
  actor: Actor,
  changed: RecostedMovement[],
  because: MovementSource | undefined,
) {
  const ofDocuments = changed.filter(({ transaction_id, origin }) => transaction_id !== null && origin === null)
  await repriceDocuments(db, actor, [...new Set(ofDocuments.map(({ id }) => id))])
  await emitRecosted(db, actor, changed, because)
}

/** Told, with the ids of that kind of thing, when what it took from stock turns out to cost something else. */
export const recostedEvent = (origin: string) => `warehouses.recosted ${origin}`

export async function emitRecosted(
  db: Db,
  actor: Actor,
  changed: Pick<RecostedMovement, 'origin' | 'origin_id'>[],
  because: MovementSource | undefined,
) {
  for (const [origin, of] of Map.groupBy(changed, ({ origin }) => origin))
    if (origin !== null)
      await tell(
        db,
        actor,
        recostedEvent(origin),
        [...new Set(of.map(({ origin_id }) => origin_id!))],
        reasonOf(because),
      )
}

const PURCHASE = typeNamed('entry', 'purchase')
/** As people say it: factura tardía 4711, anulación de factura 4711. */
function reasonOf(paper: MovementSource | undefined) {
  if (!paper) return 'recosteo'
  const label = labelOf(paper)
  return paper.document ? `${label} ${paper.document}` : label
}
function labelOf({ typeTrasactionId, is_void }: MovementSource) {
  const isPurchase = typeTrasactionId === PURCHASE
  const name = isPurchase ? 'factura' : typeName(typeTrasactionId).toLowerCase()
  if (is_void) return `anulación de ${name}`
  if (isPurchase) return `${name} tardía`
  return PRICE_NOTE_IDS.includes(typeTrasactionId) ? name : `movimiento tardío (${name})`
}
