import { createHash, randomBytes } from 'node:crypto'
import { API_TOKEN_PREFIX } from '#contract/identity/api-tokens.ts'
import type { SecurityEventKind } from '#contract/identity/security.ts'
import type { WebhookEvent } from '#contract/webhooks/webhooks.ts'
import { DAY, daysAgo, insertRows, orderCode, takeIds, type World } from './world.ts'

const HOUR = DAY / 24
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15; SM-A556E) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36',
]
const LOG_DAYS = 45

/** Keys of programs, another system that listens, and who came in: what configuration and log show from the first day. */
export async function accessPart(world: World) {
  if (world.company.size < 1) return
  await keys(world)
  await listener(world)
  await log(world)
}

/** Nobody has what opens with them: they are only seen. */
async function keys(world: World) {
  const [boss, chief] = world.users
  const key = (user: { id: number }, name: string, permissions: string[], age: number, used: number | null) => ({
    token_hash: `\\x${createHash('sha256')
      .update(`${API_TOKEN_PREFIX}${randomBytes(32).toString('hex')}`)
      .digest('hex')}`,
    company_id: world.company.id,
    user_id: user.id,
    name,
    permissions,
    created_at: daysAgo(world, age),
    expires_at: daysAgo(world, age - 365),
    last_used_at: used === null ? null : daysAgo(world, used),
    last_address: used === null ? null : '203.0.113.24',
  })
  await insertRows(
    world,
    'api_tokens',
    [
      key(boss!, 'Contabilidad: gastos del mes', ['reports.read'], 120, 0.4),
      key(boss!, 'GPS de la flota: kilometrajes', ['fleet.read', 'fleet.write'], 80, 0.02),
      key(chief!, 'Pantalla del taller', ['work-orders.read'], 12, null),
    ].map((row, i) => ({ id: i + 1, ...row })),
  )
  await world.client.query(`select setval(pg_get_serial_sequence('api_tokens', 'id'), 3)`)
}

/** It is paused: a demonstration calls nobody. */
async function listener(world: World) {
  const { id: company_id } = world.company
  const [webhook_id] = await takeIds(world, 'webhooks', 1)
  const created_at = daysAgo(world, 70)
  const events: WebhookEvent[] = ['order.moved', 'order.finalized']
  await insertRows(world, 'webhooks', [
    {
      company_id,
      id: webhook_id,
      name: 'ERP de la empresa',
      url: 'https://erp.cordillera.example/avisos/maestranza',
      secret: `whsec_${randomBytes(32).toString('base64url')}`,
      events,
      active: false,
      created_at,
      updated_at: daysAgo(world, 2),
    },
  ])
  const told = world.orders
    .filter(({ left }) => left && left > daysAgo(world, 30) && left < daysAgo(world, 2))
    .slice(-40)
  const ids = await takeIds(world, 'webhook_deliveries', told.length)
  await insertRows(
    world,
    'webhook_deliveries',
    told.map(({ id, number, status, workshop_id, truck_id, left }, i) => {
      const lost = i % 13 === 5
      return {
        company_id,
        id: ids[i],
        webhook_id,
        event: events[1],
        body: { id, code: orderCode(number), status, workshop_id, truck_id },
        state: lost ? 'failed' : 'delivered',
        attempts: lost ? 9 : 1 + Number(i % 7 === 3),
        answer: lost ? '502 Bad Gateway' : '200 {"ok":true}',
        created_at: left,
        delivered_at: lost ? null : new Date(left!.getTime() + 1500),
      }
    }),
  )
}

async function log(world: World) {
  const { id: company_id } = world.company
  const places = [null, ...Array<number>(4).fill(world.workshops[0]!.id)]
  const rows: object[] = []
  const add = (who: number, days: number, kind: SecurityEventKind, more: { by?: number; detail?: string } = {}) =>
    rows.push({
      company_id,
      at: daysAgo(world, days),
      kind,
      user_id: world.users[who]!.id,
      user_name: world.users[who]!.name,
      workshop_id: places[who],
      by_name: more.by === undefined ? null : world.users[more.by]!.name,
      detail: more.detail ?? null,
      address: who === 3 ? '203.0.113.87' : '203.0.113.24',
      agent: AGENTS[Number(who === 3)],
    })
  for (let who = 0; who < world.users.length; who++) add(who, LOG_DAYS + who / 24, 'new_device')
  for (let day = LOG_DAYS - 1; day > 0; day--) {
    const at = world.now.getTime() - day * DAY
    if (new Date(at).getUTCDay() === 0) continue
    for (let who = 0; who < world.users.length; who++)
      if ((day + who) % 3 !== 0) add(who, day + ((who * 7) % 5) * (HOUR / DAY), 'login')
    if (day % 11 === 4) add(day % 5, day + 0.01, 'login_failed')
    if (day % 7 === 2) add(day % 2, day - 0.05, 'export', { detail: 'historial-de-ordenes.xlsx' })
  }
  add(4, 33, 'role', { by: 0, detail: 'Bodeguero, Taller Quilicura → Consulta, Taller Quilicura' })
  add(1, 12, 'token', { detail: '«Pantalla del taller»: creada, por 365 días, con work-orders.read' })
  add(2, 21, 'password')
  add(2, 21, 'sessions_ended')
  const ids = await takeIds(world, 'security_events', rows.length)
  await insertRows(
    world,
    'security_events',
    rows.map((row, i) => ({ id: ids[i], ...row })),
  )
}
