import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { showField } from '#contract/base/fields.ts'
import { showMoney, showQuantity } from '#contract/base/money.ts'
import { purchasing } from '#contract/purchasing/purchasing.ts'
import {
  DOCUMENT_FIELDS as D,
  TRANSACTION_FIELDS as F,
  LINE_FIELDS,
  MOVEMENT_FIELDS,
} from '#contract/warehouses/fields.ts'
import { DIRECTIONS, typeNamed } from '#contract/warehouses/stock.ts'
import {
  isIncomplete,
  type Recosted as RecostedLine,
  TRANSACTION_STATES,
  type Transaction,
} from '#contract/warehouses/transactions.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { ActivityTab } from '../frames/activity-tab.tsx'
import { tableColumns } from '../frames/fields.tsx'
import { call } from '../platform/api.ts'
import { useMay, useZone } from '../platform/session.ts'
import { confirm } from '../ui/confirm.tsx'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { say } from '../ui/snackbar.tsx'
import { StatusPill } from '../ui/status-pill.tsx'
import { Table } from '../ui/table.tsx'
import { CompletionNotice } from './completion.tsx'
import styles from './document.module.css'
import { DocumentFacts } from './document-facts.tsx'
import { LatePapers } from './late-papers.tsx'
import { LinesTable } from './lines.tsx'
import { recostedQuery, warehousesKey } from './queries.ts'

/** An entry or exit as it was written; it can be voided or completed, its amounts never changed. */
export default function TransactionCard({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const zone = useZone()
  const mayWrite = useMay('warehouses.write')
  const { voidIt, isPending } = useVoid(transaction)
  const { transaction: paper, type } = transaction
  const state = TRANSACTION_STATES[transaction.state]
  const isPurchase = paper.typeTrasactionId === typeNamed('entry', 'purchase')
  const facts: [string, React.ReactNode][] = [
    [
      F.state.label,
      <StatusPill key="state" tone={state.tone}>
        {state.label}
      </StatusPill>,
    ],
    [D.typeTrasactionId.label, transaction.type_name],
    [
      D.document.label,
      [showField(D.typeInvoice, paper.typeInvoice, zone), paper.document].filter(Boolean).join(' ') || null,
    ],
    [D.date.label, showField(D.date, paper.date, zone)],
    ['Fecha de la factura', showField(D.date, paper.invoice_date, zone)],
    [D.providerId.label, transaction.provider_name],
    [D.payment_type.label, showField(D.payment_type, paper.payment_type, zone)],
    [D.reference.label, paper.reference],
    [
      'Otra bodega',
      transaction.in_transit
        ? `${transaction.to_warehouse_name} (en tránsito)`
        : (transaction.transfer?.warehouse_name ?? transaction.to_warehouse_name),
    ],
    [
      F.created_at.label,
      `${showMoment(transaction.created_at, zone)}${transaction.user_name ? `, ${transaction.user_name}` : ''}`,
    ],
    [D.note.label, paper.note],
    [
      F.voided_at.label,
      transaction.voided_at && `${showMoment(transaction.voided_at, zone)}, ${transaction.voided_by ?? ''}`,
    ],
    [F.void_note.label, transaction.void_note],
  ]
  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={`${DIRECTIONS[type].label} ${transaction.code} · ${transaction.warehouse_name}`}
      footer={
        <>
          {mayWrite && state.standing && (
            <span className={styles.spread}>
              <Button variant="default" color="red" onClick={voidIt} loading={isPending}>
                Anular
              </Button>
            </span>
          )}
          <Button variant="default" onClick={onClose}>
            Cerrar
          </Button>
        </>
      }
    >
      <div className={styles.sheet}>
        <DocumentFacts rows={facts} />
        {isIncomplete(transaction) && <CompletionNotice entry={transaction} mayWrite={mayWrite} />}
        <LinesTable lines={transaction.supplies} empty="Sin insumos." />
        {isPurchase && state.standing && transaction.provider_name && (
          <LatePapers entry={transaction} mayWrite={mayWrite} />
        )}
        {transaction.recosted > 0 && <Recosted id={transaction.id} count={transaction.recosted} />}
        <EntryActivity transaction={transaction} />
      </div>
    </FullscreenDialog>
  )
}

const WORDS = {
  actions: {
    created: 'registró el movimiento',
    updated: 'agregó la factura',
    completed: 'completó la compra a crédito',
    voided: 'anuló el movimiento',
  },
  fields: {
    document: D.document,
    typeInvoice: D.typeInvoice,
    provider_name: D.providerId,
    total: F.total,
    note: F.void_note,
  },
  empty: 'Cada cambio queda aquí: quién, cuándo y qué había antes.',
}

function EntryActivity({ transaction: { id } }: { transaction: Transaction }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <div className={styles.linesHead}>
        <Button
          variant="subtle"
          size="xs"
          ml={0}
          aria-expanded={isShown}
          leftSection={<IconHistory size={14} stroke={1.7} />}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Ocultar actividad' : 'Ver actividad'}
        </Button>
      </div>
      {isShown && (
        <ActivityTab
          queryKey={[...warehousesKey, 'transaction', id, 'activity']}
          read={(query, signal) => call(warehouses.transactionActivity, { params: { id }, query, signal })}
          words={WORDS}
        />
      )}
    </>
  )
}

function Recosted({ id, count }: { id: number; count: number }) {
  const zone = useZone()
  const changed = useQuery(recostedQuery(id)).data ?? []
  return (
    <>
      <div className={styles.linesHead}>
        <h2>Costos que cambiaron</h2>
        <span className={styles.hint}>
          {`Este documento es anterior a ${count} ${count === 1 ? 'movimiento' : 'movimientos'}: en la bodega, y en las órdenes de trabajo que los usaron, cuestan otra cosa desde entonces.`}
        </span>
      </div>
      <Table
        label="Costos que cambiaron"
        rows={changed}
        keyOf={(movement) => movement.id}
        columns={[
          ...tableColumns<RecostedLine, keyof typeof MOVEMENT_FIELDS>(
            MOVEMENT_FIELDS,
            { at: {}, name: { grows: true, cell: (m) => `${m.code} · ${m.name}` }, document: { folds: true } },
            zone,
          ),
          { label: LINE_FIELDS.quantity.label, align: 'end', folds: true, cell: (m) => showQuantity(m.quantity) },
          { label: 'Antes', align: 'end', cell: (m) => showMoney(m.cost_before) },
          { label: 'Ahora', align: 'end', cell: (m) => showMoney(m.cost_after) },
        ]}
      />
    </>
  )
}

function useVoid(transaction: Transaction) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const voidIt = async () => {
    const both = transaction.between_workshops
      ? transaction.type === 'entry'
        ? ' Lo recibido vuelve a estar en tránsito.'
        : ''
      : transaction.transfer
        ? ' Es un traspaso: se anulan los dos lados.'
        : ''
    const sure = await confirm({
      title: `¿Anular ${transaction.code}?`,
      message: `Se agregan los movimientos contrarios y el stock vuelve atrás.${both} No se puede deshacer.`,
      accept: 'Anular',
      danger: true,
    })
    if (!sure) return
    setPending(true)
    try {
      await call(purchasing.voidTransaction, { params: { id: transaction.id }, body: {} })
      say('Movimiento anulado correctamente ✅')
    } catch (error) {
      say('Error al anular ❌', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: warehousesKey })
    }
  }
  return { voidIt, isPending }
}
