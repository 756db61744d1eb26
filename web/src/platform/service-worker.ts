import { useSyncExternalStore } from 'react'

const LOOK_EVERY = 3_600_000

/** A newer version that has been fetched and waits for this page to let go. */
let waiting: ServiceWorker | undefined
const watchers = new Set<() => void>()
const tell = (worker: ServiceWorker | undefined) => {
  waiting = worker
  for (const watcher of watchers) watcher()
}

/** Keeps the shell at hand for when there is no network, and hears of newer versions. */
export async function registerServiceWorker() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.register('/serviceWorker.js').catch(() => undefined)
  if (!registration) return
  const follow = (worker: ServiceWorker | null) => {
    const arrived = () => {
      // The first one ever installs under a page that came from the network: nothing is newer than that.
      if (worker?.state === 'installed' && navigator.serviceWorker.controller) tell(worker)
    }
    worker?.addEventListener('statechange', arrived)
    arrived()
  }
  follow(registration.waiting)
  registration.addEventListener('updatefound', () => follow(registration.installing))
  setInterval(() => void registration.update().catch(() => {}), LOOK_EVERY)
}

/** How to change to the newer version; undefined while there is none. */
export function useNewerVersion() {
  const worker = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => waiting,
  )
  if (!worker) return undefined
  return {
    take: () => {
      navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true })
      worker.postMessage({ type: 'SKIP_WAITING' })
    },
    later: () => tell(undefined),
  }
}
