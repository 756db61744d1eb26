import { beforeAll, describe, expect, it } from 'vitest'
import { alerts } from '#contract/alerts/alerts.ts'
import { instantOf } from '#contract/base/dates.ts'
import { identity } from '#contract/identity/identity.ts'
import { PURCHASE_STATES, PURCHASE_STATUS_NAMES, purchasing } from '#contract/purchasing/purchasing.ts'
import { reports } from '#contract/reports/reports.ts'
import { reportRows } from '#contract/reports/rows.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { type WorkOrderCard, workOrders } from '#contract/work-orders/orders.ts'
import { OPEN_STATUSES, WORK_ORDER_STATES, WORK_ORDER_STATUS_NAMES } from '#contract/work-orders/states.ts'
import type { Member } from './given.ts'
import { openHouse } from './house.ts'

/* A figure of a home is the count of the list it leads to, whoever looks: here on the demonstration, a tenth of it. */

const house = openHouse({ demo: 'small' })

const people: Record<'admin' | 'jefe' | 'bodega' | 'mecanico', Member> = {} as never
beforeAll(async () => {
  for (const login of ['admin', 'jefe', 'bodega', 'mecanico'] as const) {
    const email = `${login}@maestranza.demo`
    const { rows } = await house.owner.query<{ id: string }>('select id from users where email = $1', [email])
    const token = await house.given.session(Number(rows[0]!.id))
    people[login] = { token, company_id: 1 } as Member
    const { body } = await house.call(people[login], identity.me, {})
    Object.assign(people[login], { user_id: body.id, company_id: body.company_id, role: body.role })
    Object.assign(people[login], { workshop_id: body.workshop_id, specialist_id: body.specialist_id })
  }
  // How many are stopped in so small a demonstration depends on the hour: here one truck is, with two orders.
  const { jefe, mecanico } = people
  const truck = await house.given.truck(jefe)
  const responsible_specialist_id = (mecanico as Member & { specialist_id: number }).specialist_id
  for (const days of [9, 5]) {
    const workshop_entry_at = new Date(Date.now() - days * 86_400_000).toISOString()
    const more = { truck_id: truck.id, workshop_entry_at, responsible_specialist_id }
    const { id } = await house.given.workOrder(jefe, more)
    const params = { params: { id }, body: { status: 'IN_PROCESS' as const } }
    expect((await house.call(jefe, workOrders.moveWorkOrder, params)).status).toBe(200)
  }
  const entry = await house.given.entry(jefe, { transaction: { document: null } })
  await house.owner.query(`update transactions set payment_type = 'Credit' where company_id = $1 and id = $2`, [
    jefe.company_id,
    entry.id,
  ])
})

type Login = keyof typeof people
const inShort = async (who: Login) =>
  (await house.call(people[who], workOrders.workOrderBoardInShort, { query: { filter: {} } })).body
const summaryOf = async (who: Login) => (await house.call(people[who], reports.summary, { query: {} })).body
const ordersListed = async (who: Login, filter: object) =>
  (await house.call(people[who], workOrders.listWorkOrders, { query: { filter, per_page: 100 } as never })).body
const cards = async (who: Login): Promise<WorkOrderCard[]> => {
  const { body } = await house.call(people[who], workOrders.workOrderBoard, { query: { filter: {} } })
  return OPEN_STATUSES.flatMap((status) => body[WORK_ORDER_STATES[status].group].data)
}
const ownWarehouses = async (who: Login) =>
  (await house.call(people[who], warehouses.listWarehouses, { query: { per_page: 100 } })).body.data

describe.each(['admin', 'jefe'] as const)('the home of %s', (who) => {
  it('counts the stopped trucks once, as the list and the report do, with one age for the one stopped longest', async () => {
    const { stopped } = await inShort(who)
    const summary = await summaryOf(who)
    const listed = await ordersListed(who, { Stopped: ['true'] })
    expect(stopped.total).toBeGreaterThan(0)
    expect([summary.trucks?.stopped, summary.stopped.length, listed.total]).toEqual(Array(3).fill(stopped.total))
    expect(new Set(listed.data.map(({ truck_id }) => truck_id)).size).toBe(stopped.total)
    expect(summary.stopped[0]?.since).toBe(stopped.worst?.workshop_entry_at)
  })

  it('counts the orders of each state, those that are late and those that wait as the board and the list do', async () => {
    const { board, late, waiting } = await inShort(who)
    const open = await cards(who)
    for (const status of WORK_ORDER_STATUS_NAMES.filter((one) => OPEN_STATUSES.includes(one)))
      expect((await ordersListed(who, { Status: [status] })).total).toBe(board[WORK_ORDER_STATES[status].group].total)
    const { orders } = await summaryOf(who)
    for (const status of OPEN_STATUSES) expect(orders?.[status]).toBe(board[WORK_ORDER_STATES[status].group].total)
    const due = ({ deadline_at, date_estimed, hour_estimed }: WorkOrderCard) => {
      const estimed = date_estimed && instantOf(`${date_estimed}T${hour_estimed ?? '23:59'}`, 'America/Santiago')
      const at = deadline_at ?? estimed
      return at ? Date.parse(at) : Infinity
    }
    expect(open.filter((card) => due(card) < Date.now())).toHaveLength(late.total)
    expect(open.filter(({ waiting_for_parts }) => waiting_for_parts)).toHaveLength(waiting.total)
  })

  it('counts the alerts that are overdue as their list does', async () => {
    const { overdue_alerts } = await summaryOf(who)
    const { body } = await house.call(people[who], alerts.listAlerts, {
      query: { filter: { Attention: ['overdue'] } } as never,
    })
    expect(body.total).toBe(overdue_alerts)
  })
})

describe.each(['bodega', 'jefe'] as const)('what runs short, for %s', (who) => {
  it('is as many in the home as in the list of warehouses, in their stock and in the report', async () => {
    const own = await ownWarehouses(who)
    const listed = await Promise.all(
      own.map(async ({ id }) => {
        const query = { filter: { Level: ['below'] } } as never
        return (await house.call(people[who], warehouses.listStock, { params: { warehouse: id }, query })).body.total
      }),
    )
    expect(listed).toEqual(own.map(({ below_minimum }) => below_minimum))
    const sum = listed.reduce((all, one) => all + one, 0)
    expect((await summaryOf(who)).below_minimum).toBe(sum)
    const rows = await house.call(people[who], reportRows.lowStockRows, { query: { per_page: 1 } as never })
    expect(rows.body.total).toBe(sum)
  })

  it('is to be ordered as often as the list of what to order says', async () => {
    for (const { id, below_minimum } of await ownWarehouses(who)) {
      const query = { warehouse: id }
      const count = (await house.call(people[who], purchasing.reorderCount, { query })).body.total
      const groups = (await house.call(people[who], purchasing.reorder, { query })).body.data
      expect(groups.flatMap(({ supplies }) => supplies)).toHaveLength(count)
      expect(count).toBeLessThanOrEqual(below_minimum)
      const asked = (await house.call(people[who], purchasing.partsRequestsCount, { query })).body.total
      const wanted = (await house.call(people[who], purchasing.partsRequests, { query })).body.data
      expect(wanted.flatMap(({ supplies }) => supplies).filter(({ suggested }) => suggested > 0)).toHaveLength(asked)
    }
  })

  it('and what is to be received or completed are counted as their lists do', async () => {
    const Status = PURCHASE_STATUS_NAMES.filter((status) => PURCHASE_STATES[status].receivable)
    const whole = await house.call(people[who], purchasing.listPurchaseOrders, {
      query: { filter: { Status } } as never,
    })
    const { total } = (
      await house.call(people[who], warehouses.listTransactions, {
        query: { filter: { Incomplete: ['true'] } } as never,
      })
    ).body
    let [orders, incomplete] = [0, 0]
    for (const { id } of await ownWarehouses(who)) {
      const filter = { Warehouse: [id] }
      orders += (
        await house.call(people[who], purchasing.listPurchaseOrders, {
          query: { filter: { ...filter, Status } } as never,
        })
      ).body.total
      const query = { filter: { ...filter, Type: ['entry'], Incomplete: ['true'] } } as never
      incomplete += (await house.call(people[who], warehouses.listTransactions, { query })).body.total
    }
    expect(total).toBeGreaterThan(0)
    expect([orders, incomplete]).toEqual([whole.body.total, total])
  })
})

describe('one’s own orders', () => {
  it('are those one answers for or works on, as the list of that specialist counts them', async () => {
    const { specialist_id } = (await house.call(people.mecanico, identity.me, {})).body
    const mine = (await cards('mecanico')).filter((card) => card.mine)
    const listed = await ordersListed('mecanico', { Specialist: [specialist_id], Status: OPEN_STATUSES })
    expect(mine).toHaveLength(listed.total)
    expect(mine.length).toBeGreaterThan(0)
  })

  it('are none of a chief who only wrote them down', async () => {
    expect((await house.call(people.jefe, identity.me, {})).body.specialist_id).toBeNull()
    expect((await cards('jefe')).filter((card) => card.mine)).toEqual([])
  })
})

it('says from what day there is data, so that no period before it is compared with', async () => {
  const { rows } = await house.owner.query<{ day: string }>(
    `select least((select min((created_at at time zone 'America/Santiago')::date) from work_orders where company_id = 1),
       (select min(date) from transactions where company_id = 1))::text as day`,
  )
  expect((await house.call(people.admin, reports.dataFrom, { query: {} })).body).toEqual({ from: rows[0]!.day })
  const nobody = await house.given.member({ role: 'super-admin' })
  expect((await house.call(nobody, reports.dataFrom, { query: {} })).body).toEqual({ from: null })
})
