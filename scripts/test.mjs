// npm test runs every step; npm test -- types|lint|unit|e2e runs one. npm run test:long (--long) runs the steps that are
// too large for every change.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from './browser.mjs'
import { ensureBuilt, ensureInstalled, fail, runTool } from './setup.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs a checker, which writes no files, and prints its output only when it fails. */
async function runQuietly(module, name, args) {
  let output = ''
  let kill = () => {}
  const collect = (text) => (output += text)
  const code = await runTool(module, name, args, { stdio: ['ignore', 'pipe', 'pipe'] }, (child) => {
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', collect)
    // The compiler ignores SIGINT and SIGTERM until it is done.
    kill = () => child.kill('SIGKILL')
    for (const signal of SIGNALS) process.on(signal, kill)
  })
  for (const signal of SIGNALS) process.off(signal, kill)
  if (code !== 0) process.stdout.write(output)
  return code
}

// Not `--incremental`: with it this compiler has missed what a change broke in another file.
const tsc = (project) => runQuietly('typescript', 'tsc', ['-p', project, '--pretty', String(!!process.stdout.isTTY)])
const colors = `--colors=${process.stdout.isTTY ? 'force' : 'off'}`

const windows = process.platform === 'win32'
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs a test runner in a process group and a temporary folder of its own: a run that is cut off does not get to its
 * teardown, and nothing of it may stay behind.
 */
async function runTests(module, name, args, env) {
  // The usual folder of macOS has so long a path that a database below it could not have a socket.
  const folder = mkdtempSync(join(process.platform === 'darwin' ? '/tmp' : tmpdir(), 'maestranza-'))
  // Run as root, the databases belong to another user, who must be able to enter the folder.
  chmodSync(folder, 0o755)
  const temp = { TMPDIR: folder, TEMP: folder, TMP: folder }
  const options = { env: Object.assign({}, process.env, env, temp), stdio: ['ignore', 'inherit', 'inherit'] }
  // `runTool` passes signals on; without a listener of our own the second one would cut the cleanup off.
  const wait = () => {}
  for (const signal of SIGNALS) process.on(signal, wait)
  let group
  try {
    return await runTool(module, name, args, Object.assign({ detached: !windows }, options), ({ pid }) => {
      group = pid
    })
  } finally {
    if (!windows) end(-group, 'SIGKILL')
    // A product that is just ending may still start a database once more, so look until there was none three times.
    for (let looks = 0, none = 0; !windows && looks < 50 && none < 3; looks++)
      none = (await stopDatabases(folder)) ? 0 : none + 1
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    for (const signal of SIGNALS) process.off(signal, wait)
  }
}

function end(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** Ends the embedded databases below the folder; true if there was one. They are in sessions of their own. */
async function stopDatabases(folder) {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' })
  const servers = (stdout || '').split('\n').filter((line) => line.includes('/postgres -D ') && line.includes(folder))
  for (const line of servers) end(Number.parseInt(line, 10), 'SIGQUIT')
  await pause(200)
  return servers.length > 0
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(String(port)))
    })
  })

const runVitest = (projects, env) =>
  runTests('vitest', 'vitest', ['run'].concat(projects.map((project) => `--project=${project}`)), env)

/** Runs the journeys on a product with a port of its own, so that two runs do not meet. */
async function runJourneys(env) {
  await ensureBuilt()
  const own = { CHROMIUM_PATH: await chromium(), E2E_PORT: await freePort() }
  return runTests('@playwright/test', 'playwright', ['test'], Object.assign(own, env))
}

const steps = {
  types: async () => {
    const codes = await Promise.all([tsc('.'), tsc('web').then((code) => code || tsc('e2e'))])
    return codes.find((code) => code !== 0) ?? 0
  },
  lint: () => runQuietly('@biomejs/biome', 'biome', ['check', '--error-on-warnings', colors, '.']),
  unit: (env) => runVitest(['server', 'web', 'web-isolated'], Object.assign({ WHOLE_SUITE: '1' }, env)),
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
