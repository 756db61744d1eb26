import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { dayOf } from '#contract/base/dates.ts'
import { INVOICE_TYPES, PAYMENT_TYPES } from '#contract/warehouses/transactions.ts'
import { type Invoice, NewInvoice } from '#contract/work-orders/lines.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { formResolver } from '../../platform/form-resolver.ts'
import { useZone } from '../../platform/session.ts'
import { useSubmit } from '../../platform/submit.ts'
import { choicesOf } from '../../ui/choices.ts'
import { confirm } from '../../ui/confirm.tsx'
import { DayField } from '../../ui/date-field.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { TextAreaField, TextField, WordField } from '../../ui/field.tsx'
import { say } from '../../ui/snackbar.tsx'
import { meansOldDate } from '../../warehouses/old-document.ts'
import { useClosed } from '../../workshops/closed.ts'
import { workOrdersKey } from '../queries.ts'
import styles from './order.module.css'

interface InvoiceDrawerProps {
  order: number
  provider_id: number
  provider_name: string
  invoice?: Invoice
  onClose: () => void
}

interface InvoiceTyped {
  work_order_id: number
  provider_id: number
  bill_invoice: string
  document: string
  date: string | null
  payment_type: string
  note: string
}

/** The paper a provider leaves for its services in an order. Its amount is theirs. */
export function InvoiceDrawer({ order, provider_id, provider_name, invoice, onClose }: InvoiceDrawerProps) {
  const today = dayOf(new Date(), useZone())
  const client = useQueryClient()
  const closed = useClosed().onDay(invoice?.date)
  const form = useForm<InvoiceTyped, unknown, NewInvoice>({
    resolver: formResolver<InvoiceTyped, NewInvoice>(NewInvoice),
    defaultValues: {
      work_order_id: order,
      provider_id,
      bill_invoice: invoice?.bill_invoice ?? 'bill',
      document: invoice?.document ?? '',
      date: invoice?.date ?? today,
      payment_type: invoice?.payment_type ?? 'Credit',
      note: invoice?.note ?? '',
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
      message: 'Los servicios quedan en la orden, sin factura.',
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
  const field = <Name extends keyof InvoiceTyped>(name: Name) => ({
    control: form.control,
    name,
    disabled: Boolean(closed),
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
          {invoice && !closed && (
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
        De <strong>{provider_name}</strong>, por sus servicios en esta orden. {closed}
      </p>
      <WordField {...field('bill_invoice')} label="Documento" choices={choicesOf(INVOICE_TYPES)} />
      <TextField {...field('document')} label="Número" required autoFocus maxLength={60} />
      <DayField {...field('date')} label="Fecha" required latest={today} />
      <WordField {...field('payment_type')} label="Forma de pago" choices={choicesOf(PAYMENT_TYPES)} />
      <TextAreaField {...field('note')} label="Nota" />
    </Drawer>
  )
}
