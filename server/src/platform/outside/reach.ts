import { lookup as resolve } from 'node:dns'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/* Calls to addresses that people typed: never into the network the server stands in, unless the machine allows it. */

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4')
/** Of the sixth version only what is handed out to the public is reached, and nothing that wraps an address of the fourth. */
const PUBLIC = new BlockList()
PUBLIC.addSubnet('2000::', 3, 'ipv6')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6')

export const isPublic = (address: string) =>
  isIP(address) === 4
    ? !PRIVATE.check(address, 'ipv4')
    : isIP(address) === 6 && PUBLIC.check(address, 'ipv6') && !PRIVATE.check(address, 'ipv6')

const PATIENCE = 10_000
const MOST_READ = 256 * 1024

/** Why an address is not called, in words for who typed it. */
export class Unreachable extends Error {}
export const NOT_ALLOWED = 'La dirección es de una red privada, y este servidor no llama a esas.'

export const NOT_IN_DEMO = 'La demostración pública no llama a otros sistemas.'

const isPublicDemo = () => process.env.MAESTRANZA_DEMO === 'public'
const allowsPrivate = () => process.env.ALLOW_PRIVATE_CALLS === '1'

/** Looks at where the name leads in the moment of connecting: what it led to before says nothing. */
const onlyPublic: LookupFunction = (name, options, done) =>
  resolve(name, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0)
    const good = allowsPrivate() ? found : found.filter(({ address }) => isPublic(address))
    const [first] = good
    if (!first) return done(new Unreachable(NOT_ALLOWED), '', 0)
    return options.all ? done(null, good) : done(null, first.address, first.family)
  })

/** As `fetch`, for addresses that people typed: no private ones, no redirects, no patience, no more than a little read. */
export async function reach(
  address: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  if (isPublicDemo()) throw new Unreachable(NOT_IN_DEMO)
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol !== 'https:' && !allowsPrivate()) throw new Unreachable('La dirección debe empezar con https://.')
  if (isIP(host) > 0 && !isPublic(host) && !allowsPrivate()) throw new Unreachable(NOT_ALLOWED)
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const open = url.protocol === 'https:' ? secure : plain
  const request = open(
    url,
    { method, headers, lookup: onlyPublic, timeout: PATIENCE, signal: AbortSignal.timeout(PATIENCE) },
    (answer) => readAll(answer).then(resolve, reject),
  )
  request.on('timeout', () => request.destroy(new Unreachable('La dirección no respondió a tiempo.')))
  request.on('error', (error) =>
    reject(
      error.name === 'AbortError' || error.name === 'TimeoutError'
        ? new Unreachable('La dirección no respondió a tiempo.')
        : error,
    ),
  )
  request.end(body)
  return promise
}

async function readAll(answer: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length
    if (length > MOST_READ) {
      answer.destroy()
      throw new Unreachable('La respuesta es demasiado larga.')
    }
    parts.push(part)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one)
  const status = answer.statusCode ?? 502
  // These have no content, and a Response with some would be refused.
  const isEmpty = [204, 205, 304].includes(status)
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers })
}
