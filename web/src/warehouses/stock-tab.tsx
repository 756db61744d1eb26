import { Button } from '@mantine/core'
import { IconClipboardCheck, IconPackages, IconQrcode } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { showQuantity } from '#contract/base/money.ts'
import { STOCK_FIELDS, TRANSACTION_FIELDS, WAREHOUSE_FIELDS } from '#contract/warehouses/fields.ts'
import { STOCK_LEVELS, type StockLine } from '#contract/warehouses/stock.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import type { BulkField } from '../frames/bulk-drawer.tsx'
import { BulkEdit } from '../frames/bulk-edit.tsx'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import type { FileColumn } from '../frames/list-table.tsx'
import { Added } from '../frames/slots.tsx'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { lazy } from '../ui/lazy.ts'
import { UnitCost } from '../ui/unit-cost.tsx'
import { warehousesKey } from './queries.ts'
import { STOCK_ACTIONS } from './slots.ts'
import styles from './warehouse.module.css'

const AttachDrawer = lazy(() => import('./attach-drawer.tsx'))
const SupplyCard = lazy(() => import('./supply-card.tsx'))
const LabelsDrawer = lazy(() => import('./labels-drawer.tsx'))
const Counts = lazy(() => import('./counts.tsx'))

const columns = listColumns<StockLine, keyof typeof STOCK_FIELDS>(STOCK_FIELDS, {
  code: {
    card: 'top',
    sort: true,
    width: 120,
    rank: 1,
    fixed: true,
    cell: ({ code }) => <span className="mono">{code}</span>,
  },
  name: {
    card: 'title',
    sort: true,
    width: 240,
    rank: 2,
    fixed: true,
    cell: ({ name }) => <span className={styles.whole}>{name}</span>,
  },
  category: { card: 'meta', sort: true, plain: true, width: 150, rank: 7 },
  unit: { sort: true, plain: true, width: 100, rank: 8 },
  stock: {
    card: 'figure',
    sort: true,
    width: 110,
    rank: 3,
    cell: (line) => (
      <>
        {line.minimum !== null && line.available < line.minimum ? (
          <span className={styles.below} title={STOCK_LEVELS.below.label}>
            ↓ {showQuantity(line.stock)}
            <span className="only-read-aloud"> {STOCK_LEVELS.below.label.toLowerCase()}</span>
          </span>
        ) : (
          showQuantity(line.stock)
        )}
        {line.reserved > 0 && <small className={styles.free}>{`${showQuantity(line.available)} disp.`}</small>}
        {line.sent > 0 && <small className={styles.free}>{`${showQuantity(line.sent)} enviado`}</small>}
        {line.incoming > 0 && <small className={styles.free}>{`${showQuantity(line.incoming)} por recibir`}</small>}
      </>
    ),
  },
  available: { sort: true, width: 110, rank: 11, hidden: true },
  reserved: { sort: true, width: 100, rank: 12, hidden: true },
  sent: { width: 100, rank: 13, hidden: true },
  incoming: { width: 100, rank: 14, hidden: true },
  minimum: { sort: true, width: 90, rank: 9 },
  maximum: { sort: true, width: 90, rank: 10, hidden: true },
  average_cost: { sort: true, width: 140, rank: 6, cell: (line) => <UnitCost value={line.average_cost} /> },
  value: { card: 'end', sort: true, width: 120, rank: 5 },
})

const filters: ListFilter[] = [
  { key: 'At', label: 'Stock al', hint: 'Lo que había al terminar ese día, y cuánto valía', dates: 'day' },
  {
    key: 'Level',
    label: 'Nivel',
    useChoices: () => choicesOf(STOCK_LEVELS),
  },
]

/** Whose levels these are: files of several warehouses can be one. */
const ofWarehouse = ({ code, workshop_name }: Warehouse): FileColumn<StockLine>[] => [
  { label: TRANSACTION_FIELDS.warehouse_id.label, width: 120, file: () => code },
  { label: WAREHOUSE_FIELDS.workshop_id.label, width: 160, file: () => workshop_name },
]

/** A shelf at a time; the call gives fewer to those who do not ask for more. */
const STOCK_PAGE = 25

const NOUN = { one: 'insumo', many: 'insumos', none: 'Ningún' }
const nameOf = ({ code, name }: StockLine) => `${code} · ${name}`
const limits: BulkField<StockLine>[] = [
  { key: 'minimum', label: STOCK_FIELDS.minimum.label, figure: true },
  { key: 'maximum', label: STOCK_FIELDS.maximum.label, figure: true },
]

export function StockTab({ warehouse }: { warehouse: Warehouse }) {
  const mayWrite = useMay('warehouses.write')
  const navigate = useNavigate()
  const client = useQueryClient()
  const [open, setOpen] = useState<'attach' | 'counts' | 'labels'>()
  const search = useSearch({ strict: false }) as { supply?: unknown; count?: unknown; filter?: { At?: unknown } }
  const asked = Number(search.supply)
  const past = search.filter?.At !== undefined
  const known = Number.isSafeInteger(asked) && asked > 0
  const lineQuery = (supply: number) => ({
    queryKey: [...warehousesKey, 'level', warehouse.id, supply],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const params = { warehouse: warehouse.id }
      const { data } = await call(warehouses.listStock, { params, query: { filter: { Supply: [supply] } }, signal })
      return data[0] ?? null
    },
  })
  const line = useQuery({ ...lineQuery(asked), enabled: known }).data
  const show = (supply: number | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, supply }), replace: true })
  return (
    <>
      <ListScreen
        name="stock"
        title="Stock"
        noun={NOUN}
        icon={IconPackages}
        about="Asocie los insumos que se guardan en esta bodega: desde entonces se ve cuánto hay y cuánto vale."
        endpoint={warehouses.listStock}
        params={{ warehouse: warehouse.id }}
        queryKey={warehousesKey}
        pageSize={STOCK_PAGE}
        columns={columns}
        fileAlso={ofWarehouse(warehouse)}
        filters={filters}
        searchLabel="Código o nombre"
        open={(row) => {
          // What a past day had is not what there is now.
          if (!past) client.setQueryData(lineQuery(row.id).queryKey, row)
          show(row.id)
        }}
        actions={
          <>
            <Added slot={STOCK_ACTIONS} with={{}} />
            <Button
              variant="default"
              leftSection={<IconQrcode size={16} stroke={1.7} />}
              onClick={() => setOpen('labels')}
            >
              Etiquetas
            </Button>
            <Button
              variant="default"
              leftSection={<IconClipboardCheck size={16} stroke={1.7} />}
              onClick={() => setOpen('counts')}
            >
              Conteos
            </Button>
          </>
        }
        create={mayWrite ? { label: 'Asociar insumos', act: () => setOpen('attach') } : undefined}
        bulk={
          mayWrite && !past
            ? {
                name: nameOf,
                actions: (chosen, clear) => (
                  <BulkEdit
                    rows={chosen}
                    noun={NOUN}
                    name={nameOf}
                    fields={limits}
                    save={({ supply_id, minimum, maximum }, change) =>
                      call(warehouses.setLimits, {
                        params: { warehouse: warehouse.id },
                        body: { levels: [{ supply_id, minimum, maximum, ...change }] },
                      })
                    }
                    refresh={warehousesKey}
                    onDone={clear}
                  />
                ),
              }
            : undefined
        }
        inside
      />
      <Suspense fallback={null}>
        {open === 'attach' && <AttachDrawer warehouse={warehouse} onClose={() => setOpen(undefined)} />}
        {open === 'labels' && <LabelsDrawer warehouse={warehouse} onClose={() => setOpen(undefined)} />}
        {(open === 'counts' || search.count !== undefined) && (
          <Counts
            warehouse={warehouse}
            onClose={() => {
              setOpen(undefined)
              void navigate({ to: '.', search: (now) => ({ ...now, count: undefined }), replace: true })
            }}
          />
        )}
        {known && line && line.supply_id === asked && (
          <SupplyCard key={line.supply_id} warehouse={warehouse} line={line} onClose={() => show(undefined)} />
        )}
      </Suspense>
    </>
  )
}
