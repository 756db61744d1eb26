import { sql } from 'drizzle-orm'
import { addDays, dayOf, showDay } from '#contract/base/dates.ts'
import type { Role } from '#contract/base/permissions.ts'
import { type FileContent, formatQuery } from '#contract/base/wire.ts'
import type { Preferences } from '#contract/identity/identity.ts'
import type { Period } from '#contract/reports/periods.ts'
import { MonthsQuery, REPORT_NAMES, REPORTS, type ReportName, ReportQuery } from '#contract/reports/reports.ts'
import { PERMISSIONS_OF } from '../../identity/sessions.ts'
import { membershipsTable, usersTable } from '../../identity/tables.ts'
import { type Database, type Db, row, rows } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import type { CompanyJob } from '../../platform/operations/jobs.ts'
import { ADDRESS, escapeHtml, queueMail } from '../../platform/outside/mail.ts'
import { mailsTable } from '../../platform/outside/tables.ts'
import { companiesTable, workshopsTable } from '../../workshops/tables.ts'
import {
  downloadAvailability,
  downloadByCategory,
  downloadByMonth,
  downloadByProvider,
  downloadByTruck,
  downloadHours,
  downloadSummaryMaintenance,
  downloadSuppliesByTruck,
  type Step,
} from './downloads.ts'

/** A report as its screen's file, whatever way it is made. */
type Make = (step: Step, actor: Actor, filter: ReportQuery['filter']) => Promise<FileContent>
const whole =
  (make: (db: Db, actor: Actor, query: ReportQuery) => Promise<FileContent>): Make =>
  (step, actor, filter) =>
    step((db) => make(db, actor, { filter }))
const FILES: Record<ReportName, Make> = {
  'expenses-by-truck': whole(downloadByTruck),
  'expenses-by-suppliers': whole(downloadByProvider),
  'expenses-by-category': whole(downloadByCategory),
  'equipment-availability': whole(downloadAvailability),
  'historical-expenses': (step, actor, filter) => downloadSummaryMaintenance(step, actor, { filter }),
  'cost-supplies-by-truck': (step, actor, filter) => downloadSuppliesByTruck(step, actor, { filter }),
  'hours-by-specialist': (step, actor, filter) => downloadHours(step, actor, { filter }),
  'expenses-by-month': (step, actor, { WorkshopId, BetweenDate }) => {
    const year = BetweenDate!.split(',')[1]!.slice(0, 4)
    return step((db) => downloadByMonth(db, actor, MonthsQuery.parse({ filter: { WorkshopId, BetweenYear: year } })))
  },
}

const OF_YEARS: ReportName[] = ['expenses-by-month']

/** Monday to Sunday, of the week that is over. */
export function lastWeek(today: string): Period {
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  return { from: addDays(today, -sinceMonday - 7), to: addDays(today, -sinceMonday - 1) }
}

interface Reader extends Omit<Actor, 'may' | 'session_id'> {
  role: Role
  email: string
  wanted: Preferences['monday_reports']
}

/** Those who asked for reports by mail, as they stand today: nobody gets what they may no longer see. */
const readersOf = (db: Db, company_id: number) =>
  rows<Reader>(
    db,
    sql`select u.id as user_id, u.name as user_name, u.email, m.company_id, m.role, m.workshop_id, c.time_zone,
          m.preferences -> 'monday_reports' as wanted
        from ${membershipsTable} m
        join ${usersTable} u on u.id = m.user_id and u.active
        join ${companiesTable} c on c.id = m.company_id
        where m.company_id = ${company_id} and m.state = 'active'
          and jsonb_array_length(coalesce(m.preferences -> 'monday_reports', '[]')) > 0`,
  )

/** Each one's reports of last week, once, however often this is tried. */
export async function mailReports(database: Database, company_id: number, now = new Date()) {
  const step: Step = (work) => database.read(company_id, work)
  for (const { email, wanted, ...person } of await step((db) => readersOf(db, company_id))) {
    const actor: Actor = { ...person, session_id: 0, may: PERMISSIONS_OF.get(person.role)! }
    const week = lastWeek(dayOf(now, actor.time_zone))
    for (const { report, workshop_id } of wanted) {
      const name = REPORT_NAMES.find((known) => known === report)
      if (!name || !actor.may.has(REPORTS[name].may)) continue
      const place = await step((db) => placeOf(db, actor, workshop_id))
      const days = `${showDay(week.from)} – ${showDay(week.to)}`
      // What is of whole years comes as of that week, which is what makes it another mail.
      const when = OF_YEARS.includes(name) ? `${week.to.slice(0, 4)} al ${showDay(week.to)}` : days
      const subject = [REPORTS[name].title, when, place].filter(Boolean).join(', ')
      if (await step((db) => isWritten(db, company_id, email, subject))) continue
      const { filter } = ReportQuery.parse({
        filter: { BetweenDate: `${week.from},${week.to}`, WorkshopId: workshop_id ? [workshop_id] : undefined },
      })
      await mailOne(
        database,
        actor,
        email,
        { name, subject, filter, file: await FILES[name](step, actor, filter) },
        now,
      )
    }
  }
}

const placeOf = async (db: Db, { company_id, workshop_id }: Actor, asked: number | null) =>
  (
    await row<{ name: string }>(
      db,
      sql`select name from ${workshopsTable} where company_id = ${company_id} and id = ${workshop_id ?? asked}`,
    )
  )?.name

const isWritten = async (db: Db, company_id: number, to: string, subject: string) =>
  Boolean(
    await row(
      db,
      sql`select 1 as there from ${mailsTable}
          where company_id = ${company_id} and topic = 'reports' and "to" = ${to} and subject = ${subject}`,
    ),
  )

interface Mailed {
  name: ReportName
  subject: string
  filter: ReportQuery['filter']
  file: FileContent
}

async function mailOne(
  database: Database,
  { company_id }: Actor,
  to: string,
  { name, subject, filter, file }: Mailed,
  now: Date,
) {
  const made = typeof file.content === 'function' ? await file.content() : file.content
  const bytes = new Uint8Array(await new Response(made as ConstructorParameters<typeof Response>[0]).arrayBuffer())
  const { hash } = await database.context.files!.keepMade(company_id, bytes, file.type)
  const link = `${ADDRESS}/reportes/${name}${formatQuery({ filter })}`
  const lines = [`${subject}: va adjunto, con las mismas cifras de la pantalla.`, REPORTS[name].about]
  const end = 'Lo recibe cada lunes porque lo pidió; se deja de recibir en la misma pantalla.'
  await database.write(company_id, (db) =>
    queueMail(
      db,
      company_id,
      {
        topic: 'reports',
        to,
        subject,
        text: [...lines, link, end].join('\n\n'),
        html: `<!doctype html><html lang="es"><body style="font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif;font-size:14px;line-height:20px;color:#121826">${lines
          .map((line) => `<p>${escapeHtml(line)}</p>`)
          .join(
            '',
          )}<p><a href="${escapeHtml(link)}">Verlo en Maestranza</a></p><p>${escapeHtml(end)}</p></body></html>`,
        attachment_name: file.name,
        attachment_hash: hash,
      },
      now,
    ),
  )
}

export const mondayJob: CompanyJob = {
  name: 'reports-monday',
  schedule: '0 7 * * 1',
  runFor: (database, company_id) => mailReports(database, company_id),
}
