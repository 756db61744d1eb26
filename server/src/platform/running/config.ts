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
    empty: !['', '0', 'false', 'no'].includes((env.MAESTRANZA_EMPTY ?? '').toLowerCase()),
  }
}

/** The value itself is never repeated: it may hold a password. */
function url(env: NodeJS.ProcessEnv, name: string, protocols: string[]): string | null {
  const text = env[name]
  if (!text) return null
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new StartProblem(`${name} no es una dirección válida: debe empezar con ${protocols[0]}//.`)
  return text
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
