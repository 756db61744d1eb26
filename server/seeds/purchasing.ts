import { documentAmounts, lineAmounts } from '#contract/base/money.ts'
import type { PurchaseStatus } from '#contract/purchasing/purchasing.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { Random } from './random.ts'
import { DAY, insertRows, takeIds, type World } from './world.ts'

interface Bought {
  id: number
  workshop_id: number
  warehouse_id: number
  providerId: number
  created_at: Date
  supplies: { supply_id: number; quantity: number; unit_cost: number; tax_type: '19' }[]
}

/** Orders behind half of the purchases, the last ones still on their way. */
export async function purchasingPart(world: World) {
  const company_id = world.company.id
  const random = new Random(`purchasing ${company_id}`)
  const { rows: bought } = await world.client.query<Bought>(
    `select t.id::int, t.workshop_id::int, t.warehouse_id::int, t."providerId"::int, t.created_at,
       json_agg(json_build_object('supply_id', l.supply_id, 'quantity', l.quantity, 'unit_cost', l.unit_cost,
         'tax_type', l.tax_type) order by l.id) as supplies
     from transactions t join transaction_lines l on l.company_id = t.company_id and l.transaction_id = t.id
     where t.company_id = $1 and t."typeTrasactionId" = $2 and t."providerId" is not null
     group by t.company_id, t.id order by t.created_at, t.id`,
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
    const priced = purchase.supplies.map((line) => ({ ...line, ...lineAmounts(line) }))
    const created_at = new Date(purchase.created_at.getTime() - random.int(2, 6) * DAY)
    const isApproved = status === 'approved' || status === 'received'
    orders.push({
      company_id,
      id: ids[i],
      workshop_id: purchase.workshop_id,
      warehouse_id: purchase.warehouse_id,
      provider_id: purchase.providerId,
      number: i + 1,
      status,
      deliveryAt: new Date(created_at.getTime() + 7 * DAY).toISOString().slice(0, 10),
      priority: random.pick(['high', 'medium', 'medium', 'low']),
      ...documentAmounts(priced),
      user_name: keeper.name,
      approved_by: isApproved ? chief.name : null,
      approved_at: isApproved ? created_at : null,
      created_at,
      updated_at: created_at,
    })
    for (const line of priced)
      lines.push({
        company_id,
        purchase_order_id: ids[i],
        ...line,
        received: status === 'received' ? line.quantity : 0,
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
