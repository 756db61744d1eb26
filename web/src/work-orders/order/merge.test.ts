import { describe, expect, it } from 'vitest'
import { differences, hasArrived, mergeOrders } from './merge.ts'
import { blankOrder, newWork, type OrderTyped } from './typed.ts'

const order = (more: Partial<OrderTyped> = {}) => blankOrder({ workshop_id: 1, truck_id: 2, ...more })
const work = (id: number | undefined, description: string) => ({ ...newWork(), id, description })

describe('two people in one order', () => {
  it('bring together what each changed', () => {
    const read = order({ request: 'Frenos', codes: '' })
    const typed = { ...read, request: 'Frenos largos' }
    const theirs = { ...read, codes: 'P0101', updated_at: 'later' }
    expect(mergeOrders(read, typed, theirs)).toMatchObject({
      request: 'Frenos largos',
      codes: 'P0101',
      updated_at: 'later',
    })
  })

  it('keep what was typed here where both changed the same field, and say so', () => {
    const read = order({ request: 'Frenos' })
    const typed = { ...read, request: 'Lo mío' }
    const theirs = { ...read, request: 'Lo suyo', codes: 'P1' }
    expect(mergeOrders(read, typed, theirs).request).toBe('Lo mío')
    expect(differences(read, typed, theirs)).toEqual([
      { label: 'Solicitud', both: true },
      { label: 'Códigos de falla', both: false },
    ])
  })

  it('keep the lines of both, each as whoever changed it left it', () => {
    const read = order({ works: [work(1, 'Uno'), work(2, 'Dos'), work(3, 'Tres')] })
    const typed = { ...read, works: [work(1, 'Uno'), work(2, 'Dos, mío'), work(undefined, 'Nuevo mío')] }
    const theirs = { ...read, works: [work(1, 'Uno, suyo'), work(2, 'Dos'), work(3, 'Tres'), work(4, 'Nuevo suyo')] }
    expect(mergeOrders(read, typed, theirs).works.map(({ description }) => description)).toEqual([
      'Uno, suyo',
      'Dos, mío',
      'Nuevo suyo',
      'Nuevo mío',
    ])
  })

  it('bring a line back that one changed and the other took out: text is never lost', () => {
    const read = order({ works: [work(1, 'Uno')] })
    const typed = { ...read, works: [work(1, 'Uno, con detalle')] }
    const theirs = { ...read, works: [] }
    expect(mergeOrders(read, typed, theirs).works).toEqual([{ ...newWork(), description: 'Uno, con detalle' }])
  })

  it('know what was saved though its answer was lost, and never add its lines twice', () => {
    const read = order({ works: [work(1, 'Uno')], updated_at: 'before' })
    const added = [work(undefined, 'Cambiar pastillas '), work(undefined, 'Cambiar pastillas ')]
    const typed = { ...read, request: 'Frenos ', works: [...read.works, ...added] }
    const saved = [2, 3].map((id) => ({ ...work(id, 'Cambiar pastillas'), state: 'pending' as const }))
    const theirs = { ...read, request: 'Frenos', works: [...read.works, ...saved], updated_at: 'later' }
    expect(hasArrived(read, typed, theirs)).toBe(true)
    expect(mergeOrders(read, typed, theirs).works.map(({ id }) => id)).toEqual([1, 2, 3])

    const third = { ...typed, works: [...typed.works, work(undefined, 'Probar')] }
    expect(hasArrived(read, third, theirs)).toBe(false)
    expect(mergeOrders(read, third, theirs).works.map(({ id }) => id)).toEqual([1, 2, 3, undefined])
    expect(hasArrived(read, { ...typed, works: [] }, theirs)).toBe(false)
  })
})
