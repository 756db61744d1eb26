/**
 * Files, mails, jobs and the like, which operations reach by their connection. The database knows none of them. The module
 * that provides one adds its property here (`declare module`, as plugins of Fastify do), and `app.ts` sets it when
 * the process starts; a property is missing where the product runs without that part.
 */
export interface AppContext {
  /** Records how long each transaction takes, where traces are collected. */
  traces?: {
    span<T>(name: string, facts: Record<string, string | number | undefined>, work: () => Promise<T>): Promise<T>
  }
}
