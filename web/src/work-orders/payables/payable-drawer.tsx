import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { showDate, showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import {
  PAYABLE_FIELDS as F,
  PAYABLE_ACTIONS,
  PAYABLE_ACTIVITY_FIELDS,
  PAYABLE_STATES,
  type Payable,
  PayableEdit,
  payables,
} from '#contract/work-orders/payables.ts'
import { ActivityTab } from '../../frames/activity-tab.tsx'
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
  // A document is owed again once its payments are taken back.
  const acts =
    payable.payments.length > 0 ? nextOf(payable).filter(() => PAYABLE_STATES[payable.state].owed) : nextOf(payable)
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
  const balance = payable.balance ?? 0
  const by = [payable.state_at && showDate(payable.state_at, zone), payable.state_by].filter(Boolean).join(', ')
  const amounts: [string, string][] = mayReadCosts
    ? [
        [F.net.label, showMoney(payable.net)],
        [F.tax.label, showMoney(payable.tax)],
        [F.total.label, showMoney(payable.total)],
        ...(payable.left_total === payable.total
          ? []
          : [[F.left_total.label, showMoney(payable.left_total)] as [string, string]]),
        [F.paid_total.label, showMoney(payable.paid_total)],
        balance < 0 ? ['A favor', showMoney(-balance)] : [F.balance.label, showMoney(balance)],
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
        {state.owed && payable.payments.length > 0 && balance !== 0 && (
          <StatusPill tone="warning">Pagada en parte</StatusPill>
        )}
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
          ...(payable.paid_on && payable.payments.length === 0
            ? [[F.paid_on.label, showDay(payable.paid_on)] as [string, string]]
            : []),
        ]}
      />
      <DayField control={form.control} name="due_date" label={F.due_date.label} disabled={!mayApprove || !state.owed} />
      <Payments payable={payable} />
      <div className={styles.acts}>
        {acts.map((next, i) => (
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
      <History payable={payable} />
    </Drawer>
  )
}

/** The payments, each with its day and the person who registered it. */
function Payments({ payable }: { payable: Payable }) {
  const { mayPay, takeBack } = usePayables()
  if (payable.payments.length === 0) return null
  return (
    <section className={styles.payments} aria-label="Pagos">
      <h3>Pagos</h3>
      <ul>
        {payable.payments.map((payment) => (
          <li key={payment.id}>
            <span>
              {payment.amount === null ? 'Pago' : <b>{showMoney(payment.amount)}</b>}
              <small>{[showDay(payment.paid_on), payment.user_name].filter(Boolean).join(', ')}</small>
              {payment.is_doubtful && <small data-tone="warning">Registrado al actualizar: revise el monto.</small>}
            </span>
            {mayPay && (
              <Button
                className={styles.takeBack}
                size="xs"
                variant="subtle"
                color="red"
                onClick={() => void takeBack(payable, payment)}
              >
                Anular pago
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function History({ payable: { id } }: { payable: Payable }) {
  const [shown, setShown] = useState(false)
  return (
    <section className={styles.history}>
      <Button
        variant="subtle"
        size="xs"
        aria-expanded={shown}
        leftSection={<IconHistory size={14} stroke={1.7} />}
        onClick={() => setShown(!shown)}
      >
        {shown ? 'Ocultar actividad' : 'Ver actividad'}
      </Button>
      {shown && (
        <ActivityTab
          queryKey={[...workOrdersKey, 'payable', id, 'activity']}
          read={(query, signal) => call(payables.payableActivity, { params: { id }, query, signal })}
          words={WORDS}
        />
      )}
    </section>
  )
}

const WORDS = {
  actions: PAYABLE_ACTIONS,
  fields: PAYABLE_ACTIVITY_FIELDS,
  empty: 'Aquí queda quién la aprobó, la pagó o anuló un pago.',
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
