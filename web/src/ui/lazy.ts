import { lazy as lazyOnce } from 'react'
import { say } from './snackbar.tsx'

/** When there may be a network again. */
const back = () =>
  new Promise((done) => {
    if (navigator.onLine) setTimeout(done, 2000)
    else window.addEventListener('online', done, { once: true })
  })

/** Before version 156, Chromium never fetches again what an import once failed to fetch: better not to try then. */
const mayLoad = () => navigator.onLine || Boolean(navigator.serviceWorker?.controller)

/**
 * A part that is fetched when it is first wanted. Without a network it comes once there is one again, and meanwhile the
 * screen around it stays, with what was typed there.
 */
export const lazy: typeof lazyOnce = (load) =>
  lazyOnce(async () => {
    for (let tries = 1; ; tries++) {
      try {
        if (mayLoad()) return await load()
      } catch (error) {
        if (navigator.onLine && tries >= 3) throw error
      }
      if (!navigator.onLine) say('No hay conexión: se abrirá cuando vuelva.', { tone: 'danger' })
      await back()
    }
  })
