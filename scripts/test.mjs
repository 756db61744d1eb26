// npm test runs every step; npm test -- types|lint|unit|e2e runs one.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, fail, root, run, runTool } from './setup.mjs'

const tsc = (project) => runTool('typescript', 'tsc', ['-p', project])

const steps = {
  types: async () => (await tsc('.')) || (await tsc('web')) || (await tsc('e2e')),
  lint: () => runTool('@biomejs/biome', 'biome', ['check', '--error-on-warnings', '.']),
  unit: () => runTool('vitest', 'vitest', ['run']),
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

async function chromium() {
  const found = findChromium()
  if (found) return found
  if (process.getuid && process.getuid() === 0 && existsSync('/etc/debian_version')) {
    console.log('Instalando Chromium…')
    await run('apt-get', ['update', '-qq'])
    await run('apt-get', ['install', '-y', '-qq', 'chromium'])
    const installed = findChromium()
    if (installed) return installed
  }
  return fail(
    'Falta Chromium para las pruebas en navegador: instálelo (en Debian, sudo apt-get install chromium) o indique su ruta en CHROMIUM_PATH.',
  )
}

function findChromium() {
  const { CHROMIUM_PATH, PATH = '', PROGRAMFILES, LOCALAPPDATA } = process.env
  if (CHROMIUM_PATH)
    return existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : fail(`CHROMIUM_PATH=${CHROMIUM_PATH} no existe.`)
  const candidates = []
  if (process.platform === 'win32') {
    for (const base of [PROGRAMFILES, process.env['PROGRAMFILES(X86)'], LOCALAPPDATA].filter(Boolean))
      for (const path of ['Chromium', 'Google\\Chrome', 'Microsoft\\Edge'])
        candidates.push(`${base}\\${path}\\Application\\${path.endsWith('Edge') ? 'msedge' : 'chrome'}.exe`)
  } else if (process.platform === 'darwin') {
    for (const name of ['Chromium', 'Google Chrome', 'Microsoft Edge'])
      candidates.push(`/Applications/${name}.app/Contents/MacOS/${name}`)
  } else {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'])
      for (const folder of PATH.split(':').concat('/usr/bin', '/snap/bin')) candidates.push(join(folder, name))
  }
  return candidates.find((path) => existsSync(path) && !spawnSync(path, ['--version']).error)
}
