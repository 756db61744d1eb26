import { Menu } from '@mantine/core'
import { IconArrowRight, IconCalendarPlus, IconInbox } from '@tabler/icons-react'
import type { PlannerItem } from '#contract/work-orders/planner.ts'
import { MenuLink } from '../../ui/links.tsx'
import { type Lane, type Lanes, laneOf, type Place, sayPlace } from './model.ts'
import styles from './planner.module.css'

interface PlanMenuProps {
  item: PlannerItem
  button: HTMLElement
  lanes: Lanes
  first: string
  /** Those it may go to. */
  others: Lane[]
  gap: Place | undefined
  /** In another lane, at the hours it has or would get. */
  inLane: (lane: Lane) => Place
  onMove: (to: Place | null) => void
  onClose: () => void
}

/** For those who cannot drag: where it may go. */
export function PlanMenu({ item, button, lanes, first, others, gap, inLane, onMove, onClose }: PlanMenuProps) {
  const { left, bottom } = button.getBoundingClientRect()
  const own = laneOf(item, lanes)
  const elsewhere = others.filter(({ id }) => id !== own && id !== 0)
  return (
    <Menu
      opened
      onClose={() => {
        onClose()
        button.focus()
      }}
      position="bottom-start"
      width={260}
    >
      <Menu.Target>
        <span className={styles.anchor} style={{ left, top: bottom }} />
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        <Menu.Label>{item.code}</Menu.Label>
        {gap && !item.began && (
          <Menu.Item leftSection={<IconCalendarPlus size={16} stroke={1.7} />} onClick={() => onMove(gap)}>
            Primer hueco libre
            <span className={styles.hours}>{sayPlace(gap, first)}</span>
          </Menu.Item>
        )}
        {item.start && !item.began && (
          <Menu.Item leftSection={<IconInbox size={16} stroke={1.7} />} onClick={() => onMove(null)}>
            Dejar sin programar
          </Menu.Item>
        )}
        <MenuLink
          to="/ordenes-de-trabajo/$id"
          params={{ id: String(item.work_order_id) }}
          leftSection={<IconArrowRight size={16} stroke={1.7} />}
        >
          Abrir la orden
        </MenuLink>
        {elsewhere.length > 0 && <Menu.Label>Pasar a…</Menu.Label>}
        {elsewhere.map((lane) => {
          const to = inLane(lane)
          return (
            <Menu.Item key={lane.id} onClick={() => onMove(to)}>
              {lane.name}
              <span className={styles.hours}>{sayPlace(to, first)}</span>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
