import { Button } from '@mantine/core'
import { IconArrowsExchange, IconPackageExport, IconPackageImport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { DEFAULT_ZONE, showDay } from '#contract/base/dates.ts'
import { fileField, shortLabel } from '#contract/base/fields.ts'
import { showNumber } from '#contract/base/money.ts'
import { DOCUMENT_FIELDS, TRANSACTION_FIELDS } from '#contract/warehouses/fields.ts'
import type { Direction } from '#contract/warehouses/stock.ts'
import { TRANSACTION_STATES, type Transaction } from '#contract/warehouses/transactions.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { listColumns } from '../frames/fields.tsx'
import type { ListFilter } from '../frames/list-filters.tsx'
import { ListScreen } from '../frames/list-screen.tsx'
import { useMay } from '../platform/session.ts'
import { providerChoicesQuery } from '../providers/queries.ts'
import { choicesOf } from '../ui/choices.ts'
import { lazy } from '../ui/lazy.ts'
import { transactionQuery, transactionTypesQuery, warehousesKey } from './queries.ts'

const TransactionForm = lazy(() => import('./transaction-form.tsx'))
const TransactionCard = lazy(() => import('./transaction-card.tsx'))
const TransferForm = lazy(() => import('./transfer-form.tsx'))

const fields = { ...DOCUMENT_FIELDS, ...TRANSACTION_FIELDS }

const columnsOf = (type: Direction) =>
  listColumns<Transaction, keyof typeof fields>(fields, {
    code: { card: 'top', width: 120, rank: 1, fixed: true, cell: (t) => <span className="mono">{t.code}</span> },
    date: {
      card: 'end',
      sort: true,
      plain: true,
      width: 120,
      rank: 2,
      cell: (t) => showDay(t.transaction.date),
      file: (t) => fileField(fields.date, t.transaction.date, DEFAULT_ZONE),
    },
    type_name: {
      card: 'title',
      sort: true,
      plain: true,
      width: 170,
      rank: 4,
      cell: (t) => {
        const other = t.transfer?.warehouse_name ?? t.to_warehouse_name
        const named = other ? `${t.type_name} ${type === 'entry' ? 'desde' : 'a'} ${other}` : t.type_name
        return t.in_transit ? `${named} (en tránsito)` : named
      },
    },
    document: {
      sort: true,
      width: 130,
      rank: 6,
      cell: (t) => t.transaction.document,
      file: (t) => t.transaction.document,
    },
    provider_name: { card: 'meta', sort: true, width: 210, rank: 7 },
    supplies: {
      width: 90,
      rank: 8,
      cell: (t) => showNumber(t.supplies.length),
      file: (t) => t.supplies.length,
    },
    total: { card: 'figure', sort: true, width: 130, rank: 3 },
    state: { card: 'state', width: 110, rank: 5 },
  })

const WORDS = {
  entry: {
    title: 'Entradas',
    noun: { one: 'entrada', many: 'entradas', none: 'Ninguna' },
    icon: IconPackageImport,
    about: 'Aquí quedan las compras, devoluciones y ajustes que suman stock.',
    create: 'Nueva entrada',
  },
  exit: {
    title: 'Salidas',
    noun: { one: 'salida', many: 'salidas', none: 'Ninguna' },
    icon: IconPackageExport,
    about: 'Aquí quedan los consumos, mermas y devoluciones que restan stock.',
    create: 'Nueva salida',
  },
}

const states = choicesOf(TRANSACTION_STATES)

const INCOMPLETE: ListFilter = {
  key: 'Incomplete',
  label: 'Por completar',
  useChoices: () => [{ value: 'true', label: 'Sin documento o proveedor' }],
}

export function TransactionsTab({ warehouse, type }: { warehouse: Warehouse; type: Direction }) {
  const mayWrite = useMay('warehouses.write')
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { transaction?: unknown; write?: unknown; add?: unknown }
  const begin = search.add === undefined ? undefined : String(search.add)
  const [pressed, setPressed] = useState<'document' | 'transfer'>()
  // By its button, or by the address, which may ask for it while this is on screen.
  const byAddress = !mayWrite || search.write === undefined ? undefined : search.write
  const writing = pressed ?? (byAddress === undefined ? undefined : byAddress === 'transfer' ? 'transfer' : 'document')
  const asked = Number(search.transaction)
  const known = Number.isSafeInteger(asked) && asked > 0
  const opened = useQuery({ ...transactionQuery(asked), enabled: known }).data
  const show = (transaction: number | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, transaction }), replace: true })
  const close = () => {
    setPressed(undefined)
    if (search.write !== undefined)
      void navigate({ to: '.', search: (now) => ({ ...now, write: undefined, add: undefined }), replace: true })
  }
  const words = WORDS[type]
  const providers = useQuery(providerChoicesQuery(warehouse.workshop_id)).data
  const types = useQuery(transactionTypesQuery(type)).data
  const filters: ListFilter[] = [
    { key: 'BetweenDate', label: fields.date.label, dates: 'range' },
    {
      key: 'TypeTransaction',
      label: shortLabel(fields.type_name),
      useChoices: () => types?.map(({ id, name }) => ({ value: String(id), label: name })),
    },
    {
      key: 'Provider',
      label: fields.provider_name.label,
      useChoices: () => providers?.map(({ id, name }) => ({ value: String(id), label: name })),
    },
    { key: 'State', label: fields.state.label, useChoices: () => states },
    ...(type === 'entry' ? [INCOMPLETE] : []),
  ]
  return (
    <>
      <ListScreen
        key={type}
        name={`transactions-${type}`}
        title={words.title}
        noun={words.noun}
        icon={words.icon}
        about={words.about}
        endpoint={warehouses.listTransactions}
        queryKey={warehousesKey}
        scope={{ Warehouse: [warehouse.id], Type: [type] }}
        columns={useMemo(() => columnsOf(type), [type])}
        filters={filters}
        searchLabel="Documento, proveedor o número"
        open={(row) => show(row.id)}
        create={mayWrite ? { label: words.create, act: () => setPressed('document') } : undefined}
        actions={
          mayWrite &&
          type === 'exit' && (
            <Button
              variant="default"
              leftSection={<IconArrowsExchange size={16} stroke={1.7} />}
              onClick={() => setPressed('transfer')}
            >
              Traspasar
            </Button>
          )
        }
        inside
      />
      <Suspense fallback={null}>
        {writing === 'document' && <TransactionForm warehouse={warehouse} type={type} begin={begin} onClose={close} />}
        {writing === 'transfer' && <TransferForm warehouse={warehouse} begin={begin} onClose={close} />}
        {known && opened?.id === asked && <TransactionCard transaction={opened} onClose={() => show(undefined)} />}
      </Suspense>
    </>
  )
}
