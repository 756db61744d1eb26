import type pg from 'pg'
import { contract } from '#contract/all.ts'
import { Download, type Endpoint, pathOf } from '#contract/base/wire.ts'
import type { App } from '../src/app.ts'
import { sampleOf, shapeOf } from './sample.ts'

/*
 * What a release answered, to be asked again of the versions after it. Beside the calls stand the database they were asked
 * of, as a backup, and the columns it had.
 */

export interface Call {
  method: string
  path: string
  body?: unknown
  status: number
  /** What stood where: `data[].id` → `number`; `?` where it was not in all of them. A file: its type. */
  shape: Record<string, string>
}
export interface Tables {
  [table: string]: { columns: Record<string, { type: string; required: boolean }>; once: string[] }
}

export const LOGIN = { email: 'admin@maestranza.demo', password: 'maestranza' }

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
/** Names that are values, of a month or an id, are one. */
const nameOf = (key: string) => (/^\d/.test(key) ? '*' : key)

export function shapeOfReply(reply: unknown): Record<string, string> {
  const types = new Map<string, Set<string>>()
  const seen = new Map<string, number>()
  const look = (path: string, value: unknown) => {
    const type = typeOf(value)
    types.set(path, (types.get(path) ?? new Set()).add(type))
    seen.set(path, (seen.get(path) ?? 0) + 1)
    if (type === 'array') for (const each of value as unknown[]) look(`${path}[]`, each)
    if (type === 'object') {
      seen.set(`${path}{}`, (seen.get(`${path}{}`) ?? 0) + 1)
      for (const [key, each] of Object.entries(value as object))
        look(path ? `${path}.${nameOf(key)}` : nameOf(key), each)
    }
  }
  look('', reply)
  const shape: Record<string, string> = {}
  for (const [path, found] of types) {
    const isField = path !== '' && !path.endsWith('[]')
    const isOptional = isField && !path.endsWith('*') && seen.get(path)! < (seen.get(`${parentOf(path)}{}`) ?? 0)
    shape[path] = [...found].sort().join('|') + (isOptional ? '?' : '')
  }
  return shape
}

const parentOf = (path: string) => (path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '')

/** Where an answer of today would break whoever relied on one of then. */
export function broken(then: Call, status: number, now: Record<string, string>): string[] {
  if (status !== then.status) return [`answers ${status} instead of ${then.status}`]
  return Object.entries(then.shape).flatMap(([path, told]) => {
    const isOptional = told.endsWith('?')
    const allowed = told.replace('?', '').split('|')
    const types = now[path]?.replace('?', '').split('|')
    if (!types) {
      const isThere = now[parentOf(path)]?.includes('object') && !path.endsWith('[]')
      return isThere && !isOptional ? [`${path} is gone`] : []
    }
    if (now[path]?.endsWith('?') && !isOptional) return [`${path} is not always there`]
    // Whether there is a figure depends on the day: null says nothing, then or now.
    const isTold = allowed.some((type) => type !== 'null')
    const others = types.filter((type) => isTold && type !== 'null' && !allowed.includes(type))
    return others.length > 0 ? [`${path} is ${others.join('|')} instead of ${allowed.join('|')}`] : []
  })
}

export class Caller {
  readonly #app: App
  #token = ''

  constructor(app: App) {
    this.#app = app
  }

  async ask({ method, path, body }: Pick<Call, 'method' | 'path' | 'body'>) {
    const answer = await this.#app.http.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: this.#token ? { authorization: `Bearer ${this.#token}` } : {},
      ...(body !== undefined && { payload: body as object }),
    })
    const type = String(answer.headers['content-type'] ?? '')
    const isJson = type.startsWith('application/json') && answer.body !== ''
    const reply = isJson ? (answer.json() as { token?: string }) : undefined
    if (path === '/v1/login' && reply?.token) this.#token = reply.token
    return { status: answer.statusCode, reply, shape: isJson ? shapeOfReply(reply) : { '': type } }
  }
}

/** Where an id of such a thing is found, if not in the list of the same path. */
const FOUND_IN: Record<string, string> = {
  '/v1/readings/:id': '/v1/trucks/:id/readings',
  '/v1/couplings/:id': '/v1/trucks/:id/couplings',
  '/v1/service-by-provider/:id': '/v1/providers',
  '/v1/provider/services/:id': '/v1/service-by-provider/:id',
  '/v1/provider-by-workshop/:id': '/v1/workshops',
  '/v1/warehouses-by-workshop/:id': '/v1/workshops',
  '/v1/stock/:warehouse': '/v1/warehouses',
  '/v2/order_workers_with_warehouse/:id': '/v1/order_workers',
  '/v1/update_status/:id': '/v1/order_workers',
  '/v2/calendar_order_work/:id': '/v1/order_workers',
  '/v1/invoice/work-order/:id': '/v1/order_workers',
  '/v2/planner/orders/:id': '/v1/order_workers',
  '/v1/order_workers/file/:id': '/v1/order_workers/:id/files',
  '/v1/order-purchase-update-status/:id': '/v1/order_purchase',
  '/v1/invoice/provider/:id': '/v1/providers',
  '/v1/uses/:thing/:id': '/v1/boxes',
}
/** They end what the others need, ask strangers, or take files. */
const LEFT_OUT =
  /^\/v1\/(logout|login|setup|links|passkey|oidc|sessions|me\/(password|confirm|factors|passkey)|live|imports?|upload|erase)|\/(send|test|link)$/

const DAYS = 'filter[BetweenDate]=2026-01-01,2026-12-31'

/** What is asked of one warehouse, of one supply. */
const NEEDED = { warehouse: 1, supply: 1, quantity: 1 }

const isList = (e: Endpoint) => 'data' in (shapeOf(e.reply, 'output').properties ?? {})
type Listed = { data?: { id?: number }[] }

export const recordable = Object.values(contract)
  .flatMap((domain) => Object.values(domain))
  .filter((e) => e.may !== 'public' && !e.upload && !LEFT_OUT.test(e.path))

/** Finds a path to each call, with the ids of things that are there. */
export function pathFinder(caller: Pick<Caller, 'ask'>) {
  const known = new Map<string, number | undefined>()
  const firstOf = async (path: string): Promise<number | undefined> => {
    if (!known.has(path)) {
      const e = recordable.find((each) => each.method === 'GET' && each.path === path)
      known.set(path, undefined)
      const filled = e && (await fill(e))
      const { reply } = filled ? await caller.ask({ method: 'GET', path: filled }) : { reply: undefined }
      known.set(path, (reply as Listed | undefined)?.data?.[0]?.id)
    }
    return known.get(path)
  }
  const fill = async (e: Endpoint): Promise<string | undefined> => {
    if (!e.path.includes(':')) return pathOf(e)
    const [start = ''] = /^.*?\/:(id|warehouse)/.exec(e.path.replace(':thing', 'x')) ?? []
    const prefix = start.replace('/x/', '/:thing/')
    const id = await firstOf(FOUND_IN[prefix] ?? prefix.replace(/\/:\w+$/, ''))
    if (id === undefined) return undefined
    const names = [...e.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
    const values = { kind: 'delivered', thing: 'boxes' } as Record<string, string>
    return pathOf(e, Object.fromEntries(names.map((name) => [name, values[name] ?? id])))
  }
  return fill
}

/** What a read needs after its `?`, and what a screen would say there. */
export function queryOf(e: Endpoint): string {
  const { properties = {} } = e.query ? shapeOf(e.query) : {}
  const isReport = JSON.stringify(properties).includes('BetweenDate')
  const needed = Object.entries(NEEDED).flatMap(([name, value]) => (name in properties ? [`${name}=${value}`] : []))
  return [...needed, ...(isReport ? [DAYS] : []), ...(isList(e) ? ['page=1&perPage=20'] : [])].join('&')
}

/** Asks every call of the contract once: first what only reads, then what changes something, and last what deletes. */
export async function record(caller: Caller): Promise<Call[]> {
  const calls: Call[] = []
  const ask = async (method: string, path: string, body?: unknown) => {
    const asked = { method, path, ...(body !== undefined && { body }) }
    const { status, shape, reply } = await caller.ask(asked)
    if (status >= 500) throw new Error(`${method} ${path} answered ${status}`)
    calls.push({ ...asked, status, shape })
    return { status, reply }
  }
  await ask('POST', '/v1/login', LOGIN)
  const fill = pathFinder(caller)
  for (const e of recordable.filter(({ method }) => method === 'GET')) {
    const path = await fill(e)
    if (!path) continue
    const query = queryOf(e)
    const isKnown = async (asked: string) => (await caller.ask({ method: 'GET', path: asked })).status !== 422
    const asked = query && (await isKnown(`${path}?${query}`)) ? `${path}?${query}` : path
    if (e.reply === Download && !(await isKnown(asked))) continue
    await ask('GET', asked)
  }
  await aDayOfWork(ask)
  for (const method of ['PUT', 'POST', 'DELETE'])
    for (const e of recordable.filter((each) => each.method === method)) {
      const path = await fill(e)
      if (path) await ask(method, path, await bodyOf(e, path, caller))
    }
  return calls
}

type Asking = (method: string, path: string, body?: unknown) => Promise<{ status: number; reply: unknown }>

/** What is done in a workshop from morning to evening, each with what the one before answered. */
async function aDayOfWork(asking: Asking) {
  const ask = async (method: string, path: string, body?: object) => {
    const { status, reply } = await asking(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path} answered ${status} ${JSON.stringify(reply)}`)
    return reply as { id: number; works: { id: number }[]; supplies: { id: number }[]; data: { id: number }[] }
  }
  const workshop_id = 1
  const truck = await ask('POST', '/v1/trucks', { workshop_id, code: 'R-900', patent: 'RRRR90' })
  await ask('POST', `/v1/trucks/${truck.id}/readings`, { km: 120_000 })
  const supply = await ask('POST', '/v1/supplies', {
    workshop_id,
    code: 'R-1',
    name: 'Pastillas de prueba',
    cost: 1000,
  })
  const provider = await ask('POST', '/v1/providers', { workshop_id, name: 'Proveedor de prueba' })
  const service = await ask('POST', '/v1/provider/services/create', {
    provider_id: provider.id,
    code: 'R-S',
    name: 'Rectificar',
    unit_price: 5000,
  })
  const warehouse = await ask('POST', '/v1/warehouses', { workshop_id, code: 'R-B', name: 'Bodega de prueba' })
  const lines = [{ supply_id: supply.id, quantity: 10, unit_cost: 1000 }]
  const purchase = await ask('POST', '/v1/order_purchase', {
    warehouse_id: warehouse.id,
    provider_id: provider.id,
    supplies: lines,
  })
  const status = `/v1/order-purchase-update-status/${purchase.id}`
  await ask('PUT', status, { status: 'approved' })
  await ask('POST', `/v1/order_purchase/${purchase.id}/receive`, {
    transaction: { document: 'R-F-1' },
    supplies: [{ supply_id: supply.id, quantity: 10 }],
  })
  await ask('POST', '/v1/transaction', {
    warehouse_id: warehouse.id,
    type: 'entry',
    transaction: { typeTrasactionId: 1, document: 'R-F-2' },
    supplies: lines,
  })
  const order = await ask('POST', '/v1/order_workers', {
    workshop_id,
    truck_id: truck.id,
    request: 'Revisar frenos',
    has_warehouse: true,
    warehouse_id: warehouse.id,
    works: [{ description: 'Cambiar pastillas' }],
    supplies: [{ supply_id: supply.id, count: 2 }],
    services: [{ service_id: service.id, quantity: 1 }],
  })
  const place = `/v1/order_workers/${order.id}`
  await ask('PUT', `/v1/update_status/${order.id}`, { status: 'IN_PROCESS' })
  await ask('POST', `${place}/works`, { description: 'Probar en ruta' })
  await ask('POST', `${place}/supplies`, { supply_id: supply.id, count: 1 })
  await ask('POST', `${place}/planned_supplies`, { supply_id: supply.id, count: 1 })
  await ask('POST', `${place}/comments`, { text: 'Listo' })
  await ask('GET', place)
  await ask('GET', `/v1/stock/${warehouse.id}`)
  await ask('GET', '/v2/order_workers_by_group')
  const alert = { name: 'Cambio de aceite', expirationSettings: { dateSelected: true, date: '2199-01-01' } }
  await ask('POST', '/v1/maintenance-alerts', { ...alert, selectedTrucks: [truck.id] })
}

/** What a client would send: the thing as it read it, or one like the first of the list; else what the contract takes. */
async function bodyOf(e: Endpoint, path: string, caller: Caller) {
  if (!e.body) return undefined
  const shape = shapeOf(e.body)
  const { reply } = await caller.ask({ method: 'GET', path })
  const like = e.method === 'PUT' ? reply : (reply as Listed | undefined)?.data?.[0]
  if (!like || 'message' in like) {
    const { updated_at: _, ...sample } = sampleOf(shape) as Record<string, unknown>
    return sample
  }
  const mine = Object.entries(like).filter(([name]) => name in (shape.properties ?? {}) && name !== 'updated_at')
  const renamed = (name: string, value: unknown) =>
    e.method === 'POST' && typeof value === 'string' && /^(name|code|patent|names|title)$/.test(name)
      ? `${value}9`
      : value
  const body = Object.fromEntries(mine.map(([name, value]) => [name, renamed(name, value)]))
  // Played again in a year it is a year old.
  if (shape.properties?.transaction?.properties?.confirm_old)
    body.transaction = { ...(body.transaction as object), confirm_old: true }
  return body
}

/** The columns of every table, whether whoever adds a row must fill them, and what may be there once only. */
export async function tablesOf(client: pg.ClientBase): Promise<Tables> {
  const { rows } = await client.query<{ table: string; column: string; type: string; required: boolean }>(
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as required
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') order by c.relname, a.attname`,
  )
  const tables: Tables = {}
  for (const { table, column, type, required } of rows)
    (tables[table] ??= { columns: {}, once: [] }).columns[column] = { type, required }
  const { rows: once } = await client.query<{ table: string; of: string }>(
    `select c.relname as "table", concat(
       (select string_agg(pg_get_indexdef(i.indexrelid, k, true), ', ' order by k) from generate_series(1, i.indnkeyatts) k),
       ' where ' || pg_get_expr(i.indpred, i.indrelid)) as of
     from pg_index i join pg_class c on c.oid = i.indrelid
     where i.indisunique and c.relnamespace = 'public'::regnamespace order by 1, 2`,
  )
  for (const { table, of } of once) tables[table]?.once.push(of)
  return tables
}
