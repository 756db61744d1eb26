import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ignore } from '../ignore.ts'
import { APP_ROLE, isCluster, SESSION, SPREAD_SESSION } from './db.ts'

const quoted = (text: string) => pg.escapeLiteral(text)

/**
 * The same database for the process that serves: a role that may log in, owns nothing and is only a member of the application's.
 * Whatever a query is made to do, it can be no more than that. Its password follows from the owner's, so that every
 * instance knows it and nothing keeps it.
 */
export async function servingUrl(ownerUrl: string, isPooled = false): Promise<string> {
  const url = new URL(ownerUrl)
  const owner = decodeURIComponent(url.username)
  const secret = decodeURIComponent(url.password) || process.env.PGPASSWORD
  if (!secret) return asOwner('DATABASE_URL no trae contraseña')
  const role = `${APP_ROLE}_${owner.toLowerCase().replace(/\W/g, '_')}`.slice(0, 63)
  url.username = role
  url.password = createHmac('sha256', secret).update(`log in as ${role}`).digest('hex')
  // A pooler does not tell the database what a connection asks for: it is the role's own.
  if (isPooled) await makeRole(ownerUrl, role, url.password)
  for (let attempt = 1; ; attempt++) {
    const refusal = await logIn(url.toString())
    if (!refusal) return url.toString()
    if (attempt === 5 || !/^28/.test(refusal.code ?? '')) return asOwner(refusal.message)
    const failure = await makeRole(ownerUrl, role, url.password)
    if (failure?.code === '42501') return asOwner(failure.message)
    // Another instance makes it at this moment.
    if (failure) await sleep(100 * attempt)
  }

  function asOwner(reason: string) {
    console.error(
      `Aviso: la aplicación entra a la base de datos como «${owner}», sin una cuenta propia con menos permisos (${reason}).`,
    )
    return ownerUrl
  }
}

type Failure = Error & { code?: string }

const logIn = (url: string) => withClient(url, async () => undefined)

const makeRole = (ownerUrl: string, role: string, password: string) =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query('select from pg_roles where rolname = $1', [role])
    const verb = rows.length === 0 ? 'create' : 'alter'
    await client.query(`${verb} role ${role} login password ${quoted(password)}`)
    await client.query(`grant ${APP_ROLE} to ${role}`)
    const settings = { ...SESSION, ...((await isCluster(client)) && SPREAD_SESSION) }
    for (const [name, value] of Object.entries(settings))
      await client.query(`alter role ${role} set ${name} = ${quoted(value)}`)
  })

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<Failure | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 })
  client.on('error', ignore('The query that runs fails with it.'))
  try {
    await client.connect()
    await work(client)
    return undefined
  } catch (error) {
    return error as Failure
  } finally {
    await client.end().catch(ignore('The connection is gone already.'))
  }
}
