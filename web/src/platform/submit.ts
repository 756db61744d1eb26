import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type BaseSyntheticEvent, useRef, useState } from 'react'
import { type FieldPath, type FieldValues, get, type UseFormReturn } from 'react-hook-form'
import { say } from '../ui/snackbar.tsx'
import { focusUnresolved } from '../ui/unresolved.ts'
import { ApiFailure } from './api.ts'

interface Submission<Typed extends FieldValues, Body, Reply> {
  form: UseFormReturn<Typed, unknown, Body>
  /** The last look before it is sent: may ask the person, and change it; undefined sends nothing. */
  prepare?: (body: Body) => Promise<Body | undefined>
  save: (body: Body, idempotencyKey: string) => Promise<Reply>
  /** Queries that show what was saved. */
  refresh?: QueryKey[]
  done?: string
  /** What the snackbar says when it fails for another reason than a wrong field. */
  failed: string
  /** The snackbar says it too where fields are wrong. */
  alsoSaid?: boolean
  onDone?: (reply: Reply) => void
  /** Deals with a failure in its own way; true when it did. What the person agreed to is sent `again`. */
  recover?: (failure: ApiFailure, body: Body) => Recovery<Body> | Promise<Recovery<Body>>
}

/** A second try of the same content is the same request until it has arrived: the server must not create twice. */
export function useRequestKey() {
  const keys = useRef(new Map<string, string>()).current
  return {
    keyFor: (content: unknown) => {
      const text = JSON.stringify(content)
      const key = keys.get(text) ?? newKey()
      keys.set(text, key)
      return key
    },
    arrived: (content: unknown) => {
      keys.delete(JSON.stringify(content))
    },
  }
}

export type Recovery<Body> = boolean | { again: Body }

/**
 * The one way a form is saved: wrong fields say so under themselves, anything else goes to the snackbar, what was typed
 * stays; once saved, what is on screen is refreshed, the snackbar says it and the form closes.
 */
export function useSubmit<Typed extends FieldValues, Body, Reply>(what: Submission<Typed, Body, Reply>) {
  const { form, prepare, save, refresh = [], done, failed, alsoSaid = false, onDone, recover } = what
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const sending = useRef(false)
  const request = useRequestKey()
  /** What the server asked about, and what was agreed to send instead. */
  const agreed = useRef<{ content: string; body: Body }>(undefined)

  const send = async (valid: Body): Promise<void> => {
    if (sending.current) return
    sending.current = true
    setPending(true)
    try {
      const body = prepare ? await prepare(valid) : valid
      if (body !== undefined) await deliver(body)
    } catch (error) {
      say(failed, { tone: 'danger', detail: failureOf(error).message })
    } finally {
      sending.current = false
      setPending(false)
    }
  }

  const deliver = async (asked: Body): Promise<void> => {
    const content = JSON.stringify(asked)
    // Agreed to before and then lost on the way: asking again would send it as another request.
    const body = agreed.current?.content === content ? agreed.current.body : asked
    try {
      const reply = await save(body, request.keyFor(body))
      request.arrived(body)
      agreed.current = undefined
      for (const queryKey of refresh) void client.invalidateQueries({ queryKey })
      if (done) say(done)
      onDone?.(reply)
    } catch (error) {
      const failure = failureOf(error)
      const recovered = await recover?.(failure, body)
      if (typeof recovered === 'object') {
        agreed.current = { content, body: recovered.again }
        return deliver(asked)
      }
      if (recovered) return
      const { see } = failure
      if (failure.status === 422 && showUnderFields(form, failure.errors) && !alsoSaid && !see) return
      say(failed, { tone: 'danger', detail: failure.message, see })
    }
  }

  const submit = async (event?: BaseSyntheticEvent): Promise<void> => {
    // A drawer opened from inside another form sits in its React tree: its Enter is not the outer form's.
    event?.stopPropagation()
    if (focusUnresolved(event?.currentTarget)) return event?.preventDefault()
    await form.handleSubmit((body) => send(body))(event)
  }

  return { submit, isPending }
}

const failureOf = (error: unknown) => (error instanceof ApiFailure ? error : new ApiFailure(0, String(error)))

/** False when no field of the form was named: then somebody else must say what is wrong. */
function showUnderFields<Typed extends FieldValues>(
  form: UseFormReturn<Typed, unknown, never> | UseFormReturn<Typed, unknown, unknown>,
  errors: Record<string, string[]>,
): boolean {
  const values = form.getValues()
  const order = pathsOf(values)
  const known = Object.keys(errors)
    .filter((key) => get(values, key) !== undefined)
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
  for (const key of known)
    form.setError(key as FieldPath<Typed>, { type: 'server', message: errors[key]?.[0] ?? 'El valor no es válido.' })
  // The field is disabled while it is being saved, and a disabled field takes no focus: wait for the next paint.
  if (known[0]) setTimeout(() => form.setFocus(known[0] as FieldPath<Typed>))
  return known.length > 0
}

/** Every field of a form in the order its default values have them, which is the order on screen. */
const pathsOf = (values: object, under = ''): string[] =>
  Object.entries(values).flatMap(([key, value]) => [
    under + key,
    ...(typeof value === 'object' && value !== null ? pathsOf(value, `${under}${key}.`) : []),
  ])

export const newKey = () =>
  typeof crypto.randomUUID === 'function'
    ? crypto.randomUUID()
    : // Plain http on a workshop's network has no randomUUID.
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
