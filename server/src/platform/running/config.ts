import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { GIGABYTE } from '#contract/base/bytes.ts'
import type { StorePlace } from '../outside/store.ts'
import { StartProblem } from '../problems.ts'
import type { Environment, SettingName } from './settings.ts'

/** Longer than backups and older moments are usually gone back to. */
export const DAYS_KEPT = 90

export interface Config {
  port: number
  host: string
  /** Embedded database and files. */
  dataDir: string
  /** A PostgreSQL of one's own instead of the embedded one. */
  databaseUrl: string | null
  /** A pooler before it, that lends connections for a transaction: calls go there, all else to the database itself. */
  poolUrl: string | null
  smtpUrl: string | null
  /** How people reach the product, for links in mails; null means the address it listens on. */
  publicUrl: string | null
  /** Start without the demonstration. */
  empty: boolean
  /** The demonstration may be where strangers reach it. */
  publicDemo: boolean
  /** A public demonstration begins anew every so many hours; `null`: it does not. */
  demoResetHours: number | null
  /** Proxies whose word about the caller's address counts: hops, or addresses; false: nobody's. */
  trustProxy: false | number | string
  /** Shown by those who ask for figures; null: nobody gets them. */
  metricsToken: string | null
  /** Where what takes how long is told, by OTLP over HTTP; null: nobody is. */
  tracesUrl: string | null
  /** What the activity is sealed with; null: a file of the data folder holds it. */
  sealKey: string | null
  /** Where photos and documents are kept. */
  files: StorePlace
  /** How long they stay once no row names them. */
  filesDays: number
  /** Bytes that the files of one company may take; null for no limit. */
  filesQuota: number | null
  /** Where the embedded database is copied to as it works, and for how many days back; null: nowhere. */
  archive: { place: StorePlace; days: number } | null
}

/** How far back a continuous copy goes. */
const ARCHIVE_DAYS = 14

export function readConfig(env: Environment): Config {
  const port = env.PORT || '3000'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new StartProblem(`PORT debe ser un número entre 0 y 65535, no «${port}».`)
  const dataDir = resolve(env.DATA_DIR || 'data')
  return {
    port: Number(port),
    host: env.HOST || '127.0.0.1',
    dataDir,
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    poolUrl: url(env, 'DATABASE_POOL_URL', ['postgres:', 'postgresql:']),
    smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    publicUrl: url(env, 'PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    empty: !OFF.includes((env.MAESTRANZA_EMPTY ?? '').toLowerCase()),
    publicDemo: env.MAESTRANZA_DEMO === 'public',
    demoResetHours: resetHours(env),
    trustProxy: proxies(env.TRUST_PROXY ?? ''),
    metricsToken: env.METRICS_TOKEN || null,
    tracesUrl: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    sealKey: sealKey(env.SEAL_KEY),
    files: bucket(env, 'S3_URL') ?? { folder: resolve(env.FILES_DIR || join(dataDir, 'files')) },
    filesDays: days(env, 'FILES_DAYS', DAYS_KEPT),
    filesQuota: quota(env.FILES_QUOTA_GB),
    archive: env.ARCHIVE_TO
      ? { place: placeOf(env, 'ARCHIVE_TO'), days: days(env, 'ARCHIVE_DAYS', ARCHIVE_DAYS) }
      : null,
  }
}

/** What a continuous copy needs of the other settings. */
export function requireArchivable({ archive, databaseUrl, files, filesDays }: Config) {
  if (!archive) return
  if (databaseUrl)
    throw new StartProblem(
      'La copia continua es de la base de datos incluida; la de DATABASE_URL se copia con las herramientas de su servidor.',
    )
  if ('s3' in files && filesDays <= archive.days)
    throw new StartProblem(
      `FILES_DAYS (${filesDays}) debe ser mayor que los días de la copia continua (${archive.days}): si no, faltarían archivos.`,
    )
}

/** A folder, or the address of a bucket. */
const placeOf = (env: Environment, name: SettingName): StorePlace =>
  (/^https?:/.test(env[name] ?? '') ? bucket(env, name) : undefined) ?? { folder: resolve(env[name] ?? '') }

/** The keys have the names that every program of S3 knows. */
function bucket(env: Environment, name: SettingName): StorePlace | undefined {
  const address = url(env, name, ['https:', 'http:'])
  if (!address) return undefined
  if (new URL(address).pathname.length < 2)
    throw new StartProblem(`${name} debe terminar con el nombre del bucket: https://s3.ejemplo.cl/maestranza.`)
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: region } = env
  if (!accessKeyId || !secretAccessKey)
    throw new StartProblem(`Con ${name} hacen falta AWS_ACCESS_KEY_ID y AWS_SECRET_ACCESS_KEY.`)
  return { s3: { url: address, region: region || 'us-east-1', accessKeyId, secretAccessKey } }
}

/** A week at most; only where the demonstration is public, so that nobody's own data is ever taken for it. */
function resetHours({ DEMO_RESET_HOURS: text, MAESTRANZA_DEMO }: Environment): number | null {
  if (!text || text === '0') return null
  if (!/^\d{1,3}$/.test(text) || Number(text) > 168)
    throw new StartProblem(`DEMO_RESET_HOURS debe ser un número de horas entre 1 y 168, 0 para nunca, no «${text}».`)
  if (MAESTRANZA_DEMO !== 'public') throw new StartProblem('DEMO_RESET_HOURS solo vale con MAESTRANZA_DEMO=public.')
  return Number(text)
}

function days(env: Environment, name: SettingName, otherwise: number): number {
  const text = env[name]
  if (!text) return otherwise
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1)
    throw new StartProblem(`${name} debe ser un número de días, al menos 1, no «${text}».`)
  return Number(text)
}

/** Gigabytes of a company unless set. */
const QUOTA_GB = 20

function quota(text: string | undefined): number | null {
  if (text && !/^\d{1,6}(\.\d{1,3})?$/.test(text))
    throw new StartProblem(`FILES_QUOTA_GB debe ser un número de GB, 0 para no limitar, no «${text}».`)
  return Math.round(Number(text || QUOTA_GB) * GIGABYTE) || null
}

const OFF = ['', '0', 'false', 'no']

/** A number of hops, or addresses and networks; `1` is the usual one, in front of the product on the same machine. */
function proxies(text: string): Config['trustProxy'] {
  if (OFF.includes(text.toLowerCase())) return false
  if (/^\d$/.test(text)) return Number(text)
  const isAddress = (part: string) => isIP(part.split('/')[0]!) > 0 || ['loopback', 'uniquelocal'].includes(part)
  if (text.split(',').every((part) => isAddress(part.trim()))) return text
  throw new StartProblem('TRUST_PROXY debe ser cuántos proxies hay delante (1) o sus direcciones separadas por comas.')
}

function sealKey(text: string | undefined): string | null {
  if (text && text.length < 32) throw new StartProblem('SEAL_KEY debe tener al menos 32 caracteres.')
  return text || null
}

/** The value itself is never repeated: it may hold a password. */
function url(env: Environment, name: SettingName, protocols: string[]): string | null {
  const text = env[name]
  if (!text) return null
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new StartProblem(`${name} no es una dirección válida: debe empezar con ${protocols[0]}//.`)
  return text
}

/** Whether only this machine can reach the product, as far as its settings say. */
export const isPrivate = ({ host, publicUrl }: Config): boolean =>
  isLoopback(host) && (publicUrl === null || isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')))

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
