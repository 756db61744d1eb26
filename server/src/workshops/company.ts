import { eq, sql } from 'drizzle-orm'
import { ROLES } from '#contract/base/permissions.ts'
import { showDni } from '#contract/base/rut.ts'
import type { FileContent } from '#contract/base/wire.ts'
import {
  type Company,
  type CompanyEdit,
  SETTING_NAMES,
  SETTINGS,
  type Settings,
  type SettingsEdit,
  type Storage,
} from '#contract/workshops/company.ts'
import type { AccessRules, AccessRulesEdit } from '#contract/workshops/security.ts'
import { appContext, type Db, one, row, rows, workFor } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { record } from '../platform/operations/audit.ts'
import { announce, tell } from '../platform/operations/happenings.ts'
import { bytesOf, fileContent, imageContent, type Moved, type Where } from '../platform/outside/files.ts'
import { decodeImage } from '../platform/outside/images.ts'
import { PAPER } from '../platform/outside/pdf.ts'
import type { Files, Kept } from '../platform/outside/store.ts'
import { filesTable } from '../platform/outside/tables.ts'
import { invalid, notFound, requireFresh } from '../platform/problems.ts'
import { openMonths } from './months.ts'
import { companiesTable, settingsTable, workshopsTable } from './tables.ts'

export async function getCompany(db: Db, actor: Actor, lock = false): Promise<Company> {
  const company = await row<Company>(
    db,
    sql`select id, name, dni, time_zone, (logo_hash is not null or logo is not null) as has_logo, updated_at from ${companiesTable} where id = ${actor.company_id}
        ${lock ? sql`for update` : sql``}`,
  )
  if (!company) throw notFound()
  return company
}

export async function updateCompany(db: Db, actor: Actor, { updated_at, ...what }: CompanyEdit): Promise<Company> {
  const before = await getCompany(db, actor, true)
  requireFresh(before, updated_at)
  // Days would begin and end otherwise, also those of closed months.
  if (what.time_zone !== before.time_zone && (await openMonths(db, actor)).day !== null)
    throw invalid({ time_zone: 'Hay meses cerrados. Ábralos antes de cambiar la zona horaria.' })
  await db
    .update(companiesTable)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(eq(companiesTable.id, actor.company_id))
  const after = await getCompany(db, actor)
  await record(db, actor, 'company', actor.company_id, 'updated', before, after)
  announce(db, actor, { topic: 'workshops', workshop_id: null, ids: [] })
  const { time_zone } = after
  if (time_zone !== before.time_zone) await tell(db, { ...actor, time_zone }, TIME_ZONE_CHANGED, [])
  return after
}

/** Days of the company begin and end at another moment; the actor has the new zone. */
export const TIME_ZONE_CHANGED = 'workshops.time-zone-changed'

export async function getAccessRules(db: Db, actor: Actor, lock = false): Promise<AccessRules> {
  const found = sql`select session_idle_hours, session_days, factor_roles, updated_at from ${companiesTable}
    where id = ${actor.company_id} ${lock ? sql`for update` : sql``}`
  return one(await rows<AccessRules>(db, found))
}

/** Somebody changed what the company asks of those who come in. */
export const ACCESS_RULES_CHANGED = 'workshops.access-rules-changed'

export async function updateAccessRules(db: Db, actor: Actor, { updated_at, ...what }: AccessRulesEdit) {
  const before = await getAccessRules(db, actor, true)
  requireFresh(before, updated_at)
  await db
    .update(companiesTable)
    .set({ ...what, updated_at: new Date().toISOString() })
    .where(eq(companiesTable.id, actor.company_id))
  const after = await getAccessRules(db, actor)
  await record(db, actor, 'company', actor.company_id, 'updated', before, after)
  const { session_idle_hours: idle, session_days: days, factor_roles } = after
  const asked = factor_roles.map((role) => ROLES[role].label).join(', ') || 'nadie'
  const words = `Sesiones: ${idle} h sin uso, ${days} días. Segundo factor: ${asked}`
  await tell(db, actor, ACCESS_RULES_CHANGED, [], words)
  return after
}

/** A company with its first workshop; the rest of the transaction works for it. */
export async function makeCompany(
  db: Db,
  company: { name: string; dni: string | null },
  workshop: { name: string; address: string | null },
): Promise<number> {
  const { id: company_id } = one(await db.insert(companiesTable).values(company).returning({ id: companiesTable.id }))
  await workFor(db, company_id)
  await db.insert(workshopsTable).values({ company_id, ...workshop })
  await db.insert(settingsTable).values({ company_id, name: 'shared_fleet', setting_value: true })
  return company_id
}

export async function timeZoneOf(db: Db, company_id: number): Promise<string> {
  const found = sql`select time_zone from ${companiesTable} where id = ${company_id}`
  return one(await rows<{ time_zone: string }>(db, found)).time_zone
}

export const getStorage = async (db: Db, actor: Actor): Promise<Storage> => ({
  used: await bytesOf(db, actor.company_id),
  quota: appContext(db).files?.quota ?? null,
})

/** What a file is, by what it begins with. */
const logoType = (content: Uint8Array) => {
  const begin = Buffer.from(content.subarray(0, 4)).toString('hex')
  return begin === '89504e47' ? 'image/png' : begin.startsWith('ffd8ff') ? 'image/jpeg' : undefined
}

export async function setLogo(db: Db, actor: Actor, logo: Kept | null): Promise<Company> {
  const before = await getCompany(db, actor, true)
  await db
    .update(companiesTable)
    .set({ logo_hash: logo?.hash ?? null, logo: null, updated_at: new Date().toISOString() })
    .where(eq(companiesTable.id, actor.company_id))
  const after = await getCompany(db, actor)
  await record(db, actor, 'company', actor.company_id, 'updated', before, after)
  announce(db, actor, { topic: 'workshops', workshop_id: null, ids: [] })
  return after
}

export async function keepLogo(files: Files, { company_id }: Actor, file: File): Promise<Kept> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!logoType(bytes)) throw invalid({ file: 'El logo debe ser una imagen PNG o JPG.' })
  const fit = { width: 1200, height: 600 }
  const { content, type } = await decodeImage('file', { bytes, maxPixels: 16e6, maxSide: 6000, fit })
  return files.keep(company_id, content, type)
}

export const movedLogos: Moved = {
  table: companiesTable,
  company: 'id',
  from: 'logo',
  to: 'logo_hash',
  type: (logo) => logoType(logo)!,
}

export const deleteLogo = (db: Db, actor: Actor) => setLogo(db, actor, null).then(() => undefined)

async function logoOf(db: Db, { company_id }: Actor) {
  const found = await row<Where & { type: string | null }>(
    db,
    sql`select t.logo as content, f.hash, f.size, f.type from ${companiesTable} t
        left join ${filesTable} f on f.company_id = ${company_id} and f.hash = t.logo_hash where t.id = ${company_id}`,
  )
  return found?.content || found?.hash ? found : undefined
}

export async function getLogo(db: Db, actor: Actor): Promise<FileContent> {
  const logo = await logoOf(db, actor)
  if (!logo) throw notFound()
  const type = logo.content ? logoType(logo.content)! : logo.type!
  return { name: 'logo', type, ...fileContent(db, actor.company_id, logo) }
}

/** Who sends a document: the logo, the name and the RUT, and what the document adds. */
export async function letterhead(db: Db, actor: Actor, lines: string[]) {
  const company = await getCompany(db, actor)
  const logo = await logoOf(db, actor)
  const words = [
    { text: company.name, fontSize: 13, bold: true },
    { text: company.dni ? `RUT ${showDni(company.dni)}` : '', color: PAPER.faint },
    ...lines.map((text) => ({ text, color: PAPER.faint })),
  ]
  if (!logo) return { stack: words }
  return {
    columns: [{ image: imageContent(db, actor.company_id, logo), fit: [90, 44], width: 'auto' }, { stack: words }],
    columnGap: 12,
  }
}

/** What the company decided, over what everyone starts with. */
export async function settingsOf(db: Db, actor: Actor): Promise<Settings> {
  const decided = await rows<{ name: string; setting_value: unknown }>(
    db,
    sql`select name, setting_value from ${settingsTable} where company_id = ${actor.company_id}`,
  )
  const kept = new Map(decided.map(({ name, setting_value }) => [name, setting_value]))
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, kept.get(name) ?? SETTINGS[name].initial])) as Settings
}

/** Labour counts in the company, as SQL, and the person may see what it costs. */
export const labourSeen = (actor: Actor) =>
  actor.may.has('labour.read')
    ? sql`exists (select from ${settingsTable} where company_id = ${actor.company_id} and name = 'labour_counts' and setting_value = 'true')`
    : sql`false`

export const seesLabour = async (db: Db, actor: Actor) =>
  actor.may.has('labour.read') && (await settingsOf(db, actor)).labour_counts

export async function listSettings(db: Db, actor: Actor) {
  const values = await settingsOf(db, actor)
  const data = SETTING_NAMES.map((name, i) => ({
    id: i + 1,
    name,
    label: SETTINGS[name].label,
    pivot: { setting_value: values[name] },
  }))
  return { data, total: data.length }
}

export async function updateSettings(db: Db, actor: Actor, what: SettingsEdit) {
  const before = await settingsOf(db, actor)
  const { opens_at, closes_at, saturday_closes_at, sunday_closes_at } = { ...before, ...what }
  const early = Object.entries({ closes_at, saturday_closes_at, sunday_closes_at }).find(
    ([name, until]) => until <= opens_at && (until > 0 || name === 'closes_at'),
  )
  if (early) throw invalid({ [early[0]]: 'Debe cerrar después de abrir.' })
  for (const [name, setting_value] of Object.entries(what))
    if (setting_value !== undefined)
      await db
        .insert(settingsTable)
        .values({ company_id: actor.company_id, name, setting_value })
        .onConflictDoUpdate({
          target: [settingsTable.company_id, settingsTable.name],
          set: { setting_value, updated_at: new Date().toISOString() },
        })
  await record(db, actor, 'settings', actor.company_id, 'updated', before, await settingsOf(db, actor))
  announce(db, actor, { topic: 'workshops', workshop_id: null, ids: [] })
  return listSettings(db, actor)
}
