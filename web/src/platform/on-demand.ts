/**
 * What the build puts around the contract's schemas: each is made when it is first asked for something. Most of those that
 * come with a screen never are, and making them was the longest thing that the page did at once.
 */
export function onDemand<T extends object>(make: () => T): T {
  let made: T | undefined
  const real = () => {
    made ??= make()
    return made
  }
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(real(), key),
    set: (_, key, value) => Reflect.set(real(), key, value),
    has: (_, key) => Reflect.has(real(), key),
  })
}
