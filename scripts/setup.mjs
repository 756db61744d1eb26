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

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Dependencies of the lockfile, installed when they are missing, older or half installed. */
export async function ensureInstalled() {
  const stamp = join(modules, '.maestranza-installed')
  const busy = join(modules, '.maestranza-installing')
  const wanted = () => hash([join(root, 'package.json'), join(root, 'package-lock.json')])
  if (read(stamp) === wanted() && !fs.existsSync(busy)) return

  const other = Number(read(busy))
  for (let waited = 0; other && other !== process.pid && isAlive(other) && waited < 600; waited++) {
    if (waited === 0) console.log('Otra instalación está en curso; se espera a que termine…')
    await sleep(1000)
  }
  if (read(stamp) === wanted() && !fs.existsSync(busy)) return

  console.log('Instalando las dependencias; la primera vez tarda cerca de un minuto…')
  try {
    // npm takes a half-written package for an installed one, so what an interrupted install left goes first.
    if (fs.existsSync(busy)) fs.rmSync(modules, { recursive: true, force: true, maxRetries: 3 })
    fs.mkdirSync(modules, { recursive: true })
    fs.rmSync(stamp, { force: true })
    fs.writeFileSync(busy, String(process.pid))
  } catch (error) {
    fail(`No se puede escribir en ${modules} (${error.code}).`)
  }
  // Of the warnings, most are that npm's own Node is older than the pinned one.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const code = await npm(['install', '--include=dev', '--include=optional', '--ignore-scripts'].concat(quiet))
  if (code !== 0) fail('No se pudieron instalar las dependencias: revise la conexión y vuelva a intentarlo.')
  fs.writeFileSync(stamp, wanted())
  fs.rmSync(busy, { force: true })
}

/** npm by the Node that runs it: ours may be one of the modules about to be replaced. */
function npm(args) {
  const cli = process.env.npm_execpath || ''
  const node = process.env.npm_node_execpath || ''
  const known = basename(cli) === 'npm-cli.js' && fs.existsSync(node) && !node.startsWith(modules)
  // Windows runs npm.cmd only through a shell; the arguments are constants without spaces.
  return known ? run(node, [cli].concat(args)) : run(windows ? 'npm.cmd' : 'npm', args, { shell: windows })
}

/** The Node 24 of the lockfile, or the one that runs this where there is none for the platform. */
export function pinnedNode() {
  const folder = join(modules, `node-${windows ? 'win' : process.platform}-${process.arch}`)
  const pinned = join(folder, 'bin', windows ? 'node.exe' : 'node')
  if (fs.existsSync(pinned)) {
    if (pinned === process.execPath) return pinned
    const { stdout } = spawnSync(pinned, ['--version'], { encoding: 'utf8' })
    if (stdout && major(stdout) >= 24) return pinned
  }
  if (major(process.version) >= 24) return process.execPath
  return fail(
    `En ${process.platform}-${process.arch} Maestranza necesita Node 24 o más nuevo y este es ${process.version}: ` +
      'instale uno desde https://nodejs.org.',
  )
}

/** The web application, built when something it is made of has changed. */
export async function ensureBuilt() {
  const web = join(root, 'web')
  const dist = join(web, 'dist')
  if (!fs.existsSync(join(web, 'index.html'))) return
  const sources = filesOf(web).concat(filesOf(join(root, 'contract', 'src')), join(root, 'package-lock.json'))
  const wanted = hash(sources)
  if (read(join(dist, '.inputs')) === wanted) return

  console.log('Construyendo la aplicación web…')
  const cache = join(root, '.cache')
  const fresh = join(cache, `web-${process.pid}`)
  const old = join(cache, `web-${process.pid}-old`)
  const args = ['build', web, '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
  try {
    fs.rmSync(cache, { recursive: true, force: true })
    fs.mkdirSync(cache, { recursive: true })
  } catch (error) {
    fail(`No se puede escribir en ${cache} (${error.code}).`)
  }
  const env = Object.assign({}, process.env, { NODE_ENV: 'production' })
  if ((await runTool('vite', 'vite', args, { env })) !== 0) fail('No se pudo construir la aplicación web.')
  compressFiles(fresh)
  fs.writeFileSync(join(fresh, '.inputs'), wanted)
  if (fs.existsSync(dist)) fs.renameSync(dist, old)
  fs.renameSync(fresh, dist)
  fs.rmSync(cache, { recursive: true, force: true })
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
export function runTool(module, name, args, options) {
  const folder = join(modules, module)
  const { bin } = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8'))
  return run(pinnedNode(), [join(folder, typeof bin === 'string' ? bin : bin[name])].concat(args), options)
}

/** Runs a program to its end in our terminal, passing on what asks us to stop. */
export function run(program, args, options) {
  const child = spawn(program, args, Object.assign({ cwd: root, stdio: 'inherit' }, options))
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
    child.once('exit', (code) => done(code === null ? 1 : code))
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
