import { IconTruckDelivery } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { TRANSFER_FIELDS as FIELDS } from '#contract/warehouses/fields.ts'
import { type SentTransfer, TRANSFER_STATES, TRANSFER_WAYS } from '#contract/warehouses/transfers.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { useMay } from '../platform/session.ts'
import { choicesOf } from '../ui/choices.ts'
import { lazy } from '../ui/lazy.ts'
import { transferQuery, warehousesKey } from './queries.ts'
import styles from './warehouse.module.css'

const TransferForm = lazy(() => import('./transfer-form.tsx'))
const TransferSheet = lazy(() => import('./transfer-sheet.tsx'))

const end = (name: string, workshop: string) => (
  <span className={styles.whole}>
    {name}
    <small className={styles.free}>{workshop}</small>
  </span>
)

const columns = listColumns<SentTransfer, keyof typeof FIELDS>(FIELDS, {
  code: {
    card: 'top',
    sort: true,
    width: 120,
    rank: 1,
    fixed: true,
    cell: (t) => <span className="mono">{t.code}</span>,
  },
  date: { card: 'end', sort: true, plain: true, width: 120, rank: 4 },
  warehouse_id: {
    card: 'title',
    sort: true,
    plain: true,
    width: 180,
    rank: 2,
    cell: (t) => end(t.warehouse_name, t.workshop_name),
    file: (t) => `${t.warehouse_name} (${t.workshop_name})`,
  },
  to_warehouse_id: {
    card: 'meta',
    sort: true,
    plain: true,
    width: 180,
    rank: 3,
    cell: (t) => end(`→ ${t.to_warehouse_name}`, t.to_workshop_name),
    file: (t) => `${t.to_warehouse_name} (${t.to_workshop_name})`,
  },
  document: { width: 120, rank: 8, hidden: true },
  lines_count: { width: 90, rank: 7 },
  value: { card: 'figure', sort: true, width: 120, rank: 6 },
  missing_value: { width: 110, rank: 9, hidden: true },
  received_at: { width: 150, rank: 10, hidden: true },
  state: { card: 'state', width: 140, rank: 5 },
})

const filters: ListFilter[] = [
  { key: 'State', label: FIELDS.state.label, useChoices: () => choicesOf(TRANSFER_STATES) },
  { key: 'Way', label: 'Sentido', useChoices: () => choicesOf(TRANSFER_WAYS) },
  { key: 'BetweenDate', label: FIELDS.date.label, dates: 'range' },
]

/** What this warehouse sent to other workshops, and what they sent here. */
export function TransfersTab({ warehouse }: { warehouse: Warehouse }) {
  const maySend = useMay('transfers.send')
  const navigate = useNavigate()
  const [writing, setWriting] = useState(false)
  const asked = Number((useSearch({ strict: false }) as { transfer?: unknown }).transfer)
  const known = Number.isSafeInteger(asked) && asked > 0
  const opened = useQuery({ ...transferQuery(asked), enabled: known }).data
  const show = (transfer: number | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, transfer }), replace: true })
  return (
    <>
      <ListScreen
        name="transfers"
        title="Traslados"
        noun={{ one: 'traslado', many: 'traslados', none: 'Ningún' }}
        icon={IconTruckDelivery}
        about="Aquí queda lo que se envía a otros talleres y lo que ellos envían aquí, hasta que se recibe."
        endpoint={warehouses.listTransfers}
        queryKey={warehousesKey}
        scope={{ Warehouse: [warehouse.id] }}
        columns={columns}
        filters={filters}
        searchLabel="Número o documento"
        open={(row) => show(row.id)}
        create={maySend ? { label: 'Enviar a otro taller', act: () => setWriting(true) } : undefined}
        inside
      />
      <Suspense fallback={null}>
        {writing && <TransferForm warehouse={warehouse} onClose={() => setWriting(false)} />}
        {known && opened?.id === asked && (
          <TransferSheet
            key={`${opened.id} ${opened.state}`}
            transfer={opened}
            warehouse={warehouse}
            onClose={() => show(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
