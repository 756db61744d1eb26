import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconCheck, IconClock, IconPlayerPause, IconPlayerPlay, IconRotate, IconUserPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { mayWork, WORK_STATES, type Work, type WorkProgress } from '#contract/work-orders/lines.ts'
import type { WorkOrder } from '#contract/work-orders/orders.ts'
import { isClosed } from '#contract/work-orders/states.ts'
import { useMay, useMe } from '../../platform/session.ts'
import { say } from '../../ui/snackbar.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { type Act, isAt, nameOf, sendProgress } from '../progress.ts'
import { workOrdersKey } from '../queries.ts'
import { showHours } from '../words.ts'
import styles from './order.module.css'
import { OrderSection } from './section.tsx'

const TimesDrawer = lazy(() => import('./times-drawer.tsx'))

interface ClocksPartProps {
  order: WorkOrder
  /** Saves what is typed first. */
  saved: (then: () => void) => void
}

/** Who is at which work, and for how long: started, paused and finished with one tap. */
export function ClocksPart({ order, saved }: ClocksPartProps) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const [opened, setOpened] = useState<number>()
  const isFinal = isClosed(order)
  const act: Act = (work, body) =>
    saved(async () => {
      setPending(true)
      try {
        await sendProgress(work.id, body)
      } catch (error) {
        say('No se pudo registrar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
      } finally {
        setPending(false)
        void client.invalidateQueries({ queryKey: workOrdersKey })
      }
    })
  const shown = order.works.find(({ id }) => id === opened)
  if (order.works.length === 0) return null
  const total = order.works.reduce((sum, work) => sum + work.clocked_minutes, 0)
  return (
    <OrderSection id="horas" title="Horas de trabajo">
      <ul className={styles.clocks} aria-label="Horas de trabajo">
        {order.works.map((work) => (
          <li key={work.id}>
            <WorkWords work={work} />
            <span className={styles.clockButtons}>
              {!isFinal && <Taps work={work} isPending={isPending} act={(body) => act(work, body)} />}
              <Tooltip label="Quién y cuándo">
                <ActionIcon aria-label={`Horas de ${nameOf(work)}`} onClick={() => setOpened(work.id)}>
                  <IconClock size={16} stroke={1.7} />
                </ActionIcon>
              </Tooltip>
            </span>
          </li>
        ))}
      </ul>
      {total > 0 && (
        <p className={styles.sum}>
          Total marcado: <strong>{showHours(total / 60)}</strong>
        </p>
      )}
      <Suspense fallback={null}>
        {shown && <TimesDrawer order={order} work={shown} act={act} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </OrderSection>
  )
}

function WorkWords({ work }: { work: Work }) {
  const { label, tone } = WORK_STATES[work.state]
  const now = work.times.filter(({ until_at }) => until_at === null).map(({ specialist }) => specialist)
  const who = now.length > 0 ? `Ahora: ${now.join(', ')}` : (work.specialist ?? 'Sin asignar')
  return (
    <span className={styles.lineName}>
      <span>{nameOf(work)}</span>
      <span className={styles.lineMeta}>
        <StatusPill tone={tone}>{label}</StatusPill>
        {who}
        {work.clocked_minutes > 0 && <span>{showHours(work.clocked_minutes / 60)} marcadas</span>}
      </span>
    </span>
  )
}

interface TapsProps {
  work: Work
  isPending: boolean
  act: (body: Partial<WorkProgress> & Pick<WorkProgress, 'action'>) => void
}

function Taps({ work, isPending, act }: TapsProps) {
  const me = useMe()
  const isChief = useMay('work-orders.write')
  if (!useMay('work-orders.work')) return null
  const isOwn = isChief || work.specialist_id === me.specialist_id
  const isOn = isChief ? mayWork(work, 'pause') : isAt(work, me.specialist_id) && (isOwn || work.times.length > 0)
  const of = `: ${nameOf(work)}`
  const look = { size: 'xs', variant: 'default', loading: isPending } as const
  const icon = { size: 14, stroke: 1.9 }
  if (!isOwn && me.specialist_id === null) return null
  if (WORK_STATES[work.state].done)
    return isOwn ? (
      <Button
        {...look}
        leftSection={<IconRotate {...icon} />}
        aria-label={`Reabrir${of}`}
        onClick={() => act({ action: 'reopen' })}
      >
        Reabrir
      </Button>
    ) : null
  return (
    <>
      {isOn ? (
        <Button
          {...look}
          leftSection={<IconPlayerPause {...icon} />}
          aria-label={`Pausar${of}`}
          onClick={() => act({ action: 'pause', join: !isOwn })}
        >
          Pausar
        </Button>
      ) : isOwn && mayWork(work, 'start') ? (
        <Button
          {...look}
          leftSection={<IconPlayerPlay {...icon} />}
          aria-label={`Empezar${of}`}
          onClick={() => act({ action: 'start' })}
        >
          {WORK_STATES[work.state].begun ? 'Seguir' : 'Empezar'}
        </Button>
      ) : (
        <Button
          {...look}
          leftSection={<IconUserPlus {...icon} />}
          aria-label={`Sumarme${of}`}
          onClick={() => act({ action: 'start', join: true })}
        >
          Sumarme
        </Button>
      )}
      {isOwn && (
        <Button
          {...look}
          leftSection={<IconCheck {...icon} />}
          aria-label={`Terminar${of}`}
          onClick={() => act({ action: 'finish' })}
        >
          Terminar
        </Button>
      )}
    </>
  )
}
