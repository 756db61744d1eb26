import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { showDate, showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import {
  PAYABLE_FIELDS as F,
  PAYABLE_STATES,
  type Payable,
  PayableEdit,
  payables,
} from '#contract/work-orders/payables.ts'
import { call } from '../../platform/api.ts'
import { formResolver } from '../../platform/form-resolver.ts'
import { useMay, useZone } from '../../platform/session.ts'
import { useSubmit } from '../../platform/submit.ts'
import { DayField } from '../../ui/date-field.tsx'
import { Facts } from '../../ui/detail-frame.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { workOrdersKey } from '../queries.ts'
import { sayDocument, usePayables } from './actions.ts'
import styles from './payables.module.css'

/** One invoice: what it says, when it is due, and what may be decided about it. */
export default function PayableDrawer({ payable, onClose }: { payable: Payable; onClose: () => void }) {
  const zone = useZone()
  const mayApprove = useMay('payables.approve')
  const mayReadCosts = useMay('costs.read')
  const { nextOf, take } = usePayables()
  const [taking, setTaking] = useState<string>()
  const form = useForm<{ due_date: string | null }, unknown, PayableEdit>({
    resolver: formResolver<{ due_date: string | null }, PayableEdit>(PayableEdit),
    values: { due_date: payable.due_date },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(payables.updatePayable, { params: { id: payable.id }, body }),
    refresh: [workOrdersKey],
    done: 'Vencimiento actualizado correctamente ✅',
    failed: 'Error al guardar el vencimiento',
  })
  const state = PAYABLE_STATES[payable.state]
  const by = [payable.state_at && showDate(payable.state_at, zone), payable.state_by].filter(Boolean).join(', ')
  const amounts: [string, string][] = mayReadCosts
    ? [
        [F.net.label, showMoney(payable.net)],
        [F.tax.label, showMoney(payable.tax)],
        [F.total.label, showMoney(payable.total)],
        [F.left_total.label, showMoney(state.owed ? payable.left_total : 0)],
      ]
    : []
  return (
    <Drawer
      opened
      onClose={onClose}
      title={sayDocument(payable)}
      dirty={form.formState.isDirty}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button variant="subtle" onClick={close}>
            Cerrar
          </Button>
          {mayApprove && form.formState.isDirty && (
            <Button type="submit" loading={isPending}>
              Guardar
            </Button>
          )}
        </>
      )}
    >
      <div className={styles.state}>
        <StatusPill tone={state.tone}>{state.label}</StatusPill>
        {payable.overdue && <StatusPill tone="danger">Vencida</StatusPill>}
        {by && <span>{by}</span>}
      </div>
      <Facts
        rows={[
          [
            F.provider_id.label,
            <Link key="provider" to="/provider/$id" params={{ id: String(payable.provider_id) }}>
              {payable.provider_name}
            </Link>,
          ],
          [F.date.label, showDay(payable.date)],
          [payable.work_order_id ? 'Órdenes' : 'Bodega', <Where key="where" payable={payable} />],
          ...amounts,
          ...(payable.paid_on ? [[F.paid_on.label, showDay(payable.paid_on)] as [string, string]] : []),
        ]}
      />
      <DayField control={form.control} name="due_date" label={F.due_date.label} disabled={!mayApprove || !state.owed} />
      <div className={styles.acts}>
        {nextOf(payable).map((next, i) => (
          <Button
            key={next}
            variant={i === 0 ? 'filled' : 'default'}
            loading={taking === next}
            onClick={async () => {
              setTaking(next)
              await take([payable], next)
              setTaking(undefined)
            }}
          >
            {state.owed || i > 0 ? PAYABLE_STATES[next].act : 'No está pagada'}
          </Button>
        ))}
      </div>
    </Drawer>
  )
}

/** Where it was written. */
function Where({ payable: { work_order_id, warehouse_id, entry_id, of } }: { payable: Payable }) {
  if (work_order_id)
    return (
      <Link to="/ordenes-de-trabajo/$id" params={{ id: String(work_order_id) }}>
        {of}
      </Link>
    )
  return (
    <Link
      to="/warehouse/$id"
      params={{ id: String(warehouse_id) }}
      search={{ tab: 'purchases', ...(entry_id && { transaction: entry_id }) }}
    >
      {of}
    </Link>
  )
}
