// npm test runs every step; npm test -- types|lint|unit|e2e runs one.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from './browser.mjs'
import { ensureBuilt, ensureInstalled, fail, root, runTool } from './setup.mjs'

// Each time anew: with `--incremental` this compiler has missed what a change broke in another file.
const tsc = (project) => runTool('typescript', 'tsc', ['-p', project])

const steps = {
  types: async () => {
    const codes = await Promise.all([tsc('.'), tsc('web').then((code) => code || tsc('e2e'))])
    return codes.find((code) => code !== 0) ?? 0
  },
  lint: () => runTool('@biomejs/biome', 'biome', ['check', '--error-on-warnings', '.']),
  unit: () => runTool('vitest', 'vitest', ['run'], { env: Object.assign({}, process.env, { WHOLE_SUITE: '1' }) }),
  e2e: async () => {
    const folder = join(root, 'e2e')
    if (!existsSync(folder) || !readdirSync(folder).some((name) => name.endsWith('.spec.ts'))) return 0
    await ensureBuilt()
    const env = Object.assign({}, process.env, { CHROMIUM_PATH: await chromium() })
    return runTool('@playwright/test', 'playwright', ['test'], { env })
  },
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

const [only] = process.argv.slice(2)
if (only && !steps[only]) fail(`No hay paso «${only}»: elija ${Object.keys(steps).join(', ')}.`)
const begin = Date.now()
await ensureInstalled()
for (const name of only ? [only] : Object.keys(steps)) {
  const since = Date.now()
  console.log(`\n── ${name}`)
  const code = await steps[name]()
  console.log(`── ${name}: ${code === 0 ? 'bien' : 'falló'}, ${seconds(since)}`)
  if (code !== 0) process.exit(code)
}
console.log(`\nTodo bien en ${seconds(begin)}`)
