import { zodResolver } from '@hookform/resolvers/zod'
import { Button, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { PRIORITIES, PRIORITY_NAMES } from '#contract/base/priorities.ts'
import { WORK_ORDER_FIELDS } from '#contract/work-orders/fields.ts'
import { type WorkOrderCard, type WorkOrderEdit, workOrders } from '#contract/work-orders/orders.ts'
import { fullName } from '#contract/workshops/rosters.ts'
import { inForm } from '../../frames/fields.tsx'
import { call } from '../../platform/api.ts'
import { useZone } from '../../platform/session.ts'
import { useSubmit } from '../../platform/submit.ts'
import { choicesOf } from '../../ui/choices.ts'
import { DateTimeField, DayField } from '../../ui/date-field.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SelectField, WordField } from '../../ui/field.tsx'
import { say } from '../../ui/snackbar.tsx'
import { specialistsQuery } from '../choices.ts'
import { clock, instant } from '../order/typed.ts'
import { workOrdersKey } from '../queries.ts'

const Typed = z.object({
  responsible_specialist_id: z.number().nullable(),
  priority: z.enum(PRIORITY_NAMES),
  deadline_at: z.string(),
  date_estimed: z.string().nullable(),
  waiting_for_parts: z.boolean(),
})
type Typed = z.infer<typeof Typed>

const field = inForm(WORK_ORDER_FIELDS)

/** What carries no `updated_at` changes what it names, and nothing else. */
const send = (id: number, { deadline_at, ...changed }: Partial<Typed>, zone: string) =>
  call(workOrders.updateWorkOrder, {
    params: { id },
    body: {
      ...changed,
      ...(deadline_at !== undefined && { deadline_at: instant(deadline_at, zone) }),
    } as WorkOrderEdit,
  })

/** What is changed of a card without opening its order. */
export default function QuickEdit({ card, onClose }: { card: WorkOrderCard; onClose: () => void }) {
  const client = useQueryClient()
  const specialists = useQuery(specialistsQuery(card.workshop_id)).data
  const zone = useZone()
  const { responsible_specialist_id, priority, date_estimed, waiting_for_parts } = card
  const deadline_at = clock(card.deadline_at, zone)
  const before: Typed = { responsible_specialist_id, priority, deadline_at, date_estimed, waiting_for_parts }
  const form = useForm<Typed>({ resolver: zodResolver(Typed), defaultValues: before })
  const { control, formState } = form
  const differing = (typed: Typed) =>
    (Object.keys(before) as (keyof Typed)[]).filter((name) => typed[name] !== before[name])
  const pick = (from: Typed, names: (keyof Typed)[]) =>
    Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<Typed>
  const undo = async (names: (keyof Typed)[]) => {
    try {
      await send(card.id, pick(before, names), zone)
      say(`${card.code} quedó como estaba`)
    } catch (error) {
      say('No se pudo deshacer', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
    void client.invalidateQueries({ queryKey: workOrdersKey })
  }
  const { submit, isPending } = useSubmit({
    form,
    save: async (typed) => {
      const names = differing(typed)
      if (names.length > 0) await send(card.id, pick(typed, names), zone)
      return names
    },
    refresh: [workOrdersKey],
    failed: `No se pudo cambiar ${card.code}`,
    onDone: (names) => {
      if (names.length > 0) say(`${card.code} actualizada`, { undo: () => void undo(names) })
      onClose()
    },
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      title={`Editar ${card.code}`}
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
      <SelectField
        control={control}
        {...field('responsible_specialist_id')}
        clearable
        placeholder="Sin responsable"
        choices={specialists?.map((who) => ({ value: who.id, label: fullName(who) }))}
      />
      <WordField control={control} {...field('priority')} choices={choicesOf(PRIORITIES)} />
      {/* One day on which it is due, whichever of the two it has. */}
      {deadline_at || !date_estimed ? (
        <DateTimeField control={control} {...field('deadline_at')} hour="23:59" />
      ) : (
        <DayField control={control} {...field('date_estimed')} clearable />
      )}
      <Controller
        control={control}
        name="waiting_for_parts"
        render={({ field: { value, onChange, ...rest } }) => (
          <Switch
            {...rest}
            label={WORK_ORDER_FIELDS.waiting_for_parts.label}
            checked={value}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        )}
      />
    </Drawer>
  )
}
