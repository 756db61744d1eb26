import { showDate } from '#contract/base/dates.ts'
import { showKm, showMoney } from '#contract/base/money.ts'
import { PRIORITIES } from '#contract/base/priorities.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import type { WorkOrderRow } from '#contract/work-orders/orders.ts'
import { WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import type { Column } from '../../frames/list-table.tsx'
import { Plate } from '../../ui/plate.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { PriorityBars } from '../priority.tsx'

/** The columns of every list of orders. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list, read from its first column to its last
export const orderColumns = (zone: string): Column<WorkOrderRow>[] => {
  const day = (at: string | null) => at && showDate(at, zone)
  const file = (at: string | null) => (at ? new Date(at) : null)
  const money = (key: 'supplies_cost' | 'services_cost' | 'total_cost', label: string, rank: number) => ({
    key,
    label,
    sort: true,
    align: 'end' as const,
    width: 116,
    rank,
    cell: (order: WorkOrderRow) => <span className="figures">{showMoney(order[key])}</span>,
    file: (order: WorkOrderRow) => order[key],
    fileFormat: '#,##0',
  })
  return [
    {
      key: 'code',
      label: 'Número',
      sort: true,
      width: 110,
      rank: 1,
      fixed: true,
      cell: (order) => <span className="mono">{order.code}</span>,
      file: (order) => order.code,
    },
    {
      key: 'patent',
      label: 'Equipo',
      sort: true,
      width: 112,
      rank: 2,
      fixed: true,
      cell: (order) => <Plate text={showPatent(order.patent)} />,
      file: (order) => showPatent(order.patent),
    },
    {
      key: 'request',
      label: 'Solicitud',
      plain: true,
      width: 200,
      rank: 5,
      cell: (order) => order.request,
      file: (order) => order.request,
    },
    {
      key: 'status',
      label: 'Estado',
      sort: true,
      width: 124,
      rank: 3,
      cell: ({ status }) => (
        <StatusPill tone={WORK_ORDER_STATES[status].tone}>{WORK_ORDER_STATES[status].label}</StatusPill>
      ),
      file: ({ status }) => WORK_ORDER_STATES[status].label,
    },
    {
      key: 'type_maintenance',
      label: 'Tipo',
      sort: true,
      plain: true,
      width: 104,
      rank: 8,
      cell: (order) => order.type_maintenance,
      file: (order) => order.type_maintenance,
    },
    {
      key: 'priority',
      label: 'Prioridad',
      sort: true,
      plain: true,
      width: 100,
      rank: 11,
      hidden: true,
      cell: (order) => <PriorityBars priority={order.priority} word />,
      file: (order) => PRIORITIES[order.priority].label,
    },
    {
      key: 'responsible_specialist',
      label: 'Responsable',
      sort: true,
      width: 140,
      rank: 10,
      cell: (order) => order.responsible_specialist,
      file: (order) => order.responsible_specialist,
    },
    {
      key: 'created_at',
      label: 'Creada',
      sort: true,
      width: 112,
      rank: 6,
      cell: (order) => day(order.created_at),
      file: (order) => file(order.created_at),
      fileFormat: 'dd-mm-yyyy hh:mm',
    },
    {
      key: 'workshop_entry_at',
      label: 'Ingreso',
      sort: true,
      width: 112,
      rank: 12,
      hidden: true,
      cell: (order) => day(order.workshop_entry_at),
      file: (order) => file(order.workshop_entry_at),
      fileFormat: 'dd-mm-yyyy hh:mm',
    },
    {
      key: 'workshop_departure_at',
      label: 'Salida',
      sort: true,
      width: 112,
      rank: 9,
      cell: (order) => day(order.workshop_departure_at),
      file: (order) => file(order.workshop_departure_at),
      fileFormat: 'dd-mm-yyyy hh:mm',
    },
    {
      key: 'kilometer',
      label: 'Kilometraje',
      sort: true,
      plain: true,
      align: 'end',
      width: 116,
      rank: 13,
      hidden: true,
      cell: (order) => order.kilometer !== null && <span className="figures">{showKm(order.kilometer)}</span>,
      file: (order) => order.kilometer,
      fileFormat: '#,##0',
    },
    {
      key: 'coupled_patent',
      label: 'Acoplado',
      width: 112,
      rank: 14,
      hidden: true,
      cell: (order) => order.coupled_patent && <Plate text={showPatent(order.coupled_patent)} />,
      file: (order) => (order.coupled_patent ? showPatent(order.coupled_patent) : null),
    },
    {
      key: 'workshop_name',
      label: 'Taller',
      plain: true,
      width: 140,
      rank: 15,
      hidden: true,
      cell: (order) => order.workshop_name,
      file: (order) => order.workshop_name,
    },
    { ...money('supplies_cost', 'Insumos', 16), hidden: true },
    { ...money('services_cost', 'Servicios', 17), hidden: true },
    money('total_cost', 'Total', 4),
  ]
}
