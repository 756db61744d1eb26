import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64 = (data: Buffer) => data.toString('base64url')

/* Just enough CBOR for what an authenticator says. */
const head = (major: number, length: number) =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
const number = (n: number) => (n < 0 ? head(1, -1 - n) : head(0, n))
const bytes = (data: Buffer) => Buffer.concat([head(2, data.length), data])
const text = (words: string) => Buffer.concat([head(3, Buffer.byteLength(words)), Buffer.from(words)])
const map = (...entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])

/** A passkey as a browser and its authenticator would make and use it, at one address. */
export function newAuthenticator(origin = 'http://localhost') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const rpIdHash = sha256(new URL(origin).hostname)
  let counter = 0

  const clientData = (type: string, challenge: unknown, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  const said = (flags: number, more = Buffer.alloc(0)) => {
    counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, more])
  }
  const key = map(
    [number(1), number(2)],
    [number(3), number(-7)],
    [number(-1), number(1)],
    [number(-2), bytes(Buffer.from(x!, 'base64url'))],
    [number(-3), bytes(Buffer.from(y!, 'base64url'))],
  )

  return {
    headers: { origin, host: new URL(origin).host },
    register(options: Record<string, unknown>): Record<string, unknown> {
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const attestationObject = map(
        [text('fmt'), text('none')],
        [text('attStmt'), map()],
        [text('authData'), bytes(said(0x45, credential))],
      )
      const clientDataJSON = clientData('webauthn.create', options.challenge, origin)
      return {
        id: base64(id),
        rawId: base64(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64(clientDataJSON),
          attestationObject: base64(attestationObject),
          transports: ['internal'],
        },
      }
    },
    /** `at`: the address of the page that asks. */
    use(options: Record<string, unknown>, at = origin): Record<string, unknown> {
      const clientDataJSON = clientData('webauthn.get', options.challenge, at)
      const authenticatorData = said(0x05)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      return {
        id: base64(id),
        rawId: base64(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64(clientDataJSON),
          authenticatorData: base64(authenticatorData),
          signature: base64(signature),
        },
      }
    },
  }
}
