/**
 * The columns of the board, in their order. All that is asked of a status stands here, and no other file names one.
 *
 * - `group`: the board's name for the column.
 * - `awaited`: the truck has not come yet; leaving the column for the workshop is its entry. Finalized from there, it never came.
 * - `closed`: entering stamps when it was finalized and left; nothing of the order changes until it is reopened.
 * - `next`: where it may go, the likeliest first.
 * - `step`: what is done next with an order that stands there.
 */
export const WORK_ORDER_STATES = {
  PENDING: {
    label: 'Pendiente',
    step: 'Recibir',
    tone: 'slate',
    icon: 'dashed',
    group: 'pending',
    awaited: true,
    closed: false,
    next: ['IN_REVIEW', 'IN_PROCESS', 'FINALIZED'],
  },
  IN_REVIEW: {
    label: 'En revisión',
    step: 'Iniciar',
    tone: 'warning',
    icon: 'eye',
    group: 'in_revision',
    awaited: false,
    closed: false,
    next: ['IN_PROCESS', 'FINALIZED', 'PENDING'],
  },
  IN_PROCESS: {
    label: 'En proceso',
    step: 'Finalizar',
    tone: 'info',
    icon: 'tool',
    group: 'in_progress',
    awaited: false,
    closed: false,
    next: ['FINALIZED', 'IN_REVIEW', 'PENDING'],
  },
  FINALIZED: {
    label: 'Finalizada',
    step: 'Entregar',
    tone: 'success',
    icon: 'check',
    group: 'finalized',
    awaited: false,
    closed: true,
    next: ['IN_PROCESS', 'IN_REVIEW', 'PENDING'],
  },
} as const
export type WorkOrderStatus = keyof typeof WORK_ORDER_STATES
export const WORK_ORDER_STATUS_NAMES = Object.keys(WORK_ORDER_STATES) as [WorkOrderStatus, ...WorkOrderStatus[]]

/** Where an order begins, where it is once somebody works on it, and where it ends. */
export const FIRST_STATUS = 'PENDING' satisfies WorkOrderStatus
export const WORKING_STATUS = 'IN_PROCESS' satisfies WorkOrderStatus
export const FINAL_STATUS = 'FINALIZED' satisfies WorkOrderStatus

export const isClosed = ({ status }: { status: WorkOrderStatus }): boolean => WORK_ORDER_STATES[status].closed
export const OPEN_STATUSES = WORK_ORDER_STATUS_NAMES.filter((status) => !isClosed({ status }))
export const nextOf = (status: WorkOrderStatus): readonly WorkOrderStatus[] => WORK_ORDER_STATES[status].next
