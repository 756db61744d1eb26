import { useMemo } from 'react'
import { showDate } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import type { WorkOrderRow } from '#contract/work-orders/orders.ts'
import { listColumns } from '../../frames/fields.tsx'
import { useMay, useZone } from '../../platform/session.ts'
import { Plate } from '../../ui/plate.tsx'
import { useSeesLabour } from '../../workshops/labour.ts'
import { PriorityBars } from '../priority.tsx'

const orderColumns = (zone: string, costs: boolean, labour: boolean) => {
  const day = (at: string | null) => at && showDate(at, zone)
  return listColumns<WorkOrderRow, keyof typeof WORK_ORDER_FIELDS>(
    WORK_ORDER_FIELDS,
    {
      code: {
        card: 'top',
        sort: true,
        width: 104,
        rank: 1,
        fixed: true,
        cell: ({ code }) => <span className="mono">{code}</span>,
      },
      truck_id: {
        card: 'top',
        sort: true,
        width: 112,
        rank: 2,
        fixed: true,
        cell: ({ patent }) => <Plate text={showPatent(patent)} />,
      },
      request: { card: 'title', plain: true, width: 184, rank: 5 },
      status: { card: 'state', sort: true, width: 118, rank: 3 },
      type_maintenance_id: { card: 'meta', sort: true, plain: true, width: 104, rank: 8 },
      priority: {
        sort: true,
        plain: true,
        width: 100,
        rank: 11,
        hidden: true,
        cell: ({ priority }) => <PriorityBars priority={priority} word />,
      },
      responsible_specialist_id: { sort: true, width: 148, rank: 10 },
      created_at: { card: 'end', sort: true, width: 112, rank: 6, cell: ({ created_at }) => day(created_at) },
      workshop_entry_at: {
        sort: true,
        width: 112,
        rank: 12,
        hidden: true,
        cell: ({ workshop_entry_at }) => day(workshop_entry_at),
      },
      workshop_departure_at: {
        sort: true,
        width: 112,
        rank: 9,
        cell: ({ workshop_departure_at }) => day(workshop_departure_at),
      },
      kilometer: { sort: true, plain: true, width: 116, rank: 13, hidden: true },
      coupled_id: {
        width: 112,
        rank: 14,
        hidden: true,
        cell: ({ coupled_patent }) => coupled_patent && <Plate text={showPatent(coupled_patent)} />,
      },
      workshop_id: { plain: true, width: 140, rank: 15, hidden: true },
      ...(costs && {
        supplies_cost: { sort: true, width: 116, rank: 16, hidden: true },
        services_cost: { sort: true, width: 116, rank: 17, hidden: true },
        total_cost: { card: 'figure', sort: true, width: 116, rank: 4 },
      }),
      ...(labour && {
        labour: { width: 116, rank: 18, hidden: true },
        total_with_labour: { width: 140, rank: 7 },
      }),
    },
    zone,
  )
}

/** The columns of every list of orders. */
export function useOrderColumns() {
  const zone = useZone()
  const costs = useMay('costs.read')
  const labour = useSeesLabour()
  return useMemo(() => orderColumns(zone, costs, labour), [zone, costs, labour])
}
