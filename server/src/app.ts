import { randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import helmet from 'helmet'
import { finder } from '#contract/base/finder.ts'
import { FACTOR_NEEDED, parseQuery } from '#contract/base/wire.ts'
import { API_TOKEN_PREFIX } from '#contract/identity/api-tokens.ts'
import { alertsDomain } from './alerts/routes.ts'
import { fleetDomain } from './fleet/routes.ts'
import { findProgram } from './identity/api-tokens.ts'
import { identityDomain } from './identity/routes.ts'
import { noteOwn } from './identity/security.ts'
import { findActor } from './identity/sessions.ts'
import { importsDomain } from './imports/routes.ts'
import { Database } from './platform/database/db.ts'
import {
  type Bind,
  type Binder,
  clientErrorHandler,
  createBinder,
  endSlowBodies,
  endStalledReaders,
  frameworkErrors,
  handleErrors,
} from './platform/http/binder.ts'
import type { Domain } from './platform/http/domain.ts'
import { Live } from './platform/http/live.ts'
import { logger } from './platform/http/log.ts'
import { Maintenance } from './platform/http/maintenance.ts'
import { openApi } from './platform/http/openapi.ts'
import { followRequests } from './platform/http/requests.ts'
import { serveWeb } from './platform/http/web.ts'
import { ignore } from './platform/ignore.ts'
import type { Limiter } from './platform/limiter.ts'
import { subscribe } from './platform/operations/happenings.ts'
import { Jobs } from './platform/operations/jobs.ts'
import { sealJob } from './platform/operations/seals.ts'
import { Secrets } from './platform/operations/secrets.ts'
import { CompanyFiles, movingJob, sweepJob } from './platform/outside/files.ts'
import { mailsJob, movedAttachments, Outbox } from './platform/outside/mail.ts'
import { openStore, type StorePlace } from './platform/outside/store.ts'
import { NOT_FOUND, Problem, StartProblem } from './platform/problems.ts'
import { DAYS_KEPT } from './platform/running/config.ts'
import { copyProblem, looking } from './platform/running/health.ts'
import { serveMetrics } from './platform/running/metrics.ts'
import { describeServer } from './platform/running/postgres-version.ts'
import { startTraces } from './platform/running/traces.ts'
import { providersDomain } from './providers/routes.ts'
import { purchasingDomain } from './purchasing/routes.ts'
import { reportsDomain } from './reports/routes.ts'
import { suppliesDomain } from './supplies/routes.ts'
import { upgradeDatabase } from './upgrade.ts'
import { warehousesDomain } from './warehouses/routes.ts'
import { webhooksDomain } from './webhooks/routes.ts'
import { workOrdersDomain } from './work-orders/routes.ts'
import { workshopsDomain } from './workshops/routes.ts'

const DOMAINS: Domain[] = [
  workshopsDomain,
  identityDomain,
  fleetDomain,
  suppliesDomain,
  providersDomain,
  warehousesDomain,
  purchasingDomain,
  workOrdersDomain,
  importsDomain,
  reportsDomain,
  alertsDomain,
  webhooksDomain,
]
const WEB = fileURLToPath(new URL('../../web/dist', import.meta.url))
const FOUND_PER_DOMAIN = 6
/** Answers are packed while somebody waits: a third of the work for a tenth more to send. */
const PACKING = { threshold: 2048, brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } }

export interface App {
  http: FastifyInstance
  database: Database
  jobs: Jobs
  outbox: Outbox
  live: Live
  heavyQueue: Limiter
  bound: Binder['bound']
  edits: Binder['edits']
  /** Begins to use the database: the live line, the jobs. Until then it only stands ready. */
  open(): Promise<void>
  listen(host: string, port: number): Promise<string>
  close(): Promise<void>
}

/** Takes each line of the log. */
export interface LogStream {
  write(line: string): void
}

interface AppOptions {
  databaseUrl: string
  /** It is the address to serve with, of a database made ready; otherwise it is its owner's. */
  prepared?: boolean
  /** A pooler before it; the role and its password are those of `databaseUrl`. */
  poolUrl?: string | null
  /** Tests hold every answer against the contract. */
  checkReplies?: boolean
  /** What comes by the clock is done. Where that is left out it is asked for: a test would meet it at some minute of the day. */
  byClock?: boolean
  /** It is opened later. */
  closed?: boolean
  /** Writes warnings and errors to stdout, or to the given stream; left out, nowhere. */
  log?: boolean | LogStream
  smtpUrl?: string | null
  /** How people reach the product. */
  address?: string
  /** Where the embedded database and files are; its room is looked at. */
  dataDir?: string
  trustProxy?: false | number | string
  metricsToken?: string | null
  tracesUrl?: string | null
  /** Without one the activity is not sealed, and secrets are kept as they are. */
  sealKey?: string
  /** Where photos and documents are kept; left out, beside the data. */
  files?: StorePlace
  filesDays?: number
  /** Bytes of each company; left out, no limit. */
  filesQuota?: number | null
  /** Folder of the embedded database; left out or null for a PostgreSQL of one's own. */
  embedded?: string | null
  /** The demonstration is open to strangers: nothing leaves the product, and little is kept of them. */
  publicDemo?: { resetHours: number | null } | null
  /** The database should be copied as it works. */
  archived?: boolean
  /** Takes the demonstration out of the house, once it is closed; or says why not. */
  leaveDemo?: (code: string | null) => Promise<string | undefined>
}

/** Who calls, by what the request carries: a session of somebody, or a key of their program. */
const authenticating =
  (database: Database) =>
  (request: FastifyRequest, touch = true) => {
    const [scheme, token] = (request.headers.authorization ?? '').split(' ')
    if (scheme !== 'Bearer' || !token) throw new Problem(401, 'Ingrese para continuar.')
    const asked = request.headers['x-company-id']
    if (asked !== undefined && !/^\d{1,15}$/.test(String(asked))) throw new Problem(403, 'No pertenece a esta empresa.')
    const company = asked === undefined ? undefined : Number(asked)
    return database.read(undefined, (db) =>
      token.startsWith(API_TOKEN_PREFIX) ? findProgram(db, token, company) : findActor(db, token, company, touch),
    )
  }

/** The pooler's address, to enter there as whoever serves. */
function pooled(databaseUrl: string, poolUrl: string | null | undefined) {
  if (!poolUrl) return undefined
  const [url, { username, password }] = [new URL(poolUrl), new URL(databaseUrl)]
  return Object.assign(url, { username, password }).toString()
}

const UNFENCED =
  'Por DATABASE_POOL_URL la aplicación no entra con su propia cuenta, y las empresas no quedarían separadas: revise que el ' +
  'pooler use el usuario con que se le llama (auth_query) y que DATABASE_URL traiga contraseña.'

async function databaseOf({ databaseUrl, poolUrl, prepared }: AppOptions) {
  const url = prepared ? databaseUrl : await upgradeDatabase(databaseUrl, Boolean(poolUrl))
  return new Database(url, { poolUrl: pooled(url, poolUrl) })
}

/** The whole product on one database: tables up to date, calls bound and, unless it is to stay closed, at work. */
export async function createApp(options: AppOptions): Promise<App> {
  const database = await databaseOf(options)
  const hops = options.trustProxy
  const http = Fastify({
    logger: options.log ? { ...logger, ...(options.log !== true && { stream: options.log }) } : false,
    genReqId: () => randomUUID().slice(24),
    trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : (hops ?? false),
    bodyLimit: 1024 * 1024,
    forceCloseConnections: true,
    frameworkErrors,
    clientErrorHandler,
    routerOptions: { querystringParser: parseQuery, maxParamLength: 200 },
  })
  const log = (error: unknown) => http.log.error(error)
  if (options.publicDemo) database.context.publicDemo = options.publicDemo
  database.context.isEmbedded = typeof options.embedded === 'string'
  const traces = options.tracesUrl ? await startTraces(options.tracesUrl) : undefined
  if (traces) database.context.traces = traces
  traces?.follow(http)
  followRequests(http)
  handleErrors(http)
  endSlowBodies(http)
  endStalledReaders(http)
  const same = saidAlways(options.address?.startsWith('https:') ?? false)
  http.addHook('onRequest', (request, reply, next) => {
    for (const [name, value] of same) reply.raw.setHeader(name, value)
    reply.header('permissions-policy', PERMISSIONS_POLICY)
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store')
    // What somebody reads to the person who looks into the log.
    reply.header('x-request-id', request.id)
    next()
  })
  await http.register(compress, PACKING)
  await http.register(multipart)

  const maintenance = new Maintenance(database, log)
  maintenance.guard(http)
  if (options.leaveDemo) database.context.leaveDemo = leavingBehind(maintenance, options.leaveDemo)
  const authenticate = authenticating(database)
  const messages = Object.assign({}, ...DOMAINS.map((domain) => domain.messages))
  const { bind, bound, edits, heavyQueue } = createBinder(http, {
    database,
    authenticate: (request) => authenticate(request),
    messages,
    checkReplies: options.checkReplies ?? false,
    requireOpen: () => maintenance.requireOpen(),
    logExport: (actor, name) => database.write(actor.company_id, (db) => noteOwn(db, actor, 'export', name)),
  })
  for (const domain of DOMAINS) {
    domain.routes(bind)
    for (const [happening, listen] of Object.entries(domain.listens ?? {})) subscribe(database, happening, listen)
  }

  bindFinder(bind)

  const live = new Live(database.url, log)
  database.context.live = live
  // A page that is only open is not used.
  live.route(http, async (request) => {
    const actor = await authenticate(request, false)
    if (actor.locked) throw new Problem(403, FACTOR_NEEDED)
    return actor
  })

  const outbox = new Outbox(database, {
    smtpUrl: options.publicDemo ? null : (options.smtpUrl ?? null),
    address: options.address ?? 'http://127.0.0.1:3000',
  })
  database.context.outbox = outbox

  const jobs = new Jobs(database, log, options.byClock)
  database.context.jobs = jobs
  const { sealKey } = options
  if (sealKey) database.context.secrets = new Secrets(sealKey)

  serveHealth(http, { database, maintenance, authenticate, look: openFiles(database, options) })
  serveMetrics(http, { token: options.metricsToken ?? null, database, live, heavyQueue })
  serveDocs(http)
  await serveWeb(http, WEB, options.dataDir && join(options.dataDir, 'web'))
  await http.ready()

  const app: App = {
    http,
    database,
    jobs,
    outbox,
    live,
    heavyQueue,
    bound,
    edits,
    async open() {
      if (!(await database.isFenced())) throw new StartProblem(UNFENCED)
      await maintenance.start()
      await live.start()
      await jobs.start([
        mailsJob,
        movingJob([movedAttachments, ...DOMAINS.flatMap((domain) => domain.moves ?? [])]),
        sweepJob(options.filesDays ?? DAYS_KEPT),
        ...DOMAINS.flatMap((domain) => domain.jobs ?? []),
        ...(sealKey ? [sealJob(sealKey)] : []),
      ])
    },
    listen: (host, port) => http.listen({ host, port }),
    async close() {
      maintenance.close()
      live.hangUp()
      await http.close()
      outbox.end()
      await jobs.close()
      outbox.close()
      await database.close()
      await live.close()
      await traces?.end()
    },
  }
  if (!options.closed) await app.open()
  return app
}

/** Whoever asked is told when the screens begin to wait. */
const leavingBehind =
  (maintenance: Maintenance, leaveDemo: NonNullable<AppOptions['leaveDemo']>) => async (code: string | null) => {
    const problem = await leaveDemo(code)
    while (!problem && maintenance.message === undefined) await sleep(100)
    return problem
  }

/** Bytes that the visitors of a public demonstration may leave in one company. */
const DEMO_QUOTA = 200_000_000

/** Where photos and documents are; gives what tells whether they and the data have what they need. */
function openFiles(database: Database, { dataDir, files, filesQuota, archived = false, publicDemo }: AppOptions) {
  const place = files ?? { folder: dataDir ? join(dataDir, 'files') : join(tmpdir(), 'maestranza-files') }
  const store = openStore(place)
  database.context.files = new CompanyFiles(
    database,
    store,
    publicDemo ? Math.min(filesQuota ?? DEMO_QUOTA, DEMO_QUOTA) : filesQuota,
  )
  const look = looking(store, [dataDir ?? tmpdir(), ...('folder' in place ? [place.folder] : [])])
  return async () => (await look()) ?? copyProblem(database.pool, archived)
}

function bindFinder(bind: Bind) {
  const finders = DOMAINS.flatMap((domain) => domain.finders ?? [])
  bind(finder.find, async ({ db, actor, query }) => {
    const data = []
    for (const { may, find } of query.text === '' ? [] : finders)
      if (actor.may.has(may)) data.push(...(await find(db, actor, query.text, FOUND_PER_DOMAIN)))
    return { data, total: data.length }
  })
}

/** Whether it can be used: by people, and by whatever watches over it. */
function serveHealth(
  http: FastifyInstance,
  {
    database,
    maintenance,
    authenticate,
    look,
  }: {
    database: Database
    maintenance: Maintenance
    authenticate: ReturnType<typeof authenticating>
    look: ReturnType<typeof openFiles>
  },
) {
  /** Only those who administer a company are told about the server; a wrong token gets what everybody gets. */
  const forAdministrators = async (request: FastifyRequest) => {
    if (!request.headers.authorization) return {}
    const actor = await authenticate(request, false).catch(ignore('Nobody is logged in.'))
    if (!actor || actor.locked || !actor.may.has('company.manage')) return {}
    return database.read(actor.company_id, describeServer)
  }
  http.get('/api/health', async (request, reply) => {
    const found = await database.pool
      .query(`select exists (select from users where lower(email) = 'admin@maestranza.demo') as demo`)
      .catch(ignore('The answer below says that the database is away.'))
    if (!found) throw new Problem(503, 'La base de datos no responde.')
    const message = await look()
    const { publicDemo } = database.context
    if (message && 'strict' in (request.query as object)) reply.code(503)
    return {
      status: message ? 'degraded' : 'ok',
      ...(message && { message }),
      maintenance: maintenance.message !== undefined,
      demo: found.rows[0].demo,
      ...(publicDemo && { public_demo: true, demo_reset_hours: publicDemo.resetHours }),
      ...(await forAdministrators(request)),
    }
  })
}

const CSP = {
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  // The component library sets sizes and colours in style attributes.
  styleSrc: ["'self'", "'unsafe-inline'"],
  upgradeInsecureRequests: null,
}

/** What protects a page in the browser, the same on every answer: worked out once. */
function saidAlways(isHttps: boolean) {
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  const protect = helmet({
    contentSecurityPolicy: { directives: CSP },
    // Only a server that is reached by https can promise it.
    strictTransportSecurity: isHttps && { maxAge: 365 * 24 * 3600 },
  })
  protect(answer.req, answer, ignore('The headers are set by now.'))
  return Object.entries(answer.getHeaders() as Record<string, string>)
}

/** What the screens use: the camera for photos of a repair and for codes. */
const PERMISSIONS_POLICY =
  'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=(), display-capture=()'

/** In a sandbox the browser keeps nothing, and says so by throwing: the page gets something that forgets instead. */
const FORGETFUL = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  Object.defineProperty(window, name, { value: {
    getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, String(value)),
    removeItem: (key) => void kept.delete(key), clear: () => kept.clear(), key: (i) => [...kept.keys()][i] ?? null,
    get length() { return kept.size } } })
}
Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} })`

/** What strangers may read is packed once, however often they ask. */
interface Packed {
  headers: Record<string, unknown>
  plain: Buffer
  packed: Buffer
}
const pack = async (headers: Packed['headers'], plain: Buffer): Promise<Packed> => ({
  headers,
  plain,
  packed: await promisify(gzip)(plain),
})

function sendPacked({ headers, plain, packed }: Packed, request: FastifyRequest, reply: FastifyReply) {
  const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  reply.headers({ ...headers, vary: 'accept-encoding', ...(isPacked && { 'content-encoding': 'gzip' }) })
  return reply.send(isPacked ? packed : plain)
}

function serveDocs(http: FastifyInstance) {
  // Seldom asked for, and long to write.
  let document: ReturnType<typeof openApi> | undefined
  const documentOnce = () => {
    document ??= openApi()
    return document
  }
  const json = { 'content-type': 'application/json; charset=utf-8' }
  let description: Promise<Packed> | undefined
  http.get('/api/openapi.json', { compress: false }, async (request, reply) => {
    description ??= pack(json, Buffer.from(JSON.stringify(documentOnce())))
    return sendPacked(await description, request, reply)
  })
  // The reading page is a large program: it is loaded when somebody reads, beside the house.
  let reading: Promise<FastifyInstance> | undefined
  const kept = new Map<string, Promise<Packed>>()
  const load = async (path: string) => {
    reading ??= readingPage(documentOnce())
    const page = await (await reading).inject({ method: 'GET', url: path })
    if (page.statusCode >= 400) throw new Problem(404, NOT_FOUND)
    const { 'content-length': _, connection: __, date: ___, ...headers } = page.headers
    const isPage = String(headers['content-type']).startsWith('text/html')
    const plain = isPage
      ? Buffer.from(page.body.replace('<head>', `<head><script>${FORGETFUL}</script>`))
      : page.rawPayload
    return pack(headers, plain)
  }
  http.get('/api/docs', { compress: false }, (_request, reply) => reply.headers(DOCS_HEADERS).redirect('/api/docs/'))
  http.get('/api/docs/*', { compress: false }, async (request, reply) => {
    const path = request.url.split('?')[0]!
    const found = kept.get(path) ?? load(path)
    const packed = await found
    kept.set(path, found)
    reply.headers(DOCS_HEADERS)
    return sendPacked(packed, request, reply)
  })
}

const DOCS_HEADERS = {
  // It brings its script inline: in a sandbox without an origin, it cannot reach what the browser keeps.
  'content-security-policy':
    "sandbox allow-scripts; default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:",
  // To a page without an origin even our own files are another's.
  'cross-origin-resource-policy': 'cross-origin',
}

async function readingPage(document: ReturnType<typeof openApi>) {
  const { default: apiReference } = await import('@scalar/fastify-api-reference')
  const page = Fastify()
  await page.register(apiReference, {
    routePrefix: '/api/docs',
    configuration: {
      content: document,
      // In its sandbox the page may fetch no picture of ours.
      favicon: 'data:,',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  return page
}
