import { createHash } from 'node:crypto'
import { SignatureImage, type WorkOrder } from '#contract/work-orders/orders.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { imageContent } from '../../platform/outside/files.ts'
import type { Files, Kept } from '../../platform/outside/store.ts'
import { invalid, Problem } from '../../platform/problems.ts'
import { requireWorkOrder } from '../orders/orders.ts'
import { bytesOf, keepSignature, NO_DNI, sign, signatureImage } from './signatures.ts'

/* Images of signatures that come and go with the order itself, as clients of the specification send and read them. */

/** The signatures that the specification has in the order itself. */
const SENT_KINDS = ['delivered', 'reviewed'] as const
type SentKind = (typeof SENT_KINDS)[number]

export interface SentSignature {
  kind: SentKind
  image: Kept
  /** Hash of the image as it came: who sends back what they read signs nothing. */
  sent_hash: string
}
const fieldOf = (kind: SentKind) => `${kind}_signature` as const

/** Keeps the images that an order is sent with. What is no image is left to the schema, which says so with the rest. */
export async function keepSentSignatures(files: Files, actor: Actor, sent: unknown): Promise<SentSignature[]> {
  const kept: SentSignature[] = []
  for (const kind of SENT_KINDS) {
    const field = fieldOf(kind)
    const { data: image } = SignatureImage.safeParse((sent as Record<string, unknown> | null)?.[field])
    if (image === undefined) continue
    const sent_hash = createHash('sha256').update(bytesOf(image)).digest('hex')
    kept.push({ kind, image: await keepSignature(files, actor, { image }, field), sent_hash })
  }
  return kept
}

/** Signs the order for those whom it names, or else for the person who is logged in. */
export const signAsSent = (db: Db, actor: Actor, sent: SentSignature[], agent: string) => async (order: WorkOrder) => {
  let signed = 0
  for (const { kind, image, sent_hash } of sent) {
    const before = await signatureImage(db, actor, order.id, kind)
    if (before?.hash === sent_hash || before?.hash === image.hash) continue
    const named = kind === 'delivered' ? order.delivered_to_driver : order.reviewed_by_specialist
    try {
      await sign(db, actor, order, kind, { image, name: named ?? actor.user_name, dni: null, agent })
      signed += 1
    } catch (error) {
      if (error instanceof Problem && error.errors?.dni) throw invalid({ [fieldOf(kind)]: NO_DNI })
      if (error instanceof Problem && error.errors?.name) throw invalid({ [fieldOf(kind)]: error.errors.name[0]! })
      throw error
    }
  }
  return signed > 0
}

type Step = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** An order with the images of its signatures, which are read once the connection is free. */
export async function readWithSignatures(step: Step, actor: Actor, id: number): Promise<WorkOrder> {
  const { order, images } = await step(async (db) => {
    const order = await requireWorkOrder(db, actor, id)
    const images: { kind: SentKind; read: () => Promise<Uint8Array> }[] = []
    for (const kind of SENT_KINDS) {
      if (!order.signatures.some((signature) => signature.kind === kind)) continue
      const where = await signatureImage(db, actor, id, kind)
      if (where) images.push({ kind, read: imageContent(db, actor.company_id, where) })
    }
    return { order, images }
  })
  const whole: WorkOrder = { ...order }
  for (const { kind, read } of images)
    whole[fieldOf(kind)] = `data:image/png;base64,${Buffer.from(await read()).toString('base64')}`
  return whole
}
