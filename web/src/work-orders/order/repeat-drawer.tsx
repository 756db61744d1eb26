import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showDate } from '#contract/base/dates.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { type WorkOrderRow, workOrders } from '#contract/work-orders/orders.ts'
import { FINAL_STATUS } from '#contract/work-orders/states.ts'
import { call } from '../../platform/api.ts'
import { useZone } from '../../platform/session.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { ErrorState } from '../../ui/faces.tsx'
import { say } from '../../ui/snackbar.tsx'
import { workOrderQuery, workOrdersKey } from '../queries.ts'
import { fill } from './filling.ts'
import styles from './page.module.css'
import type { OrderForm } from './typed.ts'

/** What was done and used before, as it would be done and used again. */
function useRepeat(form: OrderForm) {
  const client = useQueryClient()
  return async (row: WorkOrderRow) => {
    const { works, supplies, type_maintenance_id, request } = await client.fetchQuery(workOrderQuery(row.id))
    fill(form, {
      name: row.code,
      works: works.map((work) => ({
        description: work.description ?? '',
        task_id: work.task_id,
        hours: work.duration === null ? work.hours : Math.round(work.duration * 4) / 4,
        priority: work.priority,
        type_maintenance_id: work.type_maintenance_id,
      })),
      supplies: supplies.map(({ supply_id, code, name, unit, count, cost }) => ({
        supply_id,
        code,
        name,
        unit,
        count,
        cost,
      })),
      type_maintenance_id,
      request,
    })
  }
}

interface RepeatDrawerProps {
  form: OrderForm
  onDone: () => void
  onClose: () => void
}

/** Maintenance that is done again and again is filled in from the last time. */
export default function RepeatDrawer({ form, onDone, onClose }: RepeatDrawerProps) {
  const zone = useZone()
  const repeat = useRepeat(form)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 250)
  const { truck_id, workshop_id } = form.getValues()
  const orders = useQuery({
    queryKey: [...workOrdersKey, 'to-repeat', truck_id, workshop_id, search],
    queryFn: async ({ signal }) =>
      (
        await call(workOrders.listWorkOrders, {
          query: {
            per_page: 20,
            sort: '-created_at',
            filter: {
              Status: [FINAL_STATUS],
              Search: search || undefined,
              // Of this truck, until something else is looked for.
              Truck: !search && truck_id ? [truck_id] : undefined,
              WorkshopId: workshop_id ? [workshop_id] : undefined,
            },
          },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })
  const take = async (row: WorkOrderRow) => {
    try {
      await repeat(row)
      onDone()
    } catch (error) {
      say(`No se pudo leer ${row.code}`, {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    }
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Repetir una orden"
      footer={
        <Button variant="default" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <TextInput
        label="Buscar"
        description="Sus trabajos e insumos se agregan a la orden nueva, y se pueden cambiar."
        placeholder="Pauta 250.000, patente, número…"
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {orders.isError && !orders.data && <ErrorState error={orders.error} onRetry={() => void orders.refetch()} />}
      {orders.data?.length === 0 && (
        <p className={styles.faint}>{search ? 'Nada coincide.' : 'Este equipo aún no tiene órdenes finalizadas.'}</p>
      )}
      <ul className={styles.repeats}>
        {orders.data?.map((row) => (
          <li key={row.id}>
            <button type="button" onClick={() => void take(row)}>
              <strong>{row.request || row.type_maintenance || 'Sin solicitud'}</strong>
              <span>
                {row.code} · {showPatent(row.patent)} · {showDate(row.finalized_at ?? row.created_at, zone)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Drawer>
  )
}
