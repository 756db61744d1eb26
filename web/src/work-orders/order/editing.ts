import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { call } from '../../platform/api.ts'
import { useZone } from '../../platform/session.ts'
import { useSubmit } from '../../platform/submit.ts'
import { useLeaveGuard } from '../../ui/leave-guard.ts'
import { say } from '../../ui/snackbar.tsx'
import { asksAboutKilometers, confirmLower } from '../board/moves.ts'
import { workOrderQuery, workOrdersKey } from '../queries.ts'
import type { Answer } from './conflict.tsx'
import { useDraft } from './draft.ts'
import { differences, hasArrived, mergeOrders } from './merge.ts'
import { type OrderBody, type OrderTyped, orderResolver, typedOf } from './typed.ts'

const SAVED = 'Orden de trabajo guardada ✅'

/**
 * An order being edited by one person while others may save it too. Long: what was read, what is typed and what others
 * saved change one another, and are followed in one place.
 */
export function useOrderEditing(order: WorkOrder, readOnly: boolean, hasWarehouse: boolean) {
  const zone = useZone()
  const typedNow = useCallback((one: WorkOrder) => typedOf(one, zone, hasWarehouse), [zone, hasWarehouse])
  const client = useQueryClient()
  /** The version that what is typed started from. */
  const read = useRef(order)
  const afterSave = useRef<() => void>(undefined)
  const [conflict, setConflict] = useState<WorkOrder>()
  const form = useForm<OrderTyped, unknown, OrderBody>({
    resolver: useMemo(() => orderResolver(zone, () => read.current), [zone]),
    defaultValues: typedNow(order),
  })
  const { isDirty } = form.formState
  useLeaveGuard(isDirty)
  const draft = useDraft(form, order.id, !readOnly)

  const follow = (after: WorkOrder) => {
    read.current = after
    form.reset(typedNow(after))
  }
  const arrived = (theirs: WorkOrder) => hasArrived(typedNow(read.current), form.getValues(), typedNow(theirs))
  const kept = (after: WorkOrder) => {
    follow(after)
    client.setQueryData(workOrderQuery(order.id).queryKey, after)
    draft.forget()
    const next = afterSave.current
    afterSave.current = undefined
    next?.()
  }

  const bring = (theirs: WorkOrder) => {
    const next = typedNow(theirs)
    const merged = mergeOrders(typedNow(read.current), form.getValues(), next)
    read.current = theirs
    form.reset(next)
    for (const field of Object.keys(merged) as (keyof OrderTyped)[])
      if (JSON.stringify(merged[field]) !== JSON.stringify(next[field]))
        form.setValue(field, merged[field] as never, { shouldDirty: true })
  }

  // While nobody types, the form follows what others save; once somebody does, it waits for them to decide. Where the
  // order was finalized meanwhile, what was typed stays in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the order changes, or the typing ends
  useEffect(() => {
    if (order === read.current) return
    if (!isDirty || arrived(order)) follow(order)
    else if (!readOnly && differences(typedNow(read.current), form.getValues(), typedNow(order)).length === 0)
      bring(order)
  }, [order, isDirty, readOnly])

  const { submit, isPending } = useSubmit({
    form,
    save: (body) =>
      call(body.has_warehouse ? workOrders.updateWorkOrderWithWarehouse : workOrders.updateWorkOrder, {
        params: { id: order.id },
        body,
      }),
    refresh: [workOrdersKey, ['fleet'], ['warehouses']],
    done: SAVED,
    failed: 'Error al guardar la orden de trabajo ❌',
    onDone: kept,
    recover: async (failure, body) => {
      if (failure.status === 409) {
        const then = afterSave.current
        afterSave.current = undefined
        const mine = { read: typedNow(read.current), typed: structuredClone(form.getValues()) }
        const theirs = await client.fetchQuery({ ...workOrderQuery(order.id), staleTime: 0 })
        if (hasArrived(mine.read, mine.typed, typedNow(theirs))) {
          afterSave.current = then
          kept(theirs)
          say(SAVED)
          return true
        }
        // There is nothing to save it over: the page says that it was finalized.
        if (isClosed(theirs)) return false
        setConflict(theirs)
        return true
      }
      if (asksAboutKilometers(failure) && (await confirmLower(failure)))
        return { again: { ...body, confirm_lower: true } }
      afterSave.current = undefined
      return false
    },
  })

  const answer = (said: Answer) => {
    const theirs = conflict
    setConflict(undefined)
    if (!theirs || !said) return
    bring(theirs)
    if (said === 'overwrite') setTimeout(() => void submit())
  }

  return {
    form,
    isDirty,
    isPending,
    draft,
    /** Saves first where something is typed. */
    saved: (then: () => void) => {
      if (!isDirty) return then()
      afterSave.current = then
      void submit()
    },
    submit: (event?: React.BaseSyntheticEvent) => {
      afterSave.current = undefined
      return submit(event)
    },
    discard: () => {
      draft.forget()
      follow(order)
    },
    /** What was just done here beside the form comes in without asking. */
    absorb: async () => {
      const theirs = await client.fetchQuery({ ...workOrderQuery(order.id), staleTime: 0 })
      if (form.formState.isDirty) bring(theirs)
      else follow(theirs)
    },
    /** Somebody saved since this was read. */
    isBehind: isDirty && order.updated_at !== read.current.updated_at,
    bring: () => bring(order),
    conflict: conflict && {
      order: conflict,
      differences: differences(typedNow(read.current), form.getValues(), typedNow(conflict)),
    },
    answer,
  }
}
