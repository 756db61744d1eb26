import { documentAmounts, lineAmounts } from '#contract/base/money.ts'
import { CLOSED_SHORT, type PurchaseStatus } from '#contract/purchasing/purchasing.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { Random } from './random.ts'
import { DAY, insertRows, takeIds, type World } from './world.ts'

const REASONS = [
  'El proveedor quedó sin stock y no lo repondrá',
  'Se compró en otra parte por urgencia',
  'El fabricante descontinuó el producto',
]

interface Bought {
  id: number
  workshop_id: number
  warehouse_id: number
  providerId: number
  email: string | null
  created_at: Date
  supplies: { supply_id: number; quantity: number; unit_cost: number; tax_type: '19' }[]
}

/** Orders behind half of the purchases, the last ones still on their way. */
export async function purchasingPart(world: World) {
  const company_id = world.company.id
  const random = new Random(`purchasing ${world.company.seed}`)
  const { rows: bought } = await world.client.query<Bought>(
    `select t.id::int, t.workshop_id::int, t.warehouse_id::int, t."providerId"::int, p.email, t.created_at,
       json_agg(json_build_object('supply_id', l.supply_id, 'quantity', l.quantity, 'unit_cost', l.unit_cost,
         'tax_type', l.tax_type) order by l.id) as supplies
     from transactions t join transaction_lines l on l.company_id = t.company_id and l.transaction_id = t.id
     join providers p on p.company_id = t.company_id and p.id = t."providerId"
     where t.company_id = $1 and t."typeTrasactionId" = $2 and t."providerId" is not null
     group by t.company_id, t.id, p.email order by t.created_at, t.id`,
    [company_id, typeNamed('entry', 'purchase')],
  )
  const chosen = bought.filter(() => random.chance(0.5))
  const open = chosen.slice(-Math.ceil(chosen.length * 0.06))
  const ids = await takeIds(world, 'purchase_orders', chosen.length)
  const [keeper, chief] = [world.users[2] ?? world.users[0]!, world.users[1] ?? world.users[0]!]
  const orders: object[] = []
  const lines: object[] = []
  const receipts: object[] = []
  chosen.forEach((purchase, i) => {
    const isOpen = open.includes(purchase)
    const status: PurchaseStatus = isOpen ? random.pick(['pending', 'pending', 'approved', 'cancelled']) : 'received'
    const created_at = new Date(purchase.created_at.getTime() - random.int(2, 6) * DAY)
    // Some came short: of the last ones the rest is still waited for, of older ones it will not come.
    const isShort = status === 'received' && i % 17 === 5
    const standing = isShort ? (i > chosen.length * 0.9 ? 'partially_received' : CLOSED_SHORT) : status
    const priced = purchase.supplies.map((line) => {
      const ordered = { ...line, quantity: isShort ? line.quantity + Math.ceil(line.quantity / 3) : line.quantity }
      return { ...ordered, ...lineAmounts(ordered) }
    })
    const isApproved = status === 'approved' || status === 'received'
    const isSent = isApproved && i % 5 !== 0
    const isAnswered = isSent && i % 4 !== 0
    const promised = new Date(created_at.getTime() + random.int(1, 6) * DAY).toISOString().slice(0, 10)
    orders.push({
      company_id,
      id: ids[i],
      workshop_id: purchase.workshop_id,
      warehouse_id: purchase.warehouse_id,
      provider_id: purchase.providerId,
      number: i + 1,
      status: standing,
      closed_reason: standing === CLOSED_SHORT ? random.pick(REASONS) : null,
      closed_by: standing === CLOSED_SHORT ? chief.name : null,
      sent_at: isSent ? new Date(created_at.getTime() + DAY / 8) : null,
      sent_to: isSent ? (purchase.email ?? 'Por teléfono') : null,
      sent_by: isSent ? keeper.name : null,
      answered_on: isAnswered ? created_at.toISOString().slice(0, 10) : null,
      deliveryAt: new Date(created_at.getTime() + 7 * DAY).toISOString().slice(0, 10),
      priority: random.pick(['high', 'medium', 'medium', 'low']),
      ...documentAmounts(priced),
      user_name: keeper.name,
      approved_by: isApproved ? chief.name : null,
      approved_at: isApproved ? created_at : null,
      created_at,
      updated_at: created_at,
    })
    priced.forEach((line, k) => {
      const received = status === 'received' ? purchase.supplies[k]!.quantity : 0
      lines.push({
        company_id,
        purchase_order_id: ids[i],
        ...line,
        received,
        promised_on: isAnswered ? promised : null,
      })
    })
    if (status === 'received') receipts.push({ company_id, purchase_order_id: ids[i], transaction_id: purchase.id })
  })
  await insertRows(world, 'purchase_orders', orders)
  const lineIds = lines.length > 0 ? await takeIds(world, 'purchase_order_lines', lines.length) : []
  await insertRows(
    world,
    'purchase_order_lines',
    lines.map((line, i) => ({ ...line, id: lineIds[i] })),
  )
  const receiptIds = receipts.length > 0 ? await takeIds(world, 'purchase_receipts', receipts.length) : []
  await insertRows(
    world,
    'purchase_receipts',
    receipts.map((receipt, i) => ({ ...receipt, id: receiptIds[i] })),
  )
}
