import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showMoney, showNumber } from '#contract/base/money.ts'
import { ATTACH_PER_PAGE, type WarehouseSupply } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { Drawer } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { say } from '../ui/snackbar.tsx'
import { warehousesKey } from './queries.ts'
import styles from './warehouse.module.css'

/** Which supplies of the workshop are on the warehouse's list. */
export default function AttachDrawer({ warehouse, onClose }: { warehouse: Warehouse; onClose: () => void }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const [all, setAll] = useState(false)
  /** What was ticked or unticked here; the rest is as the server says. */
  const [changed, setChanged] = useState<Changed>({})
  const [isPending, setPending] = useState(false)
  const list = useInfiniteQuery({
    queryKey: [...warehousesKey, 'attachable', warehouse.id, search],
    queryFn: ({ pageParam, signal }) =>
      call(warehouses.suppliesFromWarehouse, {
        query: { warehouseId: warehouse.id, search, page: pageParam, per_page: ATTACH_PER_PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page * last.per_page < last.total ? last.page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  const supplies = list.data?.pages.flatMap((page) => page.data) ?? []
  const total = list.data?.pages[0]?.total
  const chosen = Object.entries(changed).filter(([, on]) => on)
  const dropped = Object.entries(changed).filter(([, on]) => !on)
  const isAnything = all || chosen.length + dropped.length > 0

  const save = async () => {
    setPending(true)
    try {
      const { attached, detached } = await call(warehouses.attachSupplies, {
        params: { warehouse: warehouse.id },
        body: all
          ? { selectedAll: true }
          : { supplies: chosen.map(([id]) => Number(id)), detached: dropped.map(([id]) => Number(id)) },
      })
      const said = [
        attached > 0 && `${showNumber(attached)} agregados`,
        detached > 0 && `${showNumber(detached)} quitados`,
      ]
      say('Insumos de la bodega actualizados ✅', { detail: said.filter(Boolean).join(', ') || undefined })
      onClose()
    } catch (error) {
      say('Error al asociar insumos ❌', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: warehousesKey })
    }
  }

  return (
    <Drawer
      opened
      onClose={onClose}
      title="Asociar insumos"
      dirty={isAnything}
      onSubmit={(event) => {
        event.preventDefault()
        if (isAnything) void save()
      }}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" disabled={!isAnything} loading={isPending}>
            Guardar
          </Button>
        </>
      )}
    >
      <TextInput
        label="Buscar"
        placeholder="Código o nombre"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
        data-autofocus
      />
      <Checkbox
        label={`Seleccionar todos${total !== undefined && !search ? ` (${showNumber(total)})` : ''}`}
        description="Todos los insumos activos del taller"
        checked={all}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      {list.isError && supplies.length === 0 ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Skeleton h={240} />
      ) : supplies.length === 0 ? (
        <span className={styles.small}>Ningún insumo coincide.</span>
      ) : (
        <PickList supplies={supplies} all={all} changed={changed} onChange={setChanged} />
      )}
      {list.hasNextPage && (
        <Button variant="default" onClick={() => list.fetchNextPage()} loading={list.isFetchingNextPage}>
          Cargar más
        </Button>
      )}
    </Drawer>
  )
}

type Changed = Record<number, boolean>
interface PickListProps {
  supplies: WarehouseSupply[]
  all: boolean
  changed: Changed
  onChange: (next: (now: Changed) => Changed) => void
}

function PickList({ supplies, all, changed, onChange }: PickListProps) {
  return (
    <ul className={styles.pickList}>
      {supplies.map((supply) => (
        <li key={supply.id}>
          <label htmlFor={`attach-${supply.id}`}>
            <Checkbox
              id={`attach-${supply.id}`}
              checked={all || (changed[supply.id] ?? supply.selected)}
              disabled={all || (supply.selected && supply.stock > 0)}
              onChange={(event) => {
                const on = event.currentTarget.checked
                onChange(({ [supply.id]: _, ...rest }) =>
                  on === supply.selected ? rest : { ...rest, [supply.id]: on },
                )
              }}
            />
            <span className={styles.pickName}>
              <span>{supply.name}</span>
              <span className={styles.small}>
                {[supply.code, supply.category, showMoney(supply.cost), supply.workshop].filter(Boolean).join(' · ')}
              </span>
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
