import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { useMe } from '../../platform/session.ts'
import { keep, recall } from '../../platform/storage.ts'
import type { OrderForm, OrderTyped } from './typed.ts'

/* What is typed and not saved is kept by the browser: a dead battery or a closed tab loses nothing. */

const Kept = z.object({ at: z.string(), typed: z.record(z.string(), z.unknown()) })
const PAUSE = 400

const nameOf = (me: { id: number; company_id: number }, order: number | 'new') =>
  `list.draft.work-order.${me.company_id}.${me.id}.${order}` as const

function read(name: ReturnType<typeof nameOf>): { at: string; typed: OrderTyped } | undefined {
  try {
    const kept = Kept.parse(JSON.parse(recall(name) ?? ''))
    return { at: kept.at, typed: kept.typed as unknown as OrderTyped }
  } catch {
    return undefined
  }
}

/** Restores what was left behind, keeps what is typed, and forgets it once it is saved or let go. */
export function useDraft(form: OrderForm, order: number | 'new', isEnabled: boolean) {
  const me = useMe()
  const name = nameOf(me, order)
  const [restoredAt, setRestoredAt] = useState<string>()
  const isClosed = useRef(false)
  const { isDirty } = form.formState

  const write = useDebouncedCallback(() => {
    if (!isClosed.current) keep(name, JSON.stringify({ at: new Date().toISOString(), typed: form.getValues() }))
  }, PAUSE)
  const forget = () => {
    write.cancel()
    keep(name, null)
    setRestoredAt(undefined)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens
  useEffect(() => {
    const kept = isEnabled ? read(name) : undefined
    if (!kept) return
    // Where supplies come from is the company's rule, whatever it was when this was typed.
    for (const field of Object.keys(form.getValues()) as (keyof OrderTyped)[])
      if (field in kept.typed && field !== 'has_warehouse')
        form.setValue(field, kept.typed[field] as never, { shouldDirty: true })
    if (kept.typed.updated_at) form.setValue('updated_at', kept.typed.updated_at)
    setRestoredAt(kept.at)
  }, [])

  useEffect(() => {
    if (!isEnabled) return
    const watching = form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ isDirty: dirty }) => {
        if (dirty) write()
      },
    })
    return watching
  }, [form, isEnabled, write])

  useEffect(() => {
    if (!isDirty && restoredAt) setRestoredAt(undefined)
  }, [isDirty, restoredAt])

  // Leaving within the application was asked about: what was let go there is not brought back. A closed tab is not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is left
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
      write.cancel()
      keep(name, null)
    }
  }, [name])

  return { restoredAt, forget }
}
