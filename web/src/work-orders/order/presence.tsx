import { IconUsers } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { useLiveEvent } from '../../platform/live.ts'
import { useMe } from '../../platform/session.ts'
import styles from './order.module.css'

const SAY_EVERY = 15_000
const GONE_AFTER = 35_000

/** Who else has this order open. */
export function usePresence(order: number) {
  const me = useMe()
  const [others, setOthers] = useState<ReadonlyMap<number, { name: string; at: number }>>(new Map())

  useEffect(() => {
    const tell = () => {
      if (document.visibilityState === 'visible')
        void call(workOrderParts.beInWorkOrder, { params: { id: order } }).catch(() => {})
    }
    tell()
    const telling = setInterval(tell, SAY_EVERY)
    const sweeping = setInterval(
      () =>
        setOthers((now) => {
          const here = [...now].filter(([, { at }]) => Date.now() - at < GONE_AFTER)
          return here.length === now.size ? now : new Map(here)
        }),
      5_000,
    )
    document.addEventListener('visibilitychange', tell)
    return () => {
      clearInterval(telling)
      clearInterval(sweeping)
      document.removeEventListener('visibilitychange', tell)
    }
  }, [order])

  useLiveEvent(({ ids, present }) => {
    if (!present || present.user_id === me.id || !ids.includes(order)) return
    const isNew = !others.has(present.user_id)
    setOthers((now) => new Map(now).set(present.user_id, { name: present.user_name, at: Date.now() }))
    // Whoever has just come does not know yet who was here.
    if (isNew) void call(workOrderParts.beInWorkOrder, { params: { id: order } }).catch(() => {})
  })
  return [...others.values()].map(({ name }) => name)
}

export function PresenceSign({ names }: { names: string[] }) {
  if (names.length === 0) return null
  const [first = '', ...rest] = names
  return (
    <p className={styles.notice} data-tone="info" role="status">
      <IconUsers size={16} stroke={1.7} aria-hidden />
      {rest.length === 0
        ? `${first} también tiene esta orden abierta.`
        : `${names.slice(0, -1).join(', ')} y ${rest.at(-1)} también tienen esta orden abierta.`}
    </p>
  )
}
