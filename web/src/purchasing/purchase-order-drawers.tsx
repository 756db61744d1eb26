import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Controller, type FieldValues, useForm, useWatch } from 'react-hook-form'
import { dayOf } from '#contract/base/dates.ts'
import { PURCHASE_FIELDS } from '#contract/purchasing/fields.ts'
import {
  Answer,
  CLOSED_SHORT,
  type PurchaseOrder,
  purchasing,
  Sending,
  StatusChange,
} from '#contract/purchasing/purchasing.ts'
import { call } from '../platform/api.ts'
import { formResolver } from '../platform/form-resolver.ts'
import { useMe, useZone } from '../platform/session.ts'
import { useSubmit } from '../platform/submit.ts'
import { providerQuery } from '../providers/queries.ts'
import { DayField } from '../ui/date-field.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { TextAreaField, TextField } from '../ui/field.tsx'
import styles from '../warehouses/document.module.css'
import { purchasingKey } from './queries.ts'

/* What happens to an order that was approved: it is sent, it is answered, it is closed without the rest. */

interface OfOrder {
  order: PurchaseOrder
  onClose: () => void
}

interface FrameProps {
  title: string
  accept: string
  danger?: boolean
  dirty: boolean
  isPending: boolean
  submit: (event: React.FormEvent) => void
  onClose: () => void
  children: ReactNode
}

const Frame = ({ title, accept, danger = false, dirty, isPending, submit, onClose, children }: FrameProps) => (
  <Drawer
    opened
    onClose={onClose}
    title={title}
    dirty={dirty}
    onSubmit={submit}
    footer={(close) => (
      <>
        <Button variant="subtle" onClick={close}>
          Cancelar
        </Button>
        <Button type="submit" color={danger ? 'red' : undefined} loading={isPending}>
          {accept}
        </Button>
      </>
    )}
  >
    {children}
  </Drawer>
)

interface CloseTyped extends FieldValues {
  status: string
  reason: string
}

export function CloseDrawer({ order, onClose }: OfOrder) {
  const form = useForm<CloseTyped, unknown, StatusChange>({
    resolver: formResolver<CloseTyped, StatusChange>(StatusChange),
    defaultValues: { status: CLOSED_SHORT, reason: '' },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(purchasing.updatePurchaseStatus, { params: { id: order.id }, body }),
    refresh: [purchasingKey],
    done: 'Orden de compra cerrada ✅',
    failed: 'Error al cerrar la orden de compra ❌',
    onDone: onClose,
  })
  return (
    <Frame
      title={`Cerrar ${order.code} sin el resto`}
      accept="Cerrar incompleta"
      danger
      dirty={form.formState.isDirty}
      {...{ isPending, submit, onClose }}
    >
      <p className={styles.hint}>
        Lo que falta deja de estar en camino: ya no se espera ni se recibe, y las sugerencias de compra lo vuelven a
        pedir si hace falta.
      </p>
      <TextAreaField
        control={form.control}
        name="reason"
        label="Por qué no llegará el resto"
        required
        autoFocus
        rows={3}
      />
    </Frame>
  )
}

interface SendTyped extends FieldValues {
  to: string
  mail: boolean
  reply_to: string
  message: string
  updated_at: string
}

/** Asked once the provider is known: its address is where the order goes. */
export function SendDrawer(props: OfOrder) {
  const provider = useQuery(providerQuery(props.order.provider_id)).data
  return provider ? <SendForm {...props} address={provider.email ?? ''} /> : null
}

function SendForm({ order, address, onClose }: OfOrder & { address: string }) {
  const me = useMe()
  const form = useForm<SendTyped, unknown, Sending>({
    resolver: formResolver<SendTyped, Sending>(Sending),
    defaultValues: { to: address, mail: true, reply_to: me.email, message: '', updated_at: order.updated_at },
  })
  const { control } = form
  const byMail = useWatch({ control, name: 'mail' })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(purchasing.sendPurchaseOrder, { params: { id: order.id }, body }),
    refresh: [purchasingKey],
    done: byMail ? 'Orden de compra enviada por correo ✅' : 'Envío anotado ✅',
    failed: 'Error al enviar la orden de compra ❌',
    onDone: onClose,
  })
  return (
    <Frame
      title={`Enviar ${order.code}`}
      accept={byMail ? 'Enviar' : 'Anotar envío'}
      dirty={form.formState.isDirty}
      {...{ isPending, submit, onClose }}
    >
      <Controller
        control={control}
        name="mail"
        render={({ field }) => (
          <Switch
            label="Por correo, con el PDF adjunto"
            description={byMail ? undefined : 'Solo se anota que se envió de otra manera'}
            checked={field.value}
            onChange={(event) => field.onChange(event.currentTarget.checked)}
            onBlur={field.onBlur}
          />
        )}
      />
      <TextField
        control={control}
        name="to"
        label={byMail ? 'Correo del proveedor' : 'A quién y cómo'}
        required
        autoFocus={address === ''}
        maxLength={200}
      />
      {byMail && (
        <>
          <TextField control={control} name="reply_to" label="Responder a" maxLength={200} />
          <TextAreaField control={control} name="message" label="Mensaje" rows={4} />
        </>
      )}
    </Frame>
  )
}

interface AnswerTyped extends FieldValues {
  answered_on: string | null
  supplies: { supply_id: number; promised_on: string | null }[]
}

export function AnswerDrawer({ order, onClose }: OfOrder) {
  const today = dayOf(new Date(), useZone())
  const awaited = order.supplies.filter(({ outstanding }) => outstanding > 0)
  const form = useForm<AnswerTyped, unknown, Answer>({
    resolver: formResolver<AnswerTyped, Answer>(Answer),
    defaultValues: {
      answered_on: order.answered_on ?? today,
      supplies: awaited.map(({ supply_id, promised_on }) => ({ supply_id, promised_on })),
    },
  })
  const { control, getValues, setValue } = form
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(purchasing.answerPurchaseOrder, { params: { id: order.id }, body }),
    refresh: [purchasingKey],
    done: 'Respuesta del proveedor anotada ✅',
    failed: 'Error al anotar la respuesta ❌',
    onDone: onClose,
  })
  const sameForAll = () =>
    awaited.forEach((_, i) => {
      setValue(`supplies.${i}.promised_on`, getValues('supplies.0.promised_on'), { shouldDirty: true })
    })
  return (
    <Frame
      title={`Respuesta a ${order.code}`}
      accept="Guardar"
      dirty={form.formState.isDirty}
      {...{ isPending, submit, onClose }}
    >
      <DayField
        control={control}
        name="answered_on"
        label={PURCHASE_FIELDS.answered_on.label}
        latest={today}
        clearable
        description="Vacío: el proveedor aún no responde"
      />
      {awaited.map(({ supply_id, name }, i) => (
        <DayField
          key={supply_id}
          control={control}
          name={`supplies.${i}.promised_on`}
          label={`${name}: prometido para`}
          clearable
        />
      ))}
      {awaited.length > 1 && (
        <Button variant="default" onClick={sameForAll}>
          La primera fecha para todos
        </Button>
      )}
    </Frame>
  )
}
