import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showNumber } from '#contract/base/money.ts'
import { MAX_LABELS } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { useDownload } from '../ui/download.ts'
import { Drawer } from '../ui/drawer.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { warehousesKey } from './queries.ts'
import styles from './warehouse.module.css'

const PER_PAGE = 20

/** Which shelf labels are printed: some of the warehouse's supplies, or all that match. */
export default function LabelsDrawer({ warehouse, onClose }: { warehouse: Warehouse; onClose: () => void }) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [all, setAll] = useState(false)
  const list = useInfiniteQuery({
    queryKey: [...warehousesKey, 'labels', warehouse.id, search],
    queryFn: ({ pageParam, signal }) =>
      call(warehouses.suppliesAttached, {
        query: { warehouseId: warehouse.id, search, page: pageParam, per_page: PER_PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page * last.per_page < last.total ? last.page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  const supplies = list.data?.pages.flatMap((page) => page.data) ?? []
  const total = list.data?.pages[0]?.total ?? 0
  const count = all ? Math.min(total, MAX_LABELS) : chosen.size
  const { download, isDownloading } = useDownload(() =>
    call(warehouses.labels, {
      params: { warehouse: warehouse.id },
      query: all ? { all: true, search } : { supplies: [...chosen] },
    }),
  )
  const tick = (id: number, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Etiquetas"
      onSubmit={(event) => {
        event.preventDefault()
        if (count > 0) void download()
      }}
      footer={
        <>
          <Button variant="subtle" onClick={onClose}>
            Cerrar
          </Button>
          <Button type="submit" disabled={count === 0 || (!all && count > MAX_LABELS)} loading={isDownloading}>
            {count === 0 ? 'Descargar PDF' : `Descargar ${showNumber(count)} ${count === 1 ? 'etiqueta' : 'etiquetas'}`}
          </Button>
        </>
      }
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
        label={`Seleccionar todos (${showNumber(total)})`}
        description={
          total > MAX_LABELS
            ? `Se imprimen hasta ${showNumber(MAX_LABELS)} a la vez: busque para acotar.`
            : 'Los insumos de la bodega que coinciden con la búsqueda'
        }
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
        <ul className={styles.pickList}>
          {supplies.map((supply) => (
            <li key={supply.id}>
              <label htmlFor={`label-${supply.id}`}>
                <Checkbox
                  id={`label-${supply.id}`}
                  checked={all || chosen.has(supply.id)}
                  disabled={all}
                  onChange={(event) => tick(supply.id, event.currentTarget.checked)}
                />
                <span className={styles.pickName}>
                  <span>{supply.name}</span>
                  <span className={styles.small}>{[supply.code, supply.category].filter(Boolean).join(' · ')}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="default" onClick={() => list.fetchNextPage()} loading={list.isFetchingNextPage}>
          Cargar más
        </Button>
      )}
    </Drawer>
  )
}
