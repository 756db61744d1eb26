import { Button } from '@mantine/core'
import { IconFileInvoice, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { dayOf, showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { DOCUMENT_FIELDS as D } from '#contract/warehouses/fields.ts'
import { PRICE_NOTES, type PriceNoteKind } from '#contract/warehouses/stock.ts'
import {
  INVOICE_TYPES,
  type InvoiceType,
  LateInvoice,
  NewPriceNote,
  PAYMENT_TYPES,
  type PaymentType,
  type Transaction,
} from '#contract/warehouses/transactions.ts'
import { warehouses } from '#contract/warehouses/warehouses.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { choicesOf } from '../ui/choices.ts'
import { DayField } from '../ui/date-field.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { NumberField, SelectField, TextAreaField, TextField, WordField } from '../ui/field.tsx'
import styles from './document.module.css'
import { meansOldDate } from './old-document.ts'
import { warehousesKey } from './queries.ts'

/** Where the document that a note is stands. */
const TABS = { credit: 'sales', debit: 'purchases' } as const
const KINDS = choicesOf({ credit: { label: PRICE_NOTES.credit.name }, debit: { label: PRICE_NOTES.debit.name } })
// What is owed is of both.
const CHANGED = [warehousesKey, ['work-orders'], ['purchasing'], ['supplies']]

const leftOf = ({ subtotal, notes }: Transaction) =>
  notes.reduce((sum, note) => sum + PRICE_NOTES[note.kind].sign * note.subtotal, subtotal)

/** What papers said of a purchase after it was written: notes, and its invoice where it came without. */
export function LatePapers({ entry, mayWrite }: { entry: Transaction; mayWrite: boolean }) {
  const [opened, setOpened] = useState<'note' | 'invoice'>()
  const close = () => setOpened(undefined)
  if (!mayWrite && entry.notes.length === 0) return null
  return (
    <section className={styles.papers} aria-label="Notas de crédito y débito">
      {entry.notes.length > 0 && (
        <ul>
          {entry.notes.map((note) => (
            <li key={note.id}>
              <span>
                <Link to="." search={(asked) => ({ ...asked, tab: TABS[note.kind], transaction: note.id })}>
                  {PRICE_NOTES[note.kind].name} {note.document}
                </Link>{' '}
                <span>{`${showDay(note.date)} · ${note.code}`}</span>
              </span>
              <span>{showMoney(PRICE_NOTES[note.kind].sign * note.subtotal)}</span>
            </li>
          ))}
          <li className={styles.whole}>
            <span>Costó, neto</span>
            <span>{showMoney(leftOf(entry))}</span>
          </li>
        </ul>
      )}
      {mayWrite && (
        <div className={styles.tools}>
          {entry.transaction.typeInvoice === null && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconFileInvoice size={14} stroke={1.9} />}
              onClick={() => setOpened('invoice')}
            >
              Agregar factura
            </Button>
          )}
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconPlus size={14} stroke={1.9} />}
            onClick={() => setOpened('note')}
          >
            Nota de crédito o débito
          </Button>
        </div>
      )}
      {opened === 'note' && <NoteDrawer entry={entry} onClose={close} />}
      {opened === 'invoice' && <InvoiceDrawer entry={entry} onClose={close} />}
    </section>
  )
}

interface NoteTyped {
  kind: PriceNoteKind
  document: string
  date: string | null
  amount: number | null
  of: number
  note: string
}
const ALL = 0

function NoteDrawer({ entry, onClose }: { entry: Transaction; onClose: () => void }) {
  const today = dayOf(new Date(), useZone())
  const form = useForm<NoteTyped, unknown, NewPriceNote>({
    resolver: formResolver<NoteTyped, NewPriceNote>(NewPriceNote, ({ of, ...typed }) => ({
      ...typed,
      ...(of !== ALL && { supplies: [of] }),
    })),
    defaultValues: { kind: 'credit', document: '', date: today, amount: null, of: ALL, note: '' },
  })
  const { control } = form
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      call(warehouses.noteTransaction, { params: { id: entry.id }, body, idempotencyKey }),
    refresh: CHANGED,
    done: 'Nota registrada correctamente ✅',
    failed: 'Error al guardar la nota',
    onDone: onClose,
    recover: async (failure, body) =>
      (await meansOldDate(failure)) ? { again: { ...body, confirm_old: true } } : false,
  })
  const lines = entry.supplies.map(({ supply_id, code, name }) => ({ value: supply_id, label: `${code} · ${name}` }))
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Nota de crédito o débito"
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => <Foot close={close} isPending={isPending} />}
    >
      <p className={styles.hint}>
        De {entry.code}, de <strong>{entry.provider_name}</strong>, que hasta ahora costó {showMoney(leftOf(entry))}{' '}
        netos. Cambia lo que costaron los insumos, también los que ya se usaron. Para lo que se devuelve está la salida
        «Devolución a proveedor».
      </p>
      <WordField control={control} name="kind" label="Tipo" choices={KINDS} />
      <TextField control={control} name="document" label="Número" required autoFocus maxLength={60} />
      <DayField control={control} name="date" label="Fecha" required latest={today} />
      <NumberField control={control} name="amount" label="Neto" required prefix="$" />
      {lines.length > 1 && (
        <SelectField
          control={control}
          name="of"
          label="De qué"
          choices={[{ value: ALL, label: 'Todos los insumos, según lo que costaron' }, ...lines]}
        />
      )}
      <TextAreaField control={control} name="note" label="Nota" />
    </Drawer>
  )
}

interface InvoiceTyped {
  typeInvoice: InvoiceType
  document: string
  date: string | null
  payment_type: PaymentType
  net: number | null
}

function InvoiceDrawer({ entry, onClose }: { entry: Transaction; onClose: () => void }) {
  const today = dayOf(new Date(), useZone())
  const form = useForm<InvoiceTyped, unknown, LateInvoice>({
    resolver: formResolver<InvoiceTyped, LateInvoice>(LateInvoice, ({ net, ...typed }) => ({
      ...typed,
      ...(net !== null && { net }),
    })),
    defaultValues: { typeInvoice: 'bill', document: '', date: today, payment_type: 'Credit', net: leftOf(entry) },
  })
  const { control } = form
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey) =>
      call(warehouses.invoiceTransaction, { params: { id: entry.id }, body, idempotencyKey }),
    refresh: CHANGED,
    done: 'Factura agregada correctamente ✅',
    failed: 'Error al guardar la factura',
    onDone: onClose,
    recover: async (failure, body) =>
      (await meansOldDate(failure)) ? { again: { ...body, confirm_old: true } } : false,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Agregar factura"
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => <Foot close={close} isPending={isPending} />}
    >
      <p className={styles.hint}>
        De lo que llegó con {entry.code}, de <strong>{entry.provider_name}</strong>. Una factura que cubre varias
        entregas se agrega a cada una, con su parte del neto.
      </p>
      <WordField control={control} name="typeInvoice" label={D.typeInvoice.label} choices={choicesOf(INVOICE_TYPES)} />
      <TextField control={control} name="document" label="Número" required autoFocus maxLength={60} />
      <DayField control={control} name="date" label={D.date.label} required latest={today} />
      <WordField
        control={control}
        name="payment_type"
        label={D.payment_type.label}
        choices={choicesOf(PAYMENT_TYPES)}
      />
      <NumberField
        control={control}
        name="net"
        label="Neto"
        prefix="$"
        description="Si es otro que el de la entrada, la diferencia queda como nota con este número."
      />
    </Drawer>
  )
}

const Foot = ({ close, isPending }: { close: () => void; isPending: boolean }) => (
  <>
    <Button variant="subtle" onClick={close}>
      Cancelar
    </Button>
    <Button type="submit" loading={isPending}>
      Guardar
    </Button>
  </>
)
