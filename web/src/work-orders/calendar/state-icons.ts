import { IconCircleCheck, IconCircleDashed, IconEye, IconTool } from '@tabler/icons-react'
import { WORK_ORDER_STATES, type WorkOrderStatus } from '#contract/work-orders/states.ts'

const ICONS = { dashed: IconCircleDashed, eye: IconEye, tool: IconTool, check: IconCircleCheck }

/** How far an order is, where its colour says what kind it is. */
export const stateIcon = (status: WorkOrderStatus) => ICONS[WORK_ORDER_STATES[status].icon]
