import { beforeAll, describe, expect, it } from 'vitest'
import { finder } from '#contract/base/finder.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import type { Supply } from '#contract/supplies/supplies.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import type { Member } from '../../test/given.ts'
import { openHouse } from '../../test/house.ts'

/* Words are looked for where an index has them, or one row after the other where many have them: the answer is the same. */

const house = openHouse()

let ana: Member
let pump: Supply
let filter: Supply
let bodega: { id: number }
let other: { id: number }
let entries: number[]
beforeAll(async () => {
  ana = await house.given.member({ role: 'admin' })
  pump = await house.given.supply(ana, { name: 'Bomba de agua' })
  filter = await house.given.supply(ana, { name: 'Filtro de aceite' })
  bodega = await house.given.warehouse(ana)
  other = await house.given.warehouse(ana)
  const { id: providerId } = await house.given.provider(ana, { name: 'Repuestos Ñielol' })
  entries = [
    await record(bodega, { document: 'Guía 7712' }, pump),
    await record(bodega, { document: 'F-100200', note: 'Vino con la guía' }, pump),
    await record(bodega, { providerId }, filter),
    await record(other, { document: 'GUIA-7712' }, filter),
    await record(bodega, { document: 'Bomba' }, filter),
  ]
})

const record = async (warehouse: { id: number }, transaction: object, supply: Supply) =>
  (
    await house.call(ana, warehouses.recordTransaction, {
      body: {
        warehouse_id: warehouse.id,
        type: 'entry',
        transaction: { typeTrasactionId: 2, ...transaction },
        supplies: [{ supply_id: supply.id, quantity: 1, unit_cost: 10 }],
      } as never,
    })
  ).body.id

const KINDS = [undefined, 'bounded'] as const
const movements = async (Search: string, query: object = {}, more: object = {}) => {
  const { body } = await house.call(ana, warehouses.listMovements, {
    query: { per_page: 100, filter: { Search, ...more }, ...query } as never,
  })
  return { ...body, of: body.data.map(({ transaction_id }) => entries.indexOf(transaction_id!) + 1).toSorted() }
}
const papers = async (Search: string, query: object = {}) => {
  const { body } = await house.call(ana, warehouses.listTransactions, {
    query: { per_page: 100, filter: { Search }, ...query } as never,
  })
  return { ...body, of: body.data.map(({ id }) => entries.indexOf(id) + 1).toSorted() }
}

describe.each(KINDS)('words of movements, counted %s', (count) => {
  it('are those of the supply or of the document, whatever their accents', async () => {
    const found = async (Search: string, query: object = {}, more: object = {}) =>
      (await movements(Search, { count, ...query }, more)).of
    expect(await found('GUÍA')).toEqual([1, 4])
    expect(await found('guia 7712')).toEqual([1, 4])
    expect(await found('guía', { warehouse: bodega.id })).toEqual([1])
    expect(await found('bomba')).toEqual([1, 2, 5])
    expect(await found('bomba agua')).toEqual([1, 2])
    // Not some of the words here and some there.
    expect(await found('bomba guia')).toEqual([])
    expect(await found('100200')).toEqual([2])
    expect(await found('f-1')).toEqual([2])
    expect(await found('zz')).toEqual([])
    expect(await found('bomba', {}, { Type: ['exit'] })).toEqual([])
    const of = async (Type: string) => (await movements('', { count, warehouse: bodega.id }, { Type: [Type] })).total
    expect([await of('entry'), await of('exit')]).toEqual([4, 0])
    const { body: all } = await house.call(ana, warehouses.listMovements, { query: { per_page: 100 } as never })
    const sorted = await movements('bomba', { count, sort: 'quantity', per_page: 2, page: 2 })
    expect([sorted.data.length, sorted.total, all.total]).toEqual([1, 3, 5])
  })
})

describe.each(KINDS)('words of documents, counted %s', (count) => {
  it('are those of the paper, of its provider or its number', async () => {
    const found = async (Search: string, query: object = {}) => (await papers(Search, { count, ...query })).of
    expect(await found('guia')).toEqual([1, 2, 4])
    expect(await found('guía', { warehouse: other.id })).toEqual([4])
    expect(await found('nielol')).toEqual([3])
    expect(await found('ENT-000003')).toEqual([3])
    expect(await found('7712')).toEqual([1, 4])
    expect(await found('zzzz')).toEqual([])
  })
})

it('what many of the last ones have is found as well, page by page', async () => {
  const MANY = 25
  for (let n = 0; n < MANY; n++) await record(bodega, { document: `Carga ${n}` }, filter)
  for (const count of KINDS) {
    for (const sort of ['-at', 'quantity', undefined, 'name']) {
      const pages = await Promise.all(
        [1, 2, 3].map((page) => movements('carga', { count, per_page: 10, page, ...(sort && { sort }) })),
      )
      expect(pages.map(({ data, total }) => [data.length, total])).toEqual([10, 10, 5].map((rows) => [rows, MANY]))
      expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(MANY)
    }
    expect((await papers('carga', { count })).total).toBe(MANY)
    expect((await movements('7712', { count })).of).toEqual([1, 4])
    expect((await papers('nielol', { count })).of).toEqual([3])
  }
})

describe.each(KINDS)('words of purchase orders, counted %s', (count) => {
  it('are those of the order or of its provider, common or not', async () => {
    const provider = await house.given.provider(ana, { name: `Lubricantes ${count}` })
    const made: number[] = []
    for (const document of ['Cotización 55', 'COT-9001', undefined])
      made.push((await house.given.purchaseOrder(ana, { provider_id: provider.id, ...(document && { document }) })).id)
    const found = async (Search: string) => {
      const query = { per_page: 100, count, filter: { Search, Provider: [provider.id] } } as never
      const { body } = await house.call(ana, purchasing.listPurchaseOrders, { query })
      expect(body.total).toBe(body.data.length)
      return body.data.map(({ id }) => made.indexOf(id) + 1).toSorted()
    }
    expect(await found('cotizacion')).toEqual([1])
    expect(await found('9001')).toEqual([2])
    expect(await found(`lubricantes ${count}`)).toEqual([1, 2, 3])
    expect(await found('oc-')).toEqual([1, 2, 3])
    expect(await found('zzzz')).toEqual([])
    const { code } = (await house.call(ana, purchasing.getPurchaseOrder, { params: { id: made[1]! } })).body
    for (const said of [code, `OC-${Number(code.slice(3))}`, `oc0${code.slice(3)}`])
      expect([said, await found(said)]).toEqual([said, [2]])
    const { body } = await house.call(ana, finder.find, { query: { text: 'cot-9001' } as never })
    expect(body.data.map(({ kind, id }) => [kind, id])).toContainEqual(['purchase_order', made[1]])
  })
})
