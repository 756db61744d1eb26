/**
 * The two commands on machines that have nothing yet: npm run fresh [-- machines | cut [rounds] | trouble]
 * Bare clones of the last commit in temporary folders, each with its own Node, npm, home, port and data; what was seen
 * goes into docs/fresh.md. Linux; as root it also tries an ordinary user, a full disk and folders that are read-only.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { arch, cpus, tmpdir, type } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '..')
const REPORT = join(ROOT, 'docs', 'fresh.md')
const ROUNDS = Number(process.argv[3] ?? 20)
const isRoot = process.getuid?.() === 0

/** Each Node with the npm of its day; the first is what Debian 12 installs. */
const MACHINES = [
  { node: '18.20.4', npm: '9.2.0' },
  { node: '20.9.0', npm: '10.1.0' },
  { node: '20', npm: '10.8.2' },
  { node: '22.3.0', npm: '10.8.1' },
  { node: '22', npm: '10.9' },
  { node: '24', npm: '11' },
  { node: 'latest', npm: 'latest' },
  ...(isRoot ? [{ node: '18.20.4', npm: '9.2.0', ordinary: true }] : []),
]

const folder = fs.mkdtempSync(join(tmpdir(), 'maestranza-fresh-'))
fs.chmodSync(folder, 0o755)
const running = new Set<ChildProcess>()
let failures = 0
const mounts: string[] = []
let user: { name: string; uid: number; gid: number } | undefined

interface Machine {
  home: string
  clone: string
  data: string
  node: string
  npm: string
  env: Record<string, string>
  owner?: { uid: number; gid: number } | undefined
}

/** A home, tools and a bare clone; `at` is where the clone goes when the folder matters. */
function machine(name: string, want: { node: string; npm: string; ordinary?: boolean }, at?: string): Machine {
  const home = join(folder, name)
  const [clone, data, tools] = [at ?? join(home, 'maestranza'), join(home, 'data'), join(home, 'tools')]
  fs.mkdirSync(tools, { recursive: true })
  const packages = [`node-linux-${process.arch}@${want.node}`, `npm@${want.npm}`]
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--force', '--loglevel=error']
  fs.writeFileSync(join(tools, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--prefix', tools, ...quiet, ...packages], { cwd: tools, stdio: 'ignore' })
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone])
  const owner = want.ordinary ? ordinaryUser() : undefined
  const env = {
    ...settings(),
    HOME: home,
    USER: owner?.name ?? 'root',
    PATH: `${join(tools, 'node_modules', '.bin')}:/usr/bin:/bin:/usr/sbin:/sbin`,
    DATA_DIR: data,
  }
  const version = (program: string) => execFileSync(program, ['--version'], { env, encoding: 'utf8' }).trim()
  const [node, npm] = [version('node').replace('v', ''), version('npm')]
  // Even asked for its version, npm writes into the home.
  if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, home])
  return { home, clone, data, node, npm, env, owner }
}

const setting = (key: string) =>
  execFileSync('npm', ['config', 'get', key], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

/** How this machine reaches its registry, told by the environment so that no file of it is copied. */
function settings(): Record<string, string> {
  // npm tells of newer ones of itself when it likes to.
  const env: Record<string, string> = { LANG: 'C.UTF-8', npm_config_update_notifier: 'false' }
  for (const key of ['registry', 'cafile', 'proxy', 'https-proxy']) {
    const value = setting(key)
    if (value !== 'null') env[`npm_config_${key.replace('-', '_')}`] = value
  }
  const { NODE_EXTRA_CA_CERTS } = process.env
  return NODE_EXTRA_CA_CERTS ? { ...env, NODE_EXTRA_CA_CERTS } : env
}

function ordinaryUser() {
  if (user) return user
  const name = `fresh-${process.pid}`
  execFileSync('useradd', ['--no-create-home', '--shell', '/bin/sh', name])
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  user = { name, uid: id('-u'), gid: id('-g') }
  return user
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return String(typeof address === 'object' ? address?.port : address)
}

interface Run {
  child: ChildProcess
  since: number
  output: () => string
  ended: Promise<number>
}

/** A command in a group of its own, so that all of it can be ended. */
function command({ clone, env, owner }: Machine, words: string[], more: Record<string, string> = {}): Run {
  const [program = '', ...args] = words
  const options = { cwd: clone, env: { ...env, ...more }, detached: true, uid: owner?.uid, gid: owner?.gid }
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  child.stderr.on('data', (chunk) => (text += chunk))
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  void ended.then(() => running.delete(child))
  return { child, since: Date.now(), output: () => text, ended }
}

function failed(what: string) {
  failures++
  console.error(what)
}

const secondsOf = (since: number) => Math.round((Date.now() - since) / 1000)

function kill(child: ChildProcess, signal: NodeJS.Signals) {
  try {
    process.kill(-child.pid!, signal)
  } catch {
    // It has ended.
  }
}

/** npm start to the first page and to its end; the seconds it took. */
async function firstPage(on: Machine, prefix: string[] = []): Promise<number> {
  const port = await freePort()
  const run = command(on, [...prefix, 'npm', 'start'], { PORT: port })
  let code: number | undefined
  void run.ended.then((value) => (code = value))
  // Inside a network of its own the page cannot be asked for; the product says that it is ready.
  const isThere = async () => {
    if (prefix.length > 0) return run.output().includes('está lista')
    const reply = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    return reply?.status === 200 && (await reply.text()).includes('<html')
  }
  while (!(await isThere())) {
    if (code !== undefined || secondsOf(run.since) > 1800) {
      kill(run.child, 'SIGKILL')
      throw new Error(`npm start: ${code ?? 'no page in half an hour'}\n${run.output()}`)
    }
    await sleep(200)
  }
  const took = secondsOf(run.since)
  kill(run.child, 'SIGTERM')
  await run.ended
  while (fs.existsSync(join(on.data, 'postgres', 'cluster', 'data', 'postmaster.pid'))) await sleep(200)
  return took
}

async function types(on: Machine): Promise<number> {
  const run = command(on, ['npm', 'test', '--', 'types'])
  const code = await run.ended
  if (code !== 0) throw new Error(`npm test -- types: ${code}\n${run.output()}`)
  return secondsOf(run.since)
}

const changes = ({ clone }: Machine) =>
  execFileSync('git', ['-c', `safe.directory=${clone}`, 'status', '--porcelain'], { cwd: clone, encoding: 'utf8' })

async function machines() {
  const rows = [
    '| Node | npm | user | first page | `npm test -- types` | again, no network | clone |',
    '|---|---|---|---|---|---|---|',
  ]
  for (const [index, want] of MACHINES.entries()) {
    const on = machine(`machine-${index}`, want)
    const cells = [on.node, on.npm, on.owner ? 'ordinary' : isRoot ? 'root' : 'ordinary']
    try {
      cells.push(`${await firstPage(on)} s`, `${await types(on)} s`)
      cells.push(isRoot && !on.owner ? `${await firstPage(on, ['unshare', '--net'])} s` : '–')
      cells.push(changes(on) ? `changed: ${changes(on).trim()}` : 'clean')
    } catch (error) {
      failed(`Node ${on.node}, npm ${on.npm}: ${error}`)
      cells.push('fails')
    }
    if (cells.at(-1) !== 'clean') failed(cells.join(' '))
    rows.push(`| ${cells.join(' | ')} |`)
    console.log(rows.at(-1))
    write('Machines', rows)
    fs.rmSync(on.home, { recursive: true, force: true })
  }
}

/** What an install leaves: every file and its size, without what npm and the tools write at their own pace. */
function contents(on: Machine): string {
  const modules = join(on.clone, 'node_modules')
  return fs
    .readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((file) => !/^\.(maestranza|package-lock|vite|cache)|\.tsbuildinfo$/.test(file))
    .map((file) => [file, fs.lstatSync(join(modules, file))] as const)
    .map(([file, stat]) => `${file} ${stat.isDirectory() ? '' : stat.size}`)
    .sort()
    .join('\n')
}

/** Installs and builds killed at random moments: the next start has to find or make everything. */
async function cut() {
  const on = machine('cut', MACHINES[0]!)
  // Each round installs twice: not from the network.
  on.env.npm_config_cache = setting('cache')
  const empty = (names: string[]) => {
    for (const name of names) fs.rmSync(join(on.clone, name), { recursive: true, force: true })
  }
  const whole = await firstPage(on)
  const before = contents(on)
  let mended = 0
  for (let round = 1; round <= ROUNDS; round++) {
    // Most time goes into installing; by turns the web application is built too.
    empty(round % 4 === 0 ? ['node_modules', 'web/dist'] : ['node_modules'])
    const run = command(on, ['npm', 'start'], { PORT: await freePort() })
    const moment = Math.random() * whole * 1000
    await sleep(moment)
    // Only our own process: what it started is left to notice.
    const group = execFileSync('ps', ['-e', '-o', 'pid=,pgid=,args='], { encoding: 'utf8' }).split('\n')
    const own = group
      .map((line) => line.trim().split(/\s+/))
      .find(([, pgid, , script]) => pgid === String(run.child.pid) && script === 'scripts/start.mjs')
    const alone = round % 2 === 0 && own
    if (alone) process.kill(Number(own[0]), 'SIGKILL')
    else kill(run.child, 'SIGKILL')
    await run.ended
    const state = fs.existsSync(join(on.clone, 'node_modules', '.maestranza-installing'))
      ? 'installing'
      : 'after installing'
    try {
      const took = await firstPage(on)
      const same = contents(on) === before
      const clean = changes(on) === ''
      if (same && clean) mended++
      else failed(`round ${round}, killed after ${moment} ms: ${same ? '' : 'other files'} ${changes(on)}`)
      console.log(
        `${round}: ${alone ? 'only start.mjs' : 'everything'} killed at ${(moment / 1000).toFixed(1)} s (${state}), first page ${took} s later`,
      )
    } catch (error) {
      failed(`round ${round}, killed after ${moment} ms: ${error}`)
    }
    write('Mended', [
      `Killed at a random moment of the first ${whole} s, by turns all of it and only \`scripts/start.mjs\`: ${mended} of ${round}`,
      'mended by the next start, with the files of an undisturbed install and a clean clone.',
    ])
  }
}

/** What is printed when it cannot work: one sentence after what npm and we say first. */
async function sentence(on: Machine, more: Record<string, string> = {}): Promise<string> {
  const run = command(on, ['npm', 'start'], { PORT: await freePort(), ...more })
  const code = await Promise.race([run.ended, sleep(1_800_000, -1, { ref: false })])
  const said = run
    .output()
    .split('\n')
    .filter((line) => line.trim() && !/^(> |Instalando |Dependencias |Construyendo |Aplicación |Creando )/.test(line))
  if (code === 0 || code === -1 || said.length !== 1) failed(`it ended with ${code} and said:\n${run.output()}`)
  kill(run.child, 'SIGKILL')
  return (said[0] ?? '').replaceAll(folder, '…')
}

async function trouble() {
  const rows = ['| | what it says |', '|---|---|']
  const tell = (what: string, said: string) => {
    rows.push(`| ${what} | ${said} |`)
    console.log(rows.at(-1))
    write('Refused', rows)
  }
  const mount = (...args: string[]) => {
    execFileSync('mount', args)
    mounts.push(args.at(-1)!)
  }
  const [debian] = MACHINES
  const on = machine('trouble', debian!)

  // Only what the process believes of itself makes it a platform without a pinned Node.
  const elsewhere = join(on.home, 'elsewhere.cjs')
  fs.writeFileSync(elsewhere, "Object.defineProperty(process, 'platform', { value: 'darwin' })")
  const mac = command(on, ['node', '--require', elsewhere, 'scripts/start.mjs'])
  await mac.ended
  if (fs.existsSync(join(on.clone, 'node_modules'))) failed('on macOS something was installed')
  tell(`macOS with Node ${on.node}`, mac.output().trim())

  tell('first start without a network', await sentence(on, { npm_config_registry: 'http://127.0.0.1:9/' }))
  if (!isRoot) return

  const ordinary = { ...on, owner: ordinaryUser(), env: { ...on.env, HOME: join(on.home, 'own') } }
  fs.mkdirSync(ordinary.env.HOME)
  fs.chownSync(ordinary.env.HOME, ordinary.owner.uid, ordinary.owner.gid)
  tell('a folder of somebody else', await sentence(ordinary))
  mount('--bind', on.clone, on.clone)
  execFileSync('mount', ['-o', 'remount,ro,bind', on.clone])
  tell('a read-only folder', await sentence(on))

  for (const megabytes of [60, 400, 960]) {
    const disk = join(folder, `disk-${megabytes}`)
    fs.mkdirSync(disk)
    mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk)
    const full = { ...on, clone: join(disk, 'maestranza') }
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, full.clone])
    tell(`a disk of ${megabytes} MB`, await sentence(full))
    if (megabytes === 400) {
      execFileSync('mount', ['-o', 'remount,size=3g', disk])
      tell('the same with more space', `starts in ${await firstPage(full)} s, ${changes(full) || 'clean'}`)
    }
    spawnSync('umount', ['--lazy', disk])
  }
}

const parts = { machines, cut, trouble }
const only = process.argv[2]

/** The report keeps the parts that were not run now. */
function write(part: string, lines: string[]) {
  const [head = '', ...before] = fs.readFileSync(REPORT, 'utf8').split(/^(?=## )/m)
  const day = new Date().toISOString().slice(0, 10)
  const section = `## ${part}\n\n${day} · ${type()} ${arch()} · ${cpus().length} × ${cpus()[0]?.model}\n\n${lines.join('\n')}\n\n`
  const others = before.filter((text) => !text.startsWith(`## ${part}\n`))
  fs.writeFileSync(REPORT, `${[`${head.trimEnd()}\n\n`, ...[...others, section].sort()].join('').trimEnd()}\n`)
}

function tidy() {
  for (const child of running) kill(child, 'SIGKILL')
  for (const path of mounts) spawnSync('umount', ['--lazy', path])
  if (user) spawnSync('userdel', [user.name])
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    tidy()
    process.exit(1)
  })
try {
  for (const [name, part] of Object.entries(parts)) if (!only || only === name) await part()
} finally {
  tidy()
}
process.exit(failures > 0 ? 1 : 0)
