import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

describe('turns', () => {
  it('are given to some at once, and then in the order they were asked for', async () => {
    const turns = new Turns(2)
    const [first, second] = [await turns.take(1000), await turns.take(1000)]
    const order: string[] = []
    const noted = async (name: string) => {
      const leave = await turns.take(1000)
      order.push(name)
      return leave
    }
    const [third, fourth] = [noted('third'), noted('fourth')]
    await sleep(20)
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

  it('are refused to who waited too long, and not lost', async () => {
    const turns = new Turns(1)
    const leave = await turns.take(1000)
    expect(await turns.take(20)).toBeUndefined()
    leave!()
    expect(await turns.take(20)).toBeTypeOf('function')
  })

  it('that are kept for long make room for another', async () => {
    const turns = new Turns(1)
    const long = await turns.take(1000)
    const next = await turns.take(10_000)
    expect(next).toBeTypeOf('function')
    // Who gives it back late does not give back the other's.
    long!()
    expect(await turns.take(20)).toBeUndefined()
    next!()
    expect(await turns.take(20)).toBeTypeOf('function')
  })
})
