import type { WorkOrderStatus } from '#contract/work-orders/states.ts'
import { Random } from './random.ts'
import { JOBS, type Job } from './work-order-jobs.ts'
import { DAY, daysAgo, HISTORY_DAYS, type PlannedOrder, scaled, takeIds, type World } from './world.ts'

const HOUR = 3_600_000
/** In two years every truck comes about twice a month. */
const ORDERS = 2000
/** A larger carrier has more on its board, and no more of a history than this many times. */
const MOST_TIMES = 20
/** What is on the board now. */
const OPEN = 25

const COLUMNS: WorkOrderStatus[] = [
  'PENDING',
  'PENDING',
  'PENDING',
  'IN_REVIEW',
  'IN_REVIEW',
  'IN_PROCESS',
  'IN_PROCESS',
  'IN_PROCESS',
]

/** How many have taken something from the warehouse by then. */
const WANTS: Record<WorkOrderStatus, number> = { PENDING: 0, IN_REVIEW: 0.2, IN_PROCESS: 0.7, FINALIZED: 0.85 }

const ofWeight = JOBS.flatMap((job) => Array.from({ length: job.weight }, () => job))

/** Half past seven to half past four of a day in Chile, Sundays seldom. */
function workingMoment(random: Random, days: number, world: World) {
  const at = new Date(Math.floor(daysAgo(world, days).getTime() / DAY) * DAY + 10.5 * HOUR + random.next() * 9 * HOUR)
  return at.getUTCDay() === 0 && random.chance(0.8) ? new Date(at.getTime() - DAY) : at
}

/**
 * The orders, before anything of them is written: what each will ask of its warehouse, and when, so that the warehouse's
 * history can take it from stock.
 */
export async function ordersPlan(world: World) {
  const random = new Random(`orders ${world.company.seed}`)
  const count = scaled({ ...world, factor: Math.min(world.factor, MOST_TIMES) }, ORDERS)
  const open = Math.min(count, Math.max(4, scaled(world, OPEN)))
  const trucks = world.trucks.filter(({ state }) => state === 'active')
  const created = Array.from({ length: count }, (_, i) =>
    i < open
      ? workingMoment(random, i * (9 / open) + 0.2, world)
      : workingMoment(random, 3 + random.next() * (HISTORY_DAYS - 8), world),
  )
  const times = created
    .filter((at) => at.getTime() < world.now.getTime() - HOUR)
    .sort((a, b) => a.getTime() - b.getTime())
  const ids = await takeIds(world, 'work_orders', times.length)
  const shelf = shelves(world)
  const latest = new Set(
    [...created.slice(0, open)].filter((at) => at.getTime() < world.now.getTime() - HOUR).map((at) => at.getTime()),
  )
  world.orders = times.map((created_at, i): PlannedOrder => {
    const truck = random.pick(trucks)
    const job = random.pick(ofWeight)
    const isOpen = latest.has(created_at.getTime())
    const status = isOpen ? random.pick(COLUMNS) : 'FINALIZED'
    const hours = job.hours[0] + random.next() * (job.hours[1] - job.hours[0])
    // An order of this morning has its truck by now: a later entry would be a kilometre reading in the future.
    const entry = new Date(Math.min(created_at.getTime() + random.int(0, 4) * HOUR, world.now.getTime() - 0.75 * HOUR))
    // Some wait a day or a week for a part.
    const wait = random.chance(0.12) ? random.int(1, 7) * DAY : random.chance(0.3) ? 16 * HOUR : 0
    const left = Math.min(entry.getTime() + hours * HOUR + wait, world.now.getTime() - HOUR / 2)
    return {
      id: ids[i]!,
      number: i + 1,
      workshop_id: truck.workshop_id,
      truck_id: truck.id,
      created_at,
      status,
      entry,
      left: isOpen ? null : new Date(Math.max(left, entry.getTime() + HOUR / 2)),
      job: JOBS.indexOf(job),
      wanted: random.chance(WANTS[status]) ? wantedOf(random, job, shelf.get(truck.workshop_id)!) : [],
      at: new Date(Math.min(entry.getTime() + HOUR / 4, world.now.getTime() - HOUR / 2)),
      used: [],
    }
  })
}

/** Supplies of each workshop by the name they begin with. */
function shelves(world: World) {
  return new Map(
    world.workshops.map(({ id }) => {
      const own = world.supplies.filter(({ workshop_id }) => workshop_id === id)
      const names = new Set(JOBS.flatMap((job) => job.supplies.map(([name]) => name)))
      return [id, new Map([...names].map((name) => [name, own.filter((supply) => supply.name.startsWith(name))]))]
    }),
  )
}

function wantedOf(random: Random, job: Job, shelf: Map<string, { id: number }[]>) {
  return job.supplies.flatMap(([name, from, to]) => {
    const choice = shelf.get(name) ?? []
    const count = random.int(from, to)
    return count > 0 && choice.length > 0 ? [{ supply_id: random.pick(choice).id, count }] : []
  })
}
