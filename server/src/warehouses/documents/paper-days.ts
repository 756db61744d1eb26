import { dayOf } from '#contract/base/dates.ts'
import { OLD_DOCUMENT } from '#contract/warehouses/transactions.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/operations/actor.ts'
import { invalid } from '../../platform/problems.ts'
import { settingsOf } from '../../workshops/company.ts'

const OLD_DAYS = 60
/** The day of a provider's document: not after tomorrow, not before the company, and long ago only if that is confirmed. */
export async function requireLikelyDay(
  db: Db,
  actor: Actor,
  date: string,
  { confirm_old, prefix = '' }: { confirm_old: boolean; prefix?: string },
) {
  const day = (ahead: number) => dayOf(new Date(Date.now() + ahead * 86_400_000), actor.time_zone)
  const { first_month } = await settingsOf(db, actor)
  if (date > day(1)) throw invalid({ [`${prefix}date`]: 'La fecha no puede ser posterior a mañana.' })
  if (date.slice(0, 7) < first_month)
    throw invalid({ [`${prefix}date`]: `La empresa empezó en ${first_month}: revise la fecha.` })
  if (date < day(-OLD_DAYS) && !confirm_old)
    throw invalid({ [`${prefix}date`]: OLD_DOCUMENT, [`${prefix}confirm_old`]: OLD_DOCUMENT })
}
