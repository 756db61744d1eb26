import type { z } from 'zod'
import { type Endpoint, Failure, formatQuery, pathOf, statusOf } from '#contract/wire.ts'
import { recall } from './storage.ts'

export const NO_CONNECTION = 'No hay conexión con el servidor. Revise la red e intente de nuevo.'
const UNEXPECTED = 'Algo salió mal en el servidor. Intente de nuevo en un momento.'

/** An answer that is not the one hoped for. `status` 0: there was no answer. */
export class ApiFailure extends Error {
  readonly status: number
  readonly errors: Record<string, string[]>

  constructor(status: number, message: string, errors: Record<string, string[]> = {}) {
    super(message)
    this.name = 'ApiFailure'
    this.status = status
    this.errors = errors
  }
}

/** Where a person is sent when the server will not serve them here; the router says how. */
export const gates = {
  login: () => {},
  maintenance: () => {},
}

interface Options<E extends Endpoint> {
  params?: z.input<NonNullable<E['params']>>
  query?: z.input<NonNullable<E['query']>>
  body?: z.input<NonNullable<E['body']>>
  signal?: AbortSignal
  /** The same key sent twice creates once. */
  idempotencyKey?: string
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

/** Calls an endpoint of the contract, typed by it. */
export async function call<E extends Endpoint>(endpoint: E, options: Options<E> = {}): Promise<z.output<E['reply']>> {
  const { params, query, body, signal, idempotencyKey } = options
  const url = `/api${pathOf(endpoint, (params ?? {}) as object)}${formatQuery((query ?? {}) as object)}`
  const headers = headersOf(idempotencyKey)
  if (body !== undefined) headers['Content-Type'] = 'application/json'

  let response: Response
  try {
    response = await fetch(url, {
      method: endpoint.method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiFailure(0, NO_CONNECTION)
  }

  if (!response.ok) throw await failureOf(response, headers.Authorization)
  if (statusOf(endpoint) === 204 || response.status === 204) return undefined as z.output<E['reply']>
  try {
    return (await response.json()) as z.output<E['reply']>
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiFailure(0, NO_CONNECTION)
  }
}

/** What a refused answer says; sends the person to log in, or to wait, where that is what it says. */
export async function failureOf(response: Response, sentAs: string | undefined): Promise<ApiFailure> {
  // A late refusal of a session that has been replaced meanwhile says nothing about the new one.
  if (response.status === 401 && sentAs === headersOf().Authorization) gates.login()
  if (response.status === 503) gates.maintenance()
  const said = Failure.safeParse(await response.json().catch(() => null))
  return new ApiFailure(response.status, said.data?.message ?? UNEXPECTED, said.data?.errors)
}
