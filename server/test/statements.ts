import pg from 'pg'
import { vi } from 'vitest'
import { currentRequest } from '../src/platform/http/requests.ts'

/** What the calls made by `work` ask the database; not what the house asks by itself meanwhile. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { query } = pg.Client.prototype
  const asked: string[] = []
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...of: unknown[]) {
    const [what] = of
    if (currentRequest()) asked.push(typeof what === 'string' ? what : (what as { text: string }).text)
    return Reflect.apply(query, this, of)
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return asked
}
