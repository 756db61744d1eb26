import { describe, expect, it } from 'vitest'
import { Limiter } from './limiter.ts'

const LATE = { ms: 20, message: 'Too late', retryAfter: 3 }
const FULL = { message: 'Full', retryAfter: 7 }
/** Whoever need not wait has entered by the next turn of the event loop. */
const nextTurn = () => new Promise(setImmediate)

/** Enters one call after the other and notes in `order` when each gets in. */
function entering(limiter: Limiter) {
  const order: string[] = []
  return {
    order,
    enter: async (name: string, key?: string, company?: string) => {
      const leave = await limiter.enter(key, company)
      order.push(name)
      return leave
    },
  }
}

describe('the limiter', () => {
  it('lets some in at once, and then one for each that leaves, in the order in which they came', async () => {
    const { order, enter } = entering(new Limiter({ atOnce: { total: 2 } }))
    const [first, second] = [await enter('first'), await enter('second')]
    const [third, fourth] = [enter('third'), enter('fourth')]
    await nextTurn()
    expect(order).toEqual(['first', 'second'])
    first()
    // Leaving twice frees one place.
    first()
    const leaveThird = await third
    await nextTurn()
    expect(order).toEqual(['first', 'second', 'third'])
    leaveThird()
    await fourth
    second()
  })

  it('refuses a call that waited too long, and keeps no place for it', async () => {
    const limiter = new Limiter({ atOnce: { total: 1 }, patience: LATE })
    const leave = await limiter.enter()
    await expect(limiter.enter()).rejects.toMatchObject({ status: 429, message: 'Too late', retryAfter: 3 })
    expect([limiter.running, limiter.waiting]).toEqual([1, 0])
    leave()
    await limiter.enter()
  })

  it('refuses a call when too many wait, in all or with the same key', async () => {
    const limiter = new Limiter({ atOnce: { total: 1 }, waiting: { total: 3, perKey: 2 }, full: FULL })
    await limiter.enter('a')
    void limiter.enter('a')
    void limiter.enter('a')
    await expect(limiter.enter('a')).rejects.toMatchObject({ status: 429, message: 'Full', retryAfter: 7 })
    void limiter.enter('b')
    await expect(limiter.enter('c')).rejects.toMatchObject({ status: 429 })
  })

  it('stops counting a call that takes long, once', async () => {
    const limiter = new Limiter({ atOnce: { total: 1 }, patience: { ...LATE, ms: 10_000 }, countedMs: 30 })
    const leaveSlow = await limiter.enter()
    const leaveNext = await limiter.enter()
    expect(limiter.running).toBe(1)
    leaveSlow()
    expect(limiter.running).toBe(1)
    leaveNext()
    expect(limiter.running).toBe(0)
  })

  it('makes nobody wait for the calls of another key', async () => {
    const { order, enter } = entering(new Limiter({ atOnce: { perKey: 1 } }))
    const leave = await enter('a1', 'a')
    const second = enter('a2', 'a')
    await enter('b1', 'b')
    expect(order).toEqual(['a1', 'b1'])
    leave()
    await second
    expect(order).toEqual(['a1', 'b1', 'a2'])
  })

  it('gives a free place to the company that runs the fewest, then to whoever had none for the longest', async () => {
    const limiter = new Limiter({ atOnce: { total: 2, perCompany: 1 } })
    const { order, enter } = entering(limiter)
    const leaveFirst = await enter('ana 1', 'ana', 'Norte')
    const rest = [
      enter('ana 2', 'ana', 'Norte'),
      enter('ana 3', 'ana', 'Norte'),
      enter('bea 1', 'bea', 'Norte'),
      enter('carlos 1', 'carlos', 'Sur'),
      enter('carlos 2', 'carlos', 'Sur'),
    ]
    await nextTurn()
    // One of each company runs, although Norte has more that wait.
    expect(order).toEqual(['ana 1', 'carlos 1'])
    leaveFirst()
    for (const call of [rest[2]!, rest[0]!, rest[1]!]) (await call)()
    // Bea had none yet, so she went before Ana's second.
    expect(order).toEqual(['ana 1', 'carlos 1', 'bea 1', 'ana 2', 'ana 3'])
    ;(await rest[3]!)()
    ;(await rest[4]!)()
    expect([limiter.running, limiter.waiting]).toEqual([0, 0])
  })
})
