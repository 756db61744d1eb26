import { type SQL, sql } from 'drizzle-orm'
import { instantOf } from '#contract/base/dates.ts'
import { COMPANY, type Db, rows } from '../platform/database/db.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { closedMonths, openAfter, openSince } from '../workshops/months.ts'
import { suppliesTable, supplyFilingsTable } from './tables.ts'

/*
 * What was spent on a supply counts in the category it is filed under; in closed months, in the one it was filed under
 * when they were closed.
 */

/** Before supplies are filed elsewhere: `filed` selects id and category_id, as they will be. */
export async function keepFilings(db: Db, actor: Actor, filed: SQL) {
  const since = await openSince(db, actor)
  if (since === null) return
  await rows(
    db,
    sql`insert into ${supplyFilingsTable} (company_id, supply_id, until_at, category_id)
        select s.company_id, s.id, ${since}::timestamptz, s.category_id
        from ${suppliesTable} s join (${filed}) n on n.id = s.id
        where s.company_id = ${actor.company_id} and s.category_id is distinct from n.category_id
        on conflict do nothing`,
  )
}

/** Months were closed, or opened again: what is open counts where it is filed now. */
export async function openFilings(db: Db, actor: Actor) {
  const { since } = openAfter(await closedMonths(db, actor), actor)
  const reopened = sql`company_id = ${actor.company_id} and until_at > coalesce(${since}::timestamptz, '-infinity')`
  if (since !== null)
    await rows(
      db,
      sql`insert into ${supplyFilingsTable} (company_id, supply_id, until_at, category_id)
          select distinct on (supply_id) company_id, supply_id, ${since}::timestamptz, category_id
          from ${supplyFilingsTable} where ${reopened} order by supply_id, until_at on conflict do nothing`,
    )
  await rows(db, sql`delete from ${supplyFilingsTable} where ${reopened}`)
}

/** The category of supply `s` for what was spent at a moment, as a lateral `f` with its `category_id`. */
export const filedAt = (moment: SQL) => sql`cross join lateral (
  select (coalesce((select array[p.category_id] from ${supplyFilingsTable} p where p.company_id = ${COMPANY}
    and p.supply_id = s.id and p.until_at > ${moment} order by p.until_at limit 1), array[s.category_id]))[1] as category_id) f`

/** The days on which supplies were filed elsewhere than before. */
export async function refilings(db: Db, { company_id, time_zone }: Actor) {
  const found = await rows<{ day: string }>(
    db,
    sql`select distinct (until_at at time zone ${time_zone})::date as day from ${supplyFilingsTable}
        where company_id = ${company_id} order by 1`,
  )
  return found.map(({ day }) => day)
}

const EVER = '1970-01-01'
/** The moment since which, on a day, none was filed elsewhere. */
export const filedSince = (day: string, refiled: string[], { time_zone }: Actor) =>
  instantOf(`${refiled.findLast((one) => one <= day) ?? EVER}T00:00`, time_zone)

/**
 * As `filedAt`, for many rows `x` of a `supply_id`; `at` is what `filedSince` gives for the day of each. The supplies that
 * were filed elsewhere are looked up once for all of them.
 */
export const filedThen = (refiled: string[], at: SQL, actor: Actor) => {
  if (refiled.length === 0) return sql`cross join lateral (select s.category_id) f`
  const moments = [EVER, ...refiled].map((day) => filedSince(day, refiled, actor))
  return sql`left join (
    select distinct on (m.at, p.supply_id) m.at, p.supply_id, p.category_id
    from ${supplyFilingsTable} p join unnest(${sql.param(moments)}::timestamptz[]) as m (at) on p.until_at > m.at
    where p.company_id = ${COMPANY} order by m.at, p.supply_id, p.until_at) p on p.supply_id = x.supply_id and p.at = ${at}
  cross join lateral (select case when p.supply_id is null then s.category_id else p.category_id end as category_id) f`
}
