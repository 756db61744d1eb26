import { SMTPServer } from 'smtp-server'

export interface Received {
  to: string
  id: string
  subject: string
  raw: string
  /** The parts of the message, decoded. */
  text: string
  html: string
}

/** A mail server that listens, keeps what it takes, and can be told to misbehave. */
export class MailServer {
  readonly received: Received[] = []
  /** How it answers, in turn; then it takes everything. */
  mood: 'take' | 'refuse' | 'take and hang up' = 'take'
  #server: SMTPServer | undefined
  #port = 0

  async start() {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: (_address, _session, done) =>
        this.mood === 'refuse' ? done(Object.assign(new Error('Try later'), { responseCode: 451 })) : done(),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('utf8')
          for (const { address } of session.envelope.rcptTo) this.received.push(parse(address, raw))
          if (this.mood === 'take and hang up') for (const { _socket } of connectionsOf(server)) _socket.destroy()
          else done()
        })
      },
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => {
      server.listen(this.#port, '127.0.0.1', resolve)
    })
    this.#server = server
    this.#port = (server.server.address() as { port: number }).port
  }

  /** Closes the door; `start` opens it again at the same place. */
  async stop() {
    const server = this.#server
    this.#server = undefined
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  get url() {
    return `smtp://127.0.0.1:${this.#port}?from=avisos@maestranza.cl`
  }
}

const connectionsOf = (server: SMTPServer) =>
  (server as SMTPServer & { connections: Set<{ _socket: { destroy(): void } }> }).connections

const headerOf = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\r?\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replace(/\r?\n[ \t]+/g, ' ') ?? ''

/** `=?UTF-8?Q?…?=`, as headers spell letters beyond ASCII. */
const words = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, body: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(body, 'base64').toString() : quoted(body.replaceAll('_', ' ')),
    )

const quoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

function partOf(raw: string, type: string) {
  const part = raw.split(/^--.*$/m).find((one) => headerOf(one, 'Content-Type').startsWith(type)) ?? ''
  const body = part
    .split(/\r?\n\r?\n/)
    .slice(1)
    .join('\n\n')
  const encoding = headerOf(part, 'Content-Transfer-Encoding')
  return encoding === 'base64'
    ? Buffer.from(body, 'base64').toString()
    : encoding === 'quoted-printable'
      ? quoted(body)
      : body
}

const parse = (to: string, raw: string): Received => ({
  to,
  id: headerOf(raw, 'Message-ID'),
  subject: words(headerOf(raw, 'Subject')),
  raw,
  text: partOf(raw, 'text/plain'),
  html: partOf(raw, 'text/html'),
})
