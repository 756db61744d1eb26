import { Button, Checkbox } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { showMoney, splitPesos } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import {
  type Invoice,
  type InvoiceNote,
  NewInvoiceNote,
  NOTE_KINDS,
  notAddingUp,
} from '#contract/work-orders/invoices.ts'
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
import styles from './invoice.module.css'
import order from './order.module.css'

/** Notes of an invoice, and what they leave of it. */
export function InvoiceNotes({ invoice }: { invoice: Invoice }) {
  const [opened, setOpened] = useState<InvoiceNote | 'new'>()
  return (
    <section className={styles.notes} aria-label="Notas de crédito y débito">
      {invoice.notes.length > 0 && (
        <ul>
          {invoice.notes.map((note) => (
            <li key={note.id}>
              <button type="button" onClick={() => setOpened(note)}>
                {NOTE_KINDS[note.kind].label} {note.document}
                <span>{showDay(note.date)}</span>
              </button>
              <span>{showMoney(NOTE_KINDS[note.kind].sign * (note.total ?? 0))}</span>
            </li>
          ))}
          <li className={styles.whole}>
            <span>{(invoice.balance ?? 0) < 0 ? 'A favor' : 'Queda por pagar'}</span>
            <span>{showMoney(invoice.balance && Math.abs(invoice.balance))}</span>
          </li>
        </ul>
      )}
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconPlus size={14} stroke={1.9} />}
        onClick={() => setOpened('new')}
      >
        Nota de crédito o débito
      </Button>
      {opened && (
        <NoteDrawer
          invoice={invoice}
          note={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  )
}

interface NoteTyped {
  kind: InvoiceNote['kind']
  document: string
  date: string | null
  amount: number | null
  note: string
  byHand: boolean
  shares: { work_order_id: number; amount: number | null }[]
}

/** Long: what is typed, how it is shared out and how it is saved belong to one short form. */
function NoteDrawer({
  invoice,
  note,
  onClose,
}: {
  invoice: Invoice
  note?: InvoiceNote | undefined
  onClose: () => void
}) {
  const today = dayOf(new Date(), useZone())
  const client = useQueryClient()
  const closed = useClosed().onDay(note?.date)
  const ofOrder = (id: number) => note?.shares.find(({ work_order_id }) => work_order_id === id)?.amount ?? 0
  const form = useForm<NoteTyped, unknown, NewInvoiceNote>({
    resolver: formResolver<NoteTyped, NewInvoiceNote>(NewInvoiceNote, ({ byHand, shares, ...rest }) => ({
      ...rest,
      ...(byHand && { shares }),
    })),
    defaultValues: {
      kind: note?.kind ?? 'credit',
      document: note?.document ?? '',
      date: note?.date ?? today,
      amount: note?.amount ?? null,
      note: note?.note ?? '',
      byHand: false,
      shares: invoice.shares.map(({ work_order_id }) => ({ work_order_id, amount: ofOrder(work_order_id) })),
    },
  })
  const { control, formState, setValue } = form
  const [byHand, amount, shares] = useWatch({ control, name: ['byHand', 'amount', 'shares'] })
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      note
        ? call(workOrderParts.updateInvoiceNote, {
            params: { id: note.id },
            body: { ...body, updated_at: note.updated_at },
          })
        : call(workOrderParts.createInvoiceNote, { params: { id: invoice.id }, body, idempotencyKey }),
    refresh: [workOrdersKey],
    done: note ? 'Nota actualizada correctamente ✅' : 'Nota registrada correctamente ✅',
    failed: 'Error al guardar la nota',
    onDone: onClose,
    recover: async (failure, body) =>
      (await meansOldDate(failure)) ? { again: { ...body, confirm_old: true } } : false,
  })
  const remove = async () => {
    if (!note) return
    const title = `¿Eliminar ${NOTE_KINDS[note.kind].label.toLowerCase()} ${note.document}?`
    if (
      !(await confirm({
        title,
        message: 'Lo gastado vuelve a ser lo de la factura.',
        accept: 'Eliminar',
        danger: true,
      }))
    )
      return
    try {
      await call(workOrderParts.deleteInvoiceNote, { params: { id: note.id } })
      void client.invalidateQueries({ queryKey: workOrdersKey })
      say('Nota eliminada')
      onClose()
    } catch (error) {
      say('No se pudo eliminar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  const field = <Name extends keyof NoteTyped>(name: Name) => ({ control, name, disabled: Boolean(closed) })
  const typed = shares.map((share) => ({ amount: share.amount ?? 0 }))
  const rest = notAddingUp(amount ?? 0, typed)
  const left = invoice.shares.map((share) => (share.left ?? 0) || 0)
  const share = (isByHand: boolean) => {
    setValue('byHand', isByHand, { shouldDirty: true })
    const parts = splitPesos(amount ?? 0, left.some((one) => one > 0) ? left : left.map(() => 1))
    if (isByHand && !note)
      setValue(
        'shares',
        invoice.shares.map(({ work_order_id }, i) => ({ work_order_id, amount: parts[i]! })),
      )
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title={note ? NOTE_KINDS[note.kind].label : 'Nota de crédito o débito'}
      dirty={formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          {note && !closed && (
            <Button variant="subtle" color="red" className={order.drawerSum} onClick={() => void remove()}>
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
      <p className={order.drawerNote}>
        De la factura {invoice.document} de <strong>{invoice.provider_name}</strong>, a la que le quedan{' '}
        {showMoney(invoice.left)} netos. {closed}
      </p>
      <WordField {...field('kind')} label="Documento" choices={choicesOf(NOTE_KINDS)} />
      <TextField {...field('document')} label="Número" required autoFocus maxLength={60} />
      <DayField {...field('date')} label="Fecha" required latest={today} />
      <NumberField {...field('amount')} label="Neto" required prefix="$" />
      {invoice.shares.length > 1 && (
        <fieldset className={styles.shares}>
          <legend>Órdenes</legend>
          <Checkbox
            label="Decir qué parte es de cada orden"
            description="Si no, se reparte según lo que cada una tiene de la factura."
            checked={byHand}
            disabled={Boolean(closed)}
            onChange={(event) => share(event.currentTarget.checked)}
          />
          {byHand &&
            invoice.shares.map((one, i) => (
              <NumberField
                key={one.work_order_id}
                control={control}
                name={`shares.${i}.amount`}
                label={`${one.code} · ${showPatent(one.patent)}`}
                prefix="$"
                disabled={Boolean(closed)}
              />
            ))}
          {byHand && (
            <p className={styles.rest} data-wrong={rest ? true : undefined} role="status">
              {formState.errors.shares?.root?.message ??
                formState.errors.shares?.message ??
                rest ??
                'Los montos suman el neto.'}
            </p>
          )}
        </fieldset>
      )}
      <TextAreaField {...field('note')} label="Nota" />
    </Drawer>
  )
}
