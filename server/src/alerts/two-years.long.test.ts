import { afterAll, expect, it } from 'vitest'
import { Random } from '../../seeds/random.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'
import { MailServer } from '../../test/smtp.ts'
import { type App, createApp } from '../app.ts'
import type { Actor } from '../platform/operations/actor.ts'
import { evaluate, evaluateCompany } from './evaluation.ts'
import { executeAlerts } from './executing.ts'

/**
 * Two years by a simulated clock, with readings, executions, restarts, two instances at once and a mail server that
 * fails, beside a model of the rules written in plain arithmetic. Both must have sent the same alerts to the same people.
 */

const house = openHouse()
const server = new MailServer()
let apps: App[] = []
afterAll(async () => {
  for (const app of apps) await app.close()
  await server.stop()
})

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONE = 'America/Santiago'
const clock = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' })
const localDay = (at: number) => clock.format(at)
const plusDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
const offsetAt = (at: number) => {
  const shown = new Date(at).toLocaleString('sv-SE', { timeZone: ZONE }).replace(' ', 'T')
  return Math.round((Date.parse(`${shown}Z`) - at) / HOUR)
}

/** An alert as the model sees it. */
interface Planned {
  id: number
  name: string
  truck: number
  /** Kilometres of the truck at which those of the thing itself began: a unit counts from when it was coupled. */
  base: number
  date: string | null
  days: number
  km: number | null
  advance: number
  emails: string[]
  repeatDays: number | null
  repeatKm: number | null
  fromPlanned: boolean
  isDone: boolean
  told: Set<'current' | 'overdue'>
}

it('sends everyone each alert once, over years, and nothing else', { timeout: 600_000 }, async () => {
  const random = new Random('two years of alerts')
  const boss: Member = await house.given.member({ role: 'super-admin' })
  const company = { company_id: boss.company_id, time_zone: ZONE }
  const actor: Actor = {
    ...boss,
    user_name: boss.name,
    session_id: 0,
    workshop_id: null,
    time_zone: ZONE,
    role: 'super-admin',
    may: new Set(),
  }
  await server.start()
  const open = () => createApp({ databaseUrl: house.url, smtpUrl: server.url, address: 'https://taller.cl' })
  apps = [await open(), await open()]

  const start = Date.now()
  const mileage = new Map<number, number>()
  const perDay = new Map<number, number>()
  const unit = await house.given.coupled(boss)
  for (let i = 0; i < 5; i++) {
    const truck = await house.given.truck(boss, { mileage: 10_000 * i, coupled_id: i === 0 ? unit.id : null })
    mileage.set(truck.id, truck.mileage)
    perDay.set(truck.id, 80 + 90 * i)
  }
  const trucks = [...mileage.keys()]
  const people = ['uno@x.cl', 'dos@x.cl', 'tres@x.cl']

  const planned: Planned[] = []
  for (let i = 0; i < 36; i++) {
    const ofUnit = i % 9 === 8
    const truck = ofUnit ? trucks[0]! : trucks[i % 5]!
    const date = i % 3 === 1 ? null : plusDays(localDay(start), random.int(40, 700))
    const km = i % 3 === 0 ? null : (ofUnit ? 0 : mileage.get(truck)!) + perDay.get(truck)! * random.int(40, 640)
    const plan: Planned = {
      id: 0,
      name: `Alerta ${i}`,
      truck,
      base: ofUnit ? mileage.get(truck)! : 0,
      date,
      days: date && random.chance(0.7) ? random.int(1, 30) : 0,
      km,
      advance: km && random.chance(0.7) ? random.int(100, 2000) : 0,
      emails: people.filter(() => random.chance(0.6)),
      repeatDays: date && i % 4 === 0 ? random.int(60, 200) : null,
      repeatKm: km && i % 4 === 2 ? random.int(5000, 20_000) : null,
      fromPlanned: i % 8 < 4,
      isDone: false,
      told: new Set(),
    }
    const alert = await house.given.alert(boss, {
      name: plan.name,
      ...(ofUnit ? { selectedCoupled: [unit.id] } : { selectedTrucks: [truck] }),
      expirationSettings: { dateSelected: date !== null, date, kilometersSelected: km !== null, kilometers: km },
      alertSettings: {
        daysSelected: plan.days > 0,
        days: plan.days,
        kilometersSelected: plan.advance > 0,
        kilometers_advance: plan.advance,
      },
      repeatSettings: {
        dateSelected: plan.repeatDays !== null,
        every: plan.repeatDays,
        kilometersSelected: plan.repeatKm !== null,
        kilometers: plan.repeatKm,
        from: plan.fromPlanned ? 'planned' : 'done',
      },
      emails_to_notifications: { selected: plan.emails },
    })
    plan.id = alert.id
    expect(alert.status).toBe('created')
    planned.push(plan)
  }

  /** What the rules say must have been written: hour, person, and what of which alert. */
  const expected: string[] = []
  const expectRun = (at: number, of: Planned[]) => {
    const letters = new Map<string, string[]>()
    for (const plan of of) {
      if (plan.isDone) continue
      const km = mileage.get(plan.truck)! - plan.base
      const today = localDay(at)
      const isOverdue = (plan.date !== null && today > plan.date) || (plan.km !== null && km > plan.km)
      const isCurrent =
        isOverdue ||
        (plan.date !== null && today >= plusDays(plan.date, -plan.days)) ||
        (plan.km !== null && km >= plan.km - plan.advance)
      const news = (['current', 'overdue'] as const).filter(
        (event) => (event === 'overdue' ? isOverdue : isCurrent) && !plan.told.has(event),
      )
      for (const event of news) plan.told.add(event)
      const said = news.at(-1)
      if (said) for (const to of plan.emails) letters.set(to, [...(letters.get(to) ?? []), `${plan.name} ${said}`])
    }
    for (const [to, lines] of letters) expected.push(`${new Date(at).toISOString()} ${to}: ${lines.sort().join(', ')}`)
  }

  const run = async (at: number, instances: App[]) => {
    await Promise.all(instances.map((app) => evaluateCompany(app.database, company.company_id, new Date(at))))
    expectRun(at, planned)
  }

  const readMeter = async (at: number, truck: number) => {
    const since = (at - start) / DAY
    const km = Math.round((trucks.indexOf(truck) * 10_000 + since * perDay.get(truck)!) / 10) * 10
    if (km <= mileage.get(truck)!) return
    mileage.set(truck, km)
    await house.owner.query(
      `insert into truck_readings (company_id, truck_id, date, km, source) values ($1, $2, $3, $4, 'manual')`,
      [company.company_id, truck, new Date(at).toISOString(), km],
    )
    await house.owner.query('update trucks set mileage = $3 where company_id = $1 and id = $2', [
      company.company_id,
      truck,
      km,
    ])
    await apps[0]!.database.write(company.company_id, (db) => evaluate(db, company, new Date(at), { trucks: [truck] }))
    expectRun(
      at,
      planned.filter((plan) => plan.truck === truck),
    )
  }

  const carryOut = async (at: number, plan: Planned) => {
    const { made } = await apps[1]!.database.write(company.company_id, (db) =>
      executeAlerts(db, actor, { ids: [plan.id] }, new Date(at)),
    )
    plan.isDone = true
    const [today, km] = [localDay(at), mileage.get(plan.truck)! - plan.base]
    if (plan.repeatDays === null && plan.repeatKm === null) return expect(made).toEqual([])
    const next: Planned = { ...plan, id: made[0]!.id, isDone: false, told: new Set(), date: null, km: null }
    if (plan.repeatDays !== null) {
      next.date = plusDays(plan.fromPlanned && plan.date ? plan.date : today, plan.repeatDays)
      while (plan.fromPlanned && next.date <= today) next.date = plusDays(next.date, plan.repeatDays)
    }
    if (plan.repeatKm !== null) {
      next.km = (plan.fromPlanned && plan.km ? plan.km : km) + plan.repeatKm
      while (plan.fromPlanned && next.km <= km) next.km += plan.repeatKm
    }
    if (next.date === null) next.days = 0
    if (next.km === null || next.advance >= next.km) next.advance = 0
    planned.push(next)
    expectRun(at, [next])
  }

  const end = start + 730 * DAY
  let changes = 0
  let at = start + HOUR
  for (let step = 0; at < end; step++) {
    if (step % 5 === 4) for (const truck of trucks) await readMeter(at, truck)
    // Now and then two instances at the same moment.
    const awake = step % 5 === 0 ? apps : [apps[step % 2]!]
    await run(at, awake)
    // Some weeks after it was told, somebody does it.
    if (step % 3 === 0) {
      const due = planned.find((plan) => !plan.isDone && plan.told.size > 0 && random.chance(0.5))
      if (due) await carryOut(at + 60_000, due)
    }
    // The mail server has bad days: it refuses, or it is not there at all.
    const mood = step % 61
    server.mood = mood > 50 && mood < 54 ? 'refuse' : 'take'
    if (mood === 20) await server.stop()
    if (mood === 23) await server.start()
    if (step % 150 === 149) {
      // A run that fails in the middle leaves nothing behind, and is made up for by the next.
      const broken = apps[0]!.database.write(company.company_id, async (db) => {
        await evaluate(db, company, new Date(at + DAY))
        throw new Error('power cut')
      })
      await expect(broken).rejects.toThrow('power cut')
      await Promise.all(apps.map((app) => app.close()))
      apps = [await open(), await open()]
    } else
      await Promise.all(awake.map((app) => app.outbox.sendDue(company.company_id, () => new Date(at + 2 * 60_000))))
    // Every hour around a change of the clocks, every second day otherwise.
    const isNear = [-1, 0, 1].some((days) => offsetAt(at + days * DAY) !== offsetAt(at + (days + 1) * DAY))
    const next = at + (isNear ? HOUR : 48 * HOUR)
    if (offsetAt(next) !== offsetAt(at)) changes += 1
    at = next
  }
  server.mood = 'take'
  await server.stop()
  await server.start()
  for (const hours of [1, 30, 60]) await apps[0]!.outbox.sendDue(company.company_id, () => new Date(end + hours * HOUR))

  // The clock changes twice a year on days that differ, so a year from today may have one more or less.
  let expectedChanges = 0
  for (let day = start + HOUR; day < at; day += DAY)
    if (offsetAt(Math.min(day + DAY, at)) !== offsetAt(day)) expectedChanges += 1
  expect(changes).toBe(expectedChanges)
  const { rows } = await house.owner.query<{ key: string; said: string; state: string }>(
    `select format('<maestranza.%s.%s@taller.cl>', m.company_id, m.id) as key, m.state, m."to",
       to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || m."to" || ': ' ||
       string_agg(split_part(l.title, ' ·', 1) || ' ' || l.event, ', ' order by split_part(l.title, ' ·', 1) collate "C") as said
     from mails m join alert_mails l on l.company_id = m.company_id and l.mail_id = m.id
     where m.company_id = $1 group by m.company_id, m.id`,
    [company.company_id],
  )
  const saidBy = new Map(rows.map(({ key, said }) => [key, said]))
  expect(server.received.map(({ id, to }) => saidBy.get(id) ?? `unknown ${to}`).sort()).toEqual(expected.sort())
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['sent']))
  expect(expected.length).toBeGreaterThan(100)
})
