import type { z } from 'zod'
import {
  Download,
  type Endpoint,
  EXPORT,
  FACTOR_NEEDED,
  Failure,
  formatQuery,
  formOf,
  PURPOSE_HEADER,
  pathOf,
  statusOf,
} from '#contract/base/wire.ts'
import { recall } from './storage.ts'

export const NO_CONNECTION = 'No hay conexión con el servidor. Revise la red e intente de nuevo.'
const UNEXPECTED = 'Algo salió mal en el servidor. Intente de nuevo en un momento.'

/** An answer that is not the one hoped for. `status` 0: there was no answer. */
export class ApiFailure extends Error {
  readonly status: number
  readonly errors: Record<string, string[]>
  /** What is wrong in a file, cell by cell. */
  readonly rows: NonNullable<Failure['rows']>
  readonly rowsTotal: number
  /** What stands in the way. */
  readonly see: Failure['see']
  /** What to ask the browser for, where a passkey would do. */
  readonly passkey: Failure['passkey']
  /** It is asked again who this is. */
  readonly confirm: boolean

  constructor(
    status: number,
    message: string,
    {
      errors = {},
      rows = [],
      rows_total,
      see,
      passkey,
      confirm = false,
    }: Omit<Partial<Failure>, 'confirm'> & { confirm?: boolean } = {},
  ) {
    super(message)
    this.name = 'ApiFailure'
    this.status = status
    this.errors = errors
    this.rows = rows
    this.rowsTotal = rows_total ?? rows.length
    this.see = see
    this.passkey = passkey
    this.confirm = confirm
  }
}

/** For `catch`: what went wrong in the words of whoever asked, with the status it came with. */
export const failing =
  (message: string) =>
  (error: unknown): never => {
    throw error instanceof ApiFailure ? new ApiFailure(error.status, message) : error
  }

/** Where a person is sent when the server will not serve them here; the router says how. */
export const gates = {
  login: () => {},
  maintenance: () => {},
  /** They owe a second factor. */
  factor: () => {},
  /** They are asked again who they are; true when they showed it. */
  confirm: async () => false,
}

interface Options<E extends Endpoint> {
  params?: z.input<NonNullable<E['params']>>
  query?: z.input<NonNullable<E['query']>>
  body?: z.input<NonNullable<E['body']>>
  signal?: AbortSignal
  /** The rows leave as a file, which the server logs. */
  exporting?: boolean
  /** The same key sent twice creates once. */
  idempotencyKey?: string
  /** How much of an upload has left, from 0 to 1. */
  onUpload?: (share: number) => void
}

export function headersOf(idempotencyKey?: string): Record<string, string> {
  const token = recall('token')
  const company = recall('company')
  return {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(company ? { 'X-Company-Id': company } : {}),
    ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
  }
}

/** The answer to what `first.js` asked before any of this arrived; good once, for the same person in the same company. */
function takeEarly(url: string, headers: Record<string, string>): Promise<Response> | undefined {
  const { asked } = window
  if (asked?.url !== url) return undefined
  window.asked = undefined
  const isSame = JSON.stringify(asked.headers) === JSON.stringify(headers)
  return isSame && performance.now() < EARLY ? asked.answer : undefined
}

declare global {
  interface Window {
    asked?: { url: string; headers: Record<string, string>; answer: Promise<Response> } | undefined
  }
}

const EARLY = 10_000

/** Calls an endpoint of the contract, typed by it. */
export async function call<E extends Endpoint>(endpoint: E, options: Options<E> = {}): Promise<z.output<E['reply']>> {
  const { params, query, body, signal, exporting, idempotencyKey, onUpload } = options
  const url = `/api${pathOf(endpoint, (params ?? {}) as object)}${formatQuery((query ?? {}) as object)}`
  const headers = headersOf(idempotencyKey)
  if (exporting) headers[PURPOSE_HEADER] = EXPORT
  // The browser writes the type of a form itself: it holds the boundary.
  if (body !== undefined && !endpoint.upload) headers['Content-Type'] = 'application/json'
  const content = body === undefined ? undefined : endpoint.upload ? formOf(body as object) : JSON.stringify(body)

  let response: Response
  try {
    const request = { method: endpoint.method, headers, body: content, signal }
    response = await (onUpload ? upload(url, request, onUpload) : (takeEarly(url, headers) ?? fetch(url, request)))
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiFailure(0, NO_CONNECTION)
  }

  if (!response.ok) {
    const failure = await failureOf(response, headers.Authorization)
    if (failure.confirm && (await gates.confirm())) return call(endpoint, options)
    throw failure
  }
  if (statusOf(endpoint) === 204 || response.status === 204) return undefined as z.output<E['reply']>
  try {
    if (endpoint.reply === Download) return (await fileOf(response)) as z.output<E['reply']>
    return (await response.json()) as z.output<E['reply']>
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiFailure(0, NO_CONNECTION)
  }
}

/** What the server says of itself; nothing while it is gone or starts. */
export async function askHealth(signal?: AbortSignal): Promise<{ maintenance?: boolean } | undefined> {
  const health = await fetch('/api/health', { cache: 'no-store', signal }).catch(() => undefined)
  return health?.ok ? health.json().catch(() => ({})) : undefined
}

async function fileOf(response: Response): Promise<File> {
  const [, named] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const blob = await response.blob()
  return new File([blob], named ? decodeURIComponent(named) : 'archivo', { type: blob.type })
}

/** A fetch does not say how far an upload has come. */
function upload(
  url: string,
  {
    method,
    headers,
    body,
    signal,
  }: { method: string; headers: Record<string, string>; body?: FormData | string; signal?: AbortSignal },
  onUpload: (share: number) => void,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open(method, url)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.onprogress = ({ loaded, total }) => onUpload(total > 0 ? loaded / total : 0)
  request.onload = () => {
    const isEmpty = request.status === 204 || request.status === 304
    resolve(new Response(isEmpty ? null : request.responseText || null, { status: request.status }))
  }
  request.onerror = () => reject(new Error('upload'))
  request.onabort = () => reject(new DOMException('aborted', 'AbortError'))
  signal?.addEventListener('abort', () => request.abort())
  request.send(body)
  return promise
}

/** What a refused answer says; sends the person to log in, or to wait, where that is what it says. */
export async function failureOf(response: Response, sentAs: string | undefined): Promise<ApiFailure> {
  // A late refusal of a session that has been replaced meanwhile says nothing about the new one.
  if (response.status === 401 && sentAs === headersOf().Authorization) gates.login()
  const { data: said } = Failure.safeParse(await response.json().catch(() => null))
  // One call that could not be served is no maintenance: the screen stays as it is and shows the sentence.
  if (response.status === 503 && !said?.unavailable) gates.maintenance()
  if (response.status === 403 && said?.message === FACTOR_NEEDED) gates.factor()
  // What nobody foresaw is asked of those who can look into the log.
  const code = response.status === 500 && said?.request_id ? ` Código: ${said.request_id}` : ''
  return new ApiFailure(response.status, `${said?.message ?? UNEXPECTED}${code}`, said)
}
