import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { FileContent } from '#contract/base/wire.ts'
import {
  isOwnReview,
  OWN_REVIEW,
  SIGNATURES,
  type Signature,
  type SignatureKind,
  type WorkOrder,
} from '#contract/work-orders/orders.ts'
import type { NewSignature } from '#contract/work-orders/parts.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { fileContent, type Moved, type Where } from '../../platform/outside/files.ts'
import { decodeImage } from '../../platform/outside/images.ts'
import type { Files, Kept as KeptFile } from '../../platform/outside/store.ts'
import { filesTable } from '../../platform/outside/tables.ts'
import { invalid, notFound, Problem } from '../../platform/problems.ts'
import { driversTable, specialistsTable } from '../../workshops/tables.ts'
import { announceOrder, CLOSED, holdOpenOrder, note, seeOrder } from '../access.ts'
import { signaturesTable } from '../tables.ts'

/** What a person signs: what was asked, what was done, what was used. Not what the workshop notes for itself, nor the
 * meter, which is often read as the truck leaves. */
type Signed = Pick<
  WorkOrder,
  | 'code'
  | 'truck_id'
  | 'coupled_id'
  | 'request'
  | 'description_of_requeriment'
  | 'observation'
  | 'works'
  | 'supplies'
  | 'services'
>

/** What is signed was priced once; costs may turn out later, and are not signed any more. */
type Priced = 'nothing' | 'services' | 'everything'

export function contentHash(order: Signed, priced: Priced = 'nothing'): Buffer {
  const content = [
    order.code,
    order.truck_id,
    order.coupled_id,
    order.request,
    order.description_of_requeriment,
    order.observation,
    order.works.map((work) => [work.id, work.description, work.task_id, work.specialist_id, work.duration]),
    order.supplies.map((line) => [line.supply_id, line.count, ...(priced === 'everything' ? [line.amount] : [])]),
    order.services.map((line) => [line.service_id, line.quantity, ...(priced === 'nothing' ? [] : [line.amount])]),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest()
}

type Kept = Omit<Signature, 'holds'> & { content_hash: Buffer }

export const signaturesOf = (db: Db, actor: Actor, work_order_id: number) =>
  rows<Kept>(
    db,
    sql`select kind, name, dni, signed_at, content_hash from ${signaturesTable}
        where company_id = ${actor.company_id} and work_order_id = ${work_order_id} order by kind`,
  )

/** Whether each signature of an order is of the order as it is now. */
export function thatHold(found: Kept[], order: Signed): Signature[] {
  const now =
    found.length > 0 ? (['nothing', 'services', 'everything'] as const).map((priced) => contentHash(order, priced)) : []
  return found.map(({ content_hash, ...signature }) => ({
    ...signature,
    holds: now.some((hash) => hash.equals(content_hash)),
  }))
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** Comes as `data:image/png;base64,…`. */
export async function keepSignature(
  files: Files,
  { company_id }: Actor,
  { image }: Pick<NewSignature, 'image'>,
  field = 'image',
): Promise<KeptFile> {
  const bytes = bytesOf(image)
  if (!bytes.subarray(0, PNG.length).equals(PNG)) throw invalid({ [field]: 'Firme en el recuadro.' })
  const fit = { width: 1200, height: 600 }
  const { content, type } = await decodeImage(field, { bytes, maxPixels: 16e6, maxSide: 6000, fit })
  return files.keep(company_id, content, type)
}

export const bytesOf = (image: string) => Buffer.from(image.slice(image.indexOf(',') + 1), 'base64')

export const movedSignatures: Moved = {
  table: signaturesTable,
  from: 'image',
  to: 'image_hash',
  type: () => 'image/png',
}

export const NO_DNI = 'Indique el RUT de quien firma.'

export async function sign(
  db: Db,
  actor: Actor,
  order: WorkOrder,
  kind: SignatureKind,
  { image, name, dni, agent }: { image: KeptFile; name: string; dni: string | null; agent: string },
): Promise<Signature> {
  const held = await seeOrder(db, actor, order.id, true)
  // A truck is often reviewed and taken away after its order was closed; what is signed stays signed.
  const isTaken = order.signatures.some((signed) => signed.kind === kind && signed.holds)
  if (isClosed(held) && (!SIGNATURES[kind].afterwards || isTaken)) throw new Problem(409, CLOSED)
  if (isOwnReview(kind, name, order.signatures)) throw invalid({ name: OWN_REVIEW })
  const { company_id, user_id, user_name } = actor
  const signer = isSame(name, user_name) ? null : (dni ?? (await dniOf(db, actor, order, name)))
  if (signer === undefined) throw invalid({ dni: NO_DNI })
  const [signature] = await rows<Omit<Signature, 'holds'>>(
    db,
    sql`insert into ${signaturesTable} (company_id, work_order_id, kind, name, dni, image_hash, content_hash, user_id, user_name, agent)
        values (${company_id}, ${order.id}, ${kind}, ${name}, ${signer}, ${image.hash}, ${contentHash(order)}, ${user_id}, ${user_name}, ${agent})
        on conflict (company_id, work_order_id, kind) do update
        set name = excluded.name, dni = excluded.dni, agent = excluded.agent, image = null,
          image_hash = excluded.image_hash, content_hash = excluded.content_hash,
          user_id = excluded.user_id, user_name = excluded.user_name, signed_at = excluded.signed_at
        returning kind, name, dni, signed_at`,
  )
  await note(db, actor, held, 'signed', {}, { [SIGNATURES[kind].label]: name })
  announceOrder(db, actor, held)
  return { ...signature!, holds: true }
}

const isSame = (one: string, other: string) =>
  one.trim().localeCompare(other.trim(), 'es', { sensitivity: 'base' }) === 0

/** The RUT in the roster, where a driver or specialist of the order signs. */
async function dniOf(db: Db, actor: Actor, order: WorkOrder, name: string): Promise<string | undefined> {
  const isDriver = isSame(name, order.delivered_to_driver ?? '')
  const specialists = [
    { id: order.reviewed_by_specialist_id, name: order.reviewed_by_specialist },
    { id: order.responsible_specialist_id, name: order.responsible_specialist },
    ...order.works.map((work) => ({ id: work.specialist_id, name: work.specialist })),
  ]
  const id = isDriver
    ? order.delivered_to_driver_id
    : specialists.find((specialist) => isSame(name, specialist.name ?? ''))?.id
  if (id === undefined || id === null) return undefined
  const found = await row<{ dni: string | null }>(
    db,
    sql`select dni from ${isDriver ? driversTable : specialistsTable} where company_id = ${actor.company_id} and id = ${id}`,
  )
  return found?.dni ?? undefined
}

export async function getSignature(db: Db, actor: Actor, id: number, kind: SignatureKind): Promise<FileContent> {
  const { code } = await seeOrder(db, actor, id)
  const image = await signatureImage(db, actor, id, kind)
  if (!image) throw notFound()
  return { name: `${code} ${kind}.png`, type: 'image/png', ...fileContent(db, actor.company_id, image) }
}

export const signatureImage = (db: Db, { company_id }: Actor, id: number, kind: SignatureKind) =>
  row<Where>(
    db,
    sql`select t.image as content, f.hash, f.size from ${signaturesTable} t
        left join ${filesTable} f on f.company_id = ${company_id} and f.hash = t.image_hash
        where t.company_id = ${company_id} and t.work_order_id = ${id} and t.kind = ${kind}`,
  )

export async function deleteSignature(db: Db, actor: Actor, id: number, kind: SignatureKind) {
  const order = await holdOpenOrder(db, actor, id)
  const [removed] = await rows<{ name: string }>(
    db,
    sql`delete from ${signaturesTable}
        where company_id = ${actor.company_id} and work_order_id = ${id} and kind = ${kind} returning name`,
  )
  if (!removed) throw notFound()
  await note(db, actor, order, 'signature_removed', { [SIGNATURES[kind].label]: removed.name }, {})
  announceOrder(db, actor, order)
  return undefined
}
