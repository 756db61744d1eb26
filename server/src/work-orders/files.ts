import { sql } from 'drizzle-orm'
import type { FileContent } from '#contract/base/wire.ts'
import type { FILE_TYPES, WorkOrderFile } from '#contract/work-orders/parts.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { invalid, notFound, Problem } from '../platform/operations/problems.ts'
import { decodeImage } from '../platform/outside/images.ts'
import { announceOrder, holdOpenOrder, note, seeOrder } from './access.ts'
import { workOrderFilesTable } from './tables.ts'

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

interface Decoded {
  name: string
  type: string
  content: Buffer
}

/** A photo is decoded and encoded anew, without what the camera noted of the place; its name ends as what it is. */
export async function decodeFile(file: File): Promise<Decoded> {
  const content = Buffer.from(await file.arrayBuffer())
  if (content.length === 0) throw invalid({ file: 'El archivo está vacío.' })
  const type = typeOf(content)
  if (!type) throw invalid({ file: 'Solo se admiten fotos (JPG, PNG, WebP) y documentos PDF.' })
  const typed = file.name.replace(/[\p{Cc}\p{Cf}/\\]/gu, ' ').trim()
  const name = `${
    typed
      .replace(/\.\w{1,5}$/, '')
      .trim()
      .slice(-110) || 'archivo'
  }${ENDINGS[type]}`
  if (type === 'application/pdf') return { name, type, content }
  const fit = { width: 4096, height: 4096 }
  return { name, ...(await decodeImage('file', { bytes: content, maxPixels: 60e6, maxSide: 16_000, fit })) }
}

export async function addFile(
  db: Db,
  actor: Actor,
  work_order_id: number,
  { name, type, content }: Decoded,
): Promise<WorkOrderFile> {
  const order = await holdOpenOrder(db, actor, work_order_id)
  const { company_id, user_id, user_name } = actor
  const [added] = await rows<WorkOrderFile>(
    db,
    sql`insert into ${workOrderFilesTable} (company_id, work_order_id, name, type, size, content, user_id, user_name)
        values (${company_id}, ${work_order_id}, ${name}, ${type}, ${content.length}, ${content}, ${user_id}, ${user_name})
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

export async function getFile(db: Db, actor: Actor, id: number): Promise<FileContent> {
  const { work_order_id, name } = await requireFile(db, actor, id)
  await seeOrder(db, actor, work_order_id)
  const file = await row<{ type: string; content: Buffer }>(
    db,
    sql`select type, content from ${workOrderFilesTable} where company_id = ${actor.company_id} and id = ${id}`,
  )
  if (!file) throw notFound()
  return { name, type: file.type, content: new Uint8Array(file.content) }
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
