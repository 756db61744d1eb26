import { ActionIcon, Autocomplete, Button, Tooltip } from '@mantine/core'
import { IconCheck, IconClock, IconPlayerPause, IconPlayerPlay, IconPlus, IconUserPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { instantOf } from '#contract/base/dates.ts'
import { PRIORITIES, type Priority } from '#contract/base/priorities.ts'
import type { Task } from '#contract/work-orders/catalogues.ts'
import {
  mayWork as mayDo,
  WORK_STATES,
  type Work,
  type WorkInput,
  WorkInput as WorkSchema,
  workDuration,
  workStateOf,
} from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { call } from '../../platform/api.ts'
import { formResolver } from '../../platform/form-resolver.ts'
import { useMay, useMe, useZone } from '../../platform/session.ts'
import { newKey } from '../../platform/submit.ts'
import { DateTimeField } from '../../ui/date-field.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { NumberField, SelectField, TextAreaField, WordField } from '../../ui/field.tsx'
import { useKey } from '../../ui/keys.ts'
import { lazy } from '../../ui/lazy.ts'
import { say } from '../../ui/snackbar.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { maintenanceTypesQuery, tasksQuery } from '../choices.ts'
import { Face } from '../person.tsx'
import { PriorityBars } from '../priority.tsx'
import { type Act, isAt, nameOf, sendProgress } from '../progress.ts'
import { workOrdersKey } from '../queries.ts'
import { showHours, showWhen } from '../words.ts'
import { withChosen } from './fields.tsx'
import { priorityChoices, usePeople } from './general.tsx'
import lines from './order.module.css'
import styles from './page.module.css'
import { Card } from './section.tsx'
import { TaskDrawer } from './task-drawers.tsx'
import { newWork, type OrderForm, type WorkTyped } from './typed.ts'

const TimesDrawer = lazy(() => import('./times-drawer.tsx'))

const instant = (local: string, zone: string) => (local ? instantOf(local.replace(' ', 'T'), zone) : null)

const durationOf = (work: WorkTyped, zone: string) =>
  workDuration({
    start_time: instant(work.start_time, zone),
    end_time: instant(work.end_time, zone),
    hours: work.hours,
  })

/** As the server will have it once it is saved. */
const stateOf = (work: WorkTyped) => (work.end_time ? workStateOf(work) : (work.state ?? workStateOf(work)))

interface WorksPartProps {
  form: OrderForm
  order?: WorkOrder
  readOnly: boolean
  /** Saves what a drawer changed; left out while the order is being created. */
  commit?: () => void
  /** What was done with one work beside the form comes into it. */
  absorb?: () => Promise<void>
}

export function WorksPart({ form, order, readOnly, commit, absorb }: WorksPartProps) {
  const { control, setValue, clearErrors, formState } = form
  const zone = useZone()
  const works = useWatch({ control, name: 'works' })
  const workshopId = useWatch({ control, name: 'workshop_id' }) || undefined
  const { specialists } = usePeople(workshopId)
  const tasks = useQuery(tasksQuery).data
  const mayWork = useMay('work-orders.work')
  const [editing, setEditing] = useState<number | 'new'>()
  const adding = useAdding(order, absorb)
  const taps = useTaps(absorb)
  const [times, setTimes] = useState<number>()
  const timed = order?.works.find(({ id }) => id === times)
  const line = useRef<HTMLInputElement>(null)
  const mayAdd = order ? mayWork && !isClosed(order) : !readOnly
  useKey('t', mayAdd ? () => line.current?.focus() : undefined)

  const saved = (work: WorkTyped) => order?.works.find(({ id }) => id === work.id)
  const taskOf = (work: WorkTyped) => tasks?.find(({ id }) => id === work.task_id)?.name ?? saved(work)?.task
  const specialistOf = (work: WorkTyped) =>
    specialists?.find(({ value }) => value === work.specialist_id)?.label ??
    (saved(work)?.specialist_id === work.specialist_id ? saved(work)?.specialist : undefined)
  const setWorks = (next: WorkTyped[]) => {
    clearErrors('works')
    setValue('works', next, { shouldDirty: true })
  }
  const change = (next: WorkTyped[]) => {
    setWorks(next)
    setEditing(undefined)
    commit?.()
  }
  const total = works.reduce((sum, work) => sum + (durationOf(work, zone) ?? 0), 0)
  const done = works.filter((work) => WORK_STATES[stateOf(work)].done).length
  const wrong = (index: number) =>
    Object.values((formState.errors.works?.[index] ?? {}) as Record<string, { message?: string }>).flatMap(
      ({ message }) => message ?? [],
    )
  const add = (work: Pick<WorkTyped, 'description' | 'task_id'>) =>
    order ? adding.add(work) : setWorks([...works, { ...newWork(), ...work }])

  return (
    <Card
      id="trabajos"
      title="Trabajos"
      count={works.length > 0 && (order ? `${done} de ${works.length}` : works.length)}
      about={
        works.length > 0 && (
          <>
            {order && (
              <progress className={styles.progress} value={done} max={works.length} aria-label="Trabajos terminados" />
            )}
            {total > 0 && <span className={styles.sum}>{showHours(total)}</span>}
          </>
        )
      }
      action={
        mayAdd && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} stroke={1.9} />}
            aria-label="Agregar trabajo"
            onClick={() => (readOnly ? line.current?.focus() : setEditing('new'))}
          >
            Trabajo
          </Button>
        )
      }
    >
      {works.length === 0 && adding.sending.length === 0 && !mayAdd && (
        <p className={styles.quiet}>Sin trabajos anotados.</p>
      )}
      <ul className={styles.checklist}>
        {works.map((work, index) => (
          <WorkRow
            key={work.id ?? `new-${index}`}
            work={work}
            saved={saved(work)}
            name={taskOf(work) ?? work.description}
            more={taskOf(work) ? work.description : ''}
            by={specialistOf(work)}
            problems={wrong(index)}
            isOpen={order !== undefined && !isClosed(order)}
            taps={taps}
            onEdit={readOnly ? undefined : () => setEditing(index)}
            onTimes={() => setTimes(work.id)}
          />
        ))}
        {adding.sending.map((each) => (
          <SendingRow key={each.key} each={each} onAgain={adding.again} onForget={adding.forget} />
        ))}
      </ul>
      {mayAdd && <WorkLine tasks={tasks ?? []} input={line} onAdd={add} />}
      <Suspense fallback={null}>
        {order && timed && (
          <TimesDrawer
            order={order}
            work={timed}
            act={(work, body) => void taps.act(work, body)}
            onClose={() => setTimes(undefined)}
          />
        )}
      </Suspense>
      {editing !== undefined && (
        <WorkDrawer
          work={editing === 'new' ? undefined : works[editing]}
          workshop={workshopId}
          known={editing === 'new' || !works[editing] ? undefined : saved(works[editing])}
          saves={commit !== undefined}
          onClose={() => setEditing(undefined)}
          onRemove={editing === 'new' ? undefined : () => change(works.toSpliced(editing, 1))}
          onSave={(work) => change(editing === 'new' ? [...works, work] : works.with(editing, work))}
        />
      )}
    </Card>
  )
}

interface Sending {
  key: string
  name: string
  body: Pick<WorkTyped, 'description' | 'task_id'>
  failed?: string
}

/** Works typed one after the other: each leaves when the one before has arrived, and none is lost. */
function useAdding(order: WorkOrder | undefined, absorb: (() => Promise<void>) | undefined) {
  const [sending, setSending] = useState<Sending[]>([])
  const turn = useRef(Promise.resolve())
  const send = ({ key, body }: Sending) => {
    turn.current = turn.current.then(async () => {
      try {
        await call(workOrderParts.addWork, { params: { id: order!.id }, body, idempotencyKey: key })
        await absorb?.()
        setSending((now) => now.filter((each) => each.key !== key))
      } catch (error) {
        const failed = error instanceof Error ? error.message : 'no hubo respuesta.'
        setSending((now) => now.map((each) => (each.key === key ? { ...each, failed } : each)))
      }
    })
  }
  return {
    sending,
    add: (body: Sending['body'] & { name?: string }) => {
      const { name, ...sent } = body
      const each = { key: newKey(), name: name ?? body.description, body: sent }
      setSending((now) => [...now, each])
      send(each)
    },
    again: (key: string) => {
      const each = sending.find((one) => one.key === key)
      if (!each) return
      setSending((now) => now.map((one) => (one.key === key ? { ...one, failed: undefined } : one)))
      send(each)
    },
    forget: (key: string) => setSending((now) => now.filter((each) => each.key !== key)),
  }
}

interface SendingRowProps {
  each: Sending
  onAgain: (key: string) => void
  onForget: (key: string) => void
}

const SendingRow = ({ each: { key, name, failed }, onAgain, onForget }: SendingRowProps) => (
  <li className={styles.work} data-sending>
    <span className={styles.box} />
    <span className={styles.workName}>
      {name}
      {failed && <span className={styles.lineError}>No se agregó: {failed}</span>}
    </span>
    {failed && (
      <>
        <Button size="xs" variant="subtle" onClick={() => onAgain(key)}>
          Reintentar
        </Button>
        <Button size="xs" variant="subtle" onClick={() => onForget(key)}>
          Quitar
        </Button>
      </>
    )}
  </li>
)

interface WorkLineProps {
  tasks: Task[]
  input: React.RefObject<HTMLInputElement | null>
  onAdd: (work: Pick<WorkTyped, 'description' | 'task_id'> & { name?: string }) => void
}

/** What is to be done, in words or from the list of tasks; Enter takes it and waits for the next. */
export function WorkLine({ tasks, input, onAdd }: WorkLineProps) {
  const [text, setText] = useState('')
  const labelled = new Map(tasks.map((task) => [`${task.code} · ${task.name}`, task]))
  const take = (task: Task) => {
    onAdd({ description: '', task_id: task.id, name: task.name })
    setText('')
  }
  return (
    <Autocomplete
      ref={input}
      className={styles.line}
      aria-label="Agregar trabajo"
      placeholder="Agregar trabajo: escriba y Enter"
      leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}
      data={[...labelled.keys()]}
      limit={8}
      value={text}
      maxLength={1000}
      onChange={(next) => {
        const task = labelled.get(next)
        if (task) take(task)
        else setText(next)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // One of the list is pointed at: it is what Enter takes.
        if (event.currentTarget.getAttribute('aria-activedescendant')) return
        event.preventDefault()
        const wanted = text.trim()
        const task = tasks.find(({ code, name }) =>
          [code, name].some((one) => one.toLowerCase() === wanted.toLowerCase()),
        )
        if (task) return take(task)
        if (wanted) onAdd({ description: wanted, task_id: null })
        setText('')
      }}
    />
  )
}

/** What is done with one work there and then, beside whatever is being typed. */
function useTaps(absorb: (() => Promise<void>) | undefined) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const act = async (work: Work, body: Parameters<Act>[1]): Promise<void> => {
    setPending(true)
    try {
      const after = await sendProgress(work.id, body)
      if (after && body.action === 'finish')
        say(`${nameOf(work)}: terminado`, {
          undo: async () => {
            await act(after, { action: 'reopen' })
            // What ran goes on.
            if (mayDo(work, 'pause')) await act(after, { action: 'start' })
          },
        })
    } catch (error) {
      say('No se pudo registrar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: workOrdersKey })
      await absorb?.().catch(() => {})
    }
  }
  return { act, isPending }
}

interface WorkRowProps {
  work: WorkTyped
  saved?: Work
  name: string
  more: string
  by: string | null | undefined
  problems: string[]
  /** Of an order on which one works. */
  isOpen: boolean
  taps: ReturnType<typeof useTaps>
  onEdit?: () => void
  onTimes: () => void
}

function WorkRow({ work, saved, name, more, by, problems, isOpen, taps, onEdit, onTimes }: WorkRowProps) {
  const zone = useZone()
  const me = useMe()
  const isChief = useMay('work-orders.write')
  const mayWork = useMay('work-orders.work')
  const state = stateOf(work)
  const { label, tone, done, begun } = WORK_STATES[state]
  const hours = saved?.clocked_minutes ? saved.clocked_minutes / 60 : durationOf(work, zone)
  const now = saved?.times.filter(({ until_at }) => until_at === null).map(({ specialist }) => specialist) ?? []
  const people = [...new Set([...now, by])].filter((one) => one != null)
  // A mechanic answers for their own; those who write orders for all.
  const isMine = isChief || work.specialist_id === me.specialist_id
  const mayAct = isOpen && saved && mayWork
  const said = (
    <>
      {name}
      {more && <span className={styles.lineMore}>{more}</span>}
    </>
  )
  return (
    <li className={styles.work} data-state={state}>
      {mayAct && isMine ? (
        // biome-ignore lint/a11y/useSemanticElements: between done and not done stands one that runs
        <button
          type="button"
          role="checkbox"
          aria-checked={done ? true : begun ? 'mixed' : false}
          aria-label={`${name}: terminado`}
          className={styles.tick}
          disabled={taps.isPending}
          onClick={() => void taps.act(saved, { action: done ? 'reopen' : 'finish' })}
        >
          <Box done={done} begun={begun} />
        </button>
      ) : (
        <Box done={done} begun={begun} />
      )}
      <span className={styles.workName}>
        {onEdit ? (
          <button type="button" className={styles.edit} aria-label={`Editar ${name}`} onClick={onEdit}>
            {said}
          </button>
        ) : (
          <span>{said}</span>
        )}
        {problems.map((message) => (
          <span key={message} className={styles.lineError} role="alert">
            {message}
          </span>
        ))}
      </span>
      <span className={styles.workState}>
        {saved?.end_time && done ? (
          <span className={styles.faint}>{showWhen(saved.end_time, zone)}</span>
        ) : begun ? (
          <StatusPill tone={tone}>{label}</StatusPill>
        ) : (
          <span className={styles.faint}>{label}</span>
        )}
        <PriorityMark priority={work.priority} />
      </span>
      <span className={styles.workWho}>
        {people.map((one) => (
          <Face key={one} name={one} />
        ))}
        {people.length === 0 && <span className={styles.faint}>Sin asignar</span>}
      </span>
      {saved ? (
        <button
          type="button"
          className={styles.workHours}
          aria-label={`Horas de ${name}${hours === null ? '' : `: ${showHours(hours)}`}`}
          title="Quién y cuándo"
          onClick={onTimes}
        >
          {hours === null ? <IconClock size={15} stroke={1.7} aria-hidden /> : showHours(hours)}
        </button>
      ) : (
        <span className={styles.workHours}>{hours === null ? '' : showHours(hours)}</span>
      )}
      {isOpen && (
        <span className={styles.play}>
          {mayAct && !done && <Play work={saved} name={name} isMine={isMine} taps={taps} />}
        </span>
      )}
    </li>
  )
}

interface PlayProps {
  work: Work
  name: string
  isMine: boolean
  taps: ReturnType<typeof useTaps>
}

/** Starts, pauses, or joins those who are at it. */
function Play({ work, name, isMine, taps }: PlayProps) {
  const { specialist_id } = useMe()
  const isChief = useMay('work-orders.write')
  const isOn = isChief ? mayDo(work, 'pause') : isAt(work, specialist_id) && (isMine || work.times.length > 0)
  if (!isMine && specialist_id === null) return null
  const [label, Icon, body] = isOn
    ? (['Pausar', IconPlayerPause, { action: 'pause', join: !isMine }] as const)
    : isMine && mayDo(work, 'start')
      ? ([WORK_STATES[work.state].begun ? 'Seguir' : 'Empezar', IconPlayerPlay, { action: 'start' }] as const)
      : (['Sumarme', IconUserPlus, { action: 'start', join: true }] as const)
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={30}
        aria-label={`${label}: ${name}`}
        disabled={taps.isPending}
        onClick={() => void taps.act(work, body)}
      >
        <Icon size={16} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  )
}

const Box = ({ done, begun }: { done: boolean; begun: boolean }) => (
  <span className={styles.box} data-done={done || undefined} data-begun={(begun && !done) || undefined}>
    {done && <IconCheck size={14} stroke={2.6} aria-hidden />}
  </span>
)

/** Only what is urgent is worth a sign. */
const PriorityMark = ({ priority }: { priority: Priority }) =>
  PRIORITIES[priority].level > 2 ? <PriorityBars priority={priority} /> : null

interface WorkDrawerProps {
  work?: WorkTyped
  workshop: number | undefined
  known?: Work
  /** It saves, and does not only put it into the order that is being created. */
  saves: boolean
  onSave: (work: WorkTyped) => void
  onRemove?: () => void
  onClose: () => void
}

/** Long: all that can be said of a work, on one form. */
function WorkDrawer({ work, workshop, known, saves, onSave, onRemove, onClose }: WorkDrawerProps) {
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
            <span className={lines.drawerSum} aria-live="polite">
              {hours === null ? (now.start_time ? 'Aún en curso' : '') : `Duración: ${showHours(hours)}`}
            </span>
            <Button variant="subtle" onClick={close}>
              Cancelar
            </Button>
            {onRemove && (
              <Button variant="subtle" color="red" onClick={onRemove}>
                Quitar
              </Button>
            )}
            <Button type="submit">{!work ? 'Agregar' : saves ? 'Guardar' : 'Aplicar'}</Button>
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
        <div className={lines.pair}>
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
