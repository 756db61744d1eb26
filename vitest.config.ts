import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // One less than the cores is the default, and most tests wait for the database.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          // The files of a worker share what they import: loading the product anew costs more than most of them take.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          testTimeout: 60_000,
        },
      },
    ],
  },
})
