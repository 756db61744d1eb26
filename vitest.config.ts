import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const SERVER = new URL('server/', import.meta.url)
/** Tests that `npm test` leaves out, because of their size; `npm run test:long` runs them. */
const LONG = 'server/**/*.long.test.ts'
/** Tests of the web application that replace a module, or need one that no other file has used yet. */
const ISOLATED = 'web/src/**/*.isolated.test.tsx'
/** `npm run test:long` also runs the tests whose amounts differ (server/test/sized.ts), with the larger ones. */
const SIZED = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && readFileSync(new URL(file, SERVER), 'utf8').includes('/sized.ts'))
  .map((file) => `server/${file.replaceAll('\\', '/')}`)

const onServer = {
  globalSetup: ['server/test/global-setup.ts'],
  // The files of a worker share what they import: loading the product anew costs more than most of them take.
  isolate: false,
  execArgv: ['--no-warnings'],
  setupFiles: ['server/test/node-warnings.ts'],
  // Generous, for busy machines: a test that waits for something gives up earlier and says what is missing.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 100_000 } },
}

const inWindow = {
  environment: 'happy-dom',
  setupFiles: ['web/src/test/clean-up.ts'],
  testTimeout: 120_000,
}

export default defineConfig({
  test: {
    // Most tests wait for the database: one more than the cores keeps them busy.
    maxWorkers: availableParallelism() + 1,
    reporters: ['scripts/unit-reporter.ts'],
    silent: 'passed-only',
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/**/*.test.ts'],
          exclude: [LONG],
          provide: { isLongRun: false },
          ...onServer,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          exclude: [ISOLATED],
          isolate: false,
          ...inWindow,
        },
      },
      {
        test: {
          name: 'web-isolated',
          include: [ISOLATED],
          ...inWindow,
        },
      },
      {
        test: {
          name: 'long',
          include: [LONG, ...SIZED],
          provide: { isLongRun: true },
          ...onServer,
          testTimeout: 600_000,
        },
      },
    ],
  },
})
