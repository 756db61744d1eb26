import { expect, it } from 'vitest'
import { PasswordQueue } from './password-queue.ts'

/** Sends one look from each address in turn; gives the order in which they were done, one at a time. */
async function orderOf(queue: PasswordQueue, addresses: string[]) {
  const done: string[] = []
  const look = (address: string) =>
    queue.run(address, async () => {
      done.push(address)
    })
  await queue.run('nobody', async () => {
    // All of them wait behind this one.
    const all = addresses.map(look)
    void all
  })
  await expect.poll(() => done.length).toBe(addresses.length)
  return done
}

it('serves who guessed least first, however many addresses guess', async () => {
  const queue = new PasswordQueue(1)
  const attackers = Array.from({ length: 30 }, (_, i) => `203.0.113.${i}`)
  for (const address of attackers) queue.blame(address)
  const mistyped = '198.51.100.9'
  queue.blame(mistyped)
  for (const address of attackers) queue.blame(address)
  const done = await orderOf(queue, [...attackers, ...attackers, mistyped, '198.51.100.1'])
  expect(done.slice(0, 2)).toEqual(['198.51.100.1', mistyped])
})

it('lets addresses with as many wrong passwords take turns', async () => {
  const done = await orderOf(new PasswordQueue(1), ['a', 'a', 'a', 'b', 'b', 'c'])
  expect(done).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
})

it('refuses more than forty from one address, and only from that one', async () => {
  const queue = new PasswordQueue(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = queue.run('a', () => promise)
  const waiting = Array.from({ length: 40 }, () => queue.run('a', async () => {}))
  await expect(queue.run('a', async () => {})).rejects.toMatchObject({ status: 429 })
  const other = queue.run('b', async () => 'in')
  resolve()
  expect(await other).toBe('in')
  await Promise.all([first, ...waiting])
})
