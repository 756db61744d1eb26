import { Button } from '@mantine/core'
import { IconDownload, IconHistory, IconMessageReply, IconPrinter, IconSend } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { showDay, showMoment } from '#contract/base/dates.ts'
import { MAIL_STATES } from '#contract/base/mails.ts'
import { showMoney } from '#contract/base/money.ts'
import { MATCHED_FIELDS, PURCHASE_FIELDS, PURCHASE_LINE_FIELDS } from '#contract/purchasing/fields.ts'
import {
  CLOSED_SHORT,
  type MatchedLine,
  PURCHASE_STATES,
  type PurchaseLine,
  type PurchaseOrder,
  type PurchaseStatus,
  purchasing,
} from '#contract/purchasing/purchasing.ts'
import { DOCUMENT_FIELDS, TRANSACTION_FIELDS } from '#contract/warehouses/fields.ts'
import { type NewTransaction, TRANSACTION_STATES, type Transaction } from '#contract/warehouses/transactions.ts'
import type { Warehouse } from '#contract/warehouses/warehouses.ts'
import { ActivityTab } from '../frames/activity-tab.tsx'
import { factsOf, tableColumns } from '../frames/fields.tsx'
import { type ApiFailure, call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import type { Recovery } from '../platform/submit.ts'
import { confirm } from '../ui/confirm.tsx'
import { useDownload } from '../ui/download.ts'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { lazy } from '../ui/lazy.ts'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table } from '../ui/table.tsx'
import styles from '../warehouses/document.module.css'
import { DocumentFacts } from '../warehouses/document-facts.tsx'
import { LinesTable } from '../warehouses/lines.tsx'
import { Promised } from './promised.tsx'
import { matchingQuery, purchasingKey, receiptsQuery, updatePurchaseStatus } from './queries.ts'

const CloseDrawer = lazy(async () => ({ default: (await import('./purchase-order-drawers.tsx')).CloseDrawer }))
const SendDrawer = lazy(async () => ({ default: (await import('./purchase-order-drawers.tsx')).SendDrawer }))
const AnswerDrawer = lazy(async () => ({ default: (await import('./purchase-order-drawers.tsx')).AnswerDrawer }))
const DRAWERS = { close: CloseDrawer, send: SendDrawer, answer: AnswerDrawer }
const TransactionForm = lazy(() => import('../warehouses/transaction-form.tsx'))

interface PurchaseOrderCardProps {
  order: PurchaseOrder
  warehouse: Warehouse
  onClose: () => void
}

/** An order as it stands: read only; it moves by approving, cancelling, receiving and closing. */
export default function PurchaseOrderCard({ order, warehouse, onClose }: PurchaseOrderCardProps) {
  const zone = useZone()
  const mayWrite = useMay('warehouses.write')
  const mayApprove = useMay('purchasing.approve')
  const [receiving, setReceiving] = useState(false)
  const [drawer, setDrawer] = useState<keyof typeof DRAWERS>()
  const OpenDrawer = drawer && DRAWERS[drawer]
  const { moveTo, isPending } = useOrderActions(order)
  const receive = useReceive(order)
  const state = PURCHASE_STATES[order.status]
  const next = state.next as readonly PurchaseStatus[]
  const mayCancel = next.includes('cancelled') && (state.approval ? mayApprove : mayWrite)
  return (
    <>
      <FullscreenDialog
        opened
        onClose={onClose}
        title={`Orden de compra ${order.code} · ${order.warehouse_name}`}
        footer={
          <>
            <span className={styles.spread}>
              {mayCancel && (
                <Button variant="default" onClick={() => moveTo('cancelled')} disabled={isPending}>
                  Anular
                </Button>
              )}
              {mayApprove && next.includes(CLOSED_SHORT) && (
                <Button variant="default" onClick={() => setDrawer('close')} disabled={isPending}>
                  Cerrar incompleta
                </Button>
              )}
            </span>
            <Button variant="default" onClick={onClose}>
              Cerrar
            </Button>
            {mayApprove && next.includes('approved') && (
              <Button onClick={() => moveTo('approved')} loading={isPending}>
                Aprobar
              </Button>
            )}
            {mayWrite && state.receivable && <Button onClick={() => setReceiving(true)}>Recibir</Button>}
          </>
        }
      >
        <div className={styles.sheet}>
          <Tools order={order} open={setDrawer} />
          <DocumentFacts
            rows={factsOf(PURCHASE_FIELDS, order, {
              status: <StatusPill tone={state.tone}>{state.label}</StatusPill>,
              createdAt: `${showMoment(order.createdAt, zone)}${order.user_name ? `, ${order.user_name}` : ''}`,
              approved_by: order.approved_by,
              sent_at: order.sent_at && <Sent order={order} />,
              answered_on: order.sent_at && (order.answered_on ? showDay(order.answered_on) : 'Sin respuesta'),
              promised_on: order.promised_on && <Promised day={order.promised_on} />,
              closed_reason: order.closed_reason,
              closed_by: order.closed_by,
            })}
          />
          <LinesTable
            lines={order.supplies}
            empty="Sin insumos."
            more={tableColumns<PurchaseLine, keyof typeof PURCHASE_LINE_FIELDS>(PURCHASE_LINE_FIELDS, {
              received: { folds: true },
              outstanding: { folds: true },
              ...(order.closed_reason && { not_coming: { folds: true } }),
              ...(order.supplies.some((line) => line.promised_on) && {
                promised_on: {
                  folds: true,
                  cell: ({ promised_on }: PurchaseLine) =>
                    promised_on && <span className={styles.oneLine}>{showDay(promised_on)}</span>,
                },
              }),
            })}
          />
          <Receipts order={order} />
          <Matching order={order} />
          <OrderActivity order={order} />
        </div>
      </FullscreenDialog>
      <Suspense fallback={null}>
        {OpenDrawer && <OpenDrawer order={order} onClose={() => setDrawer(undefined)} />}
      </Suspense>
      {receiving && (
        <Suspense fallback={null}>
          <TransactionForm
            warehouse={warehouse}
            type="entry"
            receiving={{
              title: `Recibir ${order.code}`,
              provider_id: order.provider_id,
              lines: order.supplies
                .filter((line) => line.outstanding > 0)
                .map((line) => ({ ...line, quantity: line.outstanding })),
              ...receive,
            }}
            onClose={() => setReceiving(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function Tools({ order, open }: { order: PurchaseOrder; open: (drawer: keyof typeof DRAWERS) => void }) {
  const mayWrite = useMay('warehouses.write')
  return (
    <div className={styles.tools}>
      {mayWrite && PURCHASE_STATES[order.status].receivable && (
        <>
          <Button variant="default" leftSection={<IconSend size={16} stroke={1.7} />} onClick={() => open('send')}>
            {order.sent_at ? 'Reenviar' : 'Enviar'}
          </Button>
          <Button
            variant="default"
            leftSection={<IconMessageReply size={16} stroke={1.7} />}
            onClick={() => open('answer')}
          >
            Respuesta
          </Button>
        </>
      )}
      <Papers order={order} />
    </div>
  )
}

function Papers({ order }: { order: PurchaseOrder }) {
  const { download: print, isDownloading: isPrinting } = useDownload(() =>
    call(purchasing.purchaseOrderPdf, { params: { id: order.id } }),
  )
  const sheet = useDownload(() => call(purchasing.purchaseOrderXlsx, { params: { id: order.id } }))
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} stroke={1.7} />}
        onClick={print}
        loading={isPrinting}
      >
        PDF
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.7} />}
        onClick={sheet.download}
        loading={sheet.isDownloading}
      >
        Excel
      </Button>
    </>
  )
}

function Sent({ order: { sent_at, sent_to, sent_by, mail_state } }: { order: PurchaseOrder }) {
  const zone = useZone()
  const mail = mail_state && MAIL_STATES[mail_state]
  return (
    <>
      {`${showMoment(sent_at!, zone)}, a ${sent_to}${sent_by ? `, por ${sent_by}` : ''} `}
      {mail && <StatusPill tone={mail.tone}>{`Correo: ${mail.label.toLowerCase()}`}</StatusPill>}
    </>
  )
}

const WORDS = {
  actions: {
    created: 'creó la orden de compra',
    updated: (changes: Record<string, unknown>) =>
      changes.status ? 'cambió el estado de la orden' : 'editó la orden de compra',
    sent: 'envió la orden al proveedor',
    answered: 'anotó la respuesta del proveedor',
  },
  fields: { ...PURCHASE_FIELDS, promises: { label: 'Prometido' } },
  empty: 'Cada cambio de la orden queda aquí: quién, cuándo y qué había antes.',
}

function OrderActivity({ order }: { order: PurchaseOrder }) {
  const [shown, setShown] = useState(false)
  return (
    <>
      <div className={styles.linesHead}>
        <Button
          variant="subtle"
          size="xs"
          ml={0}
          aria-expanded={shown}
          leftSection={<IconHistory size={14} stroke={1.7} />}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Ocultar actividad' : 'Ver actividad'}
        </Button>
      </div>
      {shown && (
        <ActivityTab
          queryKey={[...purchasingKey, 'activity', order.id]}
          read={(query, signal) => call(purchasing.purchaseOrderActivity, { params: { id: order.id }, query, signal })}
          words={WORDS}
        />
      )}
    </>
  )
}

const entryFields = { ...DOCUMENT_FIELDS, ...TRANSACTION_FIELDS }

function Receipts({ order }: { order: PurchaseOrder }) {
  const receipts = useQuery(receiptsQuery(order.id)).data ?? []
  if (receipts.length === 0) return null
  return (
    <>
      <div className={styles.linesHead}>
        <h2>Recepciones</h2>
      </div>
      <Table
        label="Recepciones"
        rows={receipts}
        keyOf={(entry) => entry.id}
        faded={({ state }) => !TRANSACTION_STATES[state].standing}
        columns={tableColumns<Transaction, keyof typeof entryFields>(entryFields, {
          code: { label: 'Entrada', cell: (entry) => <span className="mono">{entry.code}</span> },
          date: { cell: (entry) => showDay(entry.transaction.date) },
          document: { folds: true, cell: (entry) => entry.transaction.document },
          total: {},
          state: {},
        })}
      />
    </>
  )
}

/** Ordered, received and invoiced, side by side; what does not agree in words. */
function Matching({ order }: { order: PurchaseOrder }) {
  const matching = useQuery(matchingQuery(order.id)).data
  if (!matching?.data.some(({ received }) => received > 0)) return null
  const { data, totals } = matching
  return (
    <>
      <div className={styles.linesHead}>
        <h2>Pedido, recibido y facturado</h2>
      </div>
      <Table
        label="Pedido, recibido y facturado"
        rows={data}
        keyOf={(line) => line.supply_id}
        totals
        columns={[
          ...tableColumns<MatchedLine, keyof typeof MATCHED_FIELDS>(MATCHED_FIELDS, {
            name: { grows: true, total: 'Total' },
            ordered: { folds: true },
            received: { folds: true },
            ...(data.some(({ returned }) => returned > 0) && { returned: { folds: true } }),
            invoiced: { folds: true },
            unit_cost: { folds: true },
            invoiced_cost: { folds: true },
            invoiced_net: { folds: true, total: showMoney(totals.invoiced_net) },
            difference: { folds: true, total: showMoney(totals.difference) },
          }),
          { label: 'Cuadre', cell: (line) => <Agrees line={line} /> },
        ]}
      />
    </>
  )
}

function Agrees({ line: { ordered, received, invoiced, difference } }: { line: MatchedLine }) {
  const wrong = [
    ordered === 0 ? 'No se pidió' : received < ordered ? 'Falta recibir' : received > ordered && 'Llegó de más',
    invoiced < received && 'Falta factura',
    ordered > 0 && difference !== 0 && 'Otro precio',
  ].filter((one) => typeof one === 'string')
  return wrong.length === 0 ? (
    <StatusPill tone="success">Cuadra</StatusPill>
  ) : (
    wrong.map((one) => (
      <StatusPill key={one} tone="warning">
        {one}
      </StatusPill>
    ))
  )
}

/** Receiving; what differs from the order is shown and asked before it is received so. */
function useReceive(order: PurchaseOrder) {
  const client = useQueryClient()
  return {
    save: async ({ transaction: typed, supplies, confirmed = false }: Received, idempotencyKey: string) => {
      // Of what kind it is and whom it comes from, the order says.
      const { typeTrasactionId: _type, providerId: _provider, ...transaction } = typed
      const done = await call(purchasing.receivePurchaseOrder, {
        params: { id: order.id },
        body: { transaction, supplies, confirmed },
        idempotencyKey,
      })
      void client.invalidateQueries({ queryKey: purchasingKey })
      return done
    },
    recover: async (failure: ApiFailure, body: NewTransaction): Promise<Recovery<Received>> => {
      if (!failure.errors.confirmed) return false
      const differences = Object.entries(failure.errors)
        .filter(([field]) => field !== 'confirmed')
        .map(([field, messages]) => {
          const line = body.supplies[Number(field.split('.')[1])]
          const supply = order.supplies.find(({ supply_id }) => supply_id === line?.supply_id)
          return `${supply?.name ?? 'Otro insumo'}: ${messages[0]}`
        })
      const sure = await confirm({
        title: 'Lo recibido difiere de lo pedido',
        message: (
          <ul>
            {differences.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        ),
        accept: 'Recibir así',
        cancel: 'Revisar',
      })
      return sure ? { again: { ...body, confirmed: true } } : true
    },
  }
}
type Received = NewTransaction & { confirmed?: boolean }

const QUESTIONS: Partial<Record<PurchaseStatus, { title: string; message: string; accept: string; danger?: boolean }>> =
  {
    cancelled: {
      title: '¿Anular la orden de compra?',
      message: 'Ya no se podrá recibir. No se puede deshacer.',
      accept: 'Anular',
      danger: true,
    },
  }

function useOrderActions(order: PurchaseOrder) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const attempt = async (act: () => Promise<void>, failed: string) => {
    setPending(true)
    try {
      await act()
    } catch (error) {
      const why = error instanceof Error && error.cause instanceof Error ? error.cause : error
      say(failed, { tone: 'danger', detail: why instanceof Error ? why.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: purchasingKey })
    }
  }
  const moveTo = async (status: PurchaseStatus) => {
    const question = QUESTIONS[status]
    if (question && !(await confirm(question))) return
    await attempt(async () => {
      await updatePurchaseStatus(order.id, status)
      say(`Orden de compra ${PURCHASE_STATES[status].label.toLowerCase()} ✅`)
    }, 'Error al cambiar el estado de la orden de compra ❌')
  }
  return { moveTo, isPending }
}
