import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { instantOf } from '#contract/base/dates.ts'
import {
  WORK_STATES,
  type WorkInput,
  WorkInput as WorkSchema,
  workDuration,
  workStateOf,
} from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { formResolver } from '../../platform/form-resolver.ts'
import { useZone } from '../../platform/session.ts'
import { DateTimeField } from '../../ui/date-field.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { NumberField, SelectField, TextAreaField, WordField } from '../../ui/field.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { Table } from '../../ui/table.tsx'
import { PriorityBars } from '../priority.tsx'
import { maintenanceTypesQuery, tasksQuery } from '../queries.ts'
import { showHours } from '../words.ts'
import { withChosen } from './fields.tsx'
import { priorityChoices, usePeople } from './general.tsx'
import styles from './order.module.css'
import { OrderSection } from './section.tsx'
import { TaskDrawer } from './task-drawers.tsx'
import { newWork, type OrderForm, type WorkTyped } from './typed.ts'

const instant = (local: string, zone: string) => (local ? instantOf(local.replace(' ', 'T'), zone) : null)

const durationOf = (work: WorkTyped, zone: string) =>
  workDuration({
    start_time: instant(work.start_time, zone),
    end_time: instant(work.end_time, zone),
    hours: work.hours,
  })

/** As the server will have it once it is saved. */
const stateOf = (work: WorkTyped) => (work.end_time ? workStateOf(work) : (work.state ?? workStateOf(work)))

export function WorksPart({ form, order, readOnly }: { form: OrderForm; order?: WorkOrder; readOnly: boolean }) {
  const { control, setValue, clearErrors, formState } = form
  const zone = useZone()
  const works = useWatch({ control, name: 'works' })
  const workshopId = useWatch({ control, name: 'workshop_id' }) || undefined
  const { specialists } = usePeople(workshopId)
  const tasks = useQuery(tasksQuery).data
  const [editing, setEditing] = useState<number | 'new'>()

  const saved = (work: WorkTyped) => order?.works.find(({ id }) => id === work.id)
  const taskOf = (work: WorkTyped) => tasks?.find(({ id }) => id === work.task_id)?.name ?? saved(work)?.task
  const specialistOf = (work: WorkTyped) =>
    specialists?.find(({ value }) => value === work.specialist_id)?.label ??
    (saved(work)?.specialist_id === work.specialist_id ? saved(work)?.specialist : undefined)
  const setWorks = (next: WorkTyped[]) => {
    clearErrors('works')
    setValue('works', next, { shouldDirty: true })
  }
  const total = works.reduce((sum, work) => sum + (durationOf(work, zone) ?? 0), 0)
  const wrong = (index: number) =>
    Object.values((formState.errors.works?.[index] ?? {}) as Record<string, { message?: string }>)
      .map(({ message }) => message)
      .filter(Boolean)
  const rows = works.map((work, index) => ({ ...work, index }))

  return (
    <OrderSection
      id="trabajos"
      title="Trabajos"
      aside={
        !readOnly && (
          <Button variant="default" leftSection={<IconPlus size={16} stroke={1.7} />} onClick={() => setEditing('new')}>
            Agregar trabajo
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <p className={styles.nothing}>Aún no hay trabajos. Anote qué se hace, quién y cuánto demora.</p>
      ) : (
        <Table
          label="Trabajos"
          rows={rows}
          keyOf={(work) => work.id ?? `new-${work.index}`}
          columns={[
            {
              label: 'Trabajo',
              grows: true,
              cell: (work) => (
                <WorkName work={work} task={taskOf(work)} by={specialistOf(work)} problems={wrong(work.index)} />
              ),
            },
            {
              label: 'Estado',
              cell: (work) => {
                const { label, tone } = WORK_STATES[stateOf(work)]
                return <StatusPill tone={tone}>{label}</StatusPill>
              },
            },
            {
              label: 'Duración',
              align: 'end',
              cell: (work) => {
                const hours = durationOf(work, zone)
                return hours === null ? undefined : showHours(hours)
              },
            },
            ...(readOnly
              ? []
              : [
                  {
                    label: 'Acciones',
                    align: 'end' as const,
                    cell: (work: (typeof rows)[number]) => (
                      <span className={styles.rowButtons}>
                        <Tooltip label="Editar">
                          <ActionIcon
                            aria-label={`Editar ${taskOf(work) ?? work.description}`}
                            onClick={() => setEditing(work.index)}
                          >
                            <IconPencil size={16} stroke={1.7} />
                          </ActionIcon>
                        </Tooltip>
                        <Tooltip label="Quitar">
                          <ActionIcon
                            aria-label={`Quitar ${taskOf(work) ?? work.description}`}
                            onClick={() => setWorks(works.filter((_, index) => index !== work.index))}
                          >
                            <IconTrash size={16} stroke={1.7} />
                          </ActionIcon>
                        </Tooltip>
                      </span>
                    ),
                  },
                ]),
          ]}
        />
      )}
      {total > 0 && (
        <p className={styles.sum}>
          Total de trabajo: <strong>{showHours(total)}</strong>
        </p>
      )}
      {editing !== undefined && (
        <WorkDrawer
          work={editing === 'new' ? undefined : works[editing]}
          workshop={workshopId}
          known={editing === 'new' || !works[editing] ? undefined : saved(works[editing])}
          onClose={() => setEditing(undefined)}
          onSave={(work) => {
            setWorks(editing === 'new' ? [...works, work] : works.map((old, index) => (index === editing ? work : old)))
            setEditing(undefined)
          }}
        />
      )}
    </OrderSection>
  )
}

interface WorkNameProps {
  work: WorkTyped
  task: string | null | undefined
  by: string | null | undefined
  problems: (string | undefined)[]
}

const WorkName = ({ work, task, by, problems }: WorkNameProps) => (
  <span className={styles.lineName}>
    <span>{task ?? work.description}</span>
    {task && work.description && <span className={styles.lineMore}>{work.description}</span>}
    <span className={styles.lineMeta}>
      <PriorityBars priority={work.priority} />
      {by ?? 'Sin asignar'}
    </span>
    {problems.map((message) => (
      <span key={message} className={styles.lineError} role="alert">
        {message}
      </span>
    ))}
  </span>
)

interface WorkDrawerProps {
  work?: WorkTyped
  workshop: number | undefined
  known?: WorkOrder['works'][number]
  onSave: (work: WorkTyped) => void
  onClose: () => void
}

function WorkDrawer({ work, workshop, known, onSave, onClose }: WorkDrawerProps) {
  const zone = useZone()
  const client = useQueryClient()
  const { specialists } = usePeople(workshop)
  const tasks = useQuery(tasksQuery).data
  const types = useQuery(maintenanceTypesQuery).data
  const [adding, setAdding] = useState<string>()
  const { control, handleSubmit, setValue, formState, getValues } = useForm<WorkTyped, unknown, WorkInput>({
    resolver: formResolver(WorkSchema, (typed) => ({
      ...typed,
      start_time: instant(typed.start_time, zone),
      end_time: instant(typed.end_time, zone),
      target_start_at: instant(typed.target_start_at, zone),
      target_end_at: instant(typed.target_end_at, zone),
    })),
    defaultValues: work ?? newWork(),
  })
  const now = useWatch({ control }) as WorkTyped
  const hours = durationOf(now, zone)
  return (
    <>
      <Drawer
        opened
        onClose={onClose}
        title={work ? 'Editar trabajo' : 'Agregar trabajo'}
        dirty={formState.isDirty}
        onSubmit={(event) => {
          event.stopPropagation()
          void handleSubmit(() => onSave(getValues()))(event)
        }}
        footer={(close) => (
          <>
            <span className={styles.drawerSum} aria-live="polite">
              {hours === null ? (now.start_time ? 'Aún en curso' : '') : `Duración: ${showHours(hours)}`}
            </span>
            <Button variant="subtle" onClick={close}>
              Cancelar
            </Button>
            <Button type="submit">{work ? 'Aplicar' : 'Agregar'}</Button>
          </>
        )}
      >
        <SelectField
          control={control}
          name="task_id"
          label="Tarea"
          clearable
          autoFocus={!work}
          placeholder="De la lista, o descríbalo abajo"
          choices={withChosen(
            tasks?.map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` })),
            known?.task_id,
            known?.task,
          )}
          addLabel="Nueva tarea"
          onAdd={setAdding}
        />
        <TextAreaField control={control} name="description" label="Descripción" rows={2} />
        <SelectField
          control={control}
          name="specialist_id"
          label="Especialista"
          clearable
          placeholder="Sin asignar"
          choices={withChosen(specialists, known?.specialist_id, known?.specialist)}
        />
        <div className={styles.pair}>
          <WordField control={control} name="priority" label="Prioridad" choices={priorityChoices} />
          <SelectField
            control={control}
            name="type_maintenance_id"
            label="Tipo"
            clearable
            placeholder="El de la orden"
            choices={withChosen(
              types?.filter(({ state }) => state === 'active').map(({ id, name }) => ({ value: id, label: name })),
              known?.type_maintenance_id,
              known?.type_maintenance,
            )}
          />
        </div>
        <DateTimeField control={control} name="target_start_at" label="Planificado desde" />
        <DateTimeField control={control} name="target_end_at" label="Planificado hasta" />
        <DateTimeField control={control} name="start_time" label="Inicio" />
        <DateTimeField control={control} name="end_time" label="Término" />
        <NumberField
          control={control}
          name="hours"
          label="Horas"
          decimals={2}
          suffix="h"
          disabled={Boolean(now.start_time)}
          description={now.start_time ? 'Se calculan del inicio y el término' : 'Si no se anotan inicio y término'}
        />
        <SelectField
          control={control}
          name="reviewed_by_specialist_id"
          label="Revisado por"
          clearable
          placeholder="Nadie aún"
          choices={specialists}
        />
      </Drawer>
      {adding !== undefined && (
        <TaskDrawer
          looked={adding}
          onClose={() => setAdding(undefined)}
          onMade={(made) => {
            client.setQueryData(tasksQuery.queryKey, (list) => list && [...list, made])
            setValue('task_id', made.id, { shouldDirty: true, shouldValidate: true })
            setAdding(undefined)
          }}
        />
      )}
    </>
  )
}
