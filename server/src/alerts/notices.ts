import { sql } from 'drizzle-orm'
import type { AlertEvent } from '#contract/alerts/mails.ts'
import { type Plan, sayDistance, sayDue, sayPlan } from '#contract/alerts/words.ts'
import { dayOf } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { coupledTable, trucksTable } from '../fleet/tables.ts'
import { membershipsTable, usersTable } from '../identity/tables.ts'
import { type Db, row, rows } from '../platform/database/db.ts'
import { ADDRESS, escapeHtml, queueMail } from '../platform/outside/mail.ts'
import { companiesTable, workshopsTable } from '../workshops/tables.ts'
import { alertMailsTable, alertsTable } from './tables.ts'

/** Whose alerts, and by which clock its days begin. */
export interface Company {
  company_id: number
  time_zone: string
}

/** An alert that became current or overdue in this run. */
export interface Fresh {
  alert_id: number
  event: AlertEvent
}

interface Line extends Plan {
  id: number
  round: number
  name: string
  emails: string[]
  code: string | null
  patent: string
  workshop_id: number
  workshop_name: string
  event: AlertEvent
}

/** Of people of the company who asked for no mails. */
async function mutedAddresses(db: Db, company_id: number) {
  const found = await rows<{ email: string }>(
    db,
    sql`select lower(u.email) as email from ${membershipsTable} m join ${usersTable} u on u.id = m.user_id
        where m.company_id = ${company_id} and m.preferences ->> 'notifications' = 'false'`,
  )
  return new Set(found.map(({ email }) => email))
}

/** One mail to each person about everything new in this run; what became current and overdue at once is overdue. */
export async function writeNotices(db: Db, { company_id, time_zone }: Company, now: Date, fresh: Fresh[]) {
  const events = new Map<number, AlertEvent>()
  for (const { alert_id, event } of fresh) if (event === 'overdue' || !events.has(alert_id)) events.set(alert_id, event)
  const found = await rows<Omit<Line, 'event'>>(
    db,
    sql`select a.id, a.round, a.name, a.emails, a.date, a.kilometers, a.kilometers_now, a.due_on, a.estimated, t.code,
          coalesce(t.patent, c.patent) as patent, w.id as workshop_id, w.name as workshop_name
        from ${alertsTable} a
        left join ${trucksTable} t on t.company_id = a.company_id and t.id = a.truck_id
        left join ${coupledTable} c on c.company_id = a.company_id and c.id = a.coupled_id
        join ${workshopsTable} w on w.company_id = a.company_id and w.id = coalesce(t.workshop_id, c.workshop_id)
        where a.company_id = ${company_id} and a.id = any(${sql.param([...events.keys()])}) and cardinality(a.emails) > 0
        order by a.due_on nulls last, a.id`,
  )
  const company = await row<{ name: string }>(db, sql`select name from ${companiesTable} where id = ${company_id}`)
  const letters = new Map<string, Line[]>()
  const muted = await mutedAddresses(db, company_id)
  for (const line of found)
    for (const to of line.emails) {
      if (muted.has(to)) continue
      const lines = letters.get(to) ?? []
      letters.set(to, lines)
      lines.push({ ...line, event: events.get(line.id)! })
    }
  for (const [to, lines] of [...letters].sort(([a], [b]) => a.localeCompare(b))) {
    const sorted = [...lines].sort((a, b) => Number(b.event === 'overdue') - Number(a.event === 'overdue'))
    const letter = compose(sorted, company?.name ?? '', dayOf(now, time_zone))
    const mail_id = await queueMail(db, company_id, { topic: 'alerts', to, ...letter }, now)
    const told = sorted.map((line) => ({ ...line, alert_id: line.id, title: `${line.name} · ${unitOf(line)}` }))
    await rows(
      db,
      sql`insert into ${alertMailsTable} (company_id, mail_id, alert_id, round, event, workshop_id, title)
          select ${company_id}, ${mail_id}, alert_id, round, event, workshop_id, title
          from jsonb_populate_recordset(null::alert_mails, ${JSON.stringify(told)}::jsonb)
          returning company_id`,
    )
  }
}

const unitOf = ({ code, patent }: Pick<Line, 'code' | 'patent'>) =>
  code === null ? `Acoplado ${showPatent(patent)}` : `${code} · ${showPatent(patent)}`
const linkTo = (id: number) => `${ADDRESS}/maintenance-alerts?alert=${id}`
const STATE = { overdue: 'Vencida', current: 'Por vencer' }

/** What it says of one alert, the same in both versions. */
const saysOf = (line: Line, today: string) => ({
  state: STATE[line.event],
  unit: unitOf(line),
  plan: [sayPlan(line), line.estimated && line.due_on !== null && line.due_on >= today ? sayDue(line, today) : null]
    .filter(Boolean)
    .join(', '),
  distance: sayDistance(line, today),
})

export function subjectOf(lines: readonly Pick<Line, 'event' | 'name' | 'code' | 'patent'>[]) {
  const [only] = lines
  if (lines.length === 1 && only) return `${STATE[only.event]}: ${only.name}, ${unitOf(only)}`
  const overdue = lines.filter(({ event }) => event === 'overdue').length
  const soon = lines.length - overdue
  const parts = [
    overdue > 0 && `${overdue} ${overdue === 1 ? 'vencida' : 'vencidas'}`,
    soon > 0 && `${soon} por vencer`,
  ].filter(Boolean)
  return `Mantenciones: ${parts.join(' y ')}`
}

export function compose(lines: Line[], company: string, today: string) {
  const intro =
    lines.length === 1
      ? 'Hay una mantención que requiere su atención:'
      : `Hay ${lines.length} mantenciones que requieren su atención:`
  const why = `Recibe este correo porque su dirección está en la lista de estas alertas de ${company}. Cada aviso se envía una sola vez al activarse la alerta y otra al vencer.`
  const told = lines.map((line) => ({ line, says: saysOf(line, today) }))
  const text = [
    'Hola:',
    intro,
    ...told.map(({ line, says }) =>
      [
        `${says.state.toUpperCase()}: ${line.name}`,
        `  Equipo: ${says.unit} (${line.workshop_name})`,
        `  Planificada: ${says.plan}`,
        `  ${says.distance}`,
        `  ${linkTo(line.id)}`,
      ].join('\n'),
    ),
    `Todas las alertas: ${ADDRESS}/maintenance-alerts`,
    `--\n${why}`,
  ].join('\n\n')
  return { subject: subjectOf(lines), text, html: page(told, intro, why, company) }
}

const CELL = 'padding:12px 10px;border-top:1px solid #e1e6ee;vertical-align:top;font-size:14px;line-height:20px'
const COLOURS = { overdue: '#c2283a', current: '#8a5800' }

/** Mail readers know tables and inline styles, and little else. */
const page = (
  told: { line: Line; says: ReturnType<typeof saysOf> }[],
  intro: string,
  why: string,
  company: string,
) => `<!doctype html>
<html lang="es">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subjectOf(told.map(({ line }) => line)))}</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f6fa;color:#121826;font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="640" cellpadding="0" cellspacing="0" style="max-width:640px;width:100%;background:#ffffff;border:1px solid #e1e6ee;border-radius:12px">
<tr><td style="padding:20px 24px 4px;font-size:13px;line-height:20px;color:#5c687d">Maestranza · ${escapeHtml(company)}</td></tr>
<tr><td style="padding:0 24px 16px;font-size:18px;line-height:26px;font-weight:600">${escapeHtml(intro)}</td></tr>
<tr><td style="padding:0 14px 8px">
<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">
<tr>${['Mantención', 'Equipo', 'Planificada'].map((title) => `<th align="left" scope="col" style="padding:6px 10px;font-size:12px;line-height:16px;color:#5c687d;font-weight:600">${title}</th>`).join('')}</tr>
${told
  .map(
    ({ line, says }) => `<tr>
<td style="${CELL}"><span style="color:${COLOURS[line.event]};font-weight:600;font-size:12px">● ${says.state}</span><br><a href="${linkTo(line.id)}" style="color:#3550cc;font-weight:600">${escapeHtml(line.name)}</a></td>
<td style="${CELL}">${escapeHtml(says.unit)}<br><span style="color:#5c687d;font-size:12px">${escapeHtml(line.workshop_name)}</span></td>
<td style="${CELL}">${escapeHtml(says.plan)}<br><span style="color:${COLOURS[line.event]};font-size:12px">${escapeHtml(says.distance)}</span></td>
</tr>`,
  )
  .join('\n')}
</table></td></tr>
<tr><td style="padding:8px 24px 20px"><a href="${ADDRESS}/maintenance-alerts" style="display:inline-block;padding:10px 16px;background:#3f5bd9;color:#ffffff;border-radius:8px;text-decoration:none;font-size:14px;font-weight:600">Ver todas las alertas</a></td></tr>
<tr><td style="padding:14px 24px 20px;border-top:1px solid #e1e6ee;font-size:12px;line-height:18px;color:#5c687d">${escapeHtml(why)}</td></tr>
</table></td></tr></table>
</body></html>`
