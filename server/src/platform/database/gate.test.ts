import { describe, expect, it } from 'vitest'
import { Gate } from './gate.ts'

describe('the gate to the connections', () => {
  it('lets some in at once, and then one for each that leaves, in their order', async () => {
    const gate = new Gate(2)
    const [first, second] = [await gate.pass(1000), await gate.pass(1000)]
    const order: string[] = []
    const noted = async (name: string) => {
      const leave = await gate.pass(1000)
      order.push(name)
      return leave
    }
    const [third, fourth] = [noted('third'), noted('fourth')]
    // Whoever needs not wait has passed by the next turn of the event loop.
    await new Promise(setImmediate)
    expect(order).toEqual([])
    first!()
    first!()
    const left = await third
    expect(order).toEqual(['third'])
    left!()
    await fourth
    expect(order).toEqual(['third', 'fourth'])
    second!()
  })

  it('turns away who waited too long, and keeps no place for them', async () => {
    const gate = new Gate(1)
    const leave = await gate.pass(1000)
    expect(await gate.pass(20)).toBeUndefined()
    leave!()
    expect(await gate.pass(20)).toBeTypeOf('function')
  })

  it('lets another in for who stays long', async () => {
    const gate = new Gate(1)
    const long = await gate.pass(1000)
    const next = await gate.pass(10_000)
    expect(next).toBeTypeOf('function')
    // Who gives it back late does not give back the other's.
    long!()
    expect(await gate.pass(20)).toBeUndefined()
    next!()
    expect(await gate.pass(20)).toBeTypeOf('function')
  })
})
