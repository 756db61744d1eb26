import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  IconCheck,
  IconChevronDown,
  IconLogin2,
  IconPlayerPlay,
  IconShoppingCart,
  IconSignature,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { WORK_STATES } from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import {
  isClosed,
  nextOf,
  WORK_ORDER_STATES,
  WORK_ORDER_STATUS_NAMES,
  WORKING_STATUS,
  type WorkOrderStatus,
} from '#contract/work-orders/states.ts'
import { useMay, useZone } from '../../platform/session.ts'
import { StatusPill } from '../../ui/status-pill.tsx'
import { sayMissing, showDue } from '../words.ts'
import styles from './page.module.css'

export const worksLeft = ({ works }: WorkOrder) => works.filter(({ state }) => !WORK_STATES[state].done).length
export const sayLeft = (left: number) => (left === 1 ? 'Queda 1 trabajo' : `Quedan ${left} trabajos`)

interface Step {
  label: string
  /** Why that is what comes next. */
  why: string
  icon: typeof IconCheck
  do: 'move' | 'ask' | 'buy' | 'deliver'
  to?: WorkOrderStatus
}

/** What comes next with an order; nothing once its truck was handed over. */
export function stepOf(order: WorkOrder, mayBuy: boolean, zone: string): Step | undefined {
  const { step: label, awaited, next } = WORK_ORDER_STATES[order.status]
  if (isClosed(order)) {
    const isSigned = order.signatures.some(({ kind, holds }) => kind === 'delivered' && holds)
    return isSigned
      ? undefined
      : { label, why: 'Falta la firma de quien lo recibe', icon: IconSignature, do: 'deliver' }
  }
  if (awaited)
    return {
      label,
      why: [order.box_name, showDue(order, zone)?.text].filter(Boolean).join(' · ') || 'El equipo llega al taller',
      icon: IconLogin2,
      do: 'move',
      to: next[0],
    }
  const left = worksLeft(order)
  const missing = sayMissing(order)
  if (missing && left > 0 && mayBuy && order.warehouse_id !== null)
    return { label: 'Pedir repuestos', why: missing, icon: IconShoppingCart, do: 'buy' }
  if (order.waiting_for_parts && left > 0 && order.has_warehouse && order.planned_supplies.length === 0)
    return { label: 'Pedir repuestos', why: 'La orden los espera', icon: IconShoppingCart, do: 'ask' }
  if (order.status !== WORKING_STATUS)
    return {
      label,
      why: left === 0 ? 'Sin trabajos anotados' : sayLeft(left),
      icon: IconPlayerPlay,
      do: 'move',
      to: next[0],
    }
  return {
    label,
    why: order.works.length === 0 ? 'Sin trabajos anotados' : left === 0 ? 'Trabajos terminados' : sayLeft(left),
    icon: IconCheck,
    do: 'move',
    to: next[0],
  }
}

interface NextStepProps {
  order: WorkOrder
  mayMove: boolean
  isPending: boolean
  onMove: (status: WorkOrderStatus) => void
  onAsk: () => void
  onDeliver: () => void
}

/** One large button with what is next and why; the other moves are behind its caret. */
export function NextStep({ order, mayMove, isPending, onMove, onAsk, onDeliver }: NextStepProps) {
  const zone = useZone()
  const navigate = useNavigate()
  const mayBuy = useMay('warehouses.write')
  const mayWork = useMay('work-orders.work')
  const step = stepOf(order, mayBuy, zone)
  const closed = isClosed(order)
  if (!mayWork) return null
  const act = () => {
    if (step?.do === 'move' && step.to) onMove(step.to)
    else if (step?.do === 'ask') onAsk()
    else if (step?.do === 'deliver') onDeliver()
    else if (step?.do === 'buy')
      void navigate({
        to: '/warehouse/$id',
        params: { id: String(order.warehouse_id) },
        search: { tab: 'purchases-orders', requests: 1 },
      })
  }
  return (
    <div className={styles.next}>
      {step && (
        <Button
          className={styles.nextButton}
          data-alone={!mayMove || undefined}
          leftSection={<step.icon size={20} stroke={1.7} aria-hidden />}
          loading={isPending}
          onClick={act}
        >
          <span className={styles.nextWords}>
            <span>{step.label}</span> <small>{step.why}</small>
          </span>
        </Button>
      )}
      {mayMove && (
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <ActionIcon
              className={styles.caret}
              variant={step ? 'filled' : 'default'}
              data-alone={!step || undefined}
              aria-label={`Estado: ${WORK_ORDER_STATES[order.status].label}. Mover a…`}
            >
              <IconChevronDown size={18} stroke={1.9} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {closed && (
              <Menu.Item data-autofocus onClick={() => onMove(WORK_ORDER_STATES[order.status].next[0])}>
                Reabrir
              </Menu.Item>
            )}
            <Menu.Label>Mover a…</Menu.Label>
            {WORK_ORDER_STATUS_NAMES.map((status) => (
              <Menu.Item
                key={status}
                {...(nextOf(order.status).includes(status) ? { 'data-autofocus': true } : { disabled: true })}
                onClick={() => onMove(status)}
              >
                <StatusPill tone={WORK_ORDER_STATES[status].tone}>{WORK_ORDER_STATES[status].label}</StatusPill>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
