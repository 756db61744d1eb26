import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { instantOf, localOf, showMoment } from '#contract/base/dates.ts'
import { type Work, type WorkTime, WorkTimeEdit } from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { call } from '../../platform/api.ts'
import { formResolver } from '../../platform/form-resolver.ts'
import { useMay, useZone } from '../../platform/session.ts'
import { useSubmit } from '../../platform/submit.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { DateTimeField } from '../../ui/date-field.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { FormProblems } from '../../ui/form-problems.tsx'
import { say } from '../../ui/snackbar.tsx'
import { type Act, nameOf } from '../progress.ts'
import { workOrdersKey } from '../queries.ts'
import { showHours } from '../words.ts'
import { usePeople } from './general.tsx'
import styles from './order.module.css'

interface TimesDrawerProps {
  order: WorkOrder
  work: Work
  act: Act
  onClose: () => void
}

/** Who was at a work and when; a chief puts right what nobody stopped, and sends somebody else. */
export default function TimesDrawer({ order, work, act, onClose }: TimesDrawerProps) {
  const zone = useZone()
  const client = useQueryClient()
  const mayEdit = useMay('work-orders.write') && !isClosed(order)
  const { specialists } = usePeople(order.workshop_id)
  const [editing, setEditing] = useState<WorkTime>()
  const remove = async (time: WorkTime) => {
    const yes = await confirm({
      title: '¿Eliminar estas horas?',
      message: `${time.specialist}, desde el ${showMoment(time.from_at, zone)}. No se puede deshacer.`,
      accept: 'Eliminar',
      danger: true,
    })
    if (!yes) return
    try {
      await call(workOrderParts.deleteWorkTime, { params: { id: time.id } })
    } catch (error) {
      say('No se pudo eliminar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
    void client.invalidateQueries({ queryKey: workOrdersKey })
  }
  const at = new Set(work.times.filter(({ until_at }) => until_at === null).map(({ specialist_id }) => specialist_id))
  return (
    <Drawer opened onClose={onClose} title={nameOf(work)}>
      {work.times.length === 0 && (
        <p className={styles.nothing}>
          Nadie ha marcado horas en este trabajo
          {work.duration === null ? '.' : `: cuentan las anotadas, ${showHours(work.duration)}.`}
        </p>
      )}
      <ul className={styles.clocks} aria-label="Horas marcadas">
        {work.times.map((time) =>
          editing?.id === time.id ? (
            <li key={time.id}>
              <TimeForm time={time} onClose={() => setEditing(undefined)} />
            </li>
          ) : (
            <li key={time.id}>
              <span className={styles.lineName}>
                <span>{time.specialist}</span>
                <span className={styles.lineMeta}>
                  {showMoment(time.from_at, zone)} a {time.until_at ? showMoment(time.until_at, zone) : 'ahora'}
                  {time.until_at && <span>{showHours(time.minutes / 60)}</span>}
                </span>
              </span>
              {mayEdit && (
                <span className={styles.rowButtons}>
                  <Tooltip label="Corregir">
                    <ActionIcon aria-label={`Corregir horas de ${time.specialist}`} onClick={() => setEditing(time)}>
                      <IconPencil size={16} stroke={1.7} />
                    </ActionIcon>
                  </Tooltip>
                  <Tooltip label="Eliminar">
                    <ActionIcon aria-label={`Eliminar horas de ${time.specialist}`} onClick={() => void remove(time)}>
                      <IconTrash size={16} stroke={1.7} />
                    </ActionIcon>
                  </Tooltip>
                </span>
              )}
            </li>
          ),
        )}
      </ul>
      {mayEdit && (
        <Combobox<number>
          label="Sumar a otro especialista"
          placeholder="Empieza a marcar ahora"
          value={null}
          choices={specialists
            ?.filter(({ value }) => !at.has(Number(value)))
            .map(({ value, label }) => ({ value: Number(value), label }))}
          onPick={(value) => {
            if (value) void act(work, { action: 'start', specialist_id: value })
          }}
        />
      )}
    </Drawer>
  )
}

interface Typed {
  from_at: string
  until_at: string
}

function TimeForm({ time, onClose }: { time: WorkTime; onClose: () => void }) {
  const zone = useZone()
  const instant = (local: string) => (local ? instantOf(local.replace(' ', 'T'), zone) : undefined)
  const local = (at: string) => `${localOf(at, zone).replace('T', ' ')}:00`
  const form = useForm<Typed, unknown, WorkTimeEdit>({
    resolver: formResolver(WorkTimeEdit, (typed: Typed) => ({
      from_at: instant(typed.from_at),
      until_at: instant(typed.until_at),
    })),
    defaultValues: { from_at: local(time.from_at), until_at: local(time.until_at ?? new Date().toISOString()) },
  })
  const { submit, isPending } = useSubmit({
    form,
    save: (body) => call(workOrderParts.updateWorkTime, { params: { id: time.id }, body }),
    refresh: [[...workOrdersKey]],
    done: 'Horas corregidas ✅',
    failed: 'No se pudieron corregir las horas',
    onDone: onClose,
  })
  return (
    <form className={styles.timeForm} onSubmit={submit} noValidate aria-label={`Horas de ${time.specialist}`}>
      <strong>{time.specialist}</strong>
      <DateTimeField control={form.control} name="from_at" label="Desde" />
      <DateTimeField control={form.control} name="until_at" label="Hasta" />
      <span className={styles.rowButtons}>
        <Button variant="subtle" onClick={onClose}>
          Cancelar
        </Button>
        <FormProblems />
        <Button type="submit" loading={isPending}>
          Corregir
        </Button>
      </span>
    </form>
  )
}
