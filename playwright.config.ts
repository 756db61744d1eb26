import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

/** A product that is already running, while working on a journey. */
const RUNNING = process.env.E2E_URL
const PORT = process.env.E2E_PORT ?? '3190'
// Workers load this file again: only the first gets to choose.
process.env.E2E_DATA ??= mkdtempSync(join(tmpdir(), 'maestranza-e2e-'))

/** Parts of Chromium's own window: nobody sees them, and their pages take as much of the machine as ours. */
const WINDOW = [
  'InitialWebUI',
  'PreloadTopChromeWebUI',
  'WebUILocationBar',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
  'WebUIReloadButton',
  'WebUIToolbar',
]
/** What Playwright switches off by itself: the last list given is the one that counts. */
const PLAYWRIGHTS = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
]

/** Journeys on the product as users start it: embedded database, demonstration data, built web application. */
export default defineConfig({
  testDir: 'e2e',
  // npm run test:long runs all journeys once more, looks at both themes, and takes the pictures of the help.
  testIgnore: process.env.LONG_JOURNEYS ? [] : '**/*.long.spec.ts',
  // It runs once the product below answers.
  globalSetup: './e2e/global-setup.ts',
  // Long enough for a machine that is busy with something else: what is there is not waited for.
  timeout: 360_000,
  expect: { timeout: 60_000 },
  // Each journey makes what it changes, so they go side by side. One more than the cores of a small machine: a journey
  // waits for a third of its time.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  reporter: './e2e/reporter.ts',
  use: {
    baseURL: RUNNING ?? `http://127.0.0.1:${PORT}`,
    actionTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    locale: 'es-CL',
    timezoneId: 'America/Santiago',
    // It would fetch the whole shell a second time in every journey; the one about it lets it in.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // Actions, network and console are cheap to record; pictures of every step take longer than most journeys, so they
    // are recorded with E2E_TRACE=1 only, while hunting one.
    trace: { mode: 'retain-on-failure', snapshots: Boolean(process.env.E2E_TRACE), screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page of a journey lives for seconds, in which compiling its code for speed takes longer than it saves.
        '--js-flags=--no-opt',
        `--disable-features=${[...WINDOW, ...PLAYWRIGHTS]}`,
      ],
    },
  },
  webServer: RUNNING
    ? undefined
    : {
        command: 'node scripts/start.mjs',
        url: `http://127.0.0.1:${PORT}/api/health`,
        // One journey has an identity provider on this machine.
        env: { PORT, DATA_DIR: process.env.E2E_DATA, ALLOW_PRIVATE_CALLS: '1' },
        timeout: 180_000,
        gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
      },
})
