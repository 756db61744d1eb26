import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    isLongRun: boolean
  }
}

/** An amount that shows the rule on every change, and the larger one that `npm run test:long` takes. */
export const sized = <T>(usual: T, long: T): T => (inject('isLongRun') ? long : usual)
