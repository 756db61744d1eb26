import { sql } from 'drizzle-orm'
import type { FileContent } from '#contract/base/wire.ts'
import type { FILE_TYPES, WorkOrderFile } from '#contract/work-orders/parts.ts'
import { type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { fileContent, type Moved, thumbnailOf, type Where } from '../../platform/outside/files.ts'
import { decodeImage } from '../../platform/outside/images.ts'
import type { Files, Kept } from '../../platform/outside/store.ts'
import { filesTable } from '../../platform/outside/tables.ts'
import { invalid, notFound, Problem } from '../../platform/problems.ts'
import { announceOrder, holdOpenOrder, note, seeOrder } from '../access.ts'
import { workOrderFilesTable } from '../tables.ts'

const FILE = sql`id, name, type, size, user_name, created_at`

export async function listFiles(db: Db, actor: Actor, work_order_id: number) {
  await seeOrder(db, actor, work_order_id)
  const data = await rows<WorkOrderFile>(
    db,
    sql`select ${FILE} from ${workOrderFilesTable}
        where company_id = ${actor.company_id} and work_order_id = ${work_order_id} order by id`,
  )
  return { data, total: data.length }
}

const ENDINGS = { 'image/jpeg': '.jpg', 'image/png': '.png', 'image/webp': '.webp', 'application/pdf': '.pdf' }

/** What a file is, by what it begins with: its name and what the browser calls it are not trusted. */
function typeOf(content: Uint8Array): (typeof FILE_TYPES)[number] | undefined {
  const begins = (text: string, at = 0) =>
    Buffer.from(content.subarray(at, at + text.length)).toString('latin1') === text
  if (begins('\xFF\xD8\xFF')) return 'image/jpeg'
  if (begins('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  if (begins('%PDF-')) return 'application/pdf'
  return undefined
}

interface Taken extends Kept {
  name: string
  thumb?: Kept | undefined
}

/**
 * A photo is decoded and encoded anew, without what the camera noted of the place; its name ends as what it is. A
 * document goes from the disk it came to into the store, a part at a time.
 */
export async function keepFile(files: Files, { company_id }: Actor, file: File): Promise<Taken> {
  if (file.size === 0) throw invalid({ file: 'El archivo está vacío.' })
  const type = typeOf(new Uint8Array(await file.slice(0, 16).arrayBuffer()))
  if (!type) throw invalid({ file: 'Solo se admiten fotos (JPG, PNG, WebP) y documentos PDF.' })
  const typed = file.name.replace(/[\p{Cc}\p{Cf}/\\]/gu, ' ').trim()
  const name = `${
    typed
      .replace(/\.\w{1,5}$/, '')
      .trim()
      .slice(-110) || 'archivo'
  }${ENDINGS[type]}`
  if (type === 'application/pdf') return { name, ...(await files.keep(company_id, file, type)) }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const fit = { width: 4096, height: 4096 }
  const photo = await decodeImage('file', { bytes, maxPixels: 60e6, maxSide: 16_000, fit })
  const small = await thumbnailOf(photo.content, photo.type)
  return {
    name,
    ...(await files.keep(company_id, photo.content, photo.type)),
    thumb: small && (await files.keep(company_id, small.content, small.type)),
  }
}

export const movedFiles: Moved = {
  table: workOrderFilesTable,
  from: 'content',
  to: 'hash',
  thumb: 'thumb_hash',
  type: { column: 'type' },
}

export async function addFile(
  db: Db,
  actor: Actor,
  work_order_id: number,
  { name, type, size, hash, thumb }: Taken,
): Promise<WorkOrderFile> {
  const order = await holdOpenOrder(db, actor, work_order_id)
  const { company_id, user_id, user_name } = actor
  const [added] = await rows<WorkOrderFile>(
    db,
    sql`insert into ${workOrderFilesTable} (company_id, work_order_id, name, type, size, hash, thumb_hash, user_id, user_name)
        values (${company_id}, ${work_order_id}, ${name}, ${type}, ${size}, ${hash}, ${thumb?.hash ?? null}, ${user_id}, ${user_name})
        returning ${FILE}`,
  )
  await note(db, actor, order, 'file_added', {}, { file: name })
  announceOrder(db, actor, order)
  return added!
}

async function requireFile(db: Db, actor: Actor, id: number) {
  const file = await row<{ work_order_id: number; user_id: number | null; name: string }>(
    db,
    sql`select work_order_id, user_id, name from ${workOrderFilesTable}
        where company_id = ${actor.company_id} and id = ${id}`,
  )
  if (!file) throw notFound()
  return file
}

/** `small`: as it is shown among others, where there is such a one. */
export async function getFile(db: Db, actor: Actor, id: number, small: boolean): Promise<FileContent> {
  const { work_order_id, name } = await requireFile(db, actor, id)
  await seeOrder(db, actor, work_order_id)
  const { company_id } = actor
  const hash = small ? sql`coalesce(t.thumb_hash, t.hash)` : sql`t.hash`
  const file = await row<Where & { type: string }>(
    db,
    sql`select coalesce(f.type, t.type) as type, t.content, f.hash, f.size from ${workOrderFilesTable} t
        left join ${filesTable} f on f.company_id = ${company_id} and f.hash = ${hash}
        where t.company_id = ${company_id} and t.id = ${id}`,
  )
  if (!file) throw notFound()
  return { name, type: file.type, ...fileContent(db, company_id, file) }
}

export async function deleteFile(db: Db, actor: Actor, id: number) {
  const file = await requireFile(db, actor, id)
  const order = await holdOpenOrder(db, actor, file.work_order_id)
  if (!actor.may.has('work-orders.write') && file.user_id !== actor.user_id)
    throw new Problem(403, 'Solo puede eliminar lo que usted subió.')
  await rows(db, sql`delete from ${workOrderFilesTable} where company_id = ${actor.company_id} and id = ${id}`)
  await note(db, actor, order, 'file_removed', { file: file.name }, {})
  announceOrder(db, actor, order)
  return undefined
}
