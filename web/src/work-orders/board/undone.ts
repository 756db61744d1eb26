import { WORK_STATES } from '#contract/work-orders/lines.ts'
import { type WorkOrder, workOrders } from '#contract/work-orders/orders.ts'
import { call } from '../../platform/api.ts'
import { confirm } from '../../ui/confirm.tsx'
import type { Used } from './used-dialog.tsx'

/** Before an order is closed: works that nobody has finished are named, and what was kept for it is answered for. */
export async function beforeClosing(id: number): Promise<{ used: Used[] } | undefined> {
  const order = await call(workOrders.getWorkOrder, { params: { id } })
  return (await confirmUndone(order)) ? askUsed(order) : undefined
}

async function confirmUndone({ code, works }: WorkOrder) {
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

async function askUsed({ code, planned_supplies }: WorkOrder) {
  const kept = planned_supplies.filter(({ reserved }) => reserved > 0)
  let used: Used[] = []
  if (kept.length === 0) return { used }
  const { usedDialog } = await import('./used-dialog.tsx')
  const dialog = usedDialog(code, kept, (said) => {
    used = said
  })
  return (await confirm({ dialog })) ? { used } : undefined
}
