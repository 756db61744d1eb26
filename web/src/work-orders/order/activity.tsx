import type { ComponentProps } from 'react'
import { showMoney } from '#contract/base/money.ts'
import { ACTIVITY_FIELDS, WORK_ORDER_ACTIONS } from '#contract/work-orders/activity.ts'
import { workOrders } from '#contract/work-orders/orders.ts'
import { ActivityTab } from '../../frames/activity-tab.tsx'
import { call } from '../../platform/api.ts'
import { workOrdersKey } from '../queries.ts'

const ACTIONS: ComponentProps<typeof ActivityTab>['words']['actions'] = {
  ...WORK_ORDER_ACTIONS,
  recosted: ({ because, supplies_cost }) => {
    const [was, is] = (supplies_cost ?? []).map((pesos) => showMoney(Number(pesos)))
    return `costo recalculado por ${because?.[1]}${was ? `: ${was} → ${is}` : ''}`
  },
}
const WORDS = {
  actions: ACTIONS,
  fields: ACTIVITY_FIELDS,
  empty: 'Aquí queda cada cambio de la orden.',
}

export const OrderActivity = ({ id }: { id: number }) => (
  <ActivityTab
    queryKey={[...workOrdersKey, 'activity', id]}
    read={(query, signal) => call(workOrders.workOrderActivity, { params: { id }, query, signal })}
    words={WORDS}
  />
)
