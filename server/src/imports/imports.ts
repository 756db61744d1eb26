import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { WrongCell } from '#contract/base/wire.ts'
import {
  IMPORT_KINDS,
  IMPORT_STATES,
  type Import,
  type ImportFile,
  type ImportKind,
  type ImportPhase,
  type ImportPreview,
  type ImportResult,
  type Undone,
} from '#contract/imports/imports.ts'
import { type Db, isUnavailable, isUniqueViolation, one, row, rows } from '../platform/database/db.ts'
import { listPage } from '../platform/database/lists.ts'
import { requirePermission } from '../platform/http/binder.ts'
import { ignore } from '../platform/ignore.ts'
import type { Actor } from '../platform/operations/actor.ts'
import type { Staged } from '../platform/operations/bulk.ts'
import { announce } from '../platform/operations/happenings.ts'
import { invalid, notFound, Problem } from '../platform/problems.ts'
import { listWorkshops } from '../workshops/workshops.ts'
import { KINDS } from './kinds.ts'
import { readSheet, type Sheet } from './sheet.ts'
import { type Counts, importRowsTable, importsTable } from './tables.ts'

const KIND_NAMES = Object.keys(KINDS) as ImportKind[]

type Step = <T>(work: (db: Db) => Promise<T>) => Promise<T>

const SAMPLES = 30
const MAX_KEPT = 500
/** A running import says something more often than this; one that does not was broken off. */
const SILENT_FOR = sql`interval '2 minutes'`
const BROKEN_OFF = 'La importación se interrumpió y no se guardó nada. Puede subir el archivo de nuevo.'

/** Easy to read aloud: no letter that looks like a figure. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const newKey = () => {
  const letters = [...randomBytes(12)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}
const channelOf = (user_id: number) => `imports.${user_id}`

/** A field without a column is one left out. */
const chosen = ({ matched = {} }: ImportFile) => {
  const columns = Object.entries(matched).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return columns.length > 0 ? Object.fromEntries(columns) : undefined
}

async function read(step: Step, actor: Actor, kind: ImportKind, body: ImportFile, onProgress: (read: number) => void) {
  const workshops = await step((db) => listWorkshops(db, actor))
  if (body.workshop_id !== undefined && !workshops.data.some(({ id }) => id === body.workshop_id))
    throw invalid({ workshop_id: 'No existe este taller, o no es el suyo.' })
  const bytes = new Uint8Array(await body.file.arrayBuffer())
  return readSheet(
    {
      kind,
      name: body.file.name,
      bytes,
      sheet: body.sheet,
      matched: chosen(body),
      workshops: workshops.data,
      workshop_id: body.workshop_id,
    },
    onProgress,
  )
}

const countsOf = ({ new_count, updated_count, same_count, missing }: Staged): Counts => ({
  new_count,
  updated_count,
  same_count,
  new_category_count: missing.categories ?? 0,
  new_unit_count: missing.measurement_units ?? 0,
  new_brand_count: missing.brands ?? 0,
  new_type_count: missing.truck_types ?? 0,
  new_coupled_count: missing.coupled ?? 0,
})

/** What the database found wrong, under the columns of the file. */
const cellsOf = (wrong: Staged['wrong'], { matched }: Sheet): WrongCell[] =>
  wrong.map(({ row, field, value, reason }) => ({
    row,
    column: matched[field] ?? field,
    value: value ?? '',
    reason,
  }))

function refuse(sheet: Sheet, wrong: WrongCell[], total: number): never {
  const errors: Record<string, string[]> = {}
  const fields = new Map(Object.entries(sheet.matched).map(([field, header]) => [header, field]))
  for (const { row, column, reason } of wrong.slice(0, 100)) {
    const field = fields.get(column) ?? column
    errors[field] = [...(errors[field] ?? []), `Fila ${row}: ${reason}`]
  }
  const many = total === 1 ? 'Hay 1 error' : `Hay ${total} errores`
  throw new Problem(422, `${many} en el archivo y no se guardó nada. Corríjalos y vuelva a subirlo.`, {
    errors,
    rows: { rows: wrong, rows_total: total },
  })
}

/** What the file would do. Nothing is written, and nobody waits for it. */
export async function previewImport(
  step: Step,
  actor: Actor,
  kind: ImportKind,
  body: ImportFile,
): Promise<ImportPreview> {
  const sheet = await read(step, actor, kind, body, ignore('A check shows no progress.'))
  const none = { new_count: 0, updated_count: 0, same_count: 0, missing: {}, wrong: [], doubtful: [] }
  // With wrong rows the rest are not compared: the file has to be mended first.
  const { staged, changes } =
    sheet.wrong_total > 0
      ? { staged: none, changes: [] }
      : await step(async (db) => ({
          staged: await KINDS[kind].stage(db, actor, sheet.chunks, false),
          changes: await KINDS[kind].sample(db, actor, SAMPLES),
        }))
  const wrong = [...sheet.wrong, ...cellsOf(staged.wrong, sheet)]
  const labels = new Map(IMPORT_KINDS[kind].columns.map(({ key, label }) => [key, label]))
  return {
    ...countsOf(staged),
    row_count: sheet.read,
    wrong_count: sheet.wrong_rows + new Set(staged.wrong.map(({ row }) => row)).size,
    changes: changes.map((change) => ({
      ...change,
      fields: change.fields.map(({ field, before, after }) => ({ field: labels.get(field) ?? field, before, after })),
    })),
    rows: wrong,
    rows_total: sheet.wrong_total + staged.wrong.length,
    leaps: cellsOf(staged.doubtful, sheet),
  }
}

/**
 * Brings a file in: all its rows or none. The import itself is on record from the start, in steps of its own, so that
 * another page can follow it; its rows and its success are one transaction.
 */
export async function runImport(step: Step, actor: Actor, kind: ImportKind, body: ImportFile): Promise<ImportResult> {
  const key = newKey()
  const id = await step((db) => startImport(db, actor, kind, key, body.file.name))
  const progress = notes(step, actor, id)
  try {
    const sheet = await read(step, actor, kind, body, (rows) => progress.note('reading', rows))
    if (sheet.wrong_total > 0) refuse(sheet, sheet.wrong, sheet.wrong_total)
    progress.note('checking', sheet.read)
    await progress.noted()
    // Noted from out here: what writes the rows holds a connection, and must not wait for another.
    const checked = Promise.withResolvers<void>()
    void checked.promise.then(() => progress.note('writing'))
    const write = () =>
      step((db) =>
        writeImport(db, actor, {
          id,
          key,
          kind,
          sheet,
          meant: body.confirm_leaps === true,
          onChecked: checked.resolve,
        }),
      )
    // Somebody created one of these codes by hand at this very moment: now it is there to be compared with.
    const result = await write().catch((error) => {
      if (isUniqueViolation(error)) return write()
      throw error
    })
    await progress.noted()
    return result
  } catch (error) {
    const message = error instanceof Problem ? error.message : 'Ocurrió un error inesperado. No se guardó nada.'
    await step((db) => failImport(db, actor, id, message))
    throw error
  }
}

/** Notes how far an import is without holding it up. One that a busy database left out is no harm. */
function notes(step: Step, actor: Actor, id: number) {
  let last: Promise<unknown> = Promise.resolve()
  let failed: unknown
  return {
    note(phase: ImportPhase, progress?: number) {
      // In their order, whichever connection is free.
      last = last
        .then(() => step((db) => moveOn(db, actor, id, phase, progress)))
        .catch((error) => {
          if (!isUnavailable(error)) failed ??= error
        })
    },
    async noted() {
      await last
      if (failed) throw failed
    },
  }
}

async function writeImport(
  db: Db,
  actor: Actor,
  {
    id,
    key,
    kind,
    sheet,
    meant,
    onChecked,
  }: { id: number; key: string; kind: ImportKind; sheet: Sheet; meant: boolean; onChecked(): void },
): Promise<ImportResult> {
  const { company_id } = actor
  // One at a time in a company: what two files bring is compared with what is really there.
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('imports', ${company_id}))`)
  const staged = await KINDS[kind].stage(db, actor, sheet.chunks, true)
  const wrong = staged.wrong.length > 0 || meant ? staged.wrong : staged.doubtful
  if (wrong.length > 0) refuse(sheet, cellsOf(wrong, sheet), wrong.length)
  onChecked()
  const made = await KINDS[kind].write(db, actor, key)
  await rows(
    db,
    sql`insert into ${importRowsTable} (company_id, import_id, row, entity_id, before, after)
        select ${company_id}, ${id}, row, entity_id, before, after from imported order by row
        returning company_id`,
  )
  const counts = countsOf(staged)
  await rows(
    db,
    sql`update ${importsTable} set state = 'done', phase = 'done', counts = ${JSON.stringify({ ...counts, matched: sheet.matched })}::jsonb,
          made = ${JSON.stringify(made)}::jsonb, updated_at = now()
        where company_id = ${company_id} and id = ${id}`,
  )
  announceImport(db, actor, id)
  return { ...counts, unique_key: key, channel: channelOf(actor.user_id) }
}

async function startImport(db: Db, actor: Actor, kind: ImportKind, unique_key: string, file_name: string) {
  const { company_id, user_id, user_name, workshop_id } = actor
  const { id } = one(
    await db
      .insert(importsTable)
      .values({ company_id, unique_key, kind, user_id, user_name, workshop_id, file_name: file_name.slice(0, 200) })
      .returning({ id: importsTable.id }),
  )
  announceImport(db, actor, id)
  return id
}

async function moveOn(db: Db, actor: Actor, id: number, phase: ImportPhase, progress: number | undefined) {
  await rows(
    db,
    sql`update ${importsTable} set phase = ${phase}, progress = greatest(progress, ${progress ?? 0}::int), updated_at = now()
        where company_id = ${actor.company_id} and id = ${id} and state = 'running'`,
  )
  announceImport(db, actor, id)
}

async function failImport(db: Db, actor: Actor, id: number, message: string) {
  await rows(
    db,
    sql`update ${importsTable} set state = 'failed', message = ${message}, updated_at = now()
        where company_id = ${actor.company_id} and id = ${id} and state = 'running'`,
  )
  announceImport(db, actor, id)
}

const announceImport = (db: Db, actor: Actor, id: number) =>
  announce(db, actor, { topic: channelOf(actor.user_id), workshop_id: null, ids: [id], user_id: actor.user_id })

const IS_BROKEN_OFF = sql`i.state = 'running' and i.updated_at < now() - ${SILENT_FOR}`
const SELECT = sql`i.unique_key, i.kind, i.phase, i.progress, i.file_name, i.user_name, i.created_at, i.user_id, i.counts,
  case when ${IS_BROKEN_OFF} then 'failed' else i.state end as state,
  case when ${IS_BROKEN_OFF} then ${BROKEN_OFF} else i.message end as message`

type Stored = Omit<Import, keyof ImportResult | 'matched'> & {
  unique_key: string
  user_id: number
  counts: Counts | null
}
const NO_COUNTS = countsOf({ new_count: 0, updated_count: 0, same_count: 0, missing: {}, wrong: [], doubtful: [] })
const shown = ({ counts, user_id, ...stored }: Stored): Import => ({
  ...NO_COUNTS,
  matched: {},
  ...counts,
  ...stored,
  channel: channelOf(user_id),
})

/** The last import of whoever asks. */
export async function currentImport(db: Db, actor: Actor, user_id = actor.user_id) {
  if (user_id !== actor.user_id) throw notFound()
  const last = await row<Stored>(
    db,
    sql`select ${SELECT} from ${importsTable} i where i.company_id = ${actor.company_id} and i.user_id = ${user_id}
        order by i.id desc limit 1`,
  )
  return last ? shown(last) : null
}

/** People of one workshop see, and undo, what was imported there; those who work in all, everything. */
const inReach = (actor: Actor) =>
  sql`i.company_id = ${actor.company_id} and (${actor.workshop_id}::bigint is null or i.workshop_id = ${actor.workshop_id}::bigint)
    and i.kind = any(${sql.param(KIND_NAMES.filter((kind) => actor.may.has(KINDS[kind].may)))}::text[])`

export async function listImports(
  db: Db,
  actor: Actor,
  query: { page: number; per_page: number; sort?: string | undefined; filter: { Kind?: ImportKind | undefined } },
) {
  const { Kind: kind } = query.filter
  const found = await listPage<Stored>(db, query, {
    select: SELECT,
    from: sql`${importsTable} i`,
    where: kind ? sql`${inReach(actor)} and i.kind = ${kind}` : inReach(actor),
    sorts: { created_at: sql`i.created_at` },
    order: sql`i.id desc`,
    id: sql`i.id`,
  })
  return { ...found, data: found.data.map(shown) }
}

/** Gives everything its former values back; what was kept back can be tried again later. */
export async function undoImport(db: Db, actor: Actor, unique_key: string): Promise<Undone> {
  const { company_id } = actor
  const found = await row<{ id: number; kind: ImportKind; state: Import['state']; made: Record<string, number[]> }>(
    db,
    sql`select i.id, i.kind, i.state, i.made from ${importsTable} i
        where ${inReach(actor)} and i.unique_key = ${unique_key.toUpperCase()} for update`,
  )
  if (!found) throw new Problem(404, 'No hay una importación con este código.')
  const { id, kind, state, made } = found
  requirePermission(actor, KINDS[kind].may)
  const { refusal } = IMPORT_STATES[state]
  if (refusal !== null) throw new Problem(409, refusal)
  await rows(db, sql`select pg_advisory_xact_lock(hashtextextended('imports', ${company_id}))`)
  await rows(
    db,
    sql`create temp table undoing on commit drop as
        select id, entity_id, before, after, null::text as reason, '{}'::text[] as touched from ${importRowsTable}
        where company_id = ${company_id} and import_id = ${id} and not undone`,
  )
  await rows(db, sql`create unique index on undoing (id)`)
  await rows(db, sql`analyze undoing`)
  await KINDS[kind].undo(db, actor, unique_key.toUpperCase(), made)
  await rows(
    db,
    sql`update ${importRowsTable} r set undone = true from undoing u
        where r.company_id = ${company_id} and r.id = u.id and u.reason is null`,
  )
  const [counts] = await rows<Omit<Undone, 'kept' | 'unique_key'>>(
    db,
    sql`select count(*) filter (where reason is null and before is null) as deleted_count,
          count(*) filter (where reason is null and before is not null) as restored_count,
          count(*) filter (where reason is not null) as kept_count from undoing`,
  )
  const kept = await rows<Undone['kept'][number]>(
    db,
    sql`select after ->> 'code' as code, reason from undoing where reason is not null order by id limit ${MAX_KEPT}`,
  )
  await rows(
    db,
    sql`update ${importsTable} set state = ${counts!.kept_count > 0 ? 'partly_undone' : 'undone'}, updated_at = now()
        where company_id = ${company_id} and id = ${id}`,
  )
  announceImport(db, actor, id)
  return { unique_key: unique_key.toUpperCase(), ...counts!, kept }
}
