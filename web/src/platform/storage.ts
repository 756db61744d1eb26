/** What the browser remembers. A browser that refuses to (private mode, full) works, and forgets. */

const NAMES = {
  token: 'maestranza.token',
  /** Tells the server that somebody logged in here before; stays when they leave. */
  device: 'maestranza.device',
  company: 'maestranza.company',
  workshop: 'maestranza.workshop',
  me: 'maestranza.me',
  /** Written by the theme's own switch. */
  theme: 'maestranza.theme',
  /** Whose preferences this browser took over. */
  preferences: 'maestranza.preferences',
  /** Where the last import says how far it is, and of what kind it is. */
  channel: 'maestranza.channel',
  import: 'maestranza.import',
  /** The code of the import that was the last one before it. */
  importAfter: 'maestranza.import-after',
  /** How many cards the board had when it was last read. */
  board: 'maestranza.board',
} as const
export type Kept = keyof typeof NAMES

const storageName = (name: Kept | `list.${string}`) =>
  name in NAMES ? NAMES[name as Kept] : (`maestranza.${name}` as const)

export function recall(name: Kept | `list.${string}`): string | null {
  try {
    return localStorage.getItem(storageName(name))
  } catch {
    return null
  }
}

export function keep(name: Kept | `list.${string}`, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(storageName(name))
    else localStorage.setItem(storageName(name), value)
  } catch {
    // Nothing to do: the choice lasts as long as the page.
  }
}

/** Another tab of this browser changed what is kept. */
export function onKeptElsewhere(name: Kept, listener: () => void) {
  const heard = (event: StorageEvent) => {
    if (event.key === NAMES[name] || event.key === null) listener()
  }
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}
