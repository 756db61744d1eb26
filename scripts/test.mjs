// npm test runs every step; npm test -- types|lint|unit|e2e runs one. npm run test:long (--long) runs the steps that are
// too large for every change.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from './browser.mjs'
import { ensureBuilt, ensureInstalled, fail, runTool } from './setup.mjs'

/** Runs a tool that has something to say only when it fails. */
async function runQuietly(module, name, args) {
  let output = ''
  const collect = (text) => (output += text)
  const code = await runTool(module, name, args, { stdio: ['ignore', 'pipe', 'pipe'] }, (child) => {
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', collect)
  })
  if (code !== 0) process.stdout.write(output)
  return code
}

// Not `--incremental`: with it this compiler has missed what a change broke in another file.
const tsc = (project) => runQuietly('typescript', 'tsc', ['-p', project, '--pretty', String(!!process.stdout.isTTY)])
const colors = `--colors=${process.stdout.isTTY ? 'force' : 'off'}`

const runVitest = (projects, env) => {
  const args = ['run'].concat(projects.map((project) => `--project=${project}`))
  return runTool('vitest', 'vitest', args, { env: Object.assign({}, process.env, env) })
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(String(port)))
    })
  })

/** Runs the journeys on a product with a port and data of its own, so that two runs do not meet. */
async function runJourneys(env) {
  await ensureBuilt()
  const own = { CHROMIUM_PATH: await chromium(), E2E_PORT: await freePort() }
  const folder = mkdtempSync(join(tmpdir(), 'maestranza-e2e-'))
  try {
    return await runTool('@playwright/test', 'playwright', ['test'], {
      env: Object.assign({}, process.env, { E2E_DATA: folder }, own, env),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const steps = {
  types: async () => {
    const codes = await Promise.all([tsc('.'), tsc('web').then((code) => code || tsc('e2e'))])
    return codes.find((code) => code !== 0) ?? 0
  },
  lint: () => runQuietly('@biomejs/biome', 'biome', ['check', '--error-on-warnings', colors, '.']),
  unit: (env) => runVitest(['server', 'web'], Object.assign({ WHOLE_SUITE: '1' }, env)),
  e2e: runJourneys,
}

const longSteps = {
  unit: (env) => runVitest(['long'], env),
  e2e: (env) => runJourneys(Object.assign({ LONG_JOURNEYS: '1' }, env)),
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

/** Each step may write how many of its tests passed, failed and were skipped into the file of MAESTRANZA_TEST_COUNTS. */
async function runSteps(names, all) {
  const begin = Date.now()
  const folder = mkdtempSync(join(tmpdir(), 'maestranza-counts-'))
  const totals = { passed: 0, failed: 0, skipped: 0 }
  const took = []
  try {
    for (const name of names) {
      const since = Date.now()
      const file = join(folder, `${name}.json`)
      const code = await all[name]({ MAESTRANZA_TEST_COUNTS: file })
      if (existsSync(file)) {
        const counts = JSON.parse(readFileSync(file, 'utf8'))
        for (const key of Object.keys(totals)) totals[key] += counts[key] || 0
      }
      took.push(`${name} ${seconds(since)}`)
      console.log(`── ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds(since)}`)
      if (code !== 0) {
        if (totals.failed > 0) console.log(`${totals.passed} passed, ${totals.failed} failed`)
        return code
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const { passed, failed, skipped } = totals
  console.log(`\nAll passed in ${seconds(begin)} (${took.join(', ')})${skipped ? `, ${skipped} skipped` : ''}`)
  if (passed > 0) console.log(`${passed} passed, ${failed} failed`)
  return 0
}

const words = process.argv.slice(2)
const all = words.includes('--long') ? longSteps : steps
const only = words.find((word) => word !== '--long')
if (only && !all[only]) fail(`No hay paso «${only}»: elija ${Object.keys(all).join(', ')}.`)
await ensureInstalled()
process.exit(await runSteps(only ? [only] : Object.keys(all), all))
