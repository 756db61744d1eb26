// A Chromium for the journeys, on whatever machine: what is installed, or else the first that can be had.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { fail, fetchPackage, findNpm, pinnedNode, root, run, runTool } from './setup.mjs'

/** The path of one that runs. */
export async function chromium() {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH)
    return fs.existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : fail(`CHROMIUM_PATH=${CHROMIUM_PATH} no existe.`)
  const ready = installed().concat(playwrightPath(), packagedPath()).find(runs)
  if (ready) return ready
  for (const get of [downloadPlaywrights, installDebians, fetchPackaged]) {
    const path = (await get()).find(runs)
    if (path) return path
  }
  return fail(
    'Falta Chromium para las pruebas en navegador: instálelo (en Debian, sudo apt-get install chromium) o indique su ruta en CHROMIUM_PATH.',
  )
}

/** On Windows asking for its version opens a window; elsewhere it shows that nothing it needs is missing. */
function runs(path) {
  if (!path || !fs.existsSync(path)) return false
  return process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 20000 }).status === 0
}

/** Where they are when they are installed. */
function installed() {
  const { PATH = '', PROGRAMFILES, LOCALAPPDATA } = process.env
  const candidates = []
  if (process.platform === 'win32') {
    for (const base of [PROGRAMFILES, process.env['PROGRAMFILES(X86)'], LOCALAPPDATA].filter(Boolean))
      for (const path of ['Chromium', 'Google\\Chrome', 'Microsoft\\Edge'])
        candidates.push(`${base}\\${path}\\Application\\${path.endsWith('Edge') ? 'msedge' : 'chrome'}.exe`)
  } else if (process.platform === 'darwin') {
    for (const name of ['Chromium', 'Google Chrome', 'Microsoft Edge'])
      candidates.push(`/Applications/${name}.app/Contents/MacOS/${name}`)
  } else {
    // The shell has no window to draw, and takes half of the machine for the same journeys.
    const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    for (const name of names.concat('microsoft-edge'))
      for (const folder of PATH.split(':').concat('/usr/bin', '/snap/bin')) candidates.push(join(folder, name))
  }
  return candidates
}

function playwrightPath() {
  const ask = ['-p', "require('@playwright/test').chromium.executablePath()"]
  return (spawnSync(pinnedNode(), ask, { cwd: root, encoding: 'utf8' }).stdout || '').trim()
}

/** Playwright's own, into the user's cache. */
async function downloadPlaywrights() {
  console.log('Descargando el Chromium de Playwright…')
  const env = Object.assign({}, process.env, { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' })
  const options = { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }
  // It would try five times, each as long as it takes: the first error or silence ends it.
  const watch = (child) => {
    const end = () => {
      // Once, and all of it: what downloads is a process of its own.
      if (!child.killed && child.kill() && process.platform !== 'win32') process.kill(-child.pid)
    }
    let silence = setTimeout(end, 10000)
    child.stderr.on('data', end)
    child.stdout.on('data', (text) => {
      if (/Error/.test(text)) return end()
      if (/%/.test(text)) process.stdout.write(text)
      clearTimeout(silence)
      silence = setTimeout(end, /%/.test(text) ? 60000 : 10000)
    })
    child.once('close', () => clearTimeout(silence))
  }
  await runTool('@playwright/test', 'playwright', ['install', '--no-shell', 'chromium'], options, watch)
  return [playwrightPath()]
}

/** Debian's package, for root. */
async function installDebians() {
  if (process.getuid?.() !== 0 || !fs.existsSync('/etc/debian_version')) return []
  console.log('Instalando el Chromium de Debian…')
  const env = Object.assign({}, process.env, { DEBIAN_FRONTEND: 'noninteractive' })
  const soon = ['-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=5', '-o', 'Acquire::https::Timeout=5']
  const aptGet = (args) => run('apt-get', soon.concat(args), { env, stdio: 'ignore' })
  await aptGet(['update'])
  for (const name of ['chromium-headless-shell', 'chromium'])
    if ((await aptGet(['install', '-y', '--no-install-recommends', name])) === 0) break
  return installed()
}

const packaged = {
  version: '153.0.0',
  integrity: 'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
}

function packagedPath() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'maestranza', `chromium-${packaged.version}`, 'run')
}

/** The one that is an npm package, with the libraries it needs, for where nothing else can be reached or installed. */
async function fetchPackaged() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const name = '@sparticuz/chromium'
  const folder = dirname(packagedPath())
  const fresh = `${folder}-${process.pid}`
  console.log('Descargando Chromium como paquete de npm (70 MB)…')
  try {
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(fresh, { recursive: true })
    const { code } = await fetchPackage(findNpm(), { name, locked: packaged }, fresh)
    if (code !== 0) return []
    const bin = join(fresh, 'node_modules', name, 'bin')
    const program = fs.createWriteStream(join(fresh, 'chromium'), { mode: 0o755 })
    await pipeline(fs.createReadStream(join(bin, 'chromium.br')), zlib.createBrotliDecompress(), program)
    for (const file of ['al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br']) {
      const input = zlib.brotliDecompressSync(fs.readFileSync(join(bin, file)))
      if (spawnSync('tar', ['-x', '-C', fresh], { input }).status !== 0) return []
    }
    fs.rmSync(join(fresh, 'node_modules'), { recursive: true })
    const start = `#!/bin/sh\ncd "$(dirname "$0")" && LD_LIBRARY_PATH="$PWD/lib" FONTCONFIG_PATH="$PWD" exec "$PWD/chromium" "$@"\n`
    fs.writeFileSync(join(fresh, 'run'), start, { mode: 0o755 })
    // Its own configuration names the folders of another machine, and without a font it crashes.
    const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`
    fs.writeFileSync(join(fresh, 'fonts.conf'), fonts)
    fs.renameSync(fresh, folder)
  } catch (error) {
    console.error(`No se pudo preparar Chromium en ${folder} (${error.code || error.message}).`)
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true })
  }
  return [packagedPath()]
}
