import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { dayOf } from '#contract/base/dates.ts'
import { TAXES } from '#contract/base/money.ts'
import { INVOICE_TYPES, PAYMENT_TYPES } from '#contract/warehouses/transactions.ts'
import { type Invoice, NewInvoice, sharesSum } from '#contract/work-orders/invoices.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { formResolver } from '../../platform/form-resolver.ts'
import { useZone } from '../../platform/session.ts'
import { useSubmit } from '../../platform/submit.ts'
import { choicesOf } from '../../ui/choices.ts'
import { confirm } from '../../ui/confirm.tsx'
import { DayField } from '../../ui/date-field.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { NumberField, TextAreaField, TextField, WordField } from '../../ui/field.tsx'
import { say } from '../../ui/snackbar.tsx'
import { meansOldDate } from '../../warehouses/old-document.ts'
import { useClosed } from '../../workshops/closed.ts'
import { workOrdersKey } from '../queries.ts'
import invoices from './invoice.module.css'
import { InvoiceNotes } from './invoice-notes.tsx'
import { InvoiceShares, InvoiceSums, type InvoiceTyped, type ShareTyped } from './invoice-shares.tsx'
import styles from './order.module.css'

/** One order has all of it. */
const sharesOf = (shares: ShareTyped[], net: number | null) =>
  shares.length === 1 ? [{ ...shares[0]!, amount: net }] : shares

interface InvoiceDrawerProps {
  order: WorkOrder
  provider_id: number
  provider_name: string
  invoice?: Invoice
  onClose: () => void
}

/**
 * The paper a provider leaves for its services in one order, or in several. It comes to what they are until somebody says
 * what it says.
 */
export default function InvoiceDrawer({ order, provider_id, provider_name, invoice, onClose }: InvoiceDrawerProps) {
  const today = dayOf(new Date(), useZone())
  const client = useQueryClient()
  const closed = useClosed().onDay(invoice?.date)
  const served = sharesSum(
    order.services.filter((line) => line.provider_id === provider_id).map(({ amount }) => ({ amount: amount ?? 0 })),
  )
  const follows = invoice?.follows_services ?? true
  const net = invoice?.net ?? served
  const own = { work_order_id: order.id, code: order.code, patent: order.patent, amount: served }
  const form = useForm<InvoiceTyped, unknown, NewInvoice>({
    resolver: formResolver<InvoiceTyped, NewInvoice>(NewInvoice, ({ shares, net: typed, ...rest }) =>
      shares.length > 1 || (invoice?.shares.length ?? 0) > 1
        ? { ...rest, work_order_id: shares[0]!.work_order_id, net: typed, shares: sharesOf(shares, typed) }
        : { ...rest, ...((!follows || typed !== net) && { net: typed }) },
    ),
    defaultValues: {
      work_order_id: order.id,
      provider_id,
      bill_invoice: invoice?.bill_invoice ?? 'bill',
      document: invoice?.document ?? '',
      date: invoice?.date ?? today,
      payment_type: invoice?.payment_type ?? 'Credit',
      note: invoice?.note ?? '',
      due_date: invoice?.due_date ?? null,
      tax_type: invoice?.tax_type ?? '19',
      net,
      shares: invoice?.shares ?? [own],
    },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      invoice
        ? call(workOrderParts.updateInvoice, {
            params: { id: invoice.id },
            body: { ...body, updated_at: invoice.updated_at },
          })
        : call(workOrderParts.createInvoice, { body, idempotencyKey }),
    refresh: [workOrdersKey],
    done: invoice ? 'Factura actualizada correctamente ✅' : 'Factura registrada correctamente ✅',
    failed: 'Error al guardar la factura',
    onDone: onClose,
    recover: async (failure, body) =>
      (await meansOldDate(failure)) ? { again: { ...body, confirm_old: true } } : false,
  })
  const remove = async () => {
    if (!invoice) return
    const sure = await confirm({
      title: `¿Eliminar ${INVOICE_TYPES[invoice.bill_invoice].label.toLowerCase()} ${invoice.document}?`,
      message: 'Los servicios quedan en sus órdenes, sin factura.',
      accept: 'Eliminar',
      danger: true,
    })
    if (!sure) return
    try {
      await call(workOrderParts.deleteInvoice, { params: { id: invoice.id } })
      void client.invalidateQueries({ queryKey: workOrdersKey })
      say('Factura eliminada')
      onClose()
    } catch (error) {
      say('No se pudo eliminar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  // What notes take from stays.
  const now = order.invoices.find(({ id }) => id === invoice?.id)
  const isNoted = (now?.notes.length ?? 0) > 0
  const field = <Name extends keyof InvoiceTyped>(name: Name) => ({
    control: form.control,
    name,
    disabled: Boolean(closed) || (isNoted && (name === 'net' || name === 'tax_type')),
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title={invoice ? 'Factura' : 'Registrar factura'}
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          {invoice && !closed && !isNoted && (
            <Button variant="subtle" color="red" className={styles.drawerSum} onClick={() => void remove()}>
              Eliminar
            </Button>
          )}
          <Button variant="subtle" onClick={close}>
            {closed ? 'Cerrar' : 'Cancelar'}
          </Button>
          {!closed && (
            <Button type="submit" loading={isPending}>
              Guardar
            </Button>
          )}
        </>
      )}
    >
      <p className={styles.drawerNote}>
        De <strong>{provider_name}</strong>, por sus servicios. {closed}
      </p>
      <WordField {...field('bill_invoice')} label="Documento" choices={choicesOf(INVOICE_TYPES)} />
      <TextField {...field('document')} label="Número" required autoFocus maxLength={60} />
      <DayField {...field('date')} label="Fecha" required latest={today} />
      <WordField {...field('payment_type')} label="Forma de pago" choices={choicesOf(PAYMENT_TYPES)} />
      <DayField {...field('due_date')} label="Vence" description="Sin fecha: según el plazo de pago del proveedor." />
      <div className={invoices.pair}>
        <NumberField {...field('net')} label="Neto" required prefix="$" />
        <WordField {...field('tax_type')} label="IVA" choices={choicesOf(TAXES)} />
      </div>
      <InvoiceShares form={form} workshop={order.workshop_id} readOnly={Boolean(closed) || isNoted} />
      <InvoiceSums form={form} />
      {now && <InvoiceNotes invoice={now} />}
      <TextAreaField {...field('note')} label="Nota" />
    </Drawer>
  )
}
