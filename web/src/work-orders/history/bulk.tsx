import { useQuery } from '@tanstack/react-query'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import { type WorkOrderEdit, type WorkOrderRow, workOrders } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { fullName } from '#contract/workshops/rosters.ts'
import type { BulkField } from '../../frames/bulk-drawer.tsx'
import { BulkEdit, workshopOf } from '../../frames/bulk-edit.tsx'
import { call } from '../../platform/api.ts'
import { useMay } from '../../platform/session.ts'
import { choicesOf } from '../../ui/choices.ts'
import { specialistsQuery } from '../choices.ts'
import { workOrdersKey } from '../queries.ts'

const NOUN = { one: 'orden', many: 'órdenes' }
const nameOf = ({ code }: WorkOrderRow) => code

const fields: BulkField<WorkOrderRow>[] = [
  { key: 'priority', label: WORK_ORDER_FIELDS.priority.label, useChoices: () => choicesOf(PRIORITIES) },
  {
    key: 'responsible_specialist_id',
    label: WORK_ORDER_FIELDS.responsible_specialist_id.label,
    id: true,
    none: 'Sin responsable',
    useChoices: (orders) =>
      useQuery(specialistsQuery(workshopOf(orders))).data?.map((who) => ({
        value: String(who.id),
        label: fullName(who),
      })),
  },
]

/** What is changed of several orders at once; a finalized one stays as it was signed. */
export function useOrdersBulk() {
  if (!useMay('work-orders.write')) return undefined
  return {
    name: nameOf,
    actions: (chosen: WorkOrderRow[], clear: () => void) => {
      const open = chosen.filter((order) => !isClosed(order))
      return (
        <BulkEdit
          rows={open}
          noun={NOUN}
          name={nameOf}
          fields={fields}
          save={({ id }, change) => call(workOrders.updateWorkOrder, { params: { id }, body: change as WorkOrderEdit })}
          refresh={workOrdersKey}
          note={open.length < chosen.length ? 'Las órdenes finalizadas no cambian.' : undefined}
          onDone={clear}
        />
      )
    },
  }
}
