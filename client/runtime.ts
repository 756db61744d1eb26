/** Calls the API of Maestranza by the table of its endpoints. No dependency: `fetch` comes with browsers and Node 18. */

export interface EndpointInfo {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /api; `:name` marks a parameter. */
  path: string
  /** How the body travels, and what the answer is. */
  body?: 'form'
  reply?: 'file' | 'nothing'
}

export interface ClientOptions {
  /** Address of the product, such as `https://taller.empresa.cl`. */
  url: string
  /** Token of a session, or an API key (Configuración, Claves de API). `login` sets it. */
  token?: string
  /** Company in use (`X-Company-Id`); left out, the person's first one. */
  companyId?: number
  fetch?: typeof fetch
}

/** Options that any call takes beside its own arguments. */
export interface CallOptions {
  companyId?: number
  /** A create call sent again with the same key within 24 hours creates once and answers the same. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export interface DownloadedFile {
  name: string
  type: string
  content: Blob
}

/** A value after the `?`: lists travel separated by commas. */
export type QueryValue = string | number | boolean | readonly (string | number)[]

interface FailureBody {
  message?: string
  request_id?: string
  errors?: Record<string, string[]>
}

/** Any answer that is not the one hoped for. `message` is in Spanish, for people. */
export class ApiError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** Id of the call in the server's log. */
  readonly requestId: string | undefined
  readonly body: unknown

  constructor(status: number, message: string, body?: unknown) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.body = body
    this.requestId = (body as FailureBody | undefined)?.request_id
  }
}

/** 401: the session ended or the token is wrong. */
export class NotLoggedInError extends ApiError {}
/** 403: the role does not allow it. */
export class NotAllowedError extends ApiError {}
/** 404: not there, or of another company. */
export class NotFoundError extends ApiError {}
/** 409: changed meanwhile, or in use. */
export class ConflictError extends ApiError {}
/** 429 and 503: try again later. */
export class UnavailableError extends ApiError {}

/** 422: `errors` has the Spanish sentences of each field, by its dotted path such as `transaction.date`. */
export class ValidationError extends ApiError {
  readonly errors: Record<string, string[]>

  constructor(status: number, message: string, body?: unknown) {
    super(status, message, body)
    this.errors = (body as FailureBody | undefined)?.errors ?? {}
  }

  /** The first sentence about a field. */
  first(field: string): string | undefined {
    return this.errors[field]?.[0]
  }
}

const ERRORS: Record<number, typeof ApiError> = {
  401: NotLoggedInError,
  403: NotAllowedError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: UnavailableError,
  503: UnavailableError,
}

interface AnyArguments extends CallOptions {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: object
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob)

/** Names and values of an object one level deep: `filter: { Name: … }` becomes `filter[Name]`. */
function* flat(values: object): Generator<[name: string, value: unknown]> {
  for (const [name, value] of Object.entries(values)) {
    if (isGroup(value)) for (const [inner, v] of Object.entries(value)) yield [`${name}[${inner}]`, v]
    else yield [name, value]
  }
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

function queryOf(query: object): string {
  const parts = [...flat(query)]
    .filter(([, value]) => !isEmpty(value) && !(Array.isArray(value) && value.length === 0))
    .map(
      ([name, value]) =>
        `${name}=${[value]
          .flat()
          .map((one) => encodeURIComponent(String(one)))
          .join(',')}`,
    )
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

function formOf(body: object): FormData {
  const form = new FormData()
  for (const [name, value] of flat(body))
    for (const one of [value].flat()) {
      if (isEmpty(one)) continue
      if (one instanceof Blob) form.append(name, one, one instanceof File ? one.name : 'archivo')
      else form.append(name, String(one))
    }
  return form
}

async function fileOf(answer: Response): Promise<DownloadedFile> {
  const disposition = answer.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const name = encoded ? decodeURIComponent(encoded) : (/filename="?([^";]+)/i.exec(disposition)?.[1] ?? 'archivo')
  return { name, type: answer.headers.get('content-type') ?? '', content: await answer.blob() }
}

/** State of a client: change `token` and `companyId` whenever you like. */
export class Connection {
  readonly url: string
  token: string | undefined
  companyId: number | undefined
  readonly #fetch: typeof fetch

  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/+$/, '')
    this.token = options.token
    this.companyId = options.companyId
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init))
  }

  async send({ method, path, body: bodyKind, reply }: EndpointInfo, args: AnyArguments = {}): Promise<unknown> {
    const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args.params?.[name])))
    const company = args.companyId ?? this.companyId
    const isForm = bodyKind === 'form'
    const headers: Record<string, string> = {
      ...(this.token && { authorization: `Bearer ${this.token}` }),
      ...(company !== undefined && { 'x-company-id': String(company) }),
      ...(args.idempotencyKey && { 'idempotency-key': args.idempotencyKey }),
      ...(args.body && !isForm && { 'content-type': 'application/json' }),
    }
    const body = args.body && (isForm ? formOf(args.body) : JSON.stringify(args.body))
    const answer = await this.#fetch(`${this.url}/api${filled}${queryOf(args.query ?? {})}`, {
      method,
      headers,
      ...(body && { body }),
      ...(args.signal && { signal: args.signal }),
    }).catch((error: unknown) => {
      if (args.signal?.aborted) throw error
      throw new ApiError(0, 'No hay conexión con el servidor. Revise la red e intente de nuevo.', error)
    })
    if (!answer.ok) throw await errorOf(answer)
    if (reply === 'file') return fileOf(answer)
    return reply === 'nothing' ? undefined : answer.json()
  }
}

async function errorOf(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => undefined)) as FailureBody | undefined
  const message = body?.message ?? `El servidor respondió ${answer.status}.`
  return new (ERRORS[answer.status] ?? ApiError)(answer.status, message, body)
}

/** A client with a method for each endpoint of the table, by domain. */
export function connect<Domains extends object>(
  endpoints: Record<string, Record<string, EndpointInfo>>,
  options: ClientOptions,
): Domains & { connection: Connection } {
  const connection = new Connection(options)
  const domains = Object.entries(endpoints).map(([domain, calls]) => [
    domain,
    Object.fromEntries(
      Object.entries(calls).map(([name, info]) => [name, (args?: AnyArguments) => connection.send(info, args)]),
    ),
  ])
  return Object.assign(Object.fromEntries(domains), { connection })
}
