import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { StartProblem } from './embedded-postgres.ts'

export interface Config {
  port: number
  host: string
  /** Embedded database and files. */
  dataDir: string
  /** A PostgreSQL of one's own instead of the embedded one. */
  databaseUrl: string | null
  smtpUrl: string | null
  /** How people reach the product, for links in mails; null means the address it listens on. */
  publicUrl: string | null
  /** Start without the demonstration. */
  empty: boolean
  /** The demonstration may be where strangers reach it. */
  publicDemo: boolean
  /** Proxies whose word about the caller's address counts: hops, or addresses; false: nobody's. */
  trustProxy: false | number | string
  /** Shown by those who ask for figures; null: nobody gets them. */
  metricsToken: string | null
  /** Where what takes how long is told, by OTLP over HTTP; null: nobody is. */
  tracesUrl: string | null
  /** What the activity is sealed with; null: a file of the data folder holds it. */
  sealKey: string | null
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const port = env.PORT || '3000'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new StartProblem(`PORT debe ser un número entre 0 y 65535, no «${port}».`)
  return {
    port: Number(port),
    host: env.HOST || '127.0.0.1',
    dataDir: resolve(env.DATA_DIR || 'data'),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    publicUrl: url(env, 'PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    empty: !OFF.includes((env.MAESTRANZA_EMPTY ?? '').toLowerCase()),
    publicDemo: env.MAESTRANZA_DEMO === 'public',
    trustProxy: proxies(env.TRUST_PROXY ?? ''),
    metricsToken: env.METRICS_TOKEN || null,
    tracesUrl: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    sealKey: sealKey(env.SEAL_KEY),
  }
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
function url(env: NodeJS.ProcessEnv, name: string, protocols: string[]): string | null {
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
