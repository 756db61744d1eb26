import { PRICE_NOTE_IDS, typeName, typeNamed } from '#contract/warehouses/stock.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { tell } from '../../platform/operations/happenings.ts'
import { repriceDocuments } from '../documents/reprice.ts'
import type { LevelKey } from './ledger.ts'

/* Settling the documents and orders whose movements have another value after a replay. */

/** The document that movements belong to, or the thing of another domain (`origin`, `origin_id`) that used the stock. */
export interface MovementSource {
  typeTrasactionId: number
  transaction_id?: number
  origin?: string
  origin_id?: number
  document: string | null
  is_void?: boolean
}

/** A movement whose value a replay changed. */
export interface RecostedMovement extends LevelKey {
  id: string
  transaction_id: number | null
  origin: string | null
  origin_id: number | null
  /** The new value less the old one, both signed as the level changes. */
  difference: bigint
}

/** Writes the prices of the documents again, and lets other domains settle what they took. */
export async function settleRecosted(
  db: Db,
  actor: Actor,
  movements: RecostedMovement[],
  cause: MovementSource | undefined,
) {
  const ofDocuments = movements.filter(({ transaction_id, origin }) => transaction_id !== null && origin === null)
  await repriceDocuments(db, actor, [...new Set(ofDocuments.map(({ id }) => id))])
  await emitRecosted(db, actor, movements, cause)
}

/** Listeners get the ids of things of that kind whose stock has another cost now, and the reason as people read it. */
export const recostedEvent = (origin: string) => `warehouses.recosted ${origin}`

export async function emitRecosted(
  db: Db,
  actor: Actor,
  movements: Pick<RecostedMovement, 'origin' | 'origin_id'>[],
  cause: MovementSource | undefined,
) {
  for (const [origin, ofOrigin] of Map.groupBy(movements, (movement) => movement.origin)) {
    if (origin === null) continue
    const ids = new Set(ofOrigin.map(({ origin_id }) => origin_id!))
    await tell(db, actor, recostedEvent(origin), [...ids], reasonOf(cause))
  }
}

const PURCHASE = typeNamed('entry', 'purchase')

/** `factura tardía 4711`, `anulación de factura 4711`. */
function reasonOf(cause: MovementSource | undefined) {
  if (!cause) return 'recosteo'
  const label = labelOf(cause)
  return cause.document ? `${label} ${cause.document}` : label
}

function labelOf({ typeTrasactionId, is_void }: MovementSource) {
  const isPurchase = typeTrasactionId === PURCHASE
  const name = isPurchase ? 'factura' : typeName(typeTrasactionId).toLowerCase()
  if (is_void) return `anulación de ${name}`
  if (isPurchase) return `${name} tardía`
  return PRICE_NOTE_IDS.includes(typeTrasactionId) ? name : `movimiento tardío (${name})`
}
