import { createHash, randomBytes } from 'node:crypto'
import { type Alert, alerts } from '#contract/alerts/alerts.ts'
import { type AlertCategory, alertCategories } from '#contract/alerts/categories.ts'
import { dayOf } from '#contract/base/dates.ts'
import type { Role } from '#contract/base/permissions.ts'
import { fleetCatalogues } from '#contract/fleet/catalogues.ts'
import { fleet, type Truck } from '#contract/fleet/fleet.ts'
import { type View, views } from '#contract/identity/views.ts'
import { type Provider, providers, type Service } from '#contract/providers/providers.ts'
import { type PurchaseOrder, purchasing } from '#contract/purchasing/purchasing.ts'
import { type Supply, supplies } from '#contract/supplies/supplies.ts'
import type { Count } from '#contract/warehouses/stock.ts'
import type { Transaction } from '#contract/warehouses/transactions.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { workCatalogues } from '#contract/work-orders/catalogues.ts'
import type { PlannedSupply } from '#contract/work-orders/lines.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { payables } from '#contract/work-orders/payables.ts'
import { maintenanceTemplates } from '#contract/work-orders/templates.ts'
import type { SettingName } from '#contract/workshops/company.ts'
import { type Box, type Driver, rosters, type Specialist } from '#contract/workshops/rosters.ts'
import { hashPassword } from '../src/identity/passwords.ts'
import type { House } from './house.ts'

/** The smallest PNG there is, as a signature comes. */
export const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const PASSWORD = 'una-clave-larga'
const passwordHash = hashPassword(PASSWORD)

/** Someone logged in. */
export interface Member {
  user_id: number
  email: string
  name: string
  role: Role
  company_id: number
  /** Where they work; for a super-admin, the company's first. */
  workshop_id: number
  token: string
}

/** Makes what a test starts from, and whatever that needs. */
export class Given {
  readonly #house: House
  #count = 0

  constructor(house: House) {
    this.#house = house
  }

  next(prefix: string) {
    this.#count += 1
    return `${prefix}${String(this.#count).padStart(4, '0')}`
  }

  async #insert(sql: string, values: unknown[]): Promise<number> {
    const { rows } = await this.#house.owner.query<{ id: string }>(sql, values)
    return Number(rows[0]!.id)
  }

  company = () => this.#insert('insert into companies (name) values ($1) returning id', [this.next('Empresa ')])

  workshop = (company_id: number) =>
    this.#insert('insert into workshops (company_id, name) values ($1, $2) returning id', [
      company_id,
      this.next('Taller '),
    ])

  /** What the company decided. */
  setting = (company_id: number, name: SettingName, value: boolean | number | string) =>
    this.#house.owner.query(
      `insert into settings (company_id, name, setting_value) values ($1, $2, $3)
       on conflict (company_id, name) do update set setting_value = excluded.setting_value`,
      [company_id, name, JSON.stringify(value)],
    )

  /** Without a company they get one of their own; without a workshop, a new one in it. */
  async member(who: { role?: Role; company_id?: number; workshop_id?: number } = {}): Promise<Member> {
    const role = who.role ?? 'admin'
    const company_id = who.company_id ?? (await this.company())
    const workshop_id = who.workshop_id ?? (await this.workshop(company_id))
    const name = this.next('Persona ')
    const email = `${this.next('persona')}@prueba.cl`
    const user_id = await this.#insert(
      'insert into users (email, name, password_hash) values ($1, $2, $3) returning id',
      [email, name, await passwordHash],
    )
    await this.#house.owner.query(
      'insert into memberships (company_id, user_id, role, workshop_id) values ($1, $2, $3, $4)',
      [company_id, user_id, role, role === 'super-admin' ? null : workshop_id],
    )
    const token = await this.session(user_id)
    return { user_id, email, name, role, company_id, workshop_id, token }
  }

  /** A token without the cost of a login. */
  async session(user_id: number) {
    const token = randomBytes(32).toString('base64url')
    await this.#house.owner.query(
      `insert into sessions (token_hash, user_id, expires_at, agent, address) values ($1, $2, now() + interval '1 hour', '', '')`,
      [createHash('sha256').update(token).digest(), user_id],
    )
    return token
  }

  newTruck = (who: Member, more: object = {}) => ({
    workshop_id: who.workshop_id,
    code: this.next('C-'),
    patent: this.next('AB'),
    mileage: 1000,
    ...more,
  })

  async truck(who: Member, more: object = {}): Promise<Truck> {
    const { status, body } = await this.#house.call(who, fleet.createTruck, { body: this.newTruck(who, more) })
    if (status !== 201) throw new Error(`given.truck: ${JSON.stringify(body)}`)
    return body
  }

  async view(who: Member): Promise<View> {
    const body = { list: 'trucks', name: this.next('Vista '), query: 'sort=code' }
    return (await this.#house.call(who, views.createView, { body })).body
  }

  async coupled(who: Member) {
    const { body } = await this.#house.call(who, fleet.createCoupled, {
      body: { patent: this.next('JA'), workshop_id: who.workshop_id },
    })
    return body
  }

  /** A unit that a truck of its own pulls. */
  async coupling(who: Member) {
    const truck = await this.truck(who, { coupled_id: (await this.coupled(who)).id })
    const { body } = await this.#house.call(who, fleet.listCouplings, { params: { id: truck.id } })
    return body.data[0]!
  }

  async reading(who: Member) {
    const truck = await this.truck(who)
    return (await this.#house.call(who, fleet.recordReading, { params: { id: truck.id }, body: { km: 10 } })).body
  }

  async brand(who: Member, name = this.next('Marca ')) {
    return (await this.#house.call(who, fleetCatalogues.createBrand, { body: { name, workshop_id: who.workshop_id } }))
      .body
  }

  newProvider = (who: Member, more: object = {}) => ({
    name: this.next('Proveedor '),
    workshop_id: who.workshop_id,
    ...more,
  })

  async provider(who: Member, more: object = {}): Promise<Provider> {
    const answer = await this.#house.call(who, providers.createProvider, { body: this.newProvider(who, more) })
    if (answer.status !== 201) throw new Error(`given.provider: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async service(who: Member, more: { provider_id?: number; [field: string]: unknown } = {}): Promise<Service> {
    const provider_id = more.provider_id ?? (await this.provider(who)).id
    const { status, body } = await this.#house.call(who, providers.createService, {
      body: { code: this.next('S-'), name: this.next('Servicio '), unit_price: 1000, ...more, provider_id },
    })
    if (status !== 201) throw new Error(`given.service: ${JSON.stringify(body)}`)
    return body
  }

  newSupply = (who: Member, more: object = {}) => ({
    workshop_id: who.workshop_id,
    code: this.next('INS-'),
    name: this.next('Insumo '),
    cost: 12_990,
    ...more,
  })

  async supply(who: Member, more: object = {}): Promise<Supply> {
    const { status, body } = await this.#house.call(who, supplies.createSupply, { body: this.newSupply(who, more) })
    if (status !== 201) throw new Error(`given.supply: ${JSON.stringify(body)}`)
    return body
  }

  async category(who: Member, name = this.next('Categoría ')) {
    return (await this.#house.call(who, supplies.createCategory, { body: { name, workshop_id: who.workshop_id } })).body
  }

  async measurementUnit(who: Member, name = this.next('Unidad ')) {
    const body = { name, workshop_id: who.workshop_id }
    return (await this.#house.call(who, supplies.createMeasurementUnit, { body })).body
  }

  newWarehouse = (who: Member, more: object = {}) => ({
    workshop_id: who.workshop_id,
    code: this.next('B-'),
    name: this.next('Bodega '),
    ...more,
  })

  /** With stock: supply, quantity, unit cost (100 unless told). */
  async warehouse(who: Member, { stock = [] as [Supply, number, number?][], ...more } = {}): Promise<Warehouse> {
    const answer = await this.#house.call(who, warehouses.createWarehouse, { body: this.newWarehouse(who, more) })
    if (answer.status !== 201) throw new Error(`given.warehouse: ${JSON.stringify(answer.body)}`)
    if (stock.length > 0)
      await this.entry(who, {
        warehouse_id: answer.body.id,
        supplies: stock.map(([supply, quantity, unit_cost = 100]) => ({ supply_id: supply.id, quantity, unit_cost })),
      })
    return answer.body
  }

  async entry(
    who: Member,
    more: { warehouse_id?: number; transaction?: object; supplies?: object[] } = {},
  ): Promise<Transaction> {
    const { status, body } = await this.#house.call(who, warehouses.recordTransaction, {
      body: {
        warehouse_id: more.warehouse_id ?? (await this.warehouse(who)).id,
        type: 'entry',
        // Stories are told on days of their own, long ago.
        transaction: { typeTrasactionId: 1, document: this.next('F-'), confirm_old: true, ...more.transaction },
        supplies: more.supplies ?? [{ supply_id: (await this.supply(who)).id, quantity: 5, unit_cost: 100 }],
      },
    })
    if (status !== 201) throw new Error(`given.entry: ${JSON.stringify(body)}`)
    return body
  }

  /** On its way to another workshop. */
  async sentTransfer(who: Member): Promise<Transaction> {
    const { warehouse_id, supplies } = await this.entry(who)
    const to = await this.warehouse(await this.member({ company_id: who.company_id }))
    const { body } = await this.#house.call(who, warehouses.transfer, {
      body: {
        warehouse_id,
        to_warehouse_id: to.id,
        supplies: [{ supply_id: supplies[0]!.supply_id, quantity: 1 }],
      },
    })
    return body.exit
  }

  async count(who: Member): Promise<Count> {
    const { warehouse_id } = await this.entry(who)
    return (await this.#house.call(who, warehouses.createCount, { body: { warehouse_id } })).body
  }

  async purchaseOrder(
    who: Member,
    more: { supplies?: object[]; [field: string]: unknown } = {},
  ): Promise<PurchaseOrder> {
    const { status, body } = await this.#house.call(who, purchasing.createPurchaseOrder, {
      body: {
        warehouse_id: more.warehouse_id ?? (await this.warehouse(who)).id,
        provider_id: more.provider_id ?? (await this.provider(who)).id,
        supplies: more.supplies ?? [{ supply_id: (await this.supply(who)).id, quantity: 10, unit_cost: 1000 }],
        ...more,
      },
    })
    if (status !== 201) throw new Error(`given.purchaseOrder: ${JSON.stringify(body)}`)
    return body
  }

  newAlert = (more: object = {}) => ({
    name: this.next('Mantención '),
    expirationSettings: { dateSelected: true, date: '2199-01-01' },
    ...more,
  })

  /** Of a truck of its own unless told. */
  async alert(
    who: Member,
    more: { selectedTrucks?: number[]; selectedCoupled?: number[]; [field: string]: unknown } = {},
  ): Promise<Alert> {
    const selectedTrucks = more.selectedTrucks ?? (more.selectedCoupled ? [] : [(await this.truck(who)).id])
    const { status, body } = await this.#house.call(who, alerts.createAlerts, {
      body: { ...this.newAlert(), ...more, selectedTrucks },
    })
    if (status !== 201) throw new Error(`given.alert: ${JSON.stringify(body)}`)
    return body.data[0]!
  }

  async alertCategory(who: Member, more: object = {}): Promise<AlertCategory> {
    const body = { name: this.next('Categoría '), workshop_id: who.workshop_id, ...more }
    return (await this.#house.call(who, alertCategories.createCategory, { body })).body
  }

  /** The notice of an alert that is overdue. */
  async alertMail(who: Member) {
    const alert = await this.alert(who, {
      expirationSettings: { dateSelected: true, date: '2020-01-01' },
      emails_to_notifications: { selected: ['taller@prueba.cl'] },
    })
    return { id: await this.#insert('select mail_id as id from alert_mails where alert_id = $1', [alert.id]) }
  }

  /** Without a truck it gets one of its own. */
  newWorkOrder = async (who: Member, more: { truck_id?: number; [field: string]: unknown } = {}) => ({
    workshop_id: who.workshop_id,
    truck_id: more.truck_id ?? (await this.truck(who)).id,
    request: this.next('Revisar frenos '),
    ...more,
  })

  async workOrder(who: Member, more: { truck_id?: number; [field: string]: unknown } = {}): Promise<WorkOrder> {
    const { status, body } = await this.#house.call(who, workOrders.createWorkOrder, {
      body: await this.newWorkOrder(who, more),
    })
    if (status !== 201) throw new Error(`given.workOrder: ${JSON.stringify(body)}`)
    return body
  }

  async task(who: Member) {
    return (await this.#house.call(who, workCatalogues.createTask, { body: { code: this.next('T-'), name: 'Tarea' } }))
      .body
  }

  async template(who: Member, more: object = {}) {
    const body = { name: this.next('Mantención '), works: [{ description: 'Revisar niveles' }], ...more }
    return (await this.#house.call(who, maintenanceTemplates.createTemplate, { body })).body
  }

  async maintenanceType(who: Member, name = this.next('Mantención ')) {
    return (await this.#house.call(who, workCatalogues.createMaintenanceType, { body: { name } })).body
  }

  /** A line or a paper of an order of its own. */
  async partOfOrder(
    who: Member,
    kind: 'work' | 'time' | 'supply' | 'planned' | 'service' | 'file' | 'invoice' | 'note',
  ): Promise<{ id: number }> {
    const { warehouse_id, supplies } = await this.entry(who)
    const service = await this.service(who)
    const order = await this.workOrder(who, {
      has_warehouse: true,
      warehouse_id,
      works: [
        { description: 'Cambiar pastillas', specialist_id: kind === 'time' ? (await this.specialist(who)).id : null },
      ],
      supplies: [{ supply_id: supplies[0]!.supply_id, count: 1 }],
      services: [{ service_id: service.id, quantity: 1 }],
    })
    if (kind === 'work') return order.works[0]!
    if (kind === 'time') {
      const what = { params: { id: order.works[0]!.id }, body: { action: 'start' as const } }
      return (await this.#house.call(who, workOrderParts.progressWork, what)).body.times[0]!
    }
    if (kind === 'supply') return order.supplies[0]!
    if (kind === 'service') return order.services[0]!
    if (kind === 'planned') return this.planned(who, order.id, supplies[0]!.supply_id)
    const answer =
      kind === 'file'
        ? await this.#house.call(who, workOrderParts.addFile, {
            params: { id: order.id },
            body: { file: new File(['%PDF-1.4'], 'informe.pdf') },
          })
        : await this.#house.call(who, workOrderParts.createInvoice, {
            body: {
              work_order_id: order.id,
              provider_id: service.provider_id,
              bill_invoice: 'bill',
              date: dayOf(new Date()),
              document: this.next('F-'),
              payment_type: 'Cash',
            },
          })
    if (answer.status !== 201) throw new Error(`given.partOfOrder: ${JSON.stringify(answer.body)}`)
    if (kind !== 'note') return answer.body
    const date = dayOf(new Date())
    const note = { kind: 'credit' as const, date, document: this.next('NC-'), amount: 1 }
    return (
      await this.#house.call(who, workOrderParts.createInvoiceNote, { params: { id: answer.body.id }, body: note })
    ).body
  }

  /** The payment of an invoice. */
  async payment(who: Member): Promise<{ id: number }> {
    const { id } = await this.partOfOrder(who, 'invoice')
    const { status, body } = await this.#house.call(who, payables.payPayable, {
      params: { id: id * 2 },
      body: { paid: true },
    })
    if (status !== 200) throw new Error(`given.payment: ${JSON.stringify(body)}`)
    return body.payments[0]!
  }

  async planned(who: Member, id: number, supply_id: number, count = 1): Promise<PlannedSupply> {
    const { status, body } = await this.#house.call(who, workOrderParts.planSupply, {
      params: { id },
      body: { supply_id, count },
    })
    if (status !== 201) throw new Error(`given.planned: ${JSON.stringify(body)}`)
    return body
  }

  /** One more session of somebody, by its id. */
  async openSession(who: Member) {
    await this.session(who.user_id)
    return { id: await this.#insert('select max(id) as id from sessions where user_id = $1', [who.user_id]) }
  }

  apiToken = async (who: Member) => ({
    id: await this.#insert(
      `insert into api_tokens (token_hash, company_id, user_id, name, permissions, expires_at)
       values ($1, $2, $3, 'Planilla', '{fleet.read}', now() + interval '1 day') returning id`,
      [randomBytes(32), who.company_id, who.user_id],
    ),
  })

  webhook = async (who: Member) => ({
    id: await this.#insert(
      `insert into webhooks (company_id, name, url, secret, events, active)
       values ($1, 'ERP', 'https://erp.invalid/', 'x', '{stock.low}', false) returning id`,
      [who.company_id],
    ),
  })

  delivery = async (who: Member) => ({
    id: await this.#insert(
      `insert into webhook_deliveries (company_id, webhook_id, event, body) values ($1, $2, 'ping', '{}') returning id`,
      [who.company_id, (await this.webhook(who)).id],
    ),
  })

  factor = async (who: Member) => ({
    id: await this.#insert(
      `insert into factors (user_id, kind, name, secret) values ($1, 'totp', 'Teléfono', $2) returning id`,
      [who.user_id, randomBytes(20)],
    ),
  })

  async truckType(who: Member, name = this.next('Tipo ')) {
    return (
      await this.#house.call(who, fleetCatalogues.createTruckType, { body: { name, workshop_id: who.workshop_id } })
    ).body
  }

  async costCenter(who: Member, name = this.next('Centro ')) {
    return (
      await this.#house.call(who, fleetCatalogues.createCostCenter, { body: { name, workshop_id: who.workshop_id } })
    ).body
  }

  async serviceCategory(who: Member, name = this.next('Categoría ')) {
    const body = { name, workshop_id: who.workshop_id }
    return (await this.#house.call(who, providers.createServiceCategory, { body })).body
  }

  async box(who: Member, more: object = {}): Promise<Box> {
    const body = { workshop_id: who.workshop_id, name: this.next('Box '), ...more }
    return (await this.#house.call(who, rosters.createBox, { body })).body
  }

  newSpecialist = (who: Member, more: object = {}) => ({
    workshop_id: who.workshop_id,
    names: this.next('Luis '),
    last_name_p: 'Gatica',
    last_name_m: 'Muñoz',
    ...more,
  })

  async specialist(who: Member, more: object = {}): Promise<Specialist> {
    return (await this.#house.call(who, rosters.createSpecialist, { body: this.newSpecialist(who, more) })).body
  }

  async driver(who: Member, more: object = {}): Promise<Driver> {
    return (await this.#house.call(who, rosters.createDriver, { body: this.newSpecialist(who, more) })).body
  }
}

export const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
