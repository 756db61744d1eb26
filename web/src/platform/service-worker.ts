import { useSyncExternalStore } from 'react'
import { onReturn } from './live.ts'

const LOOK_EVERY = 3_600_000

/** How to change to a newer version that is there; this page goes on with its own until then. */
let change: (() => void) | undefined
const watchers = new Set<() => void>()
const tell = (how: (() => void) | undefined) => {
  change = how
  for (const watcher of watchers) watcher()
}

/** Keeps the shell at hand for when there is no network, and hears of newer versions. */
export async function registerServiceWorker() {
  if (!import.meta.env.PROD) return
  const look = lookWithWorker(await register()) ?? lookAtPage
  setInterval(() => void look(), LOOK_EVERY)
  onReturn(() => void look())
}

async function register() {
  if (!('serviceWorker' in navigator)) return undefined
  if (!navigator.serviceWorker.controller)
    navigator.serviceWorker.addEventListener('controllerchange', handOver, { once: true })
  return navigator.serviceWorker.register('/serviceWorker.js').catch(() => undefined)
}

/** What came before the first worker passes through it once more, from the browser's own cache, and is kept too. */
function handOver() {
  for (const { name } of performance.getEntriesByType('resource'))
    if (name.startsWith(`${window.location.origin}/assets/`)) void fetch(name, { priority: 'low' }).catch(() => {})
}

function lookWithWorker(registration: ServiceWorkerRegistration | undefined) {
  if (!registration) return undefined
  const follow = (worker: ServiceWorker | null) => {
    const arrived = () => {
      // The first one ever installs under a page that came from the network: nothing is newer than that.
      if (worker?.state === 'installed' && navigator.serviceWorker.controller) tell(() => letIn(worker))
    }
    worker?.addEventListener('statechange', arrived)
    arrived()
  }
  follow(registration.waiting)
  registration.addEventListener('updatefound', () => follow(registration.installing))
  return () => registration.update().catch(() => {})
}

function letIn(worker: ServiceWorker) {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true })
  worker.postMessage({ type: 'SKIP_WAITING' })
}

const ENTRY = /\/assets\/shell-entry-[\w-]+\.js/

/** Without https there is no worker: the page that the server gives now names another program than ours. */
async function lookAtPage() {
  const page = await fetch('/', { cache: 'no-store' }).then(
    (answer) => (answer.ok ? answer.text() : ''),
    () => '',
  )
  const [given] = ENTRY.exec(page) ?? []
  const [ours] = ENTRY.exec(Array.from(document.scripts, ({ src }) => src).join(' ')) ?? []
  if (given && ours && given !== ours) tell(() => window.location.reload())
}

/** How to change to the newer version; undefined while there is none. */
export function useNewerVersion() {
  const take = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => change,
  )
  return take && { take, later: () => tell(undefined) }
}
