import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { showDay } from '#contract/base/dates.ts'
import { showMoney, showNumber, showQuantity, showShare } from '#contract/base/money.ts'
import { showAmount } from '#contract/base/units.ts'
import type { Provider } from '#contract/providers/providers.ts'
import { type PriceMove, type ProviderSummary, reportPages } from '#contract/reports/pages.ts'
import { PAYABLE_KINDS, PAYABLE_STATES, sayBalance } from '#contract/work-orders/payables.ts'
import { call } from '../platform/api.ts'
import { useMay } from '../platform/session.ts'
import { ErrorState, useNoticeable } from '../ui/faces.tsx'
import { lazy } from '../ui/lazy.ts'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { UnitCost } from '../ui/unit-cost.tsx'
import { Comparable } from './comparable.tsx'
import { type Opened, part, worked } from './opened.ts'
import { Card, daysOf, Legend, MonthTable, Moved, Tile, Waiting } from './page-parts.tsx'
import styles from './pages.module.css'
import { reportsKey } from './queries.ts'
import { showCount } from './words.ts'

const RowsDrawer = lazy(() => import('./rows-drawer.tsx'))

const summaryOf = (id: number) => ({
  queryKey: [...reportsKey, 'provider', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(reportPages.providerSummary, { params: { id }, signal }),
})

/** What an owner asks of a provider: what was spent, whether it keeps its word, whether it got dearer, what is owed. */
export default function ProviderSummaryTab({ provider }: { provider: Provider }) {
  const answer = useQuery(summaryOf(provider.id))
  const [opened, setOpened] = useState<Opened>()
  const waiting = useNoticeable(!answer.data)
  const seesCosts = useMay('costs.read')
  const seesReports = useMay('reports.read')
  const said = answer.data
  if (!said)
    return answer.isError ? (
      <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
    ) : waiting ? (
      <Waiting />
    ) : null
  const open = (BetweenDate: string, when: string, services: number, bought: number) => {
    const filter = { BetweenDate, Provider: [provider.id] }
    setOpened(
      worked(`Gasto con ${provider.name}, ${when}`, [
        part(`${showMoney(bought)} en compras netas`, { of: 'entries', filter, shows: 'net' }),
        ' + ',
        part(`${showMoney(services)} en servicios`, { of: 'expenses', filter }),
      ]),
    )
  }
  const show = seesReports ? open : undefined
  return (
    <div className={styles.summary}>
      <Tiles said={said} seesCosts={seesCosts} open={show} />
      <div className={styles.columns}>
        <div className={styles.main}>
          {seesCosts && <Spent said={said} open={show} />}
          {seesCosts && <Prices said={said} />}
        </div>
        <div className={styles.side}>
          <Late said={said} />
          <Documents said={said} />
        </div>
      </div>
      <Suspense fallback={null}>
        {opened && <RowsDrawer opened={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </div>
  )
}

type Open = ((between: string, when: string, services: number, bought: number) => void) | undefined

function Tiles({ said, seesCosts, open }: { said: ProviderSummary; seesCosts: boolean; open: Open }) {
  const { spent, purchases, owed, prices_count, risen_count, range, before } = said
  const [services, bought] = [spent.services_cost ?? 0, spent.purchases_net ?? 0]
  const onTime = purchases && purchases.deliveries - purchases.late_deliveries
  return (
    <div className={styles.tiles}>
      {seesCosts && (
        <Tile
          label="Gasto en 12 meses"
          value={showMoney(spent.total)}
          aside={
            spent.total !== null && (
              <Comparable since={before.from} workshops={undefined}>
                <Moved now={spent.total} then={spent.before} than="los 12 anteriores" over="sobre" under="bajo" />
              </Comparable>
            )
          }
          onOpen={
            open && services + bought !== 0
              ? () => open(`${range.from},${range.to}`, 'últimos 12 meses', services, bought)
              : undefined
          }
        >
          {services + bought > 0 && (
            <span className={styles.shares} aria-hidden>
              <span style={{ flexGrow: Math.max(0, bought) }} />
              <span style={{ flexGrow: Math.max(0, services) }} />
            </span>
          )}
          <p>
            {services + bought === 0 ? (
              'Sin compras ni servicios'
            ) : (
              <>
                <span>Insumos {showMoney(bought)}, sin IVA</span>
                <span>Servicios {showMoney(services)}</span>
              </>
            )}
          </p>
        </Tile>
      )}
      {purchases && (
        <Tile
          label="Entregas atrasadas"
          value={purchases.deliveries === 0 ? '—' : showShare(purchases.late_deliveries / purchases.deliveries)}
          aside={
            purchases.overdue_lines > 0 && (
              <span data-tone="danger">
                {showCount(purchases.overdue_lines, 'insumo debe hoy', 'insumos debe hoy')}
              </span>
            )
          }
        >
          {purchases.deliveries > 0 && (
            <span className={styles.track} data-over={purchases.late_deliveries > 0 || undefined} aria-hidden>
              <span style={{ width: `${(purchases.late_deliveries / purchases.deliveries) * 100}%` }} />
            </span>
          )}
          <p>
            {purchases.deliveries === 0 ? (
              'Aún no llega nada con fecha prometida'
            ) : (
              <>
                <span>
                  {onTime} de {purchases.deliveries} a tiempo
                </span>
                <span>
                  {purchases.average_days_late
                    ? `${showQuantity(purchases.average_days_late)} ${purchases.average_days_late === 1 ? 'día' : 'días'} de atraso en promedio`
                    : 'Sin días de atraso'}
                </span>
              </>
            )}
          </p>
        </Tile>
      )}
      {seesCosts && purchases && (
        <Tile
          label="Precios que subieron"
          value={prices_count === 0 ? '—' : showNumber(risen_count)}
          aside={prices_count > 0 && `de ${showCount(prices_count, 'insumo', 'insumos')}`}
        >
          <p>{prices_count === 0 ? 'No se le compran insumos' : 'desde la compra anterior o desde hace un año'}</p>
        </Tile>
      )}
      {owed && seesCosts && (
        <Tile
          label="Se le debe"
          value={showMoney(owed.owed_total)}
          aside={owed.overdue > 0 && <span data-tone="danger">{showCount(owed.overdue, 'vencida', 'vencidas')}</span>}
        >
          <p>
            <span>
              {owed.count === 0
                ? 'Nada por pagar'
                : showCount(owed.count, 'documento por pagar', 'documentos por pagar')}
            </span>
            {owed.overdue > 0 && <span data-tone="danger">{showMoney(owed.overdue_total)} vencido</span>}
          </p>
        </Tile>
      )}
    </div>
  )
}

const inThousands = (pesos: number | null) => (
  <span title={showMoney(pesos)}>{showNumber(Math.round((pesos ?? 0) / 1000))}</span>
)

function Spent({ said: { months, spent }, open }: { said: ProviderSummary; open: Open }) {
  return (
    <Card
      title="Gasto por mes"
      aside={<Legend names={['Insumos', 'Servicios']} />}
      nothing={
        !spent.total && months.every((m) => !m.services_cost && !m.purchases_net) && 'Nada en los últimos 12 meses.'
      }
    >
      <MonthTable
        label="Gasto de cada mes"
        months={months.map(({ month }) => month)}
        bars={[months.map((m) => m.purchases_net ?? 0), months.map((m) => m.services_cost ?? 0)]}
        rows={[
          { label: 'Insumos', values: months.map((m) => inThousands(m.purchases_net)) },
          { label: 'Servicios', values: months.map((m) => inThousands(m.services_cost)) },
          {
            label: 'Miles de $',
            values: months.map((m) => (
              <b key={m.month}>{inThousands((m.purchases_net ?? 0) + (m.services_cost ?? 0))}</b>
            )),
          },
        ]}
        onMonth={
          open &&
          ((month) => {
            const { services_cost, purchases_net } = months.find((one) => one.month === month)!
            open(daysOf(month), month, services_cost ?? 0, purchases_net ?? 0)
          })
        }
        opens="Gasto de"
      />
    </Card>
  )
}

function Prices({ said: { prices, prices_count, risen_count } }: { said: ProviderSummary }) {
  const columns: TableColumn<PriceMove>[] = [
    {
      label: 'Insumo',
      grows: true,
      cell: ({ supply_id, code, name }) => (
        <Link to="/insumo/$id" params={{ id: String(supply_id) }} className={styles.strong}>
          {name} <span className="mono">{code}</span>
        </Link>
      ),
    },
    {
      label: 'Último precio',
      align: 'end',
      cell: ({ last, last_on }) => (
        <span title={showDay(last_on)}>
          <UnitCost value={last} />
        </span>
      ),
    },
    {
      label: 'El anterior',
      align: 'end',
      folds: true,
      cell: ({ last, before }) =>
        before === null ? null : (
          <Moved now={last ?? 0} then={before} than="el anterior" over="sobre" under="bajo" brief />
        ),
    },
    {
      label: 'Hace un año',
      align: 'end',
      folds: true,
      cell: ({ last, year_ago }) =>
        year_ago === null ? null : (
          <Moved now={last ?? 0} then={year_ago} than="hace un año" over="sobre" under="bajo" brief />
        ),
    },
    {
      label: 'En 12 meses',
      align: 'end',
      folds: true,
      cell: ({ quantity, unit }) => showAmount(quantity, unit),
    },
  ]
  return (
    <Card
      title="Precios que subieron"
      count={risen_count}
      nothing={
        prices.length === 0 &&
        (prices_count === 0 ? 'Aún no se le compran insumos.' : 'Ningún precio subió desde la compra anterior.')
      }
    >
      <Table label="Precios que subieron" columns={columns} rows={prices} keyOf={({ supply_id }) => supply_id} bare />
    </Card>
  )
}

function Late({ said: { late, purchases } }: { said: ProviderSummary }) {
  if (!purchases) return null
  return (
    <Card
      title="Entregas atrasadas"
      count={purchases.late_deliveries + purchases.overdue_lines}
      end={
        <Link to="." search={{ tab: 'purchases' }} className={styles.end}>
          Ver compras
        </Link>
      }
      nothing={late.length === 0 && 'Nada llegó tarde ni está atrasado.'}
    >
      <ul className={styles.lines}>
        {late.map(
          ({ purchase_order_id, order_code, warehouse_id, supply_id, name, promised_on, received_on, days }) => (
            <li key={`${purchase_order_id} ${supply_id} ${received_on}`}>
              <Link
                to="/warehouse/$id"
                params={{ id: String(warehouse_id) }}
                search={{ tab: 'purchases-orders', order: purchase_order_id }}
              >
                {name}
              </Link>
              <b data-tone={received_on === null ? 'danger' : 'warning'}>{showCount(days, 'día', 'días')}</b>
              <small>
                {order_code}, prometida {showDay(promised_on)}
              </small>
              <small>{received_on === null ? 'No llega aún' : `Llegó ${showDay(received_on)}`}</small>
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}

function Documents({ said: { documents, owed } }: { said: ProviderSummary }) {
  if (!owed) return null
  return (
    <Card
      title="Documentos"
      end={
        <Link to="." search={{ tab: 'facturas' }} className={styles.end}>
          Ver sus facturas
        </Link>
      }
      nothing={documents.length === 0 && 'No tiene facturas ni compras con documento.'}
    >
      <ul className={styles.lines}>
        {documents.map((paper) => {
          const state = PAYABLE_STATES[paper.state]
          const words = `${PAYABLE_KINDS[paper.kind].label} ${paper.document}`
          return (
            <li key={paper.id}>
              {paper.work_order_id ? (
                <Link to="/ordenes-de-trabajo/$id" params={{ id: String(paper.work_order_id) }}>
                  {words}
                </Link>
              ) : (
                <Link
                  to="/warehouse/$id"
                  params={{ id: String(paper.warehouse_id) }}
                  search={{ tab: 'purchases', ...(paper.entry_id && { transaction: paper.entry_id }) }}
                >
                  {words}
                </Link>
              )}
              <b>{paper.total === null ? '' : showMoney(paper.total)}</b>
              <small>
                {showDay(paper.date)}
                {state.owed && `, vence ${showDay(paper.due_date)}`}
                {sayBalance(paper) && `. ${sayBalance(paper)}`}
              </small>
              <small>
                {paper.overdue ? (
                  <StatusPill tone="danger">Vencida</StatusPill>
                ) : (
                  <StatusPill tone={state.tone}>{state.label}</StatusPill>
                )}
              </small>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
