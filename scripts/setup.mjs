// What start, dev, test and run need before they can work. Plain JavaScript without newer syntax, because it runs on
// whatever Node is there and before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as zlib from 'node:zlib'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
const modules = join(root, 'node_modules')
const windows = process.platform === 'win32'

const major = (version) => Number(version.replace(/^v/, '').split('.')[0])

if (major(process.version) < 18)
  fail(`Maestranza necesita Node 18 o más nuevo y este es ${process.version}: instale uno desde https://nodejs.org.`)

/** One sentence, and the end. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** What could not be written, and why, in one sentence. */
function failWriting(path, error) {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    fail(
      `No queda espacio en el disco de ${path}: Maestranza necesita cerca de 1,5 GB libres; libere y vuelva a intentarlo.`,
    )
  if (!error.code) throw error
  fail(`No se puede escribir en ${path} (${error.code}): use una carpeta en la que pueda escribir.`)
}

const secondsSince = (moment) => Math.round((Date.now() - moment) / 1000)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Dependencies of the lockfile, installed when they are missing, older or half installed. */
export async function ensureInstalled() {
  const stamp = join(modules, '.maestranza-installed')
  const busy = join(modules, '.maestranza-installing')
  const wanted = () => hash([join(root, 'package.json'), join(root, 'package-lock.json')])
  const installed = () => read(stamp) === wanted() && !fs.existsSync(busy)
  if (installed()) return
  if (!pinnedPackage()) ownNode()

  for (let waited = 0; isInstalling(busy); waited++) {
    if (waited === 0) console.log('Otra instalación está en curso; se espera a que termine…')
    await sleep(1000)
  }
  if (installed()) return

  const began = Date.now()
  console.log('Instalando las dependencias; la primera vez tarda uno o dos minutos…')
  try {
    // npm takes a half-written package for an installed one, so what an interrupted install left goes first, be it ours
    // or one by hand: npm writes its own list last.
    const isHalf = fs.existsSync(busy) || !fs.existsSync(join(modules, '.package-lock.json'))
    fs.mkdirSync(modules, { recursive: true })
    fs.writeFileSync(busy, String(process.pid))
    const old = isHalf ? fs.readdirSync(modules).map((name) => join(modules, name)) : [stamp]
    for (const path of old) if (path !== busy) fs.rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    const beat = setInterval(() => fs.utimesSync(busy, new Date(), new Date()), 1000)
    const npm = findNpm()
    await fetchPinnedNode(npm)
    // The lockfile stays as it is: each npm would write it in its own way.
    const args = ['install', '--no-save', '--include=dev', '--include=optional']
    const { code, errors } = await runNpm(npm, pinnedNode(), args)
    failNpm({ code: code || missingPackages(), errors })
    linkPinnedNode()
    clearInterval(beat)
    fs.writeFileSync(stamp, wanted())
    fs.rmSync(busy, { force: true })
    console.log(`Dependencias instaladas en ${secondsSince(began)} s.`)
  } catch (error) {
    failWriting(modules, error)
  }
}

/** Process ids come back, in containers soon, so who installs also touches its mark every second. */
function isInstalling(busy) {
  const other = Number(read(busy))
  const { mtimeMs } = fs.statSync(busy, { throwIfNoEntry: false }) || {}
  return other && other !== process.pid && isAlive(other) && Date.now() - mtimeMs < 10000
}

/** npm leaves out optional packages that do not fit the Node it runs on, so the pinned Node comes first and runs it. */
async function fetchPinnedNode(npm) {
  const pinned = pinnedPackage()
  if (!pinned || installedVersion(pinned.name) === pinned.locked.version) return
  const folder = join(modules, '.maestranza-node')
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder)
  failNpm(await fetchPackage(npm, pinned, folder))
  fs.rmSync(join(modules, pinned.name), { recursive: true, force: true })
  fs.renameSync(join(folder, 'node_modules', pinned.name), join(modules, pinned.name))
  fs.rmSync(folder, { recursive: true, force: true })
}

/** One package alone, as a lockfile has it, into the node_modules of a folder. */
export function fetchPackage(npm, { name, locked }, folder) {
  const dependencies = { [name]: locked.version }
  // What is optional may fail unnoticed.
  const packages = {
    '': { dependencies },
    [`node_modules/${name}`]: Object.assign({}, locked, { optional: undefined }),
  }
  fs.writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  fs.writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  fs.copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'))
  return runNpm(npm, npm.node, ['ci', '--prefix', folder])
}

/** The npm that is there, the Node it came with, and the environment in which it tells its settings to what it runs. */
export function findNpm() {
  let env = process.env
  if (basename(env.npm_execpath || '') !== 'npm-cli.js') {
    // Windows runs npm.cmd only through a shell; the arguments are constants without spaces.
    const options = { cwd: root, encoding: 'utf8', shell: windows }
    const told = spawnSync(windows ? 'npm.cmd' : 'npm', ['run', '--silent', 'env'], options).stdout || ''
    env = Object.assign({}, process.env)
    for (const [, name, value] of told.matchAll(/^(npm_\w+)=(.*?)\r?$/gm)) env[name] = value
  }
  const { npm_execpath: cli, npm_node_execpath: node } = env
  if (!cli || !fs.existsSync(cli)) fail('Falta npm: instale Node con npm desde https://nodejs.org.')
  return { cli, node: node && fs.existsSync(node) ? node : 'node', env }
}

async function runNpm(npm, node, args) {
  const quiet = ['--ignore-scripts', '--package-lock', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=warn']
  const soon = ['--fetch-retry-mintimeout=2000']
  // npm sums up in English on stdout; errors come on stderr.
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc']
  const { code, errors } = await runTied(node, [npm.cli].concat(args, quiet, soon), { env: npm.env, stdio })
  // For npm a file that could not be unpacked is but a warning.
  return { code: code === 0 && errors.includes('TAR_ENTRY_ERROR') ? 1 : code, errors }
}

function failNpm({ code, errors }) {
  if (code === 0) return
  const [, path = modules] = /^npm err(?:or|!) path (.+)$/im.exec(errors) || []
  const [reason] = /\b(ENOSPC|EDQUOT|EROFS|EACCES|EPERM)\b/.exec(errors) || []
  if (reason) failWriting(path, { code: reason })
  if (!/\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/.test(errors))
    console.error(errors)
  fail('No se pudieron instalar las dependencias: revise la conexión y vuelva a intentarlo.')
}

const lockedPackages = () => JSON.parse(fs.readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/** How many of those made for this platform are not there: they are optional, and npm leaves out what it cannot fetch. */
function missingPackages() {
  const libc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
  const fits = (wanted, here) => !wanted || [].concat(wanted).includes(here)
  const ours = (locked) =>
    locked.os && fits(locked.os, process.platform) && fits(locked.cpu, process.arch) && fits(locked.libc, libc)
  const missing = ([path, locked]) => ours(locked) && !fs.existsSync(join(root, path))
  return Object.entries(lockedPackages()).filter(missing).length
}

/** The package with the Node of the lockfile; not every platform has one. */
function pinnedPackage() {
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const locked = lockedPackages()[`node_modules/${name}`]
  return locked && { name, locked }
}

/** The Node 24 of the lockfile, or the one that runs this where there is none for the platform. */
export function pinnedNode() {
  const { name } = pinnedPackage() || {}
  const pinned = name && join(modules, name, 'bin', windows ? 'node.exe' : 'node')
  if (pinned && (pinned === process.execPath || spawnSync(pinned, ['--version']).status === 0)) return pinned
  return ownNode()
}

function ownNode() {
  if (major(process.version) >= 24) return process.execPath
  return fail(
    `En ${process.platform}-${process.arch} Maestranza necesita Node 24 o más nuevo y este es ${process.version}: ` +
      'instale uno desde https://nodejs.org.',
  )
}

/** For what npm runs; it links only what it has fetched itself. */
function linkPinnedNode() {
  const { name } = pinnedPackage() || {}
  const link = join(modules, '.bin', 'node')
  if (!name || windows) return
  fs.rmSync(link, { force: true })
  fs.symlinkSync(join('..', name, 'bin', 'node'), link)
}

function installedVersion(name) {
  const file = join(modules, name, 'package.json')
  return fs.existsSync(file) && JSON.parse(fs.readFileSync(file, 'utf8')).version
}

/** The web application, built when something it is made of has changed. */
export async function ensureBuilt() {
  const web = join(root, 'web')
  const dist = join(web, 'dist')
  if (!fs.existsSync(join(web, 'index.html'))) return
  const sources = filesOf(web).concat(filesOf(join(root, 'contract', 'src')), join(root, 'package-lock.json'))
  const wanted = hash(sources)
  if (read(join(dist, '.inputs')) === wanted) return

  const began = Date.now()
  console.log('Construyendo la aplicación web…')
  const cache = join(root, '.cache')
  const fresh = join(cache, `web-${process.pid}`)
  const old = join(cache, `web-${process.pid}-old`)
  const args = ['build', web, '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
  try {
    fs.rmSync(cache, { recursive: true, force: true })
    fs.mkdirSync(cache, { recursive: true })
    const env = Object.assign({}, process.env, { NODE_ENV: 'production' })
    const { code, errors } = await runTied(pinnedNode(), [tool('vite', 'vite')].concat(args), { env })
    if (errors.includes('ENOSPC')) failWriting(cache, { code: 'ENOSPC' })
    process.stderr.write(errors)
    if (code !== 0) fail('No se pudo construir la aplicación web.')
    compressFiles(fresh)
    fs.writeFileSync(join(fresh, '.inputs'), wanted)
    if (fs.existsSync(dist)) fs.renameSync(dist, old)
    fs.renameSync(fresh, dist)
    fs.rmSync(cache, { recursive: true, force: true })
    console.log(`Aplicación web construida en ${secondsSince(began)} s.`)
  } catch (error) {
    failWriting(cache, error)
  }
}

/** Once here instead of at every request. Browsers take brotli only over https and from this machine, so gzip too. */
function compressFiles(folder) {
  for (const file of filesOf(folder).filter((name) => /\.(js|css|html|svg|webmanifest)$/.test(name))) {
    const content = fs.readFileSync(file)
    if (content.length < 2048) continue
    const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } }
    fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(content, quality))
    fs.writeFileSync(`${file}.gz`, zlib.gzipSync(content, { level: 9 }))
  }
}

/** Runs a program of node_modules with the pinned Node and gives its exit code. */
export function runTool(module, name, args, options, started) {
  return run(pinnedNode(), [tool(module, name)].concat(args), options, started)
}

function tool(module, name) {
  const folder = join(modules, module)
  const { bin } = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}

/** Runs a script that ends when we do, even killed, and keeps what it complains of. */
async function runTied(node, args, options) {
  const stdio = ['ignore', 'inherit', 'pipe', 'ipc']
  let errors = ''
  const listen = (child) => child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  const tie = ['--require', join(root, 'scripts', 'tied.cjs')]
  const code = await run(node, tie.concat(args), Object.assign({ stdio }, options), listen)
  return { code, errors }
}

/** Runs a program to its end in our terminal, passing on what asks us to stop. */
export function run(program, args, options = {}, started = () => {}) {
  // What Node compiled once it does not compile again: a server starts with a third less work.
  const kept = { NODE_COMPILE_CACHE: join(modules, '.cache', 'node') }
  const env = Object.assign(kept, options.env || process.env)
  const child = spawn(program, args, Object.assign({ cwd: root, stdio: 'inherit' }, options, { env }))
  started(child)
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    // On Windows the console tells the child itself, and kill() would not let it close.
    const forward = (signal) => windows || child.kill(signal)
    const done = (code) => {
      for (const signal of signals) process.off(signal, forward)
      resolve(code)
    }
    for (const signal of signals) process.on(signal, forward)
    child.once('error', (error) => {
      console.error(`No se pudo ejecutar ${program} (${error.code}).`)
      done(1)
    })
    child.once('close', (code) => done(code === null ? 1 : code))
  })
}

function hash(files) {
  const sum = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const file of files) {
    const content = read(file)
    sum.update(`\0${relative(root, file).split(sep).join('/')}\0${content.length}\0`).update(content)
  }
  return sum.digest('hex')
}

function filesOf(folder) {
  const files = []
  const entries = fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name === 'dist' || entry.name === 'node_modules' || entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) files.push(...filesOf(path))
    else files.push(path)
  }
  return files
}

function read(file) {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
