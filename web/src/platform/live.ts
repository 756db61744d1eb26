import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { z } from 'zod'
import { failureOf, headersOf } from './api.ts'

/** What happened elsewhere: things of a domain changed, in one workshop or in all. */
const LiveEvent = z.object({
  topic: z.string(),
  workshop_id: z.number().nullable(),
  ids: z.array(z.number()),
  /** Who has the thing open just now. */
  present: z.object({ user_id: z.number(), user_name: z.string() }).optional(),
})
export type LiveEvent = z.infer<typeof LiveEvent>

export type Connection = 'connecting' | 'live' | 'lost'

const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 30_000
/** The server says something at least this often; longer silence is a dead line that looks open. */
const SILENCE = 45_000

let connection: Connection = 'connecting'
const watchers = new Set<() => void>()
const tell = (now: Connection) => {
  connection = now
  for (const watcher of watchers) watcher()
}

export const useConnection = () =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => connection,
  )

const watchNetwork = (watcher: () => void) => {
  window.addEventListener('online', watcher)
  window.addEventListener('offline', watcher)
  return () => {
    window.removeEventListener('online', watcher)
    window.removeEventListener('offline', watcher)
  }
}

/** Whether the browser has a network at all. */
export const useOnline = () => useSyncExternalStore(watchNetwork, () => navigator.onLine)

const returned = new Set<() => void>()
/** Whenever the server is back after it was gone. */
export const onReturn = (hear: () => void) => void returned.add(hear)

/** The server is back: what changed while nobody listened is not known, and it may be a newer one. */
export function catchUp(client: QueryClient) {
  void client.invalidateQueries()
  for (const hear of returned) hear()
}

/*
 * What was heard, in order: `null` where something may have been missed. Whoever has read a thing, and knows when, asks
 * only for what has changed since.
 */
const MOST_HEARD = 500
/** Events name this many things at most: one with as many may mean more. */
const MOST_NAMED = 100
let heard: (LiveEvent | null)[] = []
let forgotten = 0
const remember = (event: LiveEvent | null) => {
  heard.push(event)
  if (heard.length <= MOST_HEARD) return
  heard = heard.slice(MOST_HEARD / 2)
  forgotten += MOST_HEARD / 2
}

/** A moment in what is heard. */
export const moment = () => forgotten + heard.length

/** What changed of a topic since a moment; `undefined` where that is not known, or is more than can be named. */
export function changedSince(topic: string, since: number): number[] | undefined {
  if (connection !== 'live' || since < forgotten) return undefined
  const ids = new Set<number>()
  for (const event of heard.slice(since - forgotten)) {
    if (event === null) return undefined
    if (event.topic !== topic || event.present) continue
    if (event.ids.length === 0 || event.ids.length >= MOST_NAMED) return undefined
    for (const id of event.ids) ids.add(id)
  }
  return ids.size < MOST_NAMED ? [...ids] : undefined
}

const hearers = new Set<(event: LiveEvent) => void>()

/** For what an event itself says; what it is about is asked again without this. */
export function useLiveEvent(hear: (event: LiveEvent) => void) {
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    const hearer = (event: LiveEvent) => latest.current(event)
    hearers.add(hearer)
    return () => {
      hearers.delete(hearer)
    }
  }, [])
}

/** Keeps what is on screen fresh while the shell is open: one stream, reopened whenever it breaks. */
export function useLive(client: QueryClient, company: number | undefined) {
  useEffect(() => {
    if (company === undefined) return
    const stop = new AbortController()
    void follow(client, stop.signal)
    return () => stop.abort()
  }, [client, company])
}

/** However many events arrive while something is being asked again, it is asked once more when that is done. */
function refresher(client: QueryClient) {
  const waiting = new Map<string, boolean>()
  return async (topic: string) => {
    if (waiting.has(topic)) {
      waiting.set(topic, true)
      return
    }
    do {
      waiting.set(topic, false)
      await client.invalidateQueries({ queryKey: [topic] })
    } while (waiting.get(topic))
    waiting.delete(topic)
  }
}

async function follow(client: QueryClient, stopped: AbortSignal) {
  const refresh = refresher(client)
  let pause = FIRST_PAUSE
  let missedSome = false
  tell('connecting')
  while (!stopped.aborted) {
    try {
      await readStream(stopped, {
        opened: () => {
          pause = FIRST_PAUSE
          remember(null)
          tell('live')
          if (missedSome) catchUp(client)
        },
        event: (event) => {
          remember(event)
          for (const hear of hearers) hear(event)
          void refresh(event.topic)
        },
      })
    } catch {
      // Said by the indicator; the next round tries again.
    }
    if (stopped.aborted) return
    missedSome = true
    tell('lost')
    await waitOrOnline(pause * (0.75 + Math.random() / 2), stopped)
    pause = Math.min(pause * 2, LONGEST_PAUSE)
  }
}

interface Heard {
  opened: () => void
  event: (event: LiveEvent) => void
}

/** EventSource cannot send the token in a header, so the stream is read from a fetch. */
async function readStream(stopped: AbortSignal, heard: Heard) {
  const abort = new AbortController()
  const stop = () => abort.abort()
  stopped.addEventListener('abort', stop, { once: true })
  // A line that looks open while the network is gone brings nothing, and what is asked meanwhile fails.
  window.addEventListener('offline', stop)
  let silence = setTimeout(stop, SILENCE)
  try {
    const headers = headersOf()
    const response = await fetch('/api/v1/live', {
      headers: { ...headers, Accept: 'text/event-stream' },
      signal: abort.signal,
      cache: 'no-store',
    })
    if (!response.ok || !response.body) throw await failureOf(response, headers.Authorization)
    heard.opened()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(silence)
      silence = setTimeout(stop, SILENCE)
      const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = block
          .split('\n')
          .filter((line) => line.startsWith('data:'))
          .map((line) => line.slice(5).trimStart())
          .join('\n')
        const event = data ? LiveEvent.safeParse(parseJson(data)) : undefined
        if (event?.success) heard.event(event.data)
      }
    }
  } finally {
    clearTimeout(silence)
    window.removeEventListener('offline', stop)
    stopped.removeEventListener('abort', stop)
    abort.abort()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const waitOrOnline = (ms: number, stopped: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      stopped.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    stopped.addEventListener('abort', done)
  })
