import { StartProblem } from '#server/platform/problems.ts'
import { binaries } from '#server/platform/running/embedded-postgres.ts'

/** Makes the library links of the embedded PostgreSQL; a platform without one needs `DATABASE_URL` and no links. */
await binaries().catch((error: unknown) => {
  if (!(error instanceof StartProblem)) throw error
})
