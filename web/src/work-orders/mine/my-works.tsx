import { Button, Skeleton } from '@mantine/core'
import {
  IconCheck,
  IconChevronRight,
  IconPlayerPause,
  IconPlayerPlay,
  IconRotate,
  IconSignature,
  IconTool,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { showPatent } from '#contract/fleet/fleet.ts'
import { mayWork, WORK_STATES, type Work, type WorkAction } from '#contract/work-orders/lines.ts'
import type { WorkOrderCard } from '#contract/work-orders/orders.ts'
import type { MyWork } from '#contract/work-orders/parts.ts'
import { isClosed, WORK_ORDER_STATES } from '#contract/work-orders/states.ts'
import { useMe, useZone } from '../../platform/session.ts'
import { EmptyState, ErrorState, useNoticeable } from '../../ui/faces.tsx'
import { lazy } from '../../ui/lazy.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Plate } from '../../ui/plate.tsx'
import { say } from '../../ui/snackbar.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { PriorityBars } from '../priority.tsx'
import { isAt, nameOf, sendProgress } from '../progress.ts'
import { myWorksQuery, workOrdersKey } from '../queries.ts'
import { sayParts, showDue, showHours } from '../words.ts'
import styles from './my-works.module.css'

const FinishDialog = lazy(async () => ({ default: (await import('./finish-dialog.tsx')).FinishDialog }))
const MyOrderSheet = lazy(async () => ({ default: (await import('./my-order-sheet.tsx')).MyOrderSheet }))

const rank = ({ state }: Work) => WORK_STATES[state].rank
const LEVEL = { high: 0, medium: 1, low: 2 }

interface Job {
  order: WorkOrderCard
  works: Work[]
}

/** One job for each order; what is running comes first, then what is urgent. */
function jobsOf(mine: MyWork[]): Job[] {
  const jobs = [...Map.groupBy(mine, ({ order }) => order.id).values()].map((rows) => ({
    order: rows[0]!.order,
    works: rows.map(({ work }) => work).sort((a, b) => rank(a) - rank(b) || a.id - b.id),
  }))
  const first = ({ works }: Job) => Math.min(...works.map(rank))
  return jobs.sort((a, b) => first(a) - first(b) || LEVEL[a.order.priority] - LEVEL[b.order.priority])
}

/** The place of each work and the jobs that were open, as they were when the person began to look. */
interface Places {
  works: number[]
  open: number[]
}

const isOpen = ({ works }: Job) => works.some(({ state }) => !WORK_STATES[state].done)

/** Later arrivals go to the end, so that nothing on screen moves to make room. */
const withNew = (before: Places | undefined, jobs: Job[]): Places => {
  const works = jobs.flatMap((job) => job.works.map(({ id }) => id))
  const open = jobs.filter(isOpen).map(({ order }) => order.id)
  return {
    works: [...new Set([...(before?.works ?? []), ...works])],
    open: [...new Set([...(before?.open ?? []), ...open])],
  }
}

/**
 * The jobs, each where it stood when the person began to look: what is finished or started stays under the finger. They
 * are sorted again when the phone is taken up the next time.
 */
function useSteadyJobs(mine: MyWork[] | undefined) {
  const [places, setPlaces] = useState<Places>()
  useEffect(() => {
    if (mine) setPlaces((before) => withNew(before, jobsOf(mine)))
  }, [mine])
  useEffect(() => {
    const sortAgain = () => {
      if (!document.hidden && mine) setPlaces(withNew(undefined, jobsOf(mine)))
    }
    document.addEventListener('visibilitychange', sortAgain)
    return () => document.removeEventListener('visibilitychange', sortAgain)
  }, [mine])
  if (!mine) return undefined
  const jobs = jobsOf(mine)
  const now = withNew(places, jobs)
  const place = new Map(now.works.map((id, index) => [id, index]))
  const at = ({ id }: Work) => place.get(id)!
  const first = ({ works }: Job) => Math.min(...works.map(at))
  const steady = jobs
    .map(({ order, works }) => ({ order, works: works.toSorted((a, b) => at(a) - at(b)) }))
    .sort((a, b) => first(a) - first(b))
  return {
    jobs: steady,
    left: jobs.filter(isOpen).length,
    open: steady.filter(({ order }) => now.open.includes(order.id)),
    done: steady.filter(({ order }) => !now.open.includes(order.id)),
  }
}

/** A mechanic's day on a phone: start, pause, finish, sign. */
export default function MyWorks() {
  const mine = useQuery(myWorksQuery)
  const waiting = useNoticeable(mine.isPending)
  const [opened, setOpened] = useState<number>()
  const [closing, setClosing] = useState<WorkOrderCard>()
  const steady = useSteadyJobs(mine.data)
  const { jobs, left = 0, open = [], done = [] } = steady ?? {}
  const shown = jobs?.find(({ order }) => order.id === opened)
  return (
    <section className={styles.screen} aria-label="Mis trabajos">
      <PageHeader title="Mis trabajos" aside={jobs && said(left)} />
      {mine.isError && !mine.data && <ErrorState error={mine.error} onRetry={() => void mine.refetch()} />}
      {waiting && (
        <div className={styles.list} role="status" aria-label="Cargando">
          <Skeleton h={190} />
          <Skeleton h={190} />
        </div>
      )}
      {jobs?.length === 0 && (
        <EmptyState icon={IconTool} title="No tiene trabajos pendientes">
          Cuando el jefe de taller le asigne uno, aparecerá aquí al instante.
        </EmptyState>
      )}
      <div className={styles.list}>
        {open.map((job) => (
          <JobCard key={job.order.id} job={job} onOpen={() => setOpened(job.order.id)} onClose={setClosing} />
        ))}
      </div>
      {done.length > 0 && (
        <>
          <h2 className={styles.later}>Terminados hoy</h2>
          <div className={styles.list}>
            {done.map((job) => (
              <JobCard key={job.order.id} job={job} onOpen={() => setOpened(job.order.id)} onClose={setClosing} />
            ))}
          </div>
        </>
      )}
      <Suspense fallback={null}>
        {shown && <MyOrderSheet order={shown.order} onClose={() => setOpened(undefined)} onFinish={setClosing} />}
        {closing && <FinishDialog order={closing} onClose={() => setClosing(undefined)} />}
      </Suspense>
    </section>
  )
}

const said = (open: number) => (open === 0 ? 'Todo al día' : open === 1 ? '1 orden' : `${open} órdenes`)

/** Every work of the order is done: what is left is to sign and close it. */
const isReady = (order: WorkOrderCard) =>
  !isClosed(order) && order.works_total > 0 && order.works_done === order.works_total

interface JobCardProps {
  job: Job
  onOpen: () => void
  onClose: (order: WorkOrderCard) => void
}

function JobCard({ job: { order, works }, onOpen, onClose }: JobCardProps) {
  const zone = useZone()
  const due = showDue(order, zone)
  return (
    <article className={styles.job}>
      <button type="button" className={styles.jobHead} onClick={onOpen}>
        <span className={styles.jobLine}>
          <Plate text={showPatent(order.patent)} />
          <span className="mono">{order.code}</span>
          <PriorityBars priority={order.priority} />
          {due && (
            <span className={styles.due} data-tone={due.tone}>
              {due.text}
            </span>
          )}
        </span>
        <span className={styles.request}>{order.request ?? order.type_maintenance ?? 'Sin solicitud'}</span>
        <span className={styles.jobMeta}>
          {order.coupled_patent && <span>Acoplado {showPatent(order.coupled_patent)}</span>}
          {order.box_name && <span>{order.box_name}</span>}
          {sayParts(order).map((text) => (
            <span key={text}>{text}</span>
          ))}
          {isClosed(order) && <span>{WORK_ORDER_STATES[order.status].label}</span>}
          <span className={styles.more}>
            Repuestos, fotos y notas
            <IconChevronRight size={14} stroke={1.9} aria-hidden />
          </span>
        </span>
      </button>
      <ul className={styles.works}>
        {works.map((work) => (
          <WorkRow key={work.id} work={work} locked={isClosed(order)} />
        ))}
      </ul>
      {isReady(order) && (
        <Button
          size="lg"
          className={styles.big}
          leftSection={<IconSignature size={20} stroke={1.7} />}
          onClick={() => onClose(order)}
        >
          Firmar y finalizar
        </Button>
      )}
    </article>
  )
}

export function useProgress() {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const progress = async (work: Work, action: WorkAction): Promise<void> => {
    setPending(true)
    try {
      const after = await sendProgress(work.id, { action })
      if (!after) return
      client.setQueryData(myWorksQuery.queryKey, (mine) => mine?.map((one) => moved(one, work, after)))
      if (action === 'finish')
        say(`${nameOf(work)}: terminado`, {
          undo: async () => {
            await progress(after, 'reopen')
            // What ran goes on.
            if (mayWork(work, 'pause')) await progress({ ...after, state: 'paused' }, 'start')
          },
        })
    } catch (error) {
      say('No se pudo registrar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: workOrdersKey })
    }
  }
  return { progress, isPending }
}

/** The order's own count moves with it, so that the next button is there at once. */
function moved(one: MyWork, before: Work, after: Work): MyWork {
  if (one.order.id !== before.work_order_id) return one
  const step = Number(WORK_STATES[after.state].done) - Number(WORK_STATES[before.state].done)
  return {
    work: one.work.id === after.id ? after : one.work,
    order: { ...one.order, works_done: one.order.works_done + step },
  }
}

function WorkRow({ work, locked }: { work: Work; locked: boolean }) {
  const { progress, isPending } = useProgress()
  const own = useMe().specialist_id
  const { label, tone, begun } = WORK_STATES[work.state]
  const others = work.times.filter((time) => time.until_at === null && time.specialist_id !== own)
  const name = nameOf(work)
  return (
    <li className={styles.work} data-state={work.state}>
      <div className={styles.workHead}>
        <span className={styles.workName}>
          {name}
          {work.task && work.description && <small className={styles.small}>{work.description}</small>}
        </span>
        <StatusPill tone={tone}>{label}</StatusPill>
      </div>
      <Elapsed work={work} />
      {others.length > 0 && (
        <small className={styles.small}>Ahora: {others.map(({ specialist }) => specialist).join(', ')}</small>
      )}
      {!locked && (
        <div className={styles.workButtons}>
          {isAt(work, own) ? (
            <Button
              size="lg"
              variant="default"
              loading={isPending}
              leftSection={<IconPlayerPause size={20} stroke={1.7} />}
              onClick={() => progress(work, 'pause')}
            >
              Pausar
            </Button>
          ) : mayWork(work, 'reopen') ? (
            <Button
              size="lg"
              variant="subtle"
              loading={isPending}
              leftSection={<IconRotate size={20} stroke={1.7} />}
              onClick={() => progress(work, 'reopen')}
            >
              Volver a abrir
            </Button>
          ) : (
            <Button
              size="lg"
              loading={isPending}
              leftSection={<IconPlayerPlay size={20} stroke={1.7} />}
              onClick={() => progress(work, 'start')}
            >
              {others.length > 0 ? 'Sumarme' : begun ? 'Seguir' : 'Empezar'}
            </Button>
          )}
          {mayWork(work, 'finish') && work.specialist_id === own && (
            <Button
              size="lg"
              variant={isAt(work, own) ? 'filled' : 'default'}
              loading={isPending}
              leftSection={<IconCheck size={20} stroke={1.9} />}
              onClick={() => progress(work, 'finish')}
            >
              Terminar
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

/** How long it has taken, counting while it runs. */
function Elapsed({ work }: { work: Work }) {
  const [now, setNow] = useState(Date.now())
  const isRunning = mayWork(work, 'pause')
  useEffect(() => {
    if (!isRunning) return
    const ticking = setInterval(() => setNow(Date.now()), 15_000)
    return () => clearInterval(ticking)
  }, [isRunning])
  const before = work.start_time && work.hours ? work.hours : 0
  const running = isRunning && work.start_time ? (now - Date.parse(work.start_time)) / 3_600_000 : 0
  const hours = isRunning ? before + Math.max(0, running) : work.duration
  if (hours === null) return null
  return <div className={styles.elapsed}>{isRunning ? `Lleva ${showHours(hours)}` : showHours(hours)}</div>
}
