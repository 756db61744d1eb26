import { useQueryClient } from '@tanstack/react-query'
import { showMoney } from '#contract/base/money.ts'
import { INVOICE_TYPES } from '#contract/warehouses/transactions.ts'
import {
  PAYABLE_STATES,
  type Payable,
  type PayablePayment,
  type PayableState,
  payables,
} from '#contract/work-orders/payables.ts'
import { call } from '../../platform/api.ts'
import { useMay } from '../../platform/session.ts'
import { confirm } from '../../ui/confirm.tsx'
import { say } from '../../ui/snackbar.tsx'
import { workOrdersKey } from '../queries.ts'

export const sayDocument = ({ bill_invoice, document }: Pick<Payable, 'bill_invoice' | 'document'>) =>
  [bill_invoice && INVOICE_TYPES[bill_invoice].label, document].filter(Boolean).join(' ')

/** Takes invoices to a state, one after the other; says those that could not. */
export function usePayables() {
  const client = useQueryClient()
  const mayApprove = useMay('payables.approve')
  const mayPay = useMay('payables.pay')
  const may = { 'payables.approve': mayApprove, 'payables.pay': mayPay }
  return {
    /** What the person may do with it. */
    nextOf: ({ state }: Payable) =>
      (PAYABLE_STATES[state].next as readonly PayableState[]).filter(
        (next) => may[PAYABLE_STATES[next].may] && (PAYABLE_STATES[state].owed || mayPay),
      ),
    mayPay,
    takeBack: async (payable: Payable, payment: PayablePayment) => {
      const amount = payment.amount === null ? '' : ` de ${showMoney(payment.amount)}`
      const sure = await confirm({
        title: `¿Anular el pago${amount}?`,
        message: `${sayDocument(payable)} vuelve a quedar por pagar. Queda en la actividad quién lo anuló.`,
        accept: 'Anular pago',
        danger: true,
      })
      if (!sure) return
      try {
        await call(payables.deletePayment, { params: { id: payment.id } })
        say('Pago anulado')
      } catch (error) {
        say('No se pudo anular el pago', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
      }
      void client.invalidateQueries({ queryKey: workOrdersKey })
    },
    take: async (rows: Payable[], state: PayableState) => {
      const failed: string[] = []
      for (const row of rows) {
        const params = { id: row.id }
        const isPayment = !PAYABLE_STATES[state].owed || !PAYABLE_STATES[row.state].owed
        const asked = isPayment
          ? call(payables.payPayable, { params, body: { paid: !PAYABLE_STATES[state].owed } })
          : call(payables.updatePayable, { params, body: { state } })
        await asked.catch((error: Error) => failed.push(`${sayDocument(row)}: ${error.message}`))
      }
      void client.invalidateQueries({ queryKey: workOrdersKey })
      const done = rows.length - failed.length
      const words = done === 1 ? 'factura' : 'facturas'
      if (done > 0) say(`${done} ${words}: ${PAYABLE_STATES[state].label.toLowerCase()}`)
      if (failed.length > 0) say('No se pudo cambiar', { tone: 'danger', detail: failed.join(' ') })
    },
  }
}
