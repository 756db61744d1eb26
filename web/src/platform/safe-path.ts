const HOME = '/inicio'

/** Where to go on after logging in: only inside this site, never back to the door itself; home without an address. */
export const safePath = (next: unknown): string =>
  typeof next === 'string' && /^\/(?![/\\]|$)/.test(next) && !/^\/(login|maintenance)\b/.test(next) ? next : HOME
