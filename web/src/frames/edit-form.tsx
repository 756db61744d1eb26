import { Button } from '@mantine/core'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import { STALE } from '#contract/base/wire.ts'
import type { ApiFailure } from '../platform/api.ts'
import { useSubmit } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { FormProblems } from '../ui/form-problems.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import styles from './form-page.module.css'

/**
 * Somebody else saved first: offers to load what they wrote, keeping what was typed here so that it can be looked at
 * and saved again. False when the failure was another one.
 */
export async function recoverStale<Typed extends FieldValues, Body>(
  failure: ApiFailure,
  { form, what, reread }: { form: UseFormReturn<Typed, unknown, Body>; what: string; reread: () => Promise<Typed> },
): Promise<boolean> {
  if (failure.status !== 409 || failure.message !== STALE) return false
  const reload = await confirm({
    title: `Otra persona cambió ${what}`,
    message: 'Se cargarán sus cambios y se conservará lo que usted escribió, para que lo revise y guarde de nuevo.',
    accept: 'Recargar',
    cancel: 'Ahora no',
  })
  if (!reload) return true
  const typed = form.getValues()
  const before = (form.formState.defaultValues ?? {}) as Partial<Typed>
  form.reset(await reread())
  for (const field of Object.keys(typed) as FieldPath<Typed>[])
    if (typed[field] !== before[field]) form.setValue(field, typed[field], { shouldDirty: true })
  return true
}

interface Edit<Row, Typed extends FieldValues, Body> {
  row: Row
  typedOf: (row: Row) => Typed
  resolver: Resolver<Typed, unknown, Body>
  /** Reads it afresh. */
  query: { queryKey: QueryKey; queryFn?: unknown }
  save: (body: Body) => Promise<Row>
  refresh: QueryKey[]
  /** As in "Otra persona cambió este equipo". */
  what: string
  done: string
  failed: string
  /** Addresses that belong to the same page: moving between them leaves nothing behind. */
  within?: string
}

/** The form of one thing on its own page: follows what others change until somebody types, then waits for them. */
export function useEdit<Row, Typed extends FieldValues, Body>(edit: Edit<Row, Typed, Body>) {
  const { row, typedOf, query, save, refresh, what, done, failed, within } = edit
  const client = useQueryClient()
  const form = useForm<Typed, unknown, Body>({
    resolver: edit.resolver,
    defaultValues: typedOf(row) as DefaultValues<Typed>,
  })
  const { isDirty } = form.formState
  useLeaveGuard(isDirty, within)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed follows the row, not how it is read
  useEffect(() => {
    if (!isDirty) form.reset(typedOf(row))
  }, [row, isDirty, form])

  const { submit, isPending } = useSubmit({
    form,
    save,
    refresh,
    done,
    failed,
    onDone: (after) => {
      client.setQueryData(query.queryKey, after)
      form.reset(typedOf(after))
    },
    recover: (failure) =>
      recoverStale(failure, {
        form,
        what,
        reread: async () => typedOf(await client.fetchQuery({ ...(query as { queryKey: QueryKey }), staleTime: 0 })),
      }),
  })
  return { form, submit, isPending, isDirty, discard: () => form.reset(typedOf(row)) }
}

/** The card of such a form, with its ways out. */
export function EditForm({
  edit: { submit, isPending, isDirty, discard },
  children,
}: {
  edit: Pick<ReturnType<typeof useEdit>, 'submit' | 'isPending' | 'isDirty' | 'discard'>
  children: ReactNode
}) {
  return (
    <form className={styles.card} onSubmit={submit} noValidate>
      {children}
      <FormProblems />
      <div className={styles.buttons}>
        {isDirty && <span className={styles.changed}>Hay cambios sin guardar</span>}
        <Button variant="subtle" disabled={!isDirty || isPending} onClick={discard}>
          Descartar
        </Button>
        <Button type="submit" disabled={!isDirty} loading={isPending}>
          Guardar cambios
        </Button>
      </div>
    </form>
  )
}
