import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showAmount } from '#contract/base/units.ts'
import type { PlannedSupply } from '#contract/work-orders/lines.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { useRequestKey } from '../../platform/submit.ts'
import { say } from '../../ui/snackbar.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { workOrdersKey } from '../queries.ts'

/** Asks for a part, hands it over, or asks for it no more: at once, beside whatever is being typed. */
export function usePlanning(order: number) {
  const client = useQueryClient()
  const request = useRequestKey()
  const [isPending, setPending] = useState(false)
  const attempt = async (content: object, act: (key: string) => Promise<unknown>, done: string, failed: string) => {
    setPending(true)
    try {
      await act(request.keyFor(content))
      request.arrived(content)
      say(done)
      return true
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
      return false
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: workOrdersKey })
    }
  }
  const params = { id: order }
  return {
    isPending,
    take: ({ supply_id, name, unit }: { supply_id: number; name: string; unit: string | null }, count: number) => {
      const body = { supply_id, count }
      const act = (idempotencyKey: string) => call(workOrderParts.useSupply, { params, body, idempotencyKey })
      return attempt({ use: body }, act, `${name}: ${showAmount(count, unit)} a la orden`, 'No se pudo agregar')
    },
    ask: ({ supply_id, name, unit }: { supply_id: number; name: string; unit: string | null }, count: number) => {
      const body = { supply_id, count }
      const act = (idempotencyKey: string) => call(workOrderParts.planSupply, { params, body, idempotencyKey })
      return attempt(
        { plan: body },
        act,
        `Pedido para la orden: ${name}, ${showAmount(count, unit)}`,
        'No se pudo pedir',
      )
    },
    forget: ({ id, name }: PlannedSupply) => {
      const act = () => call(workOrderParts.forgetPlannedSupply, { params: { id } })
      return attempt({ forget: id }, act, `${name}: ya no se pide`, 'No se pudo quitar')
    },
  }
}

export const PlannedState = ({ line: { reserved, missing, unit } }: { line: PlannedSupply }) => (
  <>
    {reserved > 0 && <StatusPill tone="success">{`Apartado: ${showAmount(reserved, unit)}`}</StatusPill>}{' '}
    {missing > 0 && <StatusPill tone="orange">{`Falta: ${showAmount(missing, unit)}`}</StatusPill>}
  </>
)
