import { addDays, beginOf, dayOf, endOf } from './days.ts'
import type { Operation, Rule, World } from './operations.ts'
import type { Orders } from './orders.ts'

/* Trucks: where each was at home, of which centre, what its meter showed, and when it was stopped. */

interface Reading {
  id: number
  km: number
  taken: number
  order: number | null
  voided: boolean
  /** Whether it counted when its month was closed. */
  kept: boolean | null
}
interface Truck {
  id: number
  registered: number
  readings: Reading[]
  /** From which day on it was where; the first is since ever. */
  homes: { from: string; workshop: number }[]
  centres: { from: string; centre: number | null }[]
}

export class Fleet {
  readonly trucks = new Map<number, Truck>()
  readonly #broken: ReadonlySet<Rule>

  constructor(world: World, broken: ReadonlySet<Rule>) {
    this.#broken = broken
    for (const { id, workshop, centre, registered, reading } of world.trucks)
      this.trucks.set(id, {
        id,
        registered,
        readings: [{ id: reading.id, km: reading.km, taken: reading.at, order: null, voided: false, kept: null }],
        homes: [{ from: '', workshop }],
        centres: [{ from: '', centre }],
      })
  }

  apply(op: Operation) {
    if (op.kind === 'home') {
      const truck = this.trucks.get(op.truck)!
      const from = this.#broken.has('home') ? '' : dayOf(op.at)
      const before = truck.homes.filter((home) => home.from < from)
      truck.homes = before.at(-1)?.workshop === op.workshop ? before : [...before, { from, workshop: op.workshop }]
    }
    if (op.kind === 'centre') {
      const truck = this.trucks.get(op.truck)!
      const before = truck.centres.filter((one) => one.from < op.from)
      truck.centres = before.at(-1)?.centre === op.centre ? before : [...before, { from: op.from, centre: op.centre }]
    }
    if (op.kind === 'reading') {
      const { id, km, taken, order } = op
      this.trucks.get(op.truck)!.readings.push({ id, km, taken, order, voided: false, kept: null })
    }
    if (op.kind === 'void-reading')
      for (const { readings } of this.trucks.values())
        for (const one of readings) if (one.id === op.id) one.voided = true
    if (op.kind === 'delete-order')
      for (const truck of this.trucks.values())
        truck.readings = truck.readings.filter(({ order }) => order !== op.order)
    if (op.kind === 'reopen') {
      const since = beginOf(addDays(lastOf(op.through), 1))
      for (const { readings } of this.trucks.values())
        for (const one of readings) if (one.taken >= since) one.kept = null
    }
    if (op.kind === 'close') this.#freeze(beginOf(addDays(lastOf(op.through), 1)))
  }

  /** Readings that counted when a month was closed count in it for ever. */
  #freeze(before: number) {
    for (const truck of this.trucks.values()) {
      const counted = new Set(this.#counting(truck))
      for (const one of truck.readings) if (one.taken < before && one.kept === null) one.kept = counted.has(one)
    }
  }

  /** Readings that count, by when they were taken: not voided, and with none after them that is lower. */
  #counting({ readings }: Truck): Reading[] {
    const standing = readings.filter(({ voided }) => !voided).sort((a, b) => a.taken - b.taken || a.id - b.id)
    const counts = (one: Reading, i: number) => standing.slice(i + 1).every((later) => later.km >= one.km)
    const now = new Set(standing.filter(counts))
    return readings.filter((one) => one.kept ?? now.has(one)).sort((a, b) => a.taken - b.taken || a.id - b.id)
  }

  #drivenBetween(truck: Truck, from: number, to: number) {
    const counting = this.#counting(truck)
    const last = counting.findLast(({ taken }) => taken < to)
    const before = this.#broken.has('kilometres') ? undefined : counting.findLast(({ taken }) => taken < from)
    const first = before ?? counting.find(({ taken }) => taken >= from && taken < to)
    return last && first ? Math.max(0, last.km - first.km) : 0
  }

  /** Kilometres of some days; of a workshop, those of days on which the truck was at home there. */
  kilometers(id: number, from: string, to: string, workshop: number | null) {
    const truck = this.trucks.get(id)!
    if (workshop === null) return this.#drivenBetween(truck, beginOf(from), endOf(to))
    return truck.homes.reduce((all, home, i) => {
      const start = home.from > from ? home.from : from
      const next = truck.homes[i + 1]?.from
      const until = next !== undefined && next <= to ? beginOf(next) : endOf(to)
      if (home.workshop !== workshop || beginOf(start) >= until) return all
      return all + this.#drivenBetween(truck, beginOf(start), until)
    }, 0)
  }

  centreOn = (id: number, day: string) => this.trucks.get(id)!.centres.findLast(({ from }) => from <= day)!.centre

  /** Hours that a truck was there, stopped, and stopped for what nobody planned, up to now; and how often. */
  stopped(orders: Orders, id: number, from: string, to: string, now: number, workshop: number | null) {
    const truck = this.trucks.get(id)!
    const since = Math.max(beginOf(from), beginOf(dayOf(truck.registered)))
    const until = Math.min(endOf(to), now)
    const open = this.#broken.has('availability') ? since : now
    const stays = [...orders.orders.values()]
      .filter(
        (order) => order.truck === id && order.stay.from !== null && (workshop === null || order.workshop === workshop),
      )
      .map(({ planned, stay }) => ({
        planned,
        from: Math.max(stay.from!, since),
        to: Math.min(stay.to ?? open, until),
      }))
      .filter((stay) => stay.from < stay.to)
    const failures = stays.filter(({ planned }) => !planned)
    const hours = (ms: number) => ms / 3_600_000
    const length = (s: { from: number; to: number }[]) => hours(s.reduce((all, one) => all + one.to - one.from, 0))
    return {
      hours: Math.max(0, hours(until - since)),
      stopped: length(joined(stays)),
      unplanned: length(joined(failures)),
      stops: joined(stays).length,
      failures: joined(failures).length,
    }
  }
}

const lastOf = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
/** Intervals that touch or cross become one. */
function joined<T extends { from: number; to: number }>(intervals: T[]) {
  const found: { from: number; to: number }[] = []
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else found.push({ from, to })
  }
  return found
}
