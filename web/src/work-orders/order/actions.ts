import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { isClosed, WORK_ORDER_STATES, type WorkOrderStatus } from '#contract/work-orders/states.ts'
import { call } from '../../platform/api.ts'
import { confirm } from '../../ui/confirm.tsx'
import { say } from '../../ui/snackbar.tsx'
import { sendMove } from '../board/moves.ts'
import { workOrderQuery, workOrdersKey } from '../queries.ts'

/** What is done to a whole order from its own page. */
export function useOrderActions(order: Pick<WorkOrder, 'id' | 'code' | 'status' | 'position'>) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)

  const attempt = async (act: () => Promise<unknown>, failed: string) => {
    setPending(true)
    try {
      await act()
    } catch (error) {
      say(failed, { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: workOrdersKey })
    }
  }

  const moveTo = (status: WorkOrderStatus, position?: number): Promise<void> =>
    attempt(async () => {
      const placed = await sendMove(order.id, { status, position })
      if (!placed) return
      await client.invalidateQueries({ queryKey: workOrderQuery(order.id).queryKey })
      say(
        isClosed({ status })
          ? `${order.code} finalizada ✅`
          : `${order.code} pasó a ${WORK_ORDER_STATES[status].label}`,
        position === undefined ? { undo: () => void moveTo(order.status, order.position) } : {},
      )
    }, `No se pudo mover ${order.code}`)

  const remove = async () => {
    const sure = await confirm({
      title: `¿Eliminar ${order.code}?`,
      message: 'Sus insumos vuelven a la bodega. No se puede deshacer.',
      accept: 'Eliminar',
      danger: true,
    })
    if (!sure) return
    await attempt(async () => {
      await call(workOrders.deleteWorkOrder, { params: { id: order.id } })
      await navigate({ to: '/ordenes-de-trabajo', ignoreBlocker: true })
      client.removeQueries({ queryKey: workOrderQuery(order.id).queryKey })
      say(`${order.code} eliminada`)
    }, `No se pudo eliminar ${order.code}`)
  }

  return { moveTo, remove, isPending }
}
