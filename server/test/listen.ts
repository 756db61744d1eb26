import type { App } from '../src/app.ts'
import type { Member } from './given.ts'

/** What a browser hears on an instance, as it comes. */
export async function listen(app: App, who: Member) {
  const { port } = app.http.server.address() as { port: number }
  const abort = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/live`, {
    headers: { authorization: `Bearer ${who.token}`, 'x-company-id': String(who.company_id) },
    signal: abort.signal,
  })
  const heard: { topic: string; workshop_id: number | null; ids: number[] }[] = []
  const ended = (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const messages = text.split('\n\n')
      text = messages.pop()!
      heard.push(...messages.filter((m) => m.startsWith('data: ')).map((m) => JSON.parse(m.slice(6))))
    }
  })().catch(() => {})
  return { status: response.status, heard, ended, close: () => abort.abort() }
}

/** Only a broken test waits this long: on a busy machine, starting the product alone has taken a minute. */
export const PATIENCE = 100_000

/** Looks every 20 ms until the condition holds; the error says which one did not. */
export const until = async (condition: () => boolean | Promise<boolean>, ms = PATIENCE) => {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((r) => setTimeout(r, 20)))
    if (await condition()) return
  throw new Error(`Not within ${ms} ms: ${condition}`)
}

/** The value of a promise that must settle; the error says what was expected, which a timeout of the test would not. */
export async function within<T>(expected: string, promise: Promise<T>, ms = PATIENCE): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Not within ${ms} ms: ${expected}`)), ms)
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}
