import { z } from 'zod'
import { contract } from '#contract/all.ts'
import { Download, type Endpoint, Nothing } from '#contract/base/wire.ts'

/** The TypeScript of the client that `npm run client` builds: a table of endpoints, and a type for each call. */

type Json = { [key: string]: unknown }

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Json

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
const union = (types: string[]) => [...new Set(types)].join(' | ')

/** TypeScript of a JSON schema; `open` is what stands where the schema takes anything. */
export function typeOf(schema: Json, open: string): string {
  const { type, anyOf, oneOf, allOf, properties, required, items, additionalProperties, propertyNames } = schema
  const inner = (one: unknown) => typeOf(one as Json, open)
  if (schema.enum) return union((schema.enum as unknown[]).map((value) => JSON.stringify(value)))
  if ('const' in schema) return JSON.stringify(schema.const)
  if (anyOf ?? oneOf) return union(((anyOf ?? oneOf) as Json[]).map(inner))
  if (allOf) return (allOf as Json[]).map((one) => `(${inner(one)})`).join(' & ')
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, open)))
  if (schema.contentEncoding === 'binary') return 'Blob'
  if (type === 'array') return `(${items ? inner(items) : open})[]`
  if (type === 'string') return 'string'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'null') return 'null'
  if (type !== 'object') return open
  const needed = new Set(required as string[] | undefined)
  const fields = Object.entries((properties ?? {}) as Json).map(
    ([name, value]) => `${key(name)}${needed.has(name) ? '' : '?'}: ${inner(value)}`,
  )
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  if (!additionalProperties) return propertyNames ? `Record<string, ${open}>` : 'Record<string, never>'
  return `Record<string, ${inner(additionalProperties === true ? {} : additionalProperties)}>`
}

/** The arguments of a call: those that it needs are not optional, and neither are they as a whole then. */
function argumentsOf({ params, query, body }: Endpoint) {
  const parts: [name: string, type: string, isNeeded: boolean][] = []
  // An id in a path is text there: whoever calls has a number.
  if (params) parts.push(['params', typeOf(schemaOf(params, 'input'), 'number | string'), true])
  if (query) {
    const json = schemaOf(query, 'input')
    parts.push(['query', typeOf(json, 'QueryValue'), ((json.required as string[] | undefined) ?? []).length > 0])
  }
  if (body) parts.push(['body', typeOf(schemaOf(body, 'input'), 'unknown'), true])
  const fields = parts.map(([name, type, isNeeded]) => `${name}${isNeeded ? '' : '?'}: ${type}`)
  const optional = parts.every(([, , isNeeded]) => !isNeeded) ? '?' : ''
  return `args${optional}: ${fields.length > 0 ? `{ ${fields.join('; ')} } & ` : ''}CallOptions`
}

const replyOf = ({ reply }: Endpoint) =>
  reply === Download ? 'DownloadedFile' : reply === Nothing ? 'void' : typeOf(schemaOf(reply, 'output'), 'unknown')

function infoOf({ method, path, upload, reply }: Endpoint) {
  const kind = reply === Download ? 'file' : reply === Nothing ? 'nothing' : undefined
  return { method, path, ...(upload && { body: 'form' }), ...(kind && { reply: kind }) }
}

const comment = (text: string) => `    /** ${text.replaceAll('*/', '* /')} */`

export function clientSource(): string {
  const table = Object.entries(contract).map(([domain, endpoints]) => [
    domain,
    Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, infoOf(endpoint)])),
  ])
  const domains = Object.entries(contract).map(([domain, endpoints]) => {
    const methods = Object.entries(endpoints).map(
      ([name, e]) => `${comment(e.summary)}\n    ${name}(${argumentsOf(e)}): Promise<${replyOf(e)}>`,
    )
    return `  ${domain}: {\n${methods.join('\n')}\n  }`
  })
  return `import { type CallOptions, type ClientOptions, type Connection, connect, type DownloadedFile, type EndpointInfo, type QueryValue } from './runtime.ts'

export * from './runtime.ts'

const ENDPOINTS: Record<string, Record<string, EndpointInfo>> = ${JSON.stringify(Object.fromEntries(table), null, 2)}

export interface Domains {
${domains.join('\n')}
}
export type Client = Domains & { connection: Connection }

export const createClient = (options: ClientOptions): Client => connect<Domains>(ENDPOINTS, options)

/** Opens a session with a password and uses it from now on; \`code\` is the second factor of those who have one. */
export async function login(client: Client, email: string, password: string, code?: string) {
  const session = await client.identity.login({ body: { email, password, ...(code && { code }) } })
  client.connection.token = session.token
  return session.user
}
`
}
