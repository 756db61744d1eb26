import { expect, it } from 'vitest'
import { Broke, Maker } from './maker.ts'

const small = { content: ['hola'] }
/** Some minutes of work. */
const endless = {
  content: [{ table: { body: Array.from({ length: 200_000 }, (_, i) => [`fila ${i}`, 'x'.repeat(50)]) } }],
}

it('ends what takes too long or too much memory, answers that one, and goes on with the next', {
  timeout: 180_000,
}, async () => {
  const maker = new Maker({ atOnce: 1, seconds: 5, memoryMb: 2048 })
  const [broken, next] = await Promise.allSettled([maker.make('pdf', endless), maker.make<Uint8Array>('pdf', small)])
  expect(broken).toMatchObject({ status: 'rejected', reason: expect.any(Broke) })
  expect(next.status).toBe('fulfilled')
  const narrow = new Maker({ atOnce: 1, seconds: 60, memoryMb: 30 })
  await expect(narrow.make('pdf', small)).rejects.toThrow(Broke)
})

it('hands rows over as they are asked for, and says what was wrong with them', async () => {
  const maker = new Maker({ atOnce: 1, seconds: 60, memoryMb: 1024 })
  async function* rows() {
    yield ['a']
    throw new Error('the line broke')
  }
  const task = { path: '/dev/null', options: { name: 'x', columns: [{ header: 'X' }] } }
  await expect(maker.make('sheet', task, rows())).rejects.toThrow('the line broke')
  await maker.make('sheet', task, [['a'], ['b']])
})
