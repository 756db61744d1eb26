import { ActionIcon, Menu } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { OVERDUE } from '#contract/alerts/alerts.ts'
import { showBytes } from '#contract/base/bytes.ts'
import { addDays, dayOf, showDay } from '#contract/base/dates.ts'
import { showMoney } from '#contract/base/money.ts'
import { showPatent } from '#contract/fleet/fleet.ts'
import { WORK_STATES } from '#contract/work-orders/lines.ts'
import { isStorageLow, type Storage } from '#contract/workshops/company.ts'
import { useLiveEvent } from '../platform/live.ts'
import { useMe, useWorkshop, useZone } from '../platform/session.ts'
import { keep, recall } from '../platform/storage.ts'
import { myWorksQuery } from '../work-orders/queries.ts'
import { isOverdue, showDue } from '../work-orders/words.ts'
import { storageQuery } from '../workshops/queries.ts'
import styles from './bell.module.css'
import { dueAlertsQuery, openOrdersQuery, purchasesQuery, transfersQuery } from './queries.ts'

/** It is on every screen: of all that happens in this time, it asks once. */
const PAUSE = 10_000
const EVERY = { refetchInterval: 120_000, staleTime: 60_000 }
const MOST = 50
/** For how long one hears that what was sent arrived otherwise. */
const DAYS_SHORT = 14

interface Concern {
  /** The same as long as it is the same news. */
  key: string
  text: string
  detail: string
  tone?: 'danger' | 'warning'
  path: string
}

/** What waits for this person, the worst first; and how much there is behind lines of the navigation. */
function useConcerns() {
  const me = useMe()
  const zone = useZone()
  const workshop = useWorkshop().id
  const today = dayOf(new Date(), zone)
  const may = (permission: (typeof me.permissions)[number]) => me.permissions.includes(permission)
  const isMechanic = Boolean(me.specialist_id) && may('work-orders.work')
  const runs = may('work-orders.write')
  const orders = useQuery({
    ...openOrdersQuery(workshop, runs ? MOST : 1),
    ...EVERY,
    enabled: may('work-orders.read'),
  }).data
  const alerts = useQuery({ ...dueAlertsQuery(workshop, 10), ...EVERY, enabled: may('alerts.read') }).data
  const approvals = useQuery({
    ...purchasesQuery(workshop, 'pending', 10),
    ...EVERY,
    enabled: may('purchasing.approve'),
  }).data
  // Those who approve are told of what waits for them instead.
  const receives = may('warehouses.write') && !may('purchasing.approve')
  const coming =
    useQuery({ ...purchasesQuery(workshop, 'receivable', 20), ...EVERY, enabled: receives }).data?.data ?? []
  const lately = `${addDays(today, -DAYS_SHORT)},${today}`
  const sent = useQuery({ ...transfersQuery(workshop, 'coming'), ...EVERY, enabled: may('transfers.receive') })
  const short = useQuery({ ...transfersQuery(workshop, 'short', lately), ...EVERY, enabled: may('transfers.send') })
  const works = useQuery({ ...myWorksQuery, ...EVERY, enabled: isMechanic }).data?.filter(
    ({ work }) => !WORK_STATES[work.state].done,
  )
  // Room for files runs out over weeks.
  const storage = useQuery({
    ...storageQuery,
    refetchInterval: 600_000,
    staleTime: 600_000,
    enabled: may('company.manage'),
  }).data
  const concerns: Concern[] = [
    ...(storage ? storageConcern(storage) : []),
    ...(runs ? (orders?.data ?? []) : [])
      .filter((order) => isOverdue(order, zone))
      .map((order) => ({
        key: `late ${order.id}`,
        text: `${order.code} ${showPatent(order.patent)}`,
        detail: `${showDue(order, zone)?.text ?? ''} · ${order.request ?? ''}`,
        tone: 'danger' as const,
        path: `/ordenes-de-trabajo/${order.id}`,
      })),
    ...(approvals?.data ?? []).map((order) => ({
      key: `approve ${order.id}`,
      text: `${order.code} espera aprobación`,
      detail: `${order.provider_name} · ${showMoney(order.total)}`,
      tone: 'warning' as const,
      path: `/warehouse/${order.warehouse_id}?tab=purchases-orders&order=${order.id}`,
    })),
    ...coming.flatMap((order) => {
      const day = order.promised_on ?? order.deliveryAt
      if (!day || day > today) return []
      return {
        key: `receive ${order.id} ${day}`,
        text: `${order.code} ${day === today ? 'llega hoy' : 'no ha llegado'}`,
        detail: `${order.provider_name} · ${showDay(day)}`,
        tone: day === today ? undefined : ('danger' as const),
        path: `/warehouse/${order.warehouse_id}?tab=purchases-orders&order=${order.id}`,
      }
    }),
    ...(sent.data ?? []).map((one) => ({
      key: `coming ${one.id}`,
      text: `${one.code} viene de ${one.workshop_name}`,
      detail: `Por recibir en ${one.to_warehouse_name}`,
      path: `/warehouse/${one.to_warehouse_id}?tab=transfers&transfer=${one.id}`,
    })),
    ...(short.data ?? []).map((one) => ({
      key: `short ${one.id}`,
      text: `${one.code} llegó con diferencia`,
      detail: `A ${one.to_workshop_name} · faltan ${showMoney(one.missing_value)}`,
      tone: 'warning' as const,
      path: `/warehouse/${one.warehouse_id}?tab=transfers&transfer=${one.id}`,
    })),
    ...(isMechanic ? (works ?? []) : []).flatMap(({ work, order }) => {
      const path = '/mis-trabajos'
      const name = work.task ?? work.description ?? 'Trabajo'
      const parts = order.planned_supplies.filter(({ reserved }) => reserved > 0)
      const arrived = {
        key: `parts ${order.id}`,
        text: `Hay repuestos para ${order.code}`,
        detail: parts.map(({ name }) => name).join(', '),
        path,
      }
      return [
        ...(WORK_STATES[work.state].begun
          ? []
          : [{ key: `work ${work.id}`, text: name, detail: `${order.code} · ${order.request ?? ''}`, path }]),
        ...(parts.length > 0 ? [arrived] : []),
      ]
    }),
    ...(may('alerts.write') ? (alerts?.data ?? []) : []).map((alert) => ({
      key: `alert ${alert.id}`,
      text: `${alert.name}, ${showPatent(alert.patent)}`,
      detail: alert.overdue ? OVERDUE.label : alert.due_on ? `Para el ${showDay(alert.due_on)}` : 'Por hacer',
      tone: alert.overdue ? ('danger' as const) : undefined,
      path: `/maintenance-alerts?alert=${alert.id}`,
    })),
  ]
  const counts: Record<string, number | undefined> = {
    '/ordenes-de-trabajo': orders?.total,
    '/maintenance-alerts': alerts?.total,
    '/mis-trabajos': isMechanic ? works?.length : undefined,
  }
  return { concerns: [...new Map(concerns.map((one) => [one.key, one])).values()], counts }
}

function storageConcern(storage: Storage): Concern[] {
  const { used, quota } = storage
  if (quota === null || !isStorageLow(storage)) return []
  const isFull = used >= quota
  return [
    {
      key: isFull ? 'storage full' : 'storage low',
      text: isFull ? 'No queda espacio para archivos' : 'Queda poco espacio para archivos',
      detail: `Usan ${showBytes(used)} de ${showBytes(quota)}`,
      tone: isFull ? 'danger' : 'warning',
      path: '/configuracion/empresa',
    },
  ]
}

const COUNTED = new Map([
  ['work-orders', 'orders'],
  ['warehouses', 'transfers'],
])

/** What others do to orders and stock reaches the bell too, a moment later; of the rest it hears as all do. */
function useNews() {
  const client = useQueryClient()
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const heard = useRef(new Set<string>())
  useLiveEvent(({ topic }) => {
    const counted = COUNTED.get(topic)
    if (!counted) return
    heard.current.add(counted)
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined
      for (const each of heard.current) void client.invalidateQueries({ queryKey: ['counted', each] })
      heard.current.clear()
    }, PAUSE)
  })
  useEffect(() => () => clearTimeout(waiting.current), [])
}

const Seen = z.array(z.string())

function useSeen(concerns: Concern[]) {
  const me = useMe()
  const name = `list.bell.${me.company_id}.${me.id}` as const
  const [seen, setSeen] = useState(() => {
    try {
      return Seen.parse(JSON.parse(recall(name) ?? '[]'))
    } catch {
      return []
    }
  })
  return {
    fresh: concerns.filter(({ key }) => !seen.includes(key)).length,
    see: () => {
      const keys = concerns.map(({ key }) => key)
      setSeen(keys)
      keep(name, JSON.stringify(keys))
    },
  }
}

/** Rings with what waits for this person, and tells the navigation how much is behind its lines. */
export default function Bell({ onCounts }: { onCounts: (counts: Record<string, number | undefined>) => void }) {
  const navigate = useNavigate()
  const { concerns, counts } = useConcerns()
  useNews()
  const { fresh, see } = useSeen(concerns)
  const told = JSON.stringify(counts)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when a figure is another one
  useEffect(() => onCounts(counts), [told, onCounts])
  const label = fresh === 0 ? 'Avisos' : fresh === 1 ? 'Avisos: 1 nuevo' : `Avisos: ${fresh} nuevos`
  return (
    // On closing, too: some of it may have arrived while the list was open.
    <Menu position="bottom-end" width={340} onOpen={see} onClose={see}>
      <Menu.Target>
        <ActionIcon className={styles.bell} aria-label={label} title={label}>
          <IconBell size={18} stroke={1.7} />
          {fresh > 0 && <span className={styles.badge}>{fresh > 9 ? '9+' : fresh}</span>}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={styles.list}>
        <Menu.Label>{concerns.length === 0 ? 'Nada espera por usted' : 'Esperan por usted'}</Menu.Label>
        {concerns.slice(0, 20).map(({ key, text, detail, tone, path }) => (
          <Menu.Item key={key} onClick={() => void navigate({ href: path })}>
            <span className={styles.text}>{text}</span>
            <span className={styles.detail} data-tone={tone}>
              {detail}
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
