import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconShoppingCart } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { showAmount } from '#contract/base/units.ts'
import type { PlannedSupply } from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import type { AvailableSupply } from '#contract/work-orders/parts.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { useMay } from '../../platform/session.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { FigureInput } from '../../ui/figure-input.tsx'
import { Table } from '../../ui/table.tsx'
import { availableSuppliesQuery } from '../queries.ts'
import styles from './order.module.css'
import page from './page.module.css'
import { PlannedState, usePlanning } from './planning.tsx'

/** What the order will need: kept in the warehouse, or waited for. It costs nothing until it is handed over. */
export function PlannedPart({ order, ask: asked = 0 }: { order: WorkOrder; ask?: number }) {
  const mayWork = useMay('work-orders.work') && !isClosed(order)
  const { take, ask, forget, isPending } = usePlanning(order.id)
  const lines = order.planned_supplies
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (asked > 0) setAsking(true)
  }, [asked])
  if (!order.has_warehouse || (lines.length === 0 && !mayWork)) return null
  return (
    <div className={styles.planned}>
      <header className={page.cardHead}>
        {lines.length > 0 && <h3>Pedidos y apartados</h3>}
        {mayWork && !asking && (
          <Button
            size="xs"
            variant="subtle"
            className={page.cardAction}
            leftSection={<IconShoppingCart size={14} stroke={1.7} />}
            onClick={() => setAsking(true)}
          >
            Pedir o apartar
          </Button>
        )}
      </header>
      {lines.length > 0 && (
        <Table
          label="Pedidos y apartados"
          bare
          rows={lines}
          keyOf={({ id }) => id}
          columns={[
            {
              label: 'Insumo',
              grows: true,
              cell: (line) => (
                <span className={styles.lineName}>
                  <span>{line.name}</span>
                  <span className={styles.lineMeta}>
                    <span className="mono">{line.code}</span>
                    {line.user_name && <span>{`pidió ${line.user_name}`}</span>}
                  </span>
                </span>
              ),
            },
            { label: 'Estado', cell: (line) => <PlannedState line={line} /> },
            ...(mayWork
              ? [
                  {
                    label: 'Acciones',
                    align: 'end' as const,
                    cell: (line: PlannedSupply) => (
                      <span className={styles.plannedButtons}>
                        {line.reserved > 0 && (
                          <Button
                            size="xs"
                            variant="default"
                            disabled={isPending}
                            aria-label={`Entregar ${line.name}`}
                            onClick={() => void take(line, line.reserved)}
                          >
                            Entregar
                          </Button>
                        )}
                        <Button
                          size="xs"
                          variant="subtle"
                          disabled={isPending}
                          aria-label={`Quitar pedido de ${line.name}`}
                          onClick={() => void forget(line)}
                        >
                          Quitar
                        </Button>
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {mayWork && asking && <Ask order={order.id} isPending={isPending} onAsk={ask} />}
    </div>
  )
}

interface AskProps {
  order: number
  isPending: boolean
  onAsk: ReturnType<typeof usePlanning>['ask']
}

function Ask({ order, isPending, onAsk }: AskProps) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 180)
  const [supply, setSupply] = useState<AvailableSupply>()
  const [count, setCount] = useState<number | null>(1)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const offered = useQuery(availableSuppliesQuery(order, search)).data ?? []
  // The chosen one stays a choice while the list answers another text.
  const known = supply && !offered.some(({ supply_id }) => supply_id === supply.supply_id) ? [supply] : []
  const choices = [...known, ...offered].map(({ supply_id, code, name }) => ({
    value: supply_id,
    label: `${code} · ${name}`,
  }))
  const send = async () => {
    if (!supply || !count || !(await onAsk(supply, count))) return
    setSupply(undefined)
    setText('')
    setCount(1)
  }
  return (
    <div className={styles.ask}>
      <Combobox<number>
        ref={field}
        label="Pedir o apartar insumo"
        className={styles.picker}
        placeholder="Código o nombre"
        choices={choices}
        value={supply?.supply_id ?? null}
        onPick={(id) => setSupply(offered.find(({ supply_id }) => supply_id === id))}
        onText={setText}
        isFiltered
        description={supply?.available == null ? undefined : `Disponible: ${showAmount(supply.available, supply.unit)}`}
      />
      <FigureInput label="Cantidad" className={styles.count} value={count} onFigure={setCount} decimals={4} />
      <Button
        variant="default"
        disabled={!supply || !count || count <= 0}
        loading={isPending}
        onClick={() => void send()}
      >
        Pedir
      </Button>
    </div>
  )
}
