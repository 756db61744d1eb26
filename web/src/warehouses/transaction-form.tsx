import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { dayOf } from '#contract/base/dates.ts'
import { DOCUMENT_FIELDS } from '#contract/warehouses/fields.ts'
import { DIRECTIONS, type Direction, typeNamed } from '#contract/warehouses/stock.ts'
import { INVOICE_TYPES, NewTransaction, PAST_DELIVERY, PAYMENT_TYPES } from '#contract/warehouses/transactions.ts'
import { type Warehouse, warehouses } from '#contract/warehouses/warehouses.ts'
import { inFormWithin } from '../frames/fields.tsx'
import type { ApiFailure } from '../platform/api.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useZone } from '../platform/session.ts'
import { type Recovery, useSubmit } from '../platform/submit.ts'
import { providerChoicesQuery } from '../providers/queries.ts'
import { choicesOf } from '../ui/choices.ts'
import { DayField } from '../ui/date-field.tsx'
import { FullscreenDialog } from '../ui/drawer.tsx'
import { SelectField, TextAreaField, TextField, WordField } from '../ui/field.tsx'
import { useLeaveGuard } from '../ui/leave-guard.ts'
import styles from './document.module.css'
import { DocumentLines } from './document-lines.tsx'
import type { Line } from './lines.tsx'
import { meansOldDate } from './old-document.ts'
import { transactionTypesQuery, warehousesKey } from './queries.ts'

const field = inFormWithin(DOCUMENT_FIELDS, 'transaction')

interface TransactionTyped {
  warehouse_id: number
  type: Direction
  transaction: {
    typeTrasactionId: number | null
    typeInvoice: string | null
    document: string
    date: string | null
    date_delivery: string | null
    payment_type: string | null
    reference: string
    providerId: number | null
    returns_id: number | null
    note: string
  }
  supplies: Line[]
}

interface TransactionFormProps {
  warehouse: Pick<Warehouse, 'id' | 'name' | 'workshop_id'>
  type: Direction
  /** The code of a supply to begin with. */
  begin?: string | undefined
  onClose: () => void
  /** What the form starts with and how it is saved, where it receives an order. */
  receiving?: {
    title: string
    provider_id: number
    lines: Line[]
    save: (body: NewTransaction, key: string) => Promise<unknown>
    recover: (failure: ApiFailure, body: NewTransaction) => Promise<Recovery<NewTransaction>>
  }
}

const startOf = (
  warehouse: TransactionFormProps['warehouse'],
  type: TransactionFormProps['type'],
  today: string,
  receiving: TransactionFormProps['receiving'],
): TransactionTyped => ({
  warehouse_id: warehouse.id,
  type,
  transaction: {
    // The first of the list, until another is chosen.
    typeTrasactionId: typeNamed(type, type === 'entry' ? 'purchase' : 'consumption'),
    typeInvoice: type === 'entry' ? 'bill' : null,
    document: '',
    date: today,
    date_delivery: null,
    payment_type: type === 'entry' ? 'Credit' : null,
    reference: '',
    providerId: receiving?.provider_id ?? null,
    returns_id: null,
    note: '',
  },
  supplies: receiving?.lines ?? [],
})

/** The document whose goods go back. */
function ReturnsField({
  control,
  warehouse,
  returns,
}: {
  control: Control<TransactionTyped, unknown, NewTransaction>
  warehouse: number
  returns: Direction
}) {
  const returnable = useQuery({
    queryKey: [...warehousesKey, 'returnable', warehouse, returns],
    queryFn: ({ signal }) =>
      call(warehouses.listTransactions, {
        query: { warehouse: warehouse, type: returns, filter: { State: ['posted'] }, per_page: 200 },
        signal,
      }),
  }).data
  return (
    <SelectField
      control={control}
      name="transaction.returns_id"
      label={returns === 'entry' ? 'Entrada que devuelve' : 'Salida que vuelve'}
      required={returns === 'entry'}
      clearable={returns === 'exit'}
      choices={returnable?.data
        .filter(({ transaction }) => transaction.typeTrasactionId !== typeNamed(returns, 'transfer'))
        .map(({ id, code, transaction, provider_name }) => ({
          value: id,
          label: [code, transaction.document, provider_name].filter(Boolean).join(' · '),
        }))}
      description={returns === 'entry' ? 'Sale a lo que costó en ella' : 'Vuelve a lo que costó al salir'}
    />
  )
}

/** The paper of an entry or an exit, and the stock that moves with it. Long: one form. */
export default function TransactionForm({ warehouse, type, begin, onClose, receiving }: TransactionFormProps) {
  const today = dayOf(new Date(), useZone())
  const types = useQuery(transactionTypesQuery(type)).data?.filter(({ key }) => key !== 'transfer')
  const form = useForm<TransactionTyped, unknown, NewTransaction>({
    resolver: formResolver<TransactionTyped, NewTransaction>(NewTransaction),
    defaultValues: startOf(warehouse, type, today, receiving),
  })
  const { control, setValue, clearErrors, formState } = form
  const lines = useWatch({ control, name: 'supplies' })
  const date = useWatch({ control, name: 'transaction.date' })
  const typeId = useWatch({ control, name: 'transaction.typeTrasactionId' })
  const kind = types?.find(({ id }) => id === typeId)?.key
  const payment = useWatch({ control, name: 'transaction.payment_type' })
  const isCredit = kind === 'purchase' && payment === 'Credit'
  const returns = kind === 'provider_return' ? 'entry' : kind === 'return' ? 'exit' : undefined
  const providers = useQuery(providerChoicesQuery(warehouse.workshop_id)).data
  const leaveSaved = useLeaveGuard(formState.isDirty)
  const { submit, isPending } = useSubmit({
    form,
    save: (body, idempotencyKey): Promise<unknown> =>
      receiving ? receiving.save(body, idempotencyKey) : call(warehouses.recordTransaction, { body, idempotencyKey }),
    refresh: [warehousesKey],
    done: type === 'entry' ? 'Entrada ingresada correctamente ✅' : 'Salida ingresada correctamente ✅',
    failed: type === 'entry' ? 'Error al crear entrada ❌' : 'Error al crear salida ❌',
    onDone: () => {
      leaveSaved()
      onClose()
    },
    recover: async (failure, body) => {
      if (await meansOldDate(failure, 'transaction.'))
        return { again: { ...body, transaction: { ...body.transaction, confirm_old: true } } }
      return receiving ? receiving.recover(failure, body) : false
    },
  })

  const setLines = (next: Line[]) => {
    clearErrors('supplies')
    setValue('supplies', next, { shouldDirty: true })
  }
  const isEntry = type === 'entry'

  return (
    <FullscreenDialog
      opened
      onClose={onClose}
      title={`${receiving?.title ?? DIRECTIONS[type].title} · ${warehouse.name}`}
      dirty={formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" loading={isPending}>
            Guardar
          </Button>
        </>
      )}
    >
      <div className={styles.sheet}>
        <div className={styles.fields}>
          <SelectField
            control={control}
            {...field('typeTrasactionId')}
            required
            choices={types?.map(({ id, name }) => ({ value: id, label: name }))}
            disabled={receiving !== undefined}
          />
          {isEntry && (
            <WordField
              control={control}
              {...field('typeInvoice')}
              choices={choicesOf(INVOICE_TYPES)}
              clearable
              placeholder="Sin factura todavía"
            />
          )}
          {returns && <ReturnsField control={control} warehouse={warehouse.id} returns={returns} />}
          <TextField control={control} {...field('document')} required={isCredit} maxLength={60} autoFocus />
          <DayField
            control={control}
            {...field('date')}
            required
            latest={today}
            description={
              date && date < today
                ? 'Es de un día anterior: se recalculan los costos promedio desde entonces'
                : undefined
            }
          />
          {isEntry && (
            <WordField control={control} {...field('payment_type')} choices={choicesOf(PAYMENT_TYPES)} clearable />
          )}
          {isEntry && (
            <DayField
              control={control}
              {...field('date_delivery')}
              earliest={today}
              tooEarly={PAST_DELIVERY}
              clearable
            />
          )}
          <TextField control={control} {...field('reference')} maxLength={120} />
          <div className={styles.half}>
            <SelectField
              control={control}
              {...field('providerId')}
              choices={providers?.map(({ id, name }) => ({ value: id, label: name }))}
              required={isCredit}
              clearable={!isCredit}
              placeholder={isCredit ? 'Elija el proveedor' : 'Sin proveedor'}
              disabled={receiving !== undefined}
            />
          </div>
          <div className={styles.full}>
            <TextAreaField control={control} {...field('note')} rows={2} />
          </div>
        </div>
        <DocumentLines
          hint={isEntry ? 'Lo que entra y a qué costo' : 'Lo que sale, a su costo promedio'}
          empty="Aún no hay insumos: agregue el primero, o escanee su código."
          warehouse={warehouse.id}
          list={isEntry ? 'workshop' : 'stock'}
          lines={lines}
          begin={begin}
          onChange={setLines}
          errors={formState.errors.supplies}
        />
      </div>
    </FullscreenDialog>
  )
}
