/** Where to go on after logging in: only inside this site, and never back to the door itself. */
export const safePath = (next: unknown): string =>
  typeof next === 'string' && /^\/(?![/\\])/.test(next) && !/^\/(login|maintenance)\b/.test(next) ? next : '/'
