import { fillPlaceholders, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { CHILEAN_OBLIGATIONS } from '#contract/alerts/categories.ts'
import { addDays, addMonths, dayOf } from '#contract/base/dates.ts'
import { unitUse } from '../src/fleet/usage.ts'
import { Random } from './random.ts'
import { DAY, daysAgo, HISTORY_DAYS, insertRows, takeIds, type World } from './world.ts'

const ZONE = 'America/Santiago'

interface Service {
  name: string
  category: string
  description: string
  every: number
  advance: number
}
/** What a workshop does by kilometres. */
const SERVICES: Service[] = [
  {
    name: 'Cambio de aceite y filtros',
    category: 'Lubricación',
    description: 'Aceite de motor, filtro de aceite, de petróleo y separador de agua.',
    every: 25_000,
    advance: 1500,
  },
  {
    name: 'Engrase general',
    category: 'Lubricación',
    description: 'Quinta rueda, crucetas y paquetes de resortes.',
    every: 10_000,
    advance: 800,
  },
  {
    name: 'Revisión de frenos',
    category: 'Frenos',
    description: 'Balatas, tambores, pulmones y regulación.',
    every: 40_000,
    advance: 2000,
  },
  {
    name: 'Rotación de neumáticos',
    category: 'Neumáticos',
    description: 'Medir surco, rotar y ajustar presión.',
    every: 30_000,
    advance: 1500,
  },
]
const UNIT_SERVICE: Service = {
  name: 'Mantención de acoplado',
  category: 'Frenos',
  description: 'Frenos, rodamientos, luces y perno rey.',
  every: 20_000,
  advance: 1500,
}

/**
 * A year and a half of maintenance done in time or a little late, and what is planned now. Long, because each rule of the
 * story draws from the same random numbers in the order in which it stands here.
 */
export async function alertsPart(world: World) {
  const company_id = world.company.id
  const random = new Random(`alerts ${world.company.seed}`)
  const today = dayOf(world.now, ZONE)
  const stamp = daysAgo(world, HISTORY_DAYS + 10)
  const plain = ['Lubricación', 'Frenos', 'Neumáticos'].map((name) => ({
    name,
    applies_to: null,
    every_months: null,
    due_day: null,
    days: null,
  }))
  const categories = [...CHILEAN_OBLIGATIONS, ...plain]
  const categoryIds = await takeIds(world, 'alert_categories', categories.length)
  await insertRows(
    world,
    'alert_categories',
    categories.map((category, i) => ({
      company_id,
      id: categoryIds[i],
      workshop_id: null,
      ...category,
      created_at: stamp,
      updated_at: stamp,
    })),
  )
  const idOf = new Map(categories.map(({ name }, i) => [name, categoryIds[i]!]))

  const { rows: people } = await world.client.query<{ email: string; workshop_id: string | null }>(
    `select u.email, m.workshop_id from memberships m join users u on u.id = m.user_id
     where m.company_id = $1 and m.role in ('super-admin', 'admin') order by u.id`,
    [company_id],
  )
  const emailsOf = (workshop_id: number) =>
    people
      .filter((one) => one.workshop_id === null || Number(one.workshop_id) === workshop_id)
      .map(({ email }) => email)
  const chief = world.users[0]!

  const made: (Record<string, unknown> & { categories: string[] })[] = []
  /** One that was carried out some days after it was due, or one that waits. */
  const add = (
    of: { truck_id?: number; coupled_id?: number; workshop_id: number },
    plan: Record<string, unknown> & { name: string; categories: string[] },
    done?: { executed_on: string; executed_kilometers?: number | null },
  ) => {
    const { workshop_id, truck_id = null, coupled_id = null } = of
    const at = done ? new Date(`${done.executed_on}T15:00:00Z`) : daysAgo(world, random.int(2, 60))
    made.push({
      company_id,
      truck_id,
      coupled_id,
      description: null,
      date: null,
      kilometers: null,
      days: null,
      kilometers_advance: null,
      repeat_every: null,
      repeat_unit: 'days',
      repeat_kilometers: null,
      repeat_from: 'done',
      round: 1,
      emails: emailsOf(workshop_id),
      status: done ? 'executed' : 'created',
      overdue: false,
      estimated: false,
      executed_on: done?.executed_on ?? null,
      executed_kilometers: done?.executed_kilometers ?? null,
      executed_by: done ? chief.name : null,
      created_at: new Date(at.getTime() - random.int(20, 90) * DAY),
      updated_at: at,
      ...plan,
    })
  }
  const served = ({ name, category, description, every, advance }: Service, kilometers: number) => ({
    name,
    categories: [category],
    description,
    kilometers,
    kilometers_advance: advance,
    repeat_kilometers: every,
  })

  for (const truck of world.trucks) {
    const of = { truck_id: truck.id, workshop_id: truck.workshop_id }
    obligations(truck.id, of, 'truck')
    for (const service of SERVICES) {
      if (random.chance(0.25)) continue
      // The last one was done somewhere within the last period; a few are late by now.
      const since = Math.round(service.every * (random.chance(0.06) ? 1 + random.next() * 0.05 : random.next() * 0.98))
      const last = truck.mileage - since
      if (last > 0 && random.chance(0.7))
        add(of, served(service, last - random.int(-600, 900)), {
          executed_on: addDays(today, -Math.max(1, Math.round(since / 350))),
          executed_kilometers: last,
        })
      add(of, served(service, Math.max(service.every, last + service.every)))
    }
  }
  const { sql: text, params } = new PgDialect().sqlToQuery(
    unitUse(company_id, sql`select id from coupled where company_id = ${company_id}`, world.now.toISOString()),
  )
  const { rows: pulled } = await world.client.query<{ id: string; kilometers: string }>(
    text,
    fillPlaceholders(params, { company: company_id }),
  )
  const kilometersOf = new Map(pulled.map(({ id, kilometers }) => [id, Number(kilometers)]))
  const { rows: units } = await world.client.query<{ id: string; workshop_id: string }>(
    'select id, workshop_id from coupled where company_id = $1 order by id',
    [company_id],
  )
  for (const unit of units) {
    const of = { coupled_id: Number(unit.id), workshop_id: Number(unit.workshop_id) }
    obligations(Number(unit.id) + 7, of, 'coupled')
    const ahead = Math.round(UNIT_SERVICE.every * (random.next() * 1.02 - 0.04))
    if (random.chance(0.8)) add(of, served(UNIT_SERVICE, Math.max(5000, (kilometersOf.get(unit.id) ?? 0) + ahead)))
  }

  function obligations(n: number, of: Parameters<typeof add>[0], kind: string) {
    for (const { name, applies_to, every_months, due_day, days } of CHILEAN_OBLIGATIONS) {
      if (applies_to !== 'both' && applies_to !== kind) continue
      // Nobody has written down everything.
      if (random.chance(0.12)) continue
      const plan = (date: string) => ({
        name,
        categories: [name],
        date,
        days,
        repeat_every: every_months,
        repeat_unit: 'months',
        repeat_from: due_day ? 'planned' : 'done',
      })
      const thisYear = `${today.slice(0, 4)}-${due_day}`
      const next = due_day
        ? thisYear >= today
          ? thisYear
          : addMonths(thisYear, 12)
        : addDays(today, ((n * 53 + random.int(0, 20)) % 190) - (random.chance(0.15) ? 25 : 3))
      const before = addMonths(next, -every_months!)
      const late = addDays(before, random.int(-20, 3))
      if (late < today) add(of, plan(before), { executed_on: late })
      add(of, plan(next))
    }
  }

  const ids = await takeIds(world, 'alerts', made.length)
  await insertRows(
    world,
    'alerts',
    made.map(({ categories: _, ...alert }, i) => ({ id: ids[i], ...alert })),
  )
  await insertRows(
    world,
    'alerts_categories',
    made.flatMap((alert, i) =>
      alert.categories.map((name) => ({ company_id, alert_id: ids[i], category_id: idOf.get(name) })),
    ),
  )
}
