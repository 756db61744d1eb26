import { Button } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import { dayOf, daysBetween, showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import type { Provider } from '#contract/providers/providers.ts'
import {
  mayBecome,
  PAID,
  PAYABLE_FIELDS,
  PAYABLE_KINDS,
  PAYABLE_STATES,
  type Payable,
  type PayableState,
  type PayableTotals,
  payables,
} from '#contract/work-orders/payables.ts'
import { listColumns } from '../../frames/fields.tsx'
import type { ListFilter } from '../../frames/list-filters.tsx'
import { ListScreen } from '../../frames/list-screen.tsx'
import { useWorkshopFilter, useWorkshopScope } from '../../frames/workshop-filter.ts'
import { call } from '../../platform/api.ts'
import { useMay, useWorkshop, useZone } from '../../platform/session.ts'
import { providerChoicesQuery } from '../../providers/queries.ts'
import { choicesOf, named } from '../../ui/choices.ts'
import { lazy } from '../../ui/lazy.ts'
import { StatusPill } from '../../ui/status-pill.tsx'
import totals from '../history/history.module.css'
import { workOrdersKey } from '../queries.ts'
import { sayDocument, usePayables } from './actions.ts'
import styles from './payables.module.css'

const payableQuery = (id: number) =>
  queryOptions({
    queryKey: [...workOrdersKey, 'payable', id],
    queryFn: ({ signal }) => call(payables.getPayable, { params: { id }, signal }),
  })

const PayableDrawer = lazy(() => import('./payable-drawer.tsx'))

/** When it is due, and by how many days that has passed. */
function Due({ payable, today }: { payable: Payable; today: string }) {
  const late = daysBetween(payable.due_date, today)
  return (
    <>
      {`${showDay(payable.due_date)} `}
      {payable.overdue && <StatusPill tone="danger">{`Vencida ${late} d`}</StatusPill>}
    </>
  )
}

/** The state, and whether only a part was paid. */
function State({ payable: { state, payments, balance } }: { payable: Payable }) {
  const { tone, label, owed } = PAYABLE_STATES[state]
  return (
    <span className={styles.states}>
      <StatusPill tone={tone}>{label}</StatusPill>
      {owed && payments.length > 0 && balance !== 0 && <StatusPill tone="warning">Pagada en parte</StatusPill>}
    </span>
  )
}

const columnsOf = (today: string, mayReadCosts: boolean) =>
  listColumns<Payable, keyof typeof PAYABLE_FIELDS>(PAYABLE_FIELDS, {
    due_date: {
      card: 'top',
      sort: true,
      plain: true,
      width: 220,
      rank: 2,
      cell: (payable) => <Due payable={payable} today={today} />,
    },
    provider_id: { card: 'title', sort: true, plain: true, width: 220, rank: 1, fixed: true },
    document: { card: 'meta', sort: true, plain: true, width: 150, rank: 4, cell: sayDocument, file: sayDocument },
    date: { sort: true, width: 110, rank: 8 },
    kind: { sort: true, width: 100, rank: 9 },
    of: { sort: true, plain: true, width: 200, rank: 8 },
    workshop_id: { sort: true, plain: true, width: 140, rank: 10, hidden: true },
    ...(mayReadCosts && {
      net: { sort: true, width: 120, rank: 11, hidden: true },
      total: { sort: true, width: 120, rank: 6, hidden: true },
      left_total: { sort: true, width: 120, rank: 6 },
      paid_total: {
        sort: true,
        width: 120,
        rank: 7,
        cell: ({ paid_total }: Payable) => (paid_total ? showMoney(paid_total) : null),
      },
      balance: {
        card: 'figure' as const,
        sort: true,
        width: 150,
        rank: 3,
        cell: ({ balance }: Payable) =>
          (balance ?? 0) < 0 ? (
            <span className={styles.favour}>A favor {showMoney(-balance!)}</span>
          ) : (
            showMoney(balance)
          ),
      },
    }),
    state: {
      card: 'state',
      sort: true,
      width: 190,
      rank: 5,
      cell: (payable) => <State payable={payable} />,
    },
    paid_on: { width: 110, rank: 12, hidden: true },
  })

const states = choicesOf(PAYABLE_STATES)
const filters: ListFilter[] = [
  { key: 'State', label: 'Estado', hint: 'Sin elegir: las que faltan por pagar', useChoices: () => states },
  { key: 'InFavour', label: 'Saldo', useChoices: () => [{ value: 'yes', label: 'Solo a favor' }] },
  { key: 'Overdue', label: 'Atraso', useChoices: () => [{ value: 'yes', label: 'Solo vencidas' }] },
  { key: 'BetweenDate', label: 'Vencen', dates: 'range' },
  {
    key: 'Provider',
    label: 'Proveedor',
    useChoices: () => named(useQuery(providerChoicesQuery(useWorkshop().id)).data),
  },
  { key: 'Kind', label: 'De', useChoices: () => choicesOf(PAYABLE_KINDS) },
]

function Totals({ reply }: { reply: unknown }) {
  const sums = (reply as { totals?: PayableTotals }).totals
  if (!sums || sums.owed_total === null) return null
  return (
    <dl className={totals.totals} aria-label="Totales de lo filtrado">
      {sums.overdue > 0 && (
        <div data-tone="danger">
          <dt>Vencido</dt>
          <dd>{showMoney(sums.overdue_total)}</dd>
        </div>
      )}
      {(sums.favour_total ?? 0) > 0 && (
        <div>
          <dt>A favor</dt>
          <dd>{showMoney(sums.favour_total)}</dd>
        </div>
      )}
      {(sums.owed_total > 0 || sums.favour_total === 0) && (
        <div>
          <dt>Por pagar</dt>
          <dd>{showMoney(sums.owed_total)}</dd>
        </div>
      )}
    </dl>
  )
}

const AT_ONCE: PayableState[] = ['approved', PAID]

function Bulk({ chosen, clear }: { chosen: Payable[]; clear: () => void }) {
  const { nextOf, take } = usePayables()
  return AT_ONCE.map((state) => {
    // Payments are taken back one by one, each after a question.
    const rows = chosen.filter(
      (row) => PAYABLE_STATES[row.state].owed && mayBecome(row.state, state) && nextOf(row).includes(state),
    )
    return (
      <Button
        key={state}
        size="xs"
        variant="default"
        disabled={rows.length === 0}
        onClick={async () => {
          await take(rows, state)
          clear()
        }}
      >
        {PAYABLE_STATES[state].act}
      </Button>
    )
  })
}

function List({ provider }: { provider?: Provider }) {
  const navigate = useNavigate()
  const today = dayOf(new Date(), useZone())
  const mayDecide = [useMay('payables.approve'), useMay('payables.pay')].some(Boolean)
  const workshopFilter = useWorkshopFilter()
  const scope = useWorkshopScope()
  const search = useSearch({ strict: false }) as { payable?: unknown }
  const asked = Number(search.payable)
  const opened = useQuery({ ...payableQuery(asked), enabled: Number.isSafeInteger(asked) && asked > 0 }).data
  const open = (payable: number | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, payable }), replace: payable === undefined })
  const mayReadCosts = useMay('costs.read')
  const columns = useMemo(() => columnsOf(today, mayReadCosts), [today, mayReadCosts])
  return (
    <>
      <ListScreen
        name={provider ? 'payables-of-provider' : 'payables'}
        title={provider ? 'Facturas' : 'Facturas por pagar'}
        noun={{ one: 'factura', many: 'facturas', none: 'Ninguna' }}
        icon={IconFileInvoice}
        about="Aquí quedan las facturas de servicios y de compras, por la fecha en que vencen, hasta que se pagan."
        endpoint={payables.listPayables}
        queryKey={workOrdersKey}
        scope={provider ? { Provider: [provider.id] } : scope}
        columns={provider ? columns.filter(({ key }) => key !== 'provider_name') : columns}
        filters={provider ? filters.filter(({ key }) => key !== 'Provider') : [...filters, workshopFilter]}
        searchLabel="Número o proveedor"
        open={({ id }) => open(id)}
        bulk={
          mayDecide
            ? {
                name: (row) => `${sayDocument(row)} de ${row.provider_name}`,
                actions: (chosen, clear) => <Bulk chosen={chosen} clear={clear} />,
              }
            : undefined
        }
        summary={(reply) => <Totals reply={reply} />}
        inside={provider !== undefined}
      />
      {opened && opened.id === asked && (
        <Suspense fallback={null}>
          <PayableDrawer payable={opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  )
}

export default function PayableList() {
  return <List />
}
export const PayablesOfProvider = ({ provider }: { provider: Provider }) => <List provider={provider} />
