import { dayOf as dayIn } from '#contract/base/dates.ts'
import { divideHalfUp, showNumber } from '#contract/base/money.ts'
import { BUILT_IN_MAINTENANCE } from '#contract/work-orders/catalogues.ts'
import { lineAmount } from '#contract/work-orders/lines.ts'
import { POSITION_STEP } from '#contract/work-orders/orders.ts'
import type { WorkOrderStatus } from '#contract/work-orders/states.ts'
import { fromText, toText } from '../src/warehouses/stock/ledger.ts'
import { Random } from './random.ts'
import { JOBS, OBSERVATIONS, TASKS, WAITING } from './work-order-jobs.ts'
import { DAY, daysAgo, HISTORY_DAYS, insertRows, orderCode, type PlannedOrder, takeIds, type World } from './world.ts'

const HOUR = 3_600_000
/** Six in the afternoon in Chile, some days later. */
const evening = (at: Date, days: number) => new Date((Math.floor(at.getTime() / DAY) + days) * DAY + 21 * HOUR)
/** Eight to four of a day in Chile, no Sunday. */
function workingHour(at: number, hour: number) {
  const day = Math.floor(at / DAY) * DAY
  return new Date(day + (new Date(day).getUTCDay() === 0 ? DAY : 0) + (14 + hour) * HOUR)
}
const dayOf = (at: Date) => new Date(at.getTime() - 3 * HOUR).toISOString().slice(0, 10)

/** Orders as they were planned, with what the warehouse gave them, who worked on them, and what firms outside did. */
export async function workOrdersPart(world: World) {
  const catalogues = await makeCatalogues(world)
  const written: Written = {
    orders: [],
    costs: [],
    works: [],
    supplies: [],
    services: [],
    invoices: [],
    readings: [],
    waits: [],
    activity: [],
  }
  const scribe = new Scribe(world, catalogues, written, await meters(world), await couplings(world))
  for (const order of world.orders) scribe.write(order)
  placeCards(written.orders)
  // All at once: the index of parts of words takes many orders together far better than one after the other.
  await world.client.query('alter index work_orders_search set (gin_pending_list_limit = 2000000)')
  await insertRows(world, 'work_orders', written.orders)
  await world.client.query(`select gin_clean_pending_list('work_orders_search')`)
  await world.client.query('alter index work_orders_search set (gin_pending_list_limit = 512)')
  await world.client.query('analyze work_orders')
  for (const [table, rows] of [
    ['work_order_costs', written.costs],
    ['works', written.works],
    ['work_order_supplies', written.supplies],
    ['work_order_services', written.services],
    ['invoices', written.invoices],
    ['truck_readings', written.readings],
    ['work_order_waits', written.waits],
    ['activity', written.activity],
  ] as const) {
    const ids = rows.length > 0 ? await takeIds(world, table, rows.length) : []
    await insertRows(
      world,
      table,
      rows.map((row, i) => ({ id: ids[i], ...row })),
    )
  }
}

interface Catalogues {
  types: Map<string, number>
  tasks: Map<string, { id: number; name: string }>
}

async function makeCatalogues(world: World): Promise<Catalogues> {
  const company_id = world.company.id
  const at = daysAgo(world, HISTORY_DAYS + 25)
  const stamps = { state: 'active', created_at: at, updated_at: at }
  const types: [string, string][] = [
    ...Object.entries(BUILT_IN_MAINTENANCE).map(([code, { label }]): [string, string] => [code, label]),
    ['GARANTIA', 'Garantía'],
  ]
  const typeIds = await takeIds(world, 'maintenance_types', types.length)
  await insertRows(
    world,
    'maintenance_types',
    types.map(([code, name], i) => ({ company_id, id: typeIds[i], code, name, ...stamps })),
  )
  const taskIds = await takeIds(world, 'tasks', TASKS.length)
  await insertRows(
    world,
    'tasks',
    TASKS.map(([code, name], i) => ({ company_id, id: taskIds[i], code, name, ...stamps })),
  )
  return {
    types: new Map(types.map(([code], i) => [code, typeIds[i]!])),
    tasks: new Map(TASKS.map(([code, name], i) => [code, { id: taskIds[i]!, name }])),
  }
}

type Meter = (truck_id: number, at: Date) => number

/** What the meter of a truck showed at a moment, between what was written down before and after. */
async function meters(world: World): Promise<Meter> {
  const { rows } = await world.client.query<{ truck_id: string; dates: string[]; km: string[] }>(
    `select truck_id, array_agg(extract(epoch from date) * 1000 order by date, id) as dates, array_agg(km order by date, id) as km
     from truck_readings where company_id = $1 group by truck_id`,
    [world.company.id],
  )
  const known = new Map(
    rows.map((row) => [Number(row.truck_id), row.dates.map((at, i) => [Number(at), Number(row.km[i])] as const)]),
  )
  return (truck_id, at) => {
    const readings = known.get(truck_id)!
    const next = readings.findIndex(([date]) => date > at.getTime())
    if (next === 0) return readings[0]![1]
    const [from, km] = readings.at(next < 0 ? -1 : next - 1)!
    if (next < 0) return km
    const [to, later] = readings[next]!
    return Math.floor(km + ((later - km) * (at.getTime() - from)) / (to - from))
  }
}

type Pulled = (truck_id: number, at: Date) => number | null

/** Which unit a truck pulled at a moment. */
async function couplings(world: World): Promise<Pulled> {
  const { rows } = await world.client.query<{
    truck_id: string
    coupled_id: string
    from_at: Date
    until_at: Date | null
  }>('select truck_id, coupled_id, from_at, until_at from couplings where company_id = $1', [world.company.id])
  const known = Map.groupBy(rows, (row) => Number(row.truck_id))
  return (truck_id, at) => {
    const then = known.get(truck_id)?.find(({ from_at, until_at }) => from_at <= at && (!until_at || until_at > at))
    return then ? Number(then.coupled_id) : null
  }
}

interface OrderRow {
  id: number
  status: WorkOrderStatus
  position: number
  [column: string]: unknown
}
interface Written {
  orders: OrderRow[]
  costs: object[]
  works: object[]
  supplies: object[]
  services: object[]
  invoices: object[]
  readings: object[]
  waits: object[]
  activity: object[]
}

class Scribe {
  readonly #world: World
  readonly #catalogues: Catalogues
  readonly #written: Written
  readonly #meter: Meter
  readonly #pulled: Pulled
  readonly #random: Random
  readonly #warehouses = new Map<number, number>()
  readonly #of: <T extends { workshop_id: number | null }>(list: T[], workshop_id: number) => T[]
  #mine = 0
  /** Where the next open order of each workshop stands. */
  readonly #boxes = new Map<number, number>()

  constructor(world: World, catalogues: Catalogues, written: Written, meter: Meter, pulled: Pulled) {
    this.#world = world
    this.#catalogues = catalogues
    this.#written = written
    this.#meter = meter
    this.#pulled = pulled
    this.#random = new Random(`work orders ${world.company.seed}`)
    const seen = new Map<object, Map<number, unknown[]>>()
    this.#of = (list, workshop_id) => {
      const known = seen.get(list) ?? new Map<number, unknown[]>()
      seen.set(list, known)
      if (!known.has(workshop_id))
        known.set(
          workshop_id,
          list.filter((each) => each.workshop_id === null || each.workshop_id === workshop_id),
        )
      return known.get(workshop_id) as typeof list
    }
    for (const order of world.orders)
      for (const { warehouse_id } of order.used) this.#warehouses.set(order.workshop_id, warehouse_id)
  }

  /** What is open stands in one box after the other; what has left stood anywhere. */
  #boxOf({ workshop_id, left }: PlannedOrder, anywhere: number) {
    if (left) return anywhere
    const boxes = this.#of(this.#world.boxes, workshop_id)
    const turn = this.#boxes.get(workshop_id) ?? 0
    this.#boxes.set(workshop_id, turn + 1)
    return boxes[turn % boxes.length]!.id
  }

  write(order: PlannedOrder) {
    const random = this.#random
    const { company } = this.#world
    const job = JOBS[order.job]!
    const { workshop_id, left, status } = order
    const inside = status !== 'PENDING'
    const kilometer = inside ? this.#meter(order.truck_id, order.entry) : null
    const specialists = this.#of(this.#world.specialists, workshop_id)
    const drivers = this.#of(this.#world.drivers, workshop_id)
    const chief = this.#world.users[1] ?? this.#world.users[0]!
    const by = { user_id: chief.id, user_name: chief.name }
    const request = this.#filled(random.pick(job.requests), kilometer ?? this.#meter(order.truck_id, order.created_at))
    const isWaiting = !left && status !== 'PENDING' && random.chance(0.35)
    const planned = job.type === 'PREVENTIVE' ? random.chance(0.8) : random.chance(0.1)
    const due = left ? order.created_at : new Date(this.#world.now.getTime() + random.int(-3, 6) * DAY)
    const warehouse_id = this.#warehouses.get(workshop_id) ?? null
    const inRoute = /ruta|Ruta/.test(request) && job.services.includes('TER-01')
    const supplies_cost = this.#supplies(order)
    const services_cost = this.#services(order, left !== null)
    this.#works(order)
    if (kilometer !== null)
      this.#written.readings.push({
        company_id: company.id,
        truck_id: order.truck_id,
        date: order.entry,
        km: kilometer,
        source: 'work_order',
        correction: false,
        superseded: false,
        initial: false,
        note: orderCode(order.number),
        work_order_id: order.id,
        ...by,
        created_at: order.entry,
      })
    const [stayed, until] = [((left ?? this.#world.now).getTime() - order.entry.getTime()) / 5, isWaiting ? null : 3]
    if (isWaiting || (left && order.number % 4 === 0))
      this.#written.waits.push({
        company_id: company.id,
        work_order_id: order.id,
        from_at: new Date(order.entry.getTime() + stayed),
        until_at: until && new Date(order.entry.getTime() + until * stayed),
      })
    const written = {
      company_id: company.id,
      id: order.id,
      workshop_id,
      number: order.number,
      status,
      position: 0,
      truck_id: order.truck_id,
      coupled_id: this.#pulled(order.truck_id, order.created_at),
      warehouse_id,
      has_warehouse: warehouse_id !== null,
      planned,
      box_id: inside && !inRoute ? this.#boxOf(order, random.pick(this.#of(this.#world.boxes, workshop_id)).id) : null,
      applicant: random.pick(['Operaciones', 'Conductor', 'Jefe de tráfico', 'Prevención de riesgos']),
      applicant_driver_id: random.chance(0.6) ? random.pick(drivers).id : null,
      responsible_specialist_id: inside || random.chance(0.4) ? random.pick(specialists).id : null,
      reviewed_by_specialist_id: left ? random.pick(specialists).id : null,
      delivered_to_driver_id: left ? random.pick(drivers).id : null,
      kilometer,
      request,
      description_of_requeriment: random.chance(0.75) ? random.pick(job.details) : null,
      date_estimed: planned || !left ? dayOf(due) : null,
      hour_estimed: planned && random.chance(0.6) ? random.pick(['08:00', '09:30', '11:00', '14:30', '16:00']) : null,
      planned_minutes: null as number | null,
      place: inRoute ? 'ROUTE' : random.chance(0.03) ? 'EXTERNAL' : 'WORKSHOP',
      type_maintenance_id: this.#catalogues.types.get(random.chance(0.03) ? 'GARANTIA' : job.type),
      priority: random.pick(['high', 'medium', 'medium', 'medium', 'low']),
      waiting_for_parts: isWaiting,
      codes: /código (\S+)/.exec(request)?.[1] ?? null,
      observation: isWaiting ? random.pick(WAITING) : left && random.chance(0.5) ? random.pick(OBSERVATIONS) : null,
      deadline_at: !left || random.chance(0.3) ? evening(left ?? due, random.int(-1, 3)) : null,
      workshop_entry_at: inside ? order.entry : null,
      workshop_departure_at: left,
      finalized_at: left,
      ...by,
      created_at: order.created_at,
      updated_at: left ?? order.entry,
    }
    if (!inside && written.hour_estimed !== null) {
      written.box_id = this.#boxOf(order, 0)
      written.planned_minutes = Math.max(1, Math.round(job.hours[0])) * 60
    }
    this.#written.orders.push(written)
    const { company_id, id, truck_id, created_at, type_maintenance_id, place, priority } = written
    const costs = { company_id, id, workshop_id, truck_id, created_at, supplies_cost, services_cost }
    this.#written.costs.push({ ...costs, type_maintenance_id, planned, place, priority })
    const entity = { company_id: company.id, ...by, entity: 'work_order', entity_id: order.id }
    this.#written.activity.push({
      ...entity,
      at: order.created_at,
      action: 'created',
      changes: { status: [null, 'PENDING'], request: [null, request] },
    })
    if (left)
      this.#written.activity.push({
        ...entity,
        at: left,
        action: 'finalized',
        changes: { status: ['IN_PROCESS', 'FINALIZED'], workshop_departure_at: [null, left] },
      })
  }

  #filled(text: string, km: number) {
    const random = this.#random
    return text
      .replace('{km}', showNumber(Math.max(1, Math.round(km / 10_000)) * 10_000))
      .replace('{km5}', String(random.int(40, 980)))
      .replace('{eje}', String(random.int(1, 5)))
      .replace('{codigo}', `${random.pick(['P', 'SPN '])}${String(random.int(100, 2999)).padStart(4, '0')}`)
  }

  #supplies({ id, used, at }: PlannedOrder) {
    let total = 0
    for (const { supply_id, warehouse_id, count, value } of used) {
      const amount = Number(divideHalfUp(fromText(value), 10_000n))
      total += amount
      this.#written.supplies.push({
        company_id: this.#world.company.id,
        work_order_id: id,
        supply_id,
        warehouse_id,
        count,
        cost: toText(divideHalfUp(fromText(value) * 10_000n, fromText(count))),
        value,
        amount,
        created_at: at,
        updated_at: at,
      })
    }
    return total
  }

  #services(order: PlannedOrder, isDone: boolean) {
    const random = this.#random
    const { services: codes } = JOBS[order.job]!
    if (codes.length === 0 || !random.chance(isDone ? 0.3 : 0.15)) return 0
    const code = random.pick(codes)
    const firms = this.#of(this.#world.providers, order.workshop_id).filter(({ services }) =>
      services.some((service) => service.code === code),
    )
    if (firms.length === 0) return 0
    const firm = random.pick(firms)
    const { id: service_id, unit_price } = firm.services.find((service) => service.code === code)!
    const quantity = random.chance(0.7) ? 1 : random.int(2, 4)
    const amount = lineAmount(quantity, unit_price)
    const company_id = this.#world.company.id
    const created_at = order.left ?? order.entry
    const invoiced = order.left && random.chance(0.85) ? order.left : undefined
    const line = { company_id, work_order_id: order.id, provider_id: firm.id }
    this.#written.services.push({
      ...line,
      service_id,
      quantity,
      unit_price,
      amount,
      day: invoiced ? dayOf(invoiced) : dayIn(created_at),
      created_at,
      updated_at: created_at,
    })
    if (invoiced)
      this.#written.invoices.push({
        ...line,
        workshop_id: order.workshop_id,
        bill_invoice: random.chance(0.8) ? 'bill' : 'invoice',
        date: dayOf(invoiced),
        document: String(20_000 + order.number),
        payment_type: random.chance(0.7) ? 'Credit' : 'Cash',
        note: null,
        created_at,
        updated_at: created_at,
      })
    return amount
  }

  /** A work of the mechanic who logs in is never done already, whatever the draw: it is there to be worked on. */
  #firstState(mine: boolean) {
    const state = this.#random.pick(RUNNING)
    return mine && state === 'done' ? 'paused' : state
  }

  #works(order: PlannedOrder) {
    const random = this.#random
    const job = JOBS[order.job]!
    const { left, entry, status } = order
    const specialists = this.#of(this.#world.specialists, order.workshop_id)
    const codes = job.tasks.slice(0, random.int(1, job.tasks.length))
    // Who logs in as a mechanic finds things to do.
    const [mechanic] = this.#world.specialists
    const isTheirs = !left && order.workshop_id === mechanic?.workshop_id && this.#mine < 6
    let begins = entry.getTime()
    codes.forEach((code, i) => {
      const task = this.#catalogues.tasks.get(code)!
      const hours = Math.round(((job.hours[0] + random.next() * (job.hours[1] - job.hours[0])) / codes.length) * 4) / 4
      const room = left ? (left.getTime() - entry.getTime()) / codes.length : 0
      const ends = left ? begins + Math.min(room, Math.max(hours, 0.25) * HOUR) : 0
      const mine = isTheirs && i === 0
      if (mine) this.#mine += 1
      const state = left ? 'done' : status === 'IN_PROCESS' && i === 0 ? this.#firstState(mine) : 'pending'
      const planned = workingHour(this.#world.now.getTime() + random.int(-2, 5) * DAY, random.int(-3, 5))
      this.#written.works.push({
        company_id: this.#world.company.id,
        work_order_id: order.id,
        description: random.chance(0.3) ? random.pick(job.details) : null,
        task_id: task.id,
        specialist_id: mine ? mechanic!.id : random.chance(left ? 1 : 0.8) ? random.pick(specialists).id : null,
        reviewed_by_specialist_id: left && random.chance(0.5) ? random.pick(specialists).id : null,
        hours: state === 'paused' || state === 'pending' ? hours : null,
        start_time: left
          ? new Date(begins)
          : state === 'running'
            ? new Date(this.#world.now.getTime() - random.int(1, 5) * HOUR)
            : null,
        end_time: left ? new Date(ends) : null,
        target_start_at: left ? entry : planned,
        target_end_at: left
          ? new Date(entry.getTime() + hours * HOUR)
          : new Date(planned.getTime() + Math.max(hours, 0.5) * HOUR),
        priority: random.pick(['high', 'medium', 'medium', 'low']),
        type_maintenance_id: this.#catalogues.types.get(job.type),
        state,
        created_at: order.created_at,
        updated_at: left ?? entry,
      })
      begins = ends
    })
  }
}

/**
 * What open orders planned: of things that are there, kept; of things that are not, waited for, and those orders wait.
 * Nothing that others wait for is free.
 */
export async function planParts(world: World) {
  const mechanic = world.users[3] ?? world.users[0]!
  await world.client.query(
    `with orders as (
       select o.id, o.warehouse_id, o.number, o.created_at, o.waiting_for_parts as waits,
         row_number() over (partition by o.warehouse_id, o.waiting_for_parts order by o.id) as n
       from work_orders o where o.company_id = $1 and o.status <> 'FINALIZED' and o.has_warehouse),
     levels as (
       select s.warehouse_id, s.supply_id, s.on_hand = 0 as empty,
         row_number() over (partition by s.warehouse_id, s.on_hand = 0 order by md5(s.supply_id::text)) as n
       from stock s where s.company_id = $1 and s.attached and (s.on_hand = 0 or s.on_hand >= 4)),
     planned as (
       insert into reservations (company_id, warehouse_id, supply_id, origin, origin_id, document, quantity, reserved, user_id,
         user_name, created_at)
       select $1, o.warehouse_id, l.supply_id, 'work_order', o.id, 'OT-' || lpad(o.number::text, 6, '0'), 2,
         case when l.empty then 0 else 2 end, $2, $3, o.created_at
       from orders o join levels l on l.warehouse_id = o.warehouse_id and l.empty = o.waits and l.n = o.n
       where o.waits or o.n <= 3
       returning warehouse_id, supply_id, reserved)
     update stock s set reserved = p.reserved from planned p
     where s.company_id = $1 and s.warehouse_id = p.warehouse_id and s.supply_id = p.supply_id and p.reserved > 0`,
    [world.company.id, mechanic.id, mechanic.name],
  )
}

const RUNNING = ['running', 'running', 'paused', 'done'] as const

/** The newest on top; what was finalized last is on top of its column. */
function placeCards(orders: OrderRow[]) {
  for (const column of Map.groupBy(orders, ({ status }) => status).values()) {
    const moment = (order: OrderRow) => ((order.finalized_at ?? order.created_at) as Date).getTime()
    column.sort((a, b) => moment(b) - moment(a) || b.id - a.id)
    column.forEach((order, i) => {
      order.position = (i + 1) * POSITION_STEP
    })
  }
}
