import { expect, it } from 'vitest'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { stepOf } from './next-step.tsx'
import { itemsOf } from './timeline.tsx'

const zone = 'America/Santiago'
const order = (more: object) =>
  ({
    status: 'IN_PROCESS',
    signatures: [],
    works: [],
    planned_supplies: [],
    waiting_for_parts: false,
    has_warehouse: true,
    warehouse_id: 4,
    box_name: null,
    deadline_at: null,
    date_estimed: null,
    ...more,
  }) as unknown as WorkOrder
const step = (more: object, mayBuy = true) => {
  const found = stepOf(order(more), mayBuy, zone)
  return found && `${found.label}: ${found.why}`
}

it('says what is next with an order, and why', () => {
  const works = [{ state: 'done' }, { state: 'pending' }]
  const missing = [{ name: 'Rótula', unit: 'Unidad', reserved: 0, missing: 1 }]
  expect(step({ status: 'PENDING', box_name: 'Box 2' })).toBe('Recibir: Box 2')
  expect(step({ status: 'IN_REVIEW', works })).toBe('Iniciar: Queda 1 trabajo')
  expect(step({ works, planned_supplies: missing })).toBe('Pedir repuestos: Rótula (1 unidad)')
  expect(step({ works, planned_supplies: missing }, false)).toBe('Finalizar: Queda 1 trabajo')
  expect(step({ works, waiting_for_parts: true })).toBe('Pedir repuestos: La orden los espera')
  expect(step({ works: [{ state: 'done' }] })).toBe('Finalizar: Trabajos terminados')
  expect(step({ status: 'FINALIZED' })).toBe('Entregar: Falta la firma de quien lo recibe')
  expect(step({ status: 'FINALIZED', signatures: [{ kind: 'delivered', holds: true }] })).toBeUndefined()
})

it('puts photos with the comment they were sent with, and what happened between, newest first', () => {
  const at = (minute: number) => `2026-11-18T10:${String(minute).padStart(2, '0')}:00.000Z`
  const comment = { id: 1, text: 'Alabeo', user_id: 1, user_name: 'Ana', created_at: at(20) }
  const file = (id: number, user_name: string, minute: number) => ({
    id,
    name: `${id}.jpg`,
    type: 'image/jpeg',
    size: 1,
    user_name,
    created_at: at(minute),
  })
  const event = (id: number, action: string, minute: number) => ({
    id,
    at: at(minute),
    user_name: 'Ana',
    action,
    changes: {},
  })
  const items = itemsOf(
    [comment],
    [file(1, 'Ana', 22), file(2, 'Luis', 23), file(3, 'Ana', 50)],
    [event(9, 'work_start', 30), event(8, 'file_added', 22)],
  )
  expect(items.map((item) => (item.kind === 'said' ? item.files.map(({ id }) => id) : item.event.action))).toEqual([
    [3],
    'work_start',
    [2],
    [1],
  ])
})
