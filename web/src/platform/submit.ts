import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type BaseSyntheticEvent, useRef, useState } from 'react'
import { type FieldPath, type FieldValues, get, type UseFormReturn } from 'react-hook-form'
import { showProblems } from '../ui/form-problems.tsx'
import { say, unsay } from '../ui/snackbar.tsx'
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
  const sent = useRef<HTMLFormElement>(null)
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
      unsay(failed)
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
      const isPlaced = failure.status === 422 && showErrors(form, sent.current, failure.errors)
      if (isPlaced && !alsoSaid && !see) return
      say(failed, { tone: 'danger', detail: failure.message, see })
    }
  }

  const submit = async (event?: BaseSyntheticEvent): Promise<void> => {
    // A drawer opened from inside another form sits in its React tree: its Enter is not the outer form's.
    event?.stopPropagation()
    const element = event?.currentTarget
    if (element instanceof HTMLFormElement) {
      sent.current = element
      showProblems(element, [])
    }
    if (focusUnresolved(element)) return event?.preventDefault()
    await form.handleSubmit((body) => send(body))(event)
  }

  return { submit, isPending }
}

const failureOf = (error: unknown) => (error instanceof ApiFailure ? error : new ApiFailure(0, String(error)))

/** Milliseconds after which the messages under the fields have been drawn. */
const DRAWN = 150

/** Keys of a document's own facts may come without the part that the form has them under, and the other way round. */
const PREFIX = /^transaction\./

/**
 * Each problem under its field, and those that no field shows above the buttons. False when none has a place in the
 * form: then somebody else must say what is wrong.
 */
function showErrors<Typed extends FieldValues>(
  form: UseFormReturn<Typed, unknown, never> | UseFormReturn<Typed, unknown, unknown>,
  element: HTMLFormElement | null,
  errors: Record<string, string[]>,
): boolean {
  const values = form.getValues()
  const order = pathsOf(values)
  const fieldOf = (key: string) =>
    [key, key.replace(PREFIX, ''), `transaction.${key}`].find((name) => get(values, name) !== undefined)
  const problems = Object.entries(errors).map(([key, messages]) => ({
    field: fieldOf(key),
    message: messages[0] ?? 'El valor no es válido.',
  }))
  const known = problems
    .flatMap(({ field, message }) => (field === undefined ? [] : [{ field, message }]))
    .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
  for (const { field, message } of known) form.setError(field as FieldPath<Typed>, { type: 'server', message })
  const first = known[0]
  // The field is disabled while it is being saved, and a disabled field takes no focus: wait for the next paint.
  setTimeout(() => {
    if (first) form.setFocus(first.field as FieldPath<Typed>)
  })
  // A value may have no field on this form, or one that is not shown now: only the page itself tells, once it is drawn.
  if (element)
    setTimeout(() => {
      const unseen = problems.filter(({ message }) => !element.textContent.includes(message))
      showProblems(element, [...new Set(unseen.map(({ message }) => message))])
    }, DRAWN)
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
