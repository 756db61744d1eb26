/** When the browser has nothing more urgent to do. */
export const idle = () =>
  new Promise<void>((done) => {
    // Not every browser says.
    if ('requestIdleCallback' in window) requestIdleCallback(() => done(), { timeout: 1_000 })
    else setTimeout(done, 200)
  })

export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
