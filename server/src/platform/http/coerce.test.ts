import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contract } from '#contract/all.ts'
import { TaxType } from '#contract/base/money.ts'
import { readings } from '#contract/base/readings.ts'
import { Day, type Endpoint, Id, Instant, OptionalId, OptionalText } from '#contract/base/wire.ts'
import { NewTransaction, TransactionList } from '#contract/warehouses/transactions.ts'
import { NewWorkOrder, WorkOrderList } from '#contract/work-orders/orders.ts'
import { coerce, coerceQuery } from './coerce.ts'
import { namesOf } from './fields.ts'

const manner = { zone: 'America/Santiago' }
const Form = z.object({
  id: Id,
  box_id: OptionalId,
  count: z.number().default(1),
  planned: z.boolean().default(false),
  kind: z.enum(['a', 'b']).default('a'),
  note: OptionalText(20),
  name: z.string(),
  day: Day.nullish(),
  at: Instant.nullish(),
  list: z.array(Id).max(3),
})
const formOf = (sent: object) => coerce(sent, [Form], manner)

describe('a body', () => {
  it('that has the right types stays the very same', () => {
    const order = {
      workshop_id: 1,
      truck_id: 2,
      supplies: [{ supply_id: 1, count: 2 }],
      deadline_at: '2026-12-05T21:00:00Z',
    }
    expect(coerce(order, [NewWorkOrder], manner)).toBe(order)
  })

  it('has numbers, yes and no, and text as its schema wants them', () => {
    expect(formOf({ id: '7', count: ' 1.5 ', planned: 1, name: 12, list: ['1', 2] })).toEqual({
      id: 7,
      count: 1.5,
      planned: true,
      name: '12',
      list: [1, 2],
    })
  })

  it.each(['1.200,5', '0x10', '1e3', '∞', '--1', '1 2', 'x'.repeat(50)])('leaves %s, which is no number', (text) => {
    const sent = { id: text }
    expect(formOf(sent)).toBe(sent)
  })

  it('takes an empty field for none, a switch that is off, or what the field is by default', () => {
    const empty = {
      id: '',
      box_id: '',
      count: '',
      planned: '',
      kind: '',
      note: '',
      name: '',
      day: '',
      at: '',
      list: '',
    }
    expect(formOf(empty)).toEqual({
      id: '',
      box_id: null,
      count: undefined,
      planned: false,
      kind: undefined,
      note: null,
      name: '',
      day: null,
      at: null,
      list: [],
    })
  })

  it.each([
    ['2026-07-05', '2026-07-05', '2026-07-05T04:00:00.000Z'],
    ['2026-12-05 18:00:05', '2026-12-05', '2026-12-05T21:00:05.000Z'],
    ['2026-12-05T18:00', '2026-12-05', '2026-12-05T21:00:00.000Z'],
    // Ten in the evening before, in Santiago.
    ['2026-12-06T01:00:00Z', '2026-12-05', '2026-12-06T01:00:00Z'],
    ['2026-02-31', '2026-02-31', '2026-02-31'],
    ['05-12-2026', '05-12-2026', '05-12-2026'],
  ])('reads %s as a clock of the company shows it', (text, day, at) => {
    expect(formOf({ day: text, at: text })).toEqual({ day, at })
  })

  it('is not looked into where a list is longer than it may be', () => {
    const sent = { list: ['1', '2', '3', '4'] }
    expect(formOf(sent)).toBe(sent)
  })

  it('keeps a number that was typed as text apart from the words beside an id', () => {
    const workOf = (work: object) => coerce({ works: [work] }, [NewWorkOrder], manner)
    expect(workOf({ task: '12' })).toEqual({ works: [{ task: 12 }] })
    expect(workOf({ task: '12', task_id: 3 })).toEqual({ works: [{ task: '12', task_id: 3 }] })
  })

  it('has other names where they are declared, beside a rule of its own too', () => {
    const Renamed = z
      .object({ a: z.number() })
      .register(readings, { names: { b: 'a' } })
      .refine(() => true)
    expect(coerce({ b: '1' }, [Renamed], manner)).toEqual({ a: 1 })
    expect(coerce({ a: 2, b: '1' }, [Renamed], manner)).toEqual({ a: 2 })
    expect(
      coerce({ transaction: { typeTrasactionId: '5', supplies: [{ id: '3' }] } }, [NewTransaction], manner),
    ).toEqual({ type: 'exit', transaction: { typeTrasactionId: 5 }, supplies: [{ supply_id: 3 }] })
  })

  it.each([
    [19, '19'],
    ['21%', '21'],
    ['Exento', 'exempt'],
    [0, 'exempt'],
    [{ name: 'x', value: 1.21 }, '21'],
    [20, 20],
    [null, null],
  ])('reads the tax %j', (sent, tax) => expect(coerce(sent, [TaxType], manner)).toEqual(tax))
})

it('gives every spelling of a filter the same name, and leaves what nobody knows', () => {
  const read = (query: object) => coerceQuery(query, WorkOrderList, manner)
  const same = { filter: { WorkshopId: '1,2', Truck: '3' } }
  for (const query of [
    { workshop_id: '1,2', truck_id: '3' },
    { workshopId: '1,2', Trucks: '3' },
    { filter: { workshop: '1,2' }, truck: '3' },
  ])
    expect(read(query)).toEqual(same)
  expect(read({ filter: { Truck: '3' }, truck_id: '4' })).toEqual({ filter: { Truck: '3' } })
  expect(read({ filter: { Inventado: '3' }, otro: '4' })).toEqual({ filter: { Inventado: '3' }, otro: '4' })
  expect(coerceQuery({ transaction: 'entry', warehouse_id: '1' }, TransactionList, manner)).toEqual({
    filter: { Type: 'entry', Warehouse: '1' },
  })
})

const lists = Object.values(contract)
  .flatMap((calls) => Object.values<Endpoint>(calls))
  .filter(({ query }) => query)
it('understands each filter of each list in every spelling', () => {
  const snake = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()
  let filters = 0
  for (const { path, query } of lists) {
    const { fields } = namesOf([query!])
    for (const name of namesOf(fields.get('filter') ?? []).fields.keys()) {
      const bare = name.replace(/Id$/, '')
      for (const spelling of [name, snake(name), `${snake(bare)}_id`, `${bare[0]!.toLowerCase()}${bare.slice(1)}Id`]) {
        const wanted = fields.has(spelling) ? { [spelling]: 'x' } : { filter: { [name]: 'x' } }
        expect([path, spelling, coerceQuery({ [spelling]: 'x' }, query, manner)]).toEqual([path, spelling, wanted])
        const inside = coerceQuery({ filter: { [spelling]: 'x' } }, query, manner)
        expect([path, spelling, inside]).toEqual([path, spelling, { filter: { [name]: 'x' } }])
        filters += 1
      }
    }
  }
  expect(filters).toBeGreaterThan(500)
})
