import { WORK_STATES } from '#contract/work-orders/lines.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { call } from '../../platform/api.ts'
import { confirm } from '../../ui/confirm.tsx'

/** Before an order is closed over works that nobody has finished, they are named. */
export async function confirmUndone(id: number) {
  const { code, works } = await call(workOrders.getWorkOrder, { params: { id } })
  const left = works.filter(({ state }) => !WORK_STATES[state].done)
  if (left.length === 0) return true
  const named = left.map(({ task, description, specialist }) =>
    [task ?? description ?? 'Trabajo', specialist].filter(Boolean).join(' · '),
  )
  return confirm({
    title: `¿Finalizar ${code} con trabajos sin terminar?`,
    message: [left.length === 1 ? 'Queda un trabajo:' : `Quedan ${left.length} trabajos:`, ...named].join('\n'),
    accept: 'Finalizar igual',
    danger: true,
  })
}
