import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { showAmount } from '#contract/base/units.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { call } from '../../platform/api.ts'
import { useMay } from '../../platform/session.ts'
import { warehousesKey } from '../../warehouses/queries.ts'
import styles from './order.module.css'
import { usePlanning } from './planning.tsx'
import type { OrderForm, SupplyTyped } from './typed.ts'

/** What each warehouse has of the listed supplies, kept fresh as stock moves; nothing of those not known yet. */
function useStock(hasWarehouse: boolean, listed: number[]) {
  const may = useMay('warehouses.read')
  const ids = [...new Set(listed)].sort((a, b) => a - b)
  const known = useQuery({
    queryKey: [...warehousesKey, 'stock-of', ids],
    queryFn: async ({ signal }) => ({
      ids,
      places: (await call(warehouses.suppliesStock, { query: { filter: { Supply: ids } }, signal })).data,
    }),
    enabled: may && hasWarehouse && ids.length > 0,
    placeholderData: (before) => before,
  }).data
  return (supply: number) =>
    known?.ids.includes(supply) ? known.places.filter(({ supply_id }) => supply_id === supply) : undefined
}

/** What was taken already, or is kept for it, is the order's own: it counts as there. */
function ownOf(order: WorkOrder | undefined, warehouse: number | null, line: SupplyTyped) {
  if (order?.warehouse_id !== warehouse) return 0
  const taken = order?.supplies.find(({ id }) => id === line.id)?.count ?? 0
  const kept = order?.planned_supplies.find(({ supply_id }) => supply_id === line.supply_id)?.reserved ?? 0
  return taken + kept
}

/** What there is of what the order would take, in its warehouse and in others. */
export function useOrderStock(form: OrderForm, order: WorkOrder | undefined, readOnly: boolean) {
  const [taken, hasWarehouse, warehouse] = useWatch({
    control: form.control,
    name: ['supplies', 'has_warehouse', 'warehouse_id'],
  })
  const isAsked = hasWarehouse && warehouse !== null && !readOnly
  const stock = useStock(
    isAsked,
    taken.map((line) => line.supply_id),
  )
  const inWarehouse = (line: SupplyTyped, id: number | null) => {
    const places = stock(line.supply_id)
    const there = places?.find(({ warehouse_id }) => warehouse_id === id)
    // What it took once is there for it, whatever is kept of it now.
    if (!places || (!there && line.id !== undefined)) return undefined
    return (there?.available ?? 0) + ownOf(order, id, line)
  }
  const available = (line: SupplyTyped) => (isAsked ? inWarehouse(line, warehouse) : undefined)
  const isShort = (line: SupplyTyped) => (line.count ?? 0) > (available(line) ?? Number.POSITIVE_INFINITY)
  return {
    available,
    isShort,
    /** Of what is not taken yet. */
    short: taken.filter((line) => line.id === undefined && isShort(line)),
    /** Said of a line that is short. */
    elsewhere: (line: SupplyTyped) => {
      if (!isShort(line)) return undefined
      const others = stock(line.supply_id)?.filter((place) => place.warehouse_id !== warehouse && place.available > 0)
      const said = others?.map((place) => `${place.warehouse_name} (${showAmount(place.available, line.unit)})`)
      return said?.length ? `Hay en ${said.join(', ')}` : 'No hay en otra bodega'
    },
    /** The one of these that has enough of everything. */
    whereAll: <Place extends { id: number }>(places: Place[] | undefined) =>
      places?.find(({ id }) => taken.every((line) => (line.count ?? 0) <= (inWarehouse(line, id) ?? 0))),
  }
}

interface ShortageProps {
  form: OrderForm
  order: WorkOrder | undefined
  short: SupplyTyped[]
  /** The warehouse that has too little. */
  from: string | null | undefined
  /** One that has enough of everything. */
  other: { id: number; name: string } | undefined
}

/** There is not enough of what the order would take: it is taken from where there is, or asked for. */
export function Shortage({ form, order, short, from, other }: ShortageProps) {
  const mayWork = useMay('work-orders.work')
  const planning = usePlanning(order?.id ?? 0)
  const leave = (gone: SupplyTyped[]) => {
    const ids = gone.map(({ supply_id }) => supply_id)
    const rest = form.getValues('supplies').filter(({ id, supply_id }) => id !== undefined || !ids.includes(supply_id))
    form.clearErrors('supplies')
    form.setValue('supplies', rest, { shouldDirty: true })
  }
  const ask = async () => {
    if (order) {
      for (const line of short) if (await planning.ask(line, line.count ?? 0)) leave([line])
      return
    }
    const planned = form.getValues('plan_supplies')
    const more = short.filter(({ supply_id }) => !planned.some((line) => line.supply_id === supply_id))
    const added = (line: SupplyTyped) => short.find(({ supply_id }) => supply_id === line.supply_id)?.count ?? 0
    form.setValue(
      'plan_supplies',
      [...planned.map((line) => ({ ...line, count: (line.count ?? 0) + added(line) })), ...more],
      { shouldDirty: true },
    )
    leave(short)
  }
  // What an order that is there asks for, it asks of the warehouse it has.
  const mayAsk = mayWork && (!order || order.warehouse_id === form.getValues('warehouse_id'))
  if (short.length === 0) return null
  return (
    <div className={styles.shortage} role="status">
      <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
      <span>
        {short.length === 1 ? `No alcanza ${short[0]!.name}` : `No alcanzan ${short.length} insumos`}
        {from && ` en ${from}`}.
      </span>
      {other && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            form.clearErrors('supplies')
            form.setValue('warehouse_id', other.id, { shouldDirty: true })
          }}
        >
          {`Sacar de ${other.name}`}
        </Button>
      )}
      {mayAsk && (
        <Button size="xs" variant="default" loading={planning.isPending} onClick={() => void ask()}>
          Pedir o apartar
        </Button>
      )}
    </div>
  )
}
