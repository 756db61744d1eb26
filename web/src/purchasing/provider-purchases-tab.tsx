import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showDate, showDay } from '#contract/base/dates.ts'
import { showMoney, showNumber, showQuantity } from '#contract/base/money.ts'
import type { Provider } from '#contract/providers/providers.ts'
import { PURCHASE_FIELDS } from '#contract/purchasing/fields.ts'
import {
  type ProviderPurchases,
  PURCHASE_STATES,
  type PurchaseOrder,
  purchasing,
} from '#contract/purchasing/purchasing.ts'
import { DOCUMENT_FIELDS, TRANSACTION_FIELDS } from '#contract/warehouses/fields.ts'
import { typeNamed } from '#contract/warehouses/stock.ts'
import { TRANSACTION_STATES, type Transaction } from '#contract/warehouses/transactions.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import styles from '../frames/detail-page.module.css'
import { tableColumns } from '../frames/fields.tsx'
import { PagedTable } from '../frames/paged-table.tsx'
import { call } from '../platform/api.ts'
import { useZone } from '../platform/session.ts'
import { Section } from '../ui/detail-frame.tsx'
import { ErrorState } from '../ui/faces.tsx'
import { MonthBars } from '../ui/month-bars.tsx'
import { warehousesKey } from '../warehouses/queries.ts'
import { providerPurchasesQuery, purchasingKey } from './queries.ts'

const orderColumns = (zone: string) =>
  tableColumns<PurchaseOrder, keyof typeof PURCHASE_FIELDS>(PURCHASE_FIELDS, {
    code: {
      cell: (order) => (
        <Link
          className="mono"
          to="/warehouse/$id"
          params={{ id: String(order.warehouse_id) }}
          search={{ tab: 'purchases-orders', order: order.id }}
        >
          {order.code}
        </Link>
      ),
    },
    createdAt: {
      folds: true,
      cell: (order) => <span className={styles.oneLine}>{showDate(order.createdAt, zone)}</span>,
    },
    warehouse_id: { folds: true, grows: true },
    status: {},
    total: {},
  })

const entryFields = { ...DOCUMENT_FIELDS, ...TRANSACTION_FIELDS }
const entryColumns = tableColumns<Transaction, keyof typeof entryFields>(entryFields, {
  code: {
    cell: (entry) => (
      <Link
        className="mono"
        to="/warehouse/$id"
        params={{ id: String(entry.warehouse_id) }}
        search={{ tab: 'purchases', transaction: entry.id }}
      >
        {entry.code}
      </Link>
    ),
  },
  date: { folds: true, cell: (entry) => <span className={styles.oneLine}>{showDay(entry.transaction.date)}</span> },
  document: { folds: true, cell: (entry) => entry.transaction.document },
  warehouse_id: { folds: true, grows: true },
  state: {},
  total: {},
})

/** How what came kept to the days it was promised for. */
function Lateness({ deliveries, late_deliveries, average_days_late }: ProviderPurchases) {
  const share = deliveries === 0 ? null : Math.round((late_deliveries / deliveries) * 100)
  return (
    <Section title="Atraso en entregas">
      <div className={styles.big}>
        {average_days_late === null
          ? '—'
          : `${showQuantity(average_days_late)} ${average_days_late === 1 ? 'día' : 'días'}`}
      </div>
      <div className={styles.small}>
        {share === null
          ? 'Aún no llega nada con fecha prometida.'
          : `en promedio; ${late_deliveries} de ${deliveries} tarde (${share} %)`}
      </div>
    </Section>
  )
}

/** What was bought from a provider: by month, the orders and the entries. */
export default function ProviderPurchasesTab({ provider: { id: provider } }: { provider: Provider }) {
  const zone = useZone()
  const bought = useQuery(providerPurchasesQuery(provider))
  if (bought.isError && !bought.data) return <ErrorState error={bought.error} onRetry={() => void bought.refetch()} />
  if (!bought.data) return <Skeleton h={320} />
  const { months, last_on, open_orders, overdue_lines } = bought.data
  const year = months.reduce((sum, { total }) => sum + total, 0)
  return (
    <div className={styles.stack}>
      <div className={styles.figures}>
        <Section title="Comprado en 12 meses">
          <div className={styles.big}>{showMoney(year)}</div>
          <div className={styles.small}>con IVA, según las entradas vigentes</div>
        </Section>
        <Section title="Último uso">
          <div className={styles.big}>{last_on ? showDay(last_on) : 'Nunca'}</div>
          <div className={styles.small}>{last_on ? 'de una compra u orden de compra' : 'Aún no se le compra.'}</div>
        </Section>
        <Section title="Órdenes abiertas">
          <div className={styles.big}>{showNumber(open_orders)}</div>
          <div className={styles.small}>
            {overdue_lines > 0
              ? `${showNumber(overdue_lines)} ${overdue_lines === 1 ? 'insumo atrasado' : 'insumos atrasados'} hoy`
              : 'por aprobar o por recibir'}
          </div>
        </Section>
        <Lateness {...bought.data} />
      </div>
      {year > 0 && (
        <Section title="Compras por mes">
          <MonthBars label="Compras por mes" months={months} />
        </Section>
      )}
      <section className={styles.part}>
        <h2>Órdenes de compra</h2>
        <PagedTable
          label="Órdenes de compra"
          queryKey={[...purchasingKey, 'of-provider', provider]}
          read={(query, signal) =>
            call(purchasing.listPurchaseOrders, { query: { ...query, filter: { Provider: [provider] } }, signal })
          }
          columns={orderColumns(zone)}
          keyOf={({ id }) => id}
          faded={({ status }) => PURCHASE_STATES[status].faded}
          empty="No tiene órdenes de compra."
        />
      </section>
      <section className={styles.part}>
        <h2>Entradas</h2>
        <PagedTable
          label="Entradas"
          queryKey={[...warehousesKey, 'of-provider', provider]}
          read={(query, signal) =>
            call(warehouses.listTransactions, {
              query: { ...query, filter: { Provider: [provider], TypeTransaction: [typeNamed('entry', 'purchase')] } },
              signal,
            })
          }
          columns={entryColumns}
          keyOf={({ id }) => id}
          faded={({ state }) => !TRANSACTION_STATES[state].standing}
          empty="No ha entrado nada comprado a este proveedor."
        />
      </section>
    </div>
  )
}
