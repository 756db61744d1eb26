import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiFailure } from './api.ts'
import { newQueryClient } from './queries.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks as a screen does, of a house that answers with these failures first. */
function ask(failures: ApiFailure[]) {
  const answer = vi.fn(async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'there'
  })
  const client = newQueryClient()
  client.mount()
  const observer = new QueryObserver(client, { queryKey: ['asked'], queryFn: answer })
  const stop = observer.subscribe(() => {})
  return { answer, stop, now: () => observer.getCurrentResult() }
}
const noLine = () => new ApiFailure(0, 'Sin conexión')

it('what found no line asks again by itself until there is one', async () => {
  const { answer, stop, now } = ask(Array.from({ length: 5 }, noLine))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(now().isError).toBe(true)
  expect(answer).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(now().data).toBe('there')
  const asked = answer.mock.calls.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(answer).toHaveBeenCalledTimes(asked)
  stop()
})

it('what was refused is not asked again', async () => {
  const { answer, stop, now } = ask([new ApiFailure(403, 'No')])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(now().isError).toBe(true)
  expect(answer).toHaveBeenCalledTimes(1)
  stop()
})

it('who waits for an answer gets it, though the screen that asked too looks elsewhere by then', async () => {
  const client = newQueryClient()
  const search = (word: string) => ({
    queryKey: ['search', word],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((answer, refuse) => {
        signal.addEventListener('abort', () => refuse(signal.reason))
        setTimeout(() => answer(word), 500)
      }),
  })
  const list = new QueryObserver(client, search('ACE-1'))
  const stop = list.subscribe(() => {})
  const scanned = client.fetchQuery(search('ACE-1'))
  scanned.catch(() => {})
  await vi.advanceTimersByTimeAsync(200)
  list.setOptions(search(''))
  await vi.advanceTimersByTimeAsync(500)
  await expect(scanned).resolves.toBe('ACE-1')
  stop()
})
