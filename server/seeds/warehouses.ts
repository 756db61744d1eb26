import { documentAmounts, lineAmounts } from '#contract/base/money.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import {
  apply,
  costOf,
  EMPTY,
  fromText,
  type Level,
  type Move,
  toNumber,
  toText,
} from '../src/warehouses/stock/ledger.ts'
import { Random } from './random.ts'
import { DAY, daysAgo, HISTORY_DAYS, insertRows, orderCode, type PlannedOrder, takeIds, type World } from './world.ts'

interface Supply {
  id: number
  workshop_id: number
  cost: number
}
interface Line {
  supply_id: number
  quantity: number
  unit_cost: number
}
interface Document {
  at: Date
  type: 'entry' | 'exit'
  typeTrasactionId: number
  document: string | null
  providerId: number | null
  lines: Line[]
  /** The order that takes it: no document of its own, the movements name the order. */
  order?: PlannedOrder
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const PURCHASE = typeNamed('entry', 'purchase')
const OPENING = typeNamed('entry', 'adjustment')
const WASTE = typeNamed('exit', 'waste')
const CONSUMPTION = typeNamed('exit', 'consumption')

/**
 * A warehouse or two per workshop, an opening count, purchases up to today, and what the work orders took. Every
 * movement goes through the ledger's own arithmetic, so that the demonstration keeps the product's invariants.
 */
export async function warehousesPart(world: World) {
  const company_id = world.company.id
  const { rows: supplies } = await world.client.query<Supply>(
    `select id::int, workshop_id::int, cost::float8 as cost from supplies where company_id = $1 and state = 'active' order by id`,
    [company_id],
  )
  const orders = Map.groupBy(world.orders, ({ workshop_id }) => workshop_id)
  for (const [place, workshop] of world.workshops.entries()) {
    const own = supplies.filter(({ workshop_id }) => workshop_id === workshop.id)
    const names: [string, string, number][] = [['BOD-01', 'Bodega central', 1]]
    if (place === 0) names.push(['BOD-02', 'Pañol de lubricantes', 0.15])
    for (const [code, name, share] of names)
      await stockWarehouse(
        world,
        workshop,
        { code, name },
        own.slice(0, Math.ceil(own.length * share)),
        code === 'BOD-01' ? (orders.get(workshop.id) ?? []) : [],
      )
  }
}

/**
 * The papers of a warehouse over the years and the levels they leave. Long, because the days are walked once and all
 * that happens in a day works on the same levels.
 */
async function stockWarehouse(
  world: World,
  workshop: { id: number; name: string },
  warehouse: { code: string; name: string },
  supplies: Supply[],
  orders: PlannedOrder[],
) {
  const company_id = world.company.id
  const random = new Random(`stock ${world.company.seed} ${world.workshops.indexOf(workshop) + 1} ${warehouse.code}`)
  const created_at = daysAgo(world, HISTORY_DAYS)
  const keeper = world.users[2] ?? world.users[0]!
  const by = { user_id: keeper.id, user_name: keeper.name }
  const [warehouse_id] = await takeIds(world, 'warehouses', 1)
  await insertRows(world, 'warehouses', [
    {
      company_id,
      id: warehouse_id,
      workshop_id: workshop.id,
      ...warehouse,
      direction: warehouse.code === 'BOD-01' ? 'Galpón principal' : 'Patio de lubricación',
      created_at,
      updated_at: created_at,
    },
  ])

  const documents = plan(world, random, supplies, workshop.id, orders)
  const sellers = sellersOf(world, workshop.id)
  const costs = new Map(supplies.map(({ id, cost }) => [id, cost]))
  const levels = new Map<number, Level>()
  const lastAt = new Map<number, Date>()
  const written: { document: Document; lines: ReturnType<typeof post> }[] = []
  const write = (document: Document) => {
    const lines = post(levels, document)
    if (lines.length > 0) written.push({ document, lines })
    for (const { line, after } of lines) {
      lastAt.set(line.supply_id, document.at)
      document.order?.used.push({
        supply_id: line.supply_id,
        warehouse_id: warehouse_id!,
        count: toText(fromText(line.quantity.toFixed(4))),
        value: toText(-after.moved),
      })
    }
  }
  for (const document of documents) {
    if (document.order)
      for (const line of document.lines) {
        const onHand = () => Math.floor(toNumber((levels.get(line.supply_id) ?? EMPTY).on_hand))
        const bought = new Date(document.at.getTime() - 1_800_000)
        // What is not there is bought for the order, most of the time; else it does with what there is.
        if (onHand() < line.quantity && random.chance(0.7) && (lastAt.get(line.supply_id) ?? created_at) < bought)
          write({
            at: bought,
            type: 'entry',
            typeTrasactionId: PURCHASE,
            document: String(random.int(100_000, 999_999)),
            providerId: sellers.length > 0 ? random.pick(sellers).id : null,
            lines: [
              {
                supply_id: line.supply_id,
                quantity: Math.ceil(line.quantity * (1 + random.next() * 1.5)),
                unit_cost: Math.round(costs.get(line.supply_id)! * (0.9 + random.next() * 0.15)),
              },
            ],
          })
        line.quantity = Math.min(line.quantity, onHand())
      }
    write(document)
  }

  const papers = written.filter(({ document }) => !document.order)
  const ids = papers.length > 0 ? await takeIds(world, 'transactions', papers.length) : []
  const idOf = new Map(papers.map(({ document }, i) => [document, ids[i]!]))
  const transactions: object[] = []
  const lines: object[] = []
  const movements: object[] = []
  for (const { document, lines: posted } of written) {
    const { at, order } = document
    const transaction_id = idOf.get(document) ?? null
    const paper = order ? orderCode(order.number) : document.document
    if (transaction_id !== null) {
      const priced = posted.map(({ line }) => ({ ...line, tax_type: '19' as const }))
      const amounts = priced.map((line) => ({ ...line, ...lineAmounts(line) }))
      transactions.push({
        company_id,
        id: transaction_id,
        workshop_id: workshop.id,
        warehouse_id,
        type: document.type,
        number: nextOf(world, document.type),
        typeTrasactionId: document.typeTrasactionId,
        typeInvoice: document.typeTrasactionId === PURCHASE ? 'bill' : null,
        document: paper,
        date: dayOf(at),
        payment_type: document.typeTrasactionId === PURCHASE ? 'Credit' : null,
        providerId: document.providerId,
        ...documentAmounts(amounts),
        recosted: 0,
        ...by,
        created_at: at,
      })
      for (const line of amounts) lines.push({ company_id, transaction_id, ...line })
    }
    for (const { line, move, after } of posted)
      movements.push({
        company_id,
        warehouse_id,
        supply_id: line.supply_id,
        at,
        quantity: toText(move.quantity),
        valued: move.value !== undefined,
        unit_cost: line.unit_cost,
        posted_value: toText(after.moved),
        value: toText(after.moved),
        balance: toText(after.on_hand),
        balance_value: toText(after.value),
        average_cost: toText(after.average_cost),
        typeTrasactionId: document.typeTrasactionId,
        transaction_id,
        origin: order ? 'work_order' : null,
        origin_id: order?.id ?? null,
        document: paper,
        is_void: false,
        ...by,
        created_at: at,
      })
  }
  await insertRows(
    world,
    'stock',
    supplies.map(({ id }) => {
      const level = levels.get(id) ?? EMPTY
      const minimum = random.chance(0.6) ? random.int(2, 12) : null
      return {
        company_id,
        warehouse_id,
        supply_id: id,
        attached: true,
        on_hand: toText(level.on_hand),
        average_cost: toText(level.average_cost),
        value: toText(level.value),
        minimum,
        maximum: minimum && minimum * random.int(3, 6),
        last_at: lastAt.get(id) ?? null,
      }
    }),
  )
  await insertRows(world, 'transactions', transactions)
  // Without figures on the table, each of the lines to come would be checked against it the slow way.
  await world.client.query('analyze transactions')
  await insertRows(world, 'transaction_lines', await withIds(world, 'transaction_lines', lines))
  await insertRows(world, 'movements', await withIds(world, 'movements', movements))
}

const nextOf = ({ numbers }: World, kind: string) => {
  numbers.set(kind, (numbers.get(kind) ?? 0) + 1)
  return numbers.get(kind)!
}

const withIds = async (world: World, table: string, rows: object[]) => {
  const ids = rows.length > 0 ? await takeIds(world, table, rows.length) : []
  return rows.map((row, i) => ({ ...row, id: ids[i] }))
}

const sellersOf = (world: World, workshop_id: number) =>
  world.providers.filter((provider) => provider.workshop_id === null || provider.workshop_id === workshop_id)

/** What happened, in order: an opening count, then purchases, exits and what orders asked for. */
function plan(
  world: World,
  random: Random,
  supplies: Supply[],
  workshop_id: number,
  orders: PlannedOrder[],
): Document[] {
  const sellers = sellersOf(world, workshop_id)
  // Nine in the morning of the first day, in Chile.
  const start = Math.floor(daysAgo(world, HISTORY_DAYS - 1).getTime() / DAY) * DAY + 12 * 3_600_000
  const documents: Document[] = []
  const price = ({ cost }: Supply) => Math.round(cost * (0.85 + random.next() * 0.2))
  for (let from = 0; from < supplies.length; from += 50)
    documents.push({
      at: new Date(start),
      type: 'entry',
      typeTrasactionId: OPENING,
      document: 'Inventario inicial',
      providerId: null,
      lines: supplies
        .slice(from, from + 50)
        .map((supply) => ({
          supply_id: supply.id,
          quantity: supply.cost > 80_000 ? random.int(0, 3) : random.int(0, 18),
          unit_cost: price(supply),
        }))
        .filter(({ quantity }) => quantity > 0),
    })
  const busy = supplies.filter(() => random.chance(0.4))
  const days = HISTORY_DAYS - 2
  for (let day = 1; day <= days && busy.length > 0; day++) {
    const at = (hour: number) => new Date(start + day * DAY + hour * 3_600_000 + random.int(0, 3_000_000))
    if (random.chance(0.3)) {
      const seller = sellers.length > 0 ? random.pick(sellers) : undefined
      documents.push({
        at: at(1),
        type: 'entry',
        typeTrasactionId: PURCHASE,
        document: String(random.int(100_000, 999_999)),
        providerId: seller?.id ?? null,
        lines: some(random, busy, random.int(1, 6)).map((supply) => ({
          supply_id: supply.id,
          // Dear things are bought as they are needed, cheap ones by the box.
          quantity:
            supply.cost > 80_000 ? random.int(1, 3) : supply.cost > 15_000 ? random.int(2, 8) : random.int(6, 30),
          unit_cost: price(supply),
        })),
      })
    }
    // Where orders take what they use, little leaves by hand.
    for (let times = orders.length > 0 ? random.int(-9, 1) : random.int(0, 2); times > 0; times--)
      documents.push({
        at: at(5),
        type: 'exit',
        typeTrasactionId: random.chance(orders.length > 0 ? 0.1 : 0.9) ? CONSUMPTION : WASTE,
        document: null,
        providerId: null,
        lines: some(random, busy, random.int(1, 4)).map((supply) => ({
          supply_id: supply.id,
          quantity: supply.cost > 80_000 ? 1 : random.int(1, 6),
          unit_cost: 0,
        })),
      })
  }
  for (const order of orders)
    if (order.wanted.length > 0)
      documents.push({
        at: order.at,
        type: 'exit',
        typeTrasactionId: CONSUMPTION,
        document: null,
        providerId: null,
        lines: order.wanted.map(({ supply_id, count }) => ({ supply_id, quantity: count, unit_cost: 0 })),
        order,
      })
  return documents.sort((a, b) => a.at.getTime() - b.at.getTime())
}

const some = <T>(random: Random, from: T[], count: number) => [
  ...new Set(Array.from({ length: count }, () => random.pick(from))),
]

/** The lines there is enough stock for, each with what it did. */
function post(levels: Map<number, Level>, { type, lines }: Document) {
  return lines.flatMap((line) => {
    if (line.quantity <= 0) return []
    const before = levels.get(line.supply_id) ?? EMPTY
    const quantity = fromText(line.quantity.toFixed(4))
    const cost = fromText(line.unit_cost.toFixed(4))
    const move: Move =
      type === 'entry' ? { quantity, value: costOf(quantity, cost) } : { quantity: -quantity, value: undefined }
    const after = apply(before, move)
    if (!after) return []
    levels.set(line.supply_id, after)
    return [{ line: type === 'entry' ? line : { ...line, unit_cost: toNumber(before.average_cost) }, move, after }]
  })
}
