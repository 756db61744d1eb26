import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { showMoney, splitPesos, type TaxType, taxOf } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { type NewInvoice, notAddingUp, sharesSum } from '#contract/work-orders/invoices.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { NumberField } from '../../ui/field.tsx'
import { uninvoicedQuery } from '../queries.ts'
import styles from './invoice.module.css'

export interface ShareTyped {
  work_order_id: number
  code: string
  patent: string
  amount: number | null
}
export interface InvoiceTyped {
  work_order_id: number
  provider_id: number
  bill_invoice: string
  document: string
  date: string | null
  payment_type: string
  note: string
  due_date: string | null
  tax_type: TaxType
  net: number | null
  shares: ShareTyped[]
}
export type InvoiceForm = UseFormReturn<InvoiceTyped, unknown, NewInvoice>

const typedAmounts = (shares: readonly ShareTyped[]) => shares.map(({ amount }) => ({ amount: amount ?? 0 }))

/** The orders a paper covers, and how much of it is of each. */
export function InvoiceShares({
  form,
  workshop,
  readOnly,
}: {
  form: InvoiceForm
  workshop: number
  readOnly: boolean
}) {
  const { control, setValue, clearErrors, formState } = form
  const [shares, net, provider] = useWatch({ control, name: ['shares', 'net', 'provider_id'] })
  const free = useQuery({ ...uninvoicedQuery(provider), enabled: !readOnly }).data
  const others = free?.filter(
    (one) => one.workshop_id === workshop && !shares.some((share) => share.work_order_id === one.work_order_id),
  )
  const change = (next: ShareTyped[]) => {
    clearErrors('shares')
    setValue('shares', next, { shouldDirty: true })
  }
  const isEven = sharesSum(typedAmounts(shares)) === net
  const add = (id: number | null) => {
    const order = others?.find(({ work_order_id }) => work_order_id === id)
    if (!order) return
    const { work_order_id, code, patent } = order
    // What nobody typed yet grows with what is added.
    const known = shares.length === 1 ? [{ ...shares[0]!, amount: net }] : shares
    if (shares.length === 1 || isEven) setValue('net', (net ?? 0) + (order.amount ?? 0), { shouldDirty: true })
    change([...known, { work_order_id, code, patent, amount: order.amount }])
  }
  const { errors } = formState
  const wrong = errors.shares?.root?.message ?? errors.shares?.message
  const isSeveral = shares.length > 1
  const rest = (net ?? 0) - sharesSum(typedAmounts(shares))
  if (!isSeveral && (readOnly || !others?.length)) return null
  return (
    <fieldset className={styles.shares}>
      <legend>Órdenes que cubre</legend>
      {isSeveral &&
        shares.map((share, i) => (
          <div key={share.work_order_id} className={styles.share}>
            <NumberField
              control={control}
              name={`shares.${i}.amount`}
              label={`${share.code} · ${showPatent(share.patent)}`}
              prefix="$"
              disabled={readOnly}
            />
            {!readOnly && (
              <ActionIcon
                variant="subtle"
                size={36}
                aria-label={`Quitar ${share.code}`}
                onClick={() => change(shares.toSpliced(i, 1))}
              >
                <IconX size={16} stroke={1.7} />
              </ActionIcon>
            )}
            {errors.shares?.[i]?.work_order_id?.message && (
              <p className={styles.wrong} role="alert">
                {errors.shares[i].work_order_id.message}
              </p>
            )}
          </div>
        ))}
      {isSeveral && (
        <div className={styles.split}>
          <p className={styles.rest} data-wrong={rest !== 0 || undefined} role="status">
            {wrong ?? notAddingUp(net ?? 0, typedAmounts(shares)) ?? 'Los montos suman el neto.'}
          </p>
          {!readOnly && (
            <Button
              size="xs"
              variant="default"
              disabled={net === null}
              onClick={() => {
                const parts = splitPesos(
                  net ?? 0,
                  shares.map(() => 1),
                )
                change(shares.map((share, i) => ({ ...share, amount: parts[i]! })))
              }}
            >
              Repartir en partes iguales
            </Button>
          )}
        </div>
      )}
      {!readOnly && Boolean(others?.length) && (
        <Combobox<number>
          key={shares.length}
          label="Agregar orden"
          placeholder="También cubre…"
          choices={others!.map((one) => ({
            value: one.work_order_id,
            label: `${one.code} · ${showPatent(one.patent)} · ${showMoney(one.amount)}`,
          }))}
          value={null}
          onPick={add}
        />
      )}
    </fieldset>
  )
}

export function InvoiceSums({ form }: { form: InvoiceForm }) {
  const [net, tax_type] = useWatch({ control: form.control, name: ['net', 'tax_type'] })
  const tax = taxOf(net ?? 0, tax_type)
  return (
    <dl className={styles.sums}>
      <dt>Neto</dt>
      <dd>{showMoney(net)}</dd>
      <dt>IVA</dt>
      <dd>{showMoney(tax)}</dd>
      <dt className={styles.whole}>Total</dt>
      <dd className={styles.whole}>{showMoney((net ?? 0) + tax)}</dd>
    </dl>
  )
}
